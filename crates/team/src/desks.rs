//! Desks over PostgreSQL: one for each answer of a visitor about a store.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_desk::desks::Desks;
use oldhand_desk::env::Env;
use oldhand_pg::access::Attempt;
use oldhand_pg::admin::StoreAccess;
use oldhand_pg::database::Database;
use oldhand_store::nowhere::NoDisk;
use oldhand_store::ulid::SystemEntropy;

use crate::ground::{PgGround, Reach};
use crate::visitor::Visitor;

#[derive(Clone)]
pub struct PgDesks {
    pub database: Database,
    pub visitor: Arc<Visitor>,
    /// The store that is meant.
    pub here: StoreAccess,
    pub reach: Reach,
    /// Of a request with a key.
    pub attempt: Option<Attempt>,
}

impl Desks for PgDesks {
    fn at(&self, flags: GlobalFlags, host: Option<String>, job: &mut dyn FnMut(&Desk<'_>)) {
        // Nothing of the server's own environment is anybody's who asks.
        let env = Env {
            vars: BTreeMap::new(),
            current_dir: PathBuf::from("/"),
            disk: &NoDisk,
            entropy: &SystemEntropy,
            interactive: false,
            terminal: None,
            remarks: None,
        };
        let ground = PgGround::new(&self.database, &self.visitor, &self.here);
        let ground = ground.with_reach(self.reach);
        let ground = match &self.attempt {
            Some(attempt) => ground.with_attempt(attempt.clone()),
            None => ground,
        };
        // Whoever decides is named, as on the pages of the program.
        let flags = GlobalFlags { by: Some(self.visitor.name.clone()), ..flags };
        let now = Timestamp::now();
        job(&Desk { env: &env, flags, now, host, lasting: None, ground: &ground });
    }
}

impl PgDesks {
    pub fn new(database: &Database, visitor: &Arc<Visitor>, here: &StoreAccess) -> Self {
        let (visitor, here) = (visitor.clone(), here.clone());
        Self { database: database.clone(), visitor, here, reach: Reach::Here, attempt: None }
    }
}
