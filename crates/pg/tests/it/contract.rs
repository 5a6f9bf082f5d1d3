//! The ports over PostgreSQL pass the contracts that those on a disk and in memory pass (R401).

use oldhand_testkit::contract;
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::bed::Bed;

pub(crate) const TESTS: &[Test] = &[("contract::vault", vault)];

fn vault(programs: &Programs) {
    let bed = Bed::new(programs);
    contract::vault(&|case| bed.with_vault(|vault| case(vault)));
}
