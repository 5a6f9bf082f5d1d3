//! Each implementation of the vault passes the one contract.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_store::disk::RealDisk;
use oldhand_store::layout::Layout;
use oldhand_store::ulid::Entropy;
use oldhand_store::vault::{LocalVault, Opening, init};
use oldhand_testkit::contract;
use oldhand_testkit::memory_vault::MemoryVault;

struct Counting(AtomicU64);

impl Entropy for Counting {
    fn next(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn the_vault_in_memory_keeps_the_contract() {
    let (kinds, entropy) = (Kinds::default(), Counting(AtomicU64::new(0)));
    contract::vault(&|case| {
        case(&MemoryVault::new(&kinds, &entropy, Timestamp::UNIX_EPOCH));
    });
}

#[test]
fn the_vault_on_a_disk_keeps_the_contract() {
    let (kinds, entropy) = (Kinds::default(), Counting(AtomicU64::new(0)));
    contract::vault(&|case| {
        let folder = tempfile::tempdir().expect("a folder");
        let layout =
            Layout { root: folder.path().join(".oldhand"), repository: folder.path().to_owned() };
        init(&RealDisk, &layout, &kinds, "").expect("a new store");
        let opening = Opening {
            disk: &RealDisk,
            layout,
            kinds: &kinds,
            entropy: &entropy,
            now: Timestamp::UNIX_EPOCH,
            lock_wait: Duration::from_secs(5),
            index: None,
        };
        case(&LocalVault::open(opening).expect("a store that opens"));
    });
}
