//! Each implementation of the vault and of the index passes the one contract.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_core::policy::TrustPolicy;
use oldhand_store::disk::RealDisk;
use oldhand_store::index::{CheckPolicy, FillPolicy, IndexOpening, LocalIndex, Opened};
use oldhand_store::layout::Layout;
use oldhand_store::port::Vault;
use oldhand_store::port::index::Index;
use oldhand_store::ulid::Entropy;
use oldhand_store::vault::{LocalVault, Opening, init};
use oldhand_testkit::contract;
use oldhand_testkit::index_contract::{self, IndexBed, NearbyBed};
use oldhand_testkit::memory_index::MemoryIndex;
use oldhand_testkit::memory_vault::MemoryVault;

#[derive(Default)]
struct Counting(AtomicU64);

impl Entropy for Counting {
    fn next(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// What every store is opened with.
#[derive(Default)]
struct World {
    kinds: Kinds,
    entropy: Counting,
    trust: TrustPolicy,
}

impl World {
    fn memory(&self) -> MemoryVault<'_> {
        MemoryVault::new(&self.kinds, &self.entropy, Timestamp::UNIX_EPOCH)
    }

    fn index_of<'a>(&'a self, vault: &'a MemoryVault<'a>) -> MemoryIndex<'a> {
        MemoryIndex { vault, kinds: &self.kinds, trust: &self.trust }
    }

    fn on_disk(&self, case: impl FnOnce(&Path, LocalVault<'_>)) {
        let folder = tempfile::tempdir().expect("a folder");
        let layout =
            Layout { root: folder.path().join(".oldhand"), repository: folder.path().to_owned() };
        init(&RealDisk, &layout, &self.kinds, "", false).expect("a new store");
        let opening = Opening {
            disk: &RealDisk,
            layout,
            kinds: &self.kinds,
            entropy: &self.entropy,
            now: Timestamp::UNIX_EPOCH,
            lock_wait: Duration::from_secs(5),
            index: Some(folder.path().join("cache")),
            commits_index: false,
        };
        case(folder.path(), LocalVault::open(opening).expect("a store that opens"));
    }
}

#[test]
fn the_vault_in_memory_keeps_the_contract() {
    let world = World::default();
    contract::vault(&|case| case(&world.memory()));
}

#[test]
fn the_vault_on_a_disk_keeps_the_contract() {
    let world = World::default();
    contract::vault(&|case| world.on_disk(|_, vault| case(&vault)));
}

struct MemoryBed<'a> {
    vault: &'a MemoryVault<'a>,
    index: MemoryIndex<'a>,
}

impl IndexBed for MemoryBed<'_> {
    fn vault(&self) -> &dyn Vault {
        self.vault
    }

    fn put(&self, path: &str, text: &str) {
        self.vault.put(path, text);
    }

    fn with_index(&self, ask: &mut dyn FnMut(&dyn Index)) {
        ask(&self.index);
    }
}

struct DiskBed<'a> {
    folder: &'a Path,
    vault: LocalVault<'a>,
    trust: &'a TrustPolicy,
}

impl IndexBed for DiskBed<'_> {
    fn vault(&self) -> &dyn Vault {
        &self.vault
    }

    fn put(&self, path: &str, text: &str) {
        std::fs::write(self.folder.join(".oldhand").join(path), text).expect("a file");
    }

    fn with_index(&self, ask: &mut dyn FnMut(&dyn Index)) {
        let cache = Some(self.folder.join("cache"));
        let opened =
            Opened { vault: &self.vault, cache, is_own: false, from: None, is_doubted: false };
        let index = LocalIndex::open(IndexOpening {
            vaults: vec![opened],
            embedder: None,
            why_no_meaning: "there is no model".to_owned(),
            fill: FillPolicy::NONE,
            build_max: usize::MAX,
            trust: self.trust,
            check: CheckPolicy { hours: 24, entries: 5, window: CheckPolicy::WINDOW },
            warm: None,
        });
        ask(&index.expect("an index that opens"));
    }
}

#[test]
fn the_index_in_memory_keeps_the_contract() {
    let world = World::default();
    index_contract::index(&|case| {
        let vault = world.memory();
        case(&MemoryBed { vault: &vault, index: world.index_of(&vault) });
    });
}

#[test]
fn the_index_on_a_disk_keeps_the_contract() {
    let world = World::default();
    index_contract::index(&|case| {
        world.on_disk(|folder, vault| case(&DiskBed { folder, vault, trust: &world.trust }));
    });
}

#[test]
fn neighbours_in_memory_keep_the_contract() {
    let world = World::default();
    index_contract::nearby(&|case| {
        let vault = world.memory();
        case(NearbyBed { vault: &vault, nearby: &world.index_of(&vault) });
    });
}
