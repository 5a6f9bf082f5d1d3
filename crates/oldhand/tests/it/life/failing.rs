//! The n-th operation of the disk fails: an error means that nothing has changed, and what was told
//! is there.

use oldhand_store::disk::RealDisk;
use oldhand_testkit::fault::{Counted, Fault, FaultDisk, FaultPlan, Mode};

use super::{Scene, difference, scenes, state};

fn check(scene: &Scene, fault: Fault, mode: Mode) -> u64 {
    let (before, after) = (state(&scene.store), state(&scene.done()));
    // A sweep leaves out what it can't read, and says what it has done; the rest waits.
    let is_about_writes = scene.name == "sweep" || fault == Fault::ShortWrite;
    let counted = if is_about_writes { Counted::Mutating } else { Counted::Every };
    for nth in 1.. {
        let copy = scene.store.copy();
        let disk = FaultDisk::new(RealDisk, FaultPlan { nth, fault, mode, counted });
        let ran = copy.run_on(&disk, &scene.args, b"");
        let when = format!("{}: {fault:?} {mode:?} at operation {nth}", scene.name);
        let said = String::from_utf8_lossy(&ran.stdout);
        if !disk.fired() {
            assert_eq!(ran.code, scene.code, "{when}: {said}");
            return nth - 1;
        }
        let found = state(&copy);
        if scene.was_told(&ran.stdout) {
            assert!(found == after, "{when}: told and not there: {}", difference(&found, &after));
        } else {
            assert_ne!(ran.code, 0, "{when}: {said}");
            assert!(said.contains("oldhand.error"), "{when}: {said}");
            let is_intact = found == before || (mode == Mode::FromThenOn && found == after);
            assert!(is_intact, "{when}: {said}\n{}", difference(&found, &before));
        }
        copy.assert_healthy(&when);
    }
    unreachable!("a run that is long enough completes")
}

fn check_all(fault: Fault, mode: Mode) {
    let scenes = scenes();
    let points: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> =
            scenes.iter().map(|scene| scope.spawn(move || check(scene, fault, mode))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    println!("{points} operations failed");
    assert!(points >= 100, "only {points} operations");
}

#[test]
fn once() {
    check_all(Fault::Eio, Mode::Once);
}

#[test]
fn half_written_once() {
    check_all(Fault::ShortWrite, Mode::Once);
}

#[test]
fn from_then_on() {
    check_all(Fault::Enospc, Mode::FromThenOn);
}
