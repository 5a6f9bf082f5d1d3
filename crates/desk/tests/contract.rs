//! What asks the index on a disk for neighbours passes the contract that the one in memory passes.

use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_core::trust::StoreTrust;
use oldhand_desk::config::{Inputs, resolve};
use oldhand_desk::meaning::Comparing;
use oldhand_desk::neighbours::{Known, Neighbours};
use oldhand_store::disk::RealDisk;
use oldhand_store::layout::Layout;
use oldhand_store::ulid::SystemEntropy;
use oldhand_store::vault::{LocalVault, Opening, init};
use oldhand_testkit::index_contract::{self, NearbyBed};

#[test]
fn neighbours_on_a_disk_keep_the_contract() {
    let flags = ["recall.model=keywords".to_owned()];
    let inputs = Inputs {
        user: None,
        store: None,
        trust: StoreTrust::Own,
        variable: &|_| None,
        flags: &flags,
    };
    let resolved = resolve(&inputs).expect("settings");
    let kinds = Kinds::default();
    index_contract::nearby(&|case| {
        let folder = tempfile::tempdir().expect("a folder");
        let layout =
            Layout { root: folder.path().join(".oldhand"), repository: folder.path().to_owned() };
        init(&RealDisk, &layout, &kinds, "", false).expect("a new store");
        let cache = Some(folder.path().join("cache"));
        let vault = LocalVault::open(Opening {
            disk: &RealDisk,
            layout,
            kinds: &kinds,
            entropy: &SystemEntropy,
            now: Timestamp::UNIX_EPOCH,
            lock_wait: Duration::from_secs(5),
            index: cache.clone(),
            commits_index: false,
        })
        .expect("a store that opens");
        let nearby = Neighbours {
            vault: &vault,
            cache,
            resolved: &resolved,
            warm: None,
            known: Known::default(),
            comparing: Comparing::by(resolved.model()),
        };
        case(NearbyBed { vault: &vault, nearby: &nearby });
    });
}
