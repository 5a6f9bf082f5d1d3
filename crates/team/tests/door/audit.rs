//! The audit: everything that counts is a line, and what is changed, moved or taken out is seen (R425).

use oldhand_pg::access::Access;
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::bed::Bed;

pub(crate) const TESTS: &[Test] = &[("audit::what_is_changed_in_it_is_seen", tampering)];

fn tampering(programs: &Programs) {
    let bed = Bed::new(programs);
    let access: Access<'_> = bed.access(&bed.stores);
    let bot = access.create_principal("ci", "bot").expect("made");
    access.grant(bed.stores[0], bot, "writer").expect("granted");
    let (_, id) = bed.token(bot, &["memory:read"], None);
    access.revoke_credential(&id).expect("revoked");
    bed.sql(&format!(
        "insert into written (tenant, store, write, token, revision, principal) \
         values ({}, {}, 'w1', 't', 1, {bot})",
        bed.tenant, bed.stores[0]
    ));
    bed.sql(&format!("update store set revision = 1 where store = {}", bed.stores[0]));
    assert_eq!(bed.database.unaudited(10).expect("asked"), [(bed.tenant, bed.stores[0])]);
    assert_eq!(access.audit_writes(bed.stores[0]).expect("done"), 1);
    assert_eq!(access.audit_writes(bed.stores[0]).expect("done"), 0);
    assert!(bed.database.unaudited(10).expect("asked").is_empty());
    let actions: Vec<String> =
        access.audit_lines(0, 100).expect("read").into_iter().map(|it| it.action).collect();
    assert_eq!(actions, ["settings", "settings", "access", "access", "token", "token", "write"]);
    let verify = || access.verify_audit().expect("verified");
    assert!(verify().is_empty(), "{:?}", verify());

    // The server may only add, so the owner of the tables does all this.
    let check = |change: &str, back: &str, want: &str| {
        assert!(bed.sql(change) > 0, "{change}");
        let problems = verify().join("\n");
        assert!(problems.contains(want), "{want} in {problems}");
        assert!(bed.sql(back) > 0, "{back}");
        assert!(verify().is_empty(), "{back}");
    };
    check(
        "update audit set what = what || '{\"role\": \"maintainer\"}' where seq = 4",
        "update audit set what = what || '{\"role\": \"writer\"}' where seq = 4",
        "line 4 was changed",
    );
    check(
        "update audit set principal = 1 where seq = 6",
        "update audit set principal = null where seq = 6",
        "line 6 was changed",
    );
    check(
        "update audit set at = at + interval '1 microsecond' where seq = 2",
        "update audit set at = at - interval '1 microsecond' where seq = 2",
        "line 2 was changed",
    );
    check(
        "update audit set seq = 50 where seq = 3",
        "update audit set seq = 3 where seq = 50",
        "line 3 of the audit is missing",
    );
    check(
        "update audit set seq = 0 where seq = 7",
        "update audit set seq = 7 where seq = 0",
        "the audit ends at line 6",
    );
    check(
        "update written set principal = 99",
        &format!("update written set principal = {bot}"),
        "the write of line 7",
    );
    check("update written set revision = 2", "update written set revision = 1", "store");
    bed.sql("delete from written");
    assert!(verify().join("\n").contains("is gone"));
}
