//! The ports over PostgreSQL pass the contracts that those on a disk and in memory pass (R401).

use oldhand_pg::access::Access;
use oldhand_pg::index::{InReach, PgIndex, PgNearby};
use oldhand_pg::sessions::PgSessions;
use oldhand_pg::vault::PgVault;
use oldhand_store::port::Vault;
use oldhand_store::port::index::Index;
use oldhand_store::port::session::SessionStore;
use oldhand_testkit::contract;
use oldhand_testkit::index_contract::{self, IndexBed, NearbyBed};
use oldhand_testkit::postgres::Programs;
use oldhand_testkit::session_contract;

use crate::Test;
use crate::bed::Bed;

pub(crate) const TESTS: &[Test] = &[
    ("contract::vault", vault),
    ("contract::index_before_the_worker", index_before_the_worker),
    ("contract::index_after_the_worker", index_after_the_worker),
    ("contract::nearby", nearby),
    ("contract::sessions", sessions),
];

fn vault(programs: &Programs) {
    let bed = Bed::new(programs);
    contract::vault(&|case| bed.with_vault(|vault| case(vault)));
}

struct PgBed<'a> {
    bed: &'a Bed,
    vault: &'a PgVault<'a>,
    has_worker: bool,
}

impl IndexBed for PgBed<'_> {
    fn vault(&self) -> &dyn Vault {
        self.vault
    }

    fn put(&self, path: &str, text: &str) {
        self.bed.put(self.vault.store, path, text);
    }

    fn with_index(&self, ask: &mut dyn FnMut(&dyn Index)) {
        if self.has_worker {
            self.bed.worker(None).run_all().expect("the worker runs");
        }
        ask(&self.bed.index(self.vault.access, self.vault.store));
    }
}

fn index_before_the_worker(programs: &Programs) {
    index(programs, false);
}

fn index_after_the_worker(programs: &Programs) {
    index(programs, true);
}

fn index(programs: &Programs, has_worker: bool) {
    let bed = Bed::new(programs);
    index_contract::index(&|case| {
        bed.with_vault(|vault| case(&PgBed { bed: &bed, vault, has_worker }));
    });
}

fn nearby(programs: &Programs) {
    let bed = Bed::new(programs);
    index_contract::nearby(&|case| {
        bed.with_vault(|vault| {
            let nearby = PgNearby::new(bed.index(vault.access, vault.store), None);
            case(NearbyBed { vault, nearby: &nearby });
        });
    });
}

fn sessions(programs: &Programs) {
    let bed = Bed::new(programs);
    session_contract::check_all(&|check| {
        let store = bed.new_store();
        let (database, caller) = (bed.database.clone(), bed.caller(&[store]));
        let sessions = PgSessions { database, caller, store, reading: None };
        check(&sessions);
        let before = sessions.recent().len();
        sessions.forget_old("2026-01-01T00:00:00Z");
        assert_eq!(sessions.recent().len(), before, "nothing here is old");
    });
}

impl Bed {
    /// Words alone.
    pub(crate) fn index<'a>(&'a self, access: &'a Access<'a>, store: i32) -> PgIndex<'a> {
        PgIndex {
            access,
            reach: vec![InReach::plain(store)],
            kinds: &self.kinds,
            trust: &self.trust,
            embedder: None,
            why_no_meaning: "there is no model".to_owned(),
            fill_max: 0,
            known: Default::default(),
        }
    }
}
