//! The faults over a real disk: what fails, with what, and what is left on the disk.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use oldhand_store::disk::{Disk, RealDisk};

use super::{Counted, Fault, FaultDisk, FaultPlan, Mode};

const PLAN: FaultPlan =
    FaultPlan { nth: 1, fault: Fault::Eio, mode: Mode::Once, counted: Counted::Every };

/// Every operation once: what each returned, short.
fn every_operation(disk: &dyn Disk, root: &Path) -> Vec<Option<io::ErrorKind>> {
    let at = |name: &str| root.join(name);
    let kind = |result: io::Result<()>| result.err().map(|error| error.kind());
    vec![
        kind(disk.make_dir(&at("d"))),
        kind(disk.create(&at("a"), b"four")),
        kind(disk.append(&at("b"), b"four")),
        kind(disk.sync_file(&at("a"))),
        kind(disk.sync_dir(root)),
        kind(disk.sync_filesystem(root)),
        kind(disk.exchange(&at("a"), &at("b"))),
        kind(disk.rename_new(&at("a"), &at("c"))),
        kind(disk.rename(&at("c"), &at("a"))),
        kind(disk.lock(&at("lock"), Duration::ZERO).map(drop)),
        kind(disk.read(&at("a"), 100).map(drop)),
        kind(disk.read_tail(&at("a"), 2).map(drop)),
        kind(disk.list(root).map(drop)),
        kind(disk.stat(&at("a")).map(drop)),
        kind(disk.remove(&at("a"))),
    ]
}

#[track_caller]
fn check_count(counted: Counted, want: u64) {
    let root = tempfile::tempdir().unwrap();
    let disk = FaultDisk::new(RealDisk, FaultPlan { nth: 0, counted, ..PLAN });
    assert_eq!(every_operation(&disk, root.path()), [None; 15]);
    assert_eq!((disk.operations(), disk.fired()), (want, false));
}

#[test]
fn operations_are_counted_and_pass_through() {
    check_count(Counted::Every, 15);
    check_count(Counted::Mutating, 11);
}

#[test]
fn every_operation_can_fail() {
    for nth in 1..=15 {
        let root = tempfile::tempdir().unwrap();
        // A file-number shortage is an error that no operation here meets by itself.
        let disk = FaultDisk::new(RealDisk, FaultPlan { nth, fault: Fault::Emfile, ..PLAN });
        let kinds = every_operation(&disk, root.path());
        let wanted = io::Error::from_raw_os_error(24).kind();
        let place = usize::try_from(nth).unwrap() - 1;
        assert_eq!(kinds[place], Some(wanted), "operation {nth}");
        assert_eq!(kinds.iter().filter(|kind| **kind == Some(wanted)).count(), 1);
        assert!(disk.fired());
    }
}

#[test]
fn a_dead_disk_stays_dead() {
    let root = tempfile::tempdir().unwrap();
    let plan = FaultPlan { nth: 3, mode: Mode::FromThenOn, fault: Fault::Enospc, ..PLAN };
    let kinds = every_operation(&FaultDisk::new(RealDisk, plan), root.path());
    assert_eq!(kinds[..2], [None; 2]);
    assert_eq!(kinds[2..], [Some(io::ErrorKind::StorageFull); 13]);

    let root = tempfile::tempdir().unwrap();
    let plan = FaultPlan { nth: 10, counted: Counted::Mutating, ..plan };
    let kinds = every_operation(&FaultDisk::new(RealDisk, plan), root.path());
    assert_eq!(kinds[9], Some(io::ErrorKind::StorageFull));
    assert_eq!(kinds[10..14], [None; 4], "reads go on");
    assert_eq!(kinds[14], Some(io::ErrorKind::StorageFull));
}

/// What a failed write of `four` returns and leaves, for `create` and for `append` to `old `.
#[track_caller]
fn check_write(fault: Fault, number: Option<i32>, created: Option<&str>, appended: &str) {
    let root = tempfile::tempdir().unwrap();
    let (new, old) = (root.path().join("new"), root.path().join("old"));
    fs::write(&old, "old ").unwrap();
    let disk = FaultDisk::new(RealDisk, FaultPlan { fault, mode: Mode::FromThenOn, ..PLAN });
    for error in [disk.create(&new, b"four"), disk.append(&old, b"four")] {
        let error = error.unwrap_err();
        assert_eq!(error.raw_os_error(), number);
        assert_eq!(error.kind() == io::ErrorKind::WriteZero, number.is_none());
    }
    assert_eq!(fs::read_to_string(&new).ok().as_deref(), created);
    assert_eq!(fs::read_to_string(&old).unwrap(), appended);
}

#[test]
fn a_failed_write_leaves_half_or_nothing() {
    check_write(Fault::Eio, Some(5), None, "old ");
    check_write(Fault::Emfile, Some(24), None, "old ");
    check_write(Fault::Enospc, Some(28), Some("fo"), "old fo");
    check_write(Fault::ShortWrite, None, Some("fo"), "old fo");
}

#[test]
fn a_taken_name_stays_whole() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("taken");
    fs::write(&path, "kept").unwrap();
    let disk = FaultDisk::new(RealDisk, FaultPlan { fault: Fault::ShortWrite, ..PLAN });
    let error = disk.create(&path, b"four").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
}
