//! Health and metrics: the process lives while the database does not, and is not ready then (R428).

use oldhand_team::ops::complete_audit;
use oldhand_testkit::postgres::{Durability, Programs};

use crate::Test;
use crate::bed::Bed;
use crate::client::get;

pub(crate) const TESTS: &[Test] = &[
    ("ops::it_is_ready_while_the_database_is", readiness),
    ("ops::metrics_name_nobody", metrics),
    ("ops::writes_become_lines_of_the_audit", audit),
];

fn readiness(programs: &Programs) {
    let mut bed = Bed::with(programs, Durability::Full);
    let open = bed.open(None);
    let ask = |what: &str| get(&format!("{}/health/{what}", open.address), &[]);
    assert_eq!((ask("live").status, ask("ready").status), (200, 200), "{}", ask("ready").body);
    let job = "insert into job (tenant, store, no, revision, not_before) select tenant, store, 1, 1, \
               now() - interval '6 minutes' from store limit 1";
    bed.sql(job);
    assert!(ask("ready").body.contains("behind by more than 5 minutes"), "{}", ask("ready").body);
    bed.sql("delete from job");
    assert_eq!(ask("ready").status, 200);
    bed.server.kill_all().expect("killed");
    let answer = ask("ready");
    assert_eq!(answer.status, 503);
    assert!(
        answer.body.contains("can't be asked") && !answer.body.contains(".s.PGSQL"),
        "{}",
        answer.body
    );
    assert_eq!(ask("live").status, 200);
    bed.server.restart().expect("it is back");
    assert_eq!(ask("ready").status, 200);
}

fn metrics(programs: &Programs) {
    let bed = Bed::new(programs);
    let open = bed.open(None);
    get(&format!("{}/v1/read/zanzibar", open.address), &[("authorization", "Bearer oht_kangaroo")]);
    let text = get(&format!("{}/metrics", open.address), &[]);
    assert!(text.header("content-type").starts_with("application/openmetrics-text"));
    for line in [
        "oldhand_refusals_total{why=\"unknown\"} 1",
        "oldhand_jobs 0",
        "oldhand_connections{part=\"open\"}",
    ] {
        assert!(text.body.contains(line), "{line} in {}", text.body);
    }
    for word in ["acme", "payments", "zanzibar", "kangaroo", "127.0.0.1"] {
        assert!(!text.body.contains(word), "{word} in {}", text.body);
    }
}

fn audit(programs: &Programs) {
    let bed = Bed::new(programs);
    for (store, revision) in [(bed.stores[0], 700), (bed.stores[1], 1)] {
        bed.sql(&format!(
            "insert into written (tenant, store, write, token, revision) \
             select {}, {store}, 'w' || n, 't', n from generate_series(1, {revision}) n",
            bed.tenant
        ));
        bed.sql(&format!("update store set revision = {revision} where store = {store}"));
    }
    assert_eq!(complete_audit(&bed.database).expect("done"), 701);
    assert_eq!(complete_audit(&bed.database).expect("done"), 0);
    let problems = bed.access(&bed.stores).verify_audit().expect("verified");
    assert!(problems.is_empty(), "{problems:?}");
}
