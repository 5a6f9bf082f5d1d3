//! What one tenant has, no other sees: the database itself says so, whatever a statement forgets (R402).

use oldhand_pg::access::{Access, Caller};
use oldhand_store::port::{Plan, Vault};
use oldhand_testkit::contract::creation;
use oldhand_testkit::postgres::Programs;
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use crate::Test;
use crate::bed::Bed;

pub(crate) const TESTS: &[Test] = &[
    ("security::every_table_has_forced_row_security", every_table_is_forced),
    ("security::nothing_is_seen_or_written_without_a_tenant", nothing_without_a_tenant),
    ("security::another_tenant_and_another_store_are_not_there", others_are_not_there),
    ("security::the_server_owns_nothing_and_becomes_nobody", the_server_is_nobody),
    ("security::a_server_that_can_lose_data_is_refused", unsafe_servers_are_refused),
];

/// The list of what was applied; it holds nothing of a tenant.
const HISTORY: &str = "refinery_schema_history";

async fn tables(client: &Client) -> Vec<String> {
    let listed = "select relname::text from pg_class c join pg_namespace n on n.oid = relnamespace \
         where nspname = 'public' and relkind in ('r', 'p') and relname <> $1 order by 1";
    let rows = client.query(listed, &[&HISTORY]).await.expect("the catalog is readable");
    rows.iter().map(|row| row.get(0)).collect()
}

fn every_table_is_forced(programs: &Programs) {
    let bed = Bed::new(programs);
    let open: Vec<String> = bed.as_owner(async |client| {
        let unguarded = "select relname::text from pg_class c join pg_namespace n on n.oid = relnamespace \
             where nspname = 'public' and relkind in ('r', 'p') and relname <> $1 \
             and not (relrowsecurity and relforcerowsecurity \
                      and exists (select from pg_policy p where p.polrelid = c.oid))";
        let rows = client.query(unguarded, &[&HISTORY]).await.expect("readable");
        assert!(tables(client).await.len() > 15, "the catalog lists our tables");
        rows.iter().map(|row| row.get(0)).collect()
    });
    assert!(open.is_empty(), "tables without row security: {open:?}");
}

/// A memory in the bed's own tenant.
fn fill(bed: &Bed) -> i32 {
    bed.with_vault(|vault| {
        let (file, event) = creation("Use cents");
        let plan = Plan::one(file, event);
        drop(vault.write(&mut || Ok(plan.clone())).expect("written").settle());
        vault.store
    })
}

fn nothing_without_a_tenant(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = fill(&bed);
    let all: i64 = bed.as_owner(async |client| {
        client.query_one("select count(*) from memory", &[]).await.expect("readable").get(0)
    });
    assert_eq!(all, 1, "the superuser sees it");
    bed.as_server(async |client| {
        for table in tables(client).await {
            let count = format!("select count(*) from {table}");
            let seen: i64 = client.query_one(&count, &[]).await.expect("readable").get(0);
            assert_eq!(seen, 0, "{table} shows rows to nobody in particular");
        }
        for (statement, what) in [
            ("update memory set text = 'other'", "changes"),
            ("delete from memory", "deletes"),
            ("update store set revision = 0", "moves stores"),
        ] {
            let changed = client.execute(statement, &[]).await.expect("it runs");
            assert_eq!(changed, 0, "{what} without a tenant");
        }
        let insert = "insert into page (tenant, store, name, text) values ($1, $2, 'a', 'b')";
        let error = client.execute(insert, &[&bed.tenant, &store]).await.expect_err("refused");
        assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE));
    });
}

fn others_are_not_there(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = fill(&bed);
    let stranger = bed.create_tenant("stranger");
    let foreign = Caller { tenant: stranger, stores: vec![store], principal: None };
    let blind = Caller { tenant: bed.tenant, stores: vec![store + 1], principal: None };
    for caller in [foreign, blind] {
        let access = Access::new(&bed.database, caller);
        let vault = bed.vault(&access, store);
        assert!(vault.scan().expect("readable").stored.is_empty());
        assert!(vault.events().expect("readable").is_empty());
    }
    // Naming the other tenant in a statement does not help either.
    bed.as_server(async |client| {
        let transaction = client.transaction().await.expect("begins");
        let context =
            "select set_config('oldhand.tenant', $1, true), set_config('oldhand.stores', $2, true)";
        let (tenant, stores) = (stranger.to_string(), format!("{{{store}}}"));
        transaction.query_one(context, &[&tenant, &stores]).await.expect("set");
        let asked = "select count(*) from memory where tenant = $1";
        let seen: i64 =
            transaction.query_one(asked, &[&bed.tenant]).await.expect("readable").get(0);
        assert_eq!(seen, 0);
        let moved = "update store set tenant = $1";
        transaction.execute(moved, &[&bed.tenant]).await.expect("there is none to change");
        let insert = "insert into page (tenant, store, name, text) values ($1, $2, 'a', 'b')";
        let error = transaction.execute(insert, &[&bed.tenant, &store]).await.expect_err("refused");
        assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE));
    });
    // What was set for one transaction is gone in the next, on the same connection.
    bed.as_server(async |client| {
        let transaction = client.transaction().await.expect("begins");
        let context =
            "select set_config('oldhand.tenant', $1, true), set_config('oldhand.stores', $2, true)";
        let (tenant, stores) = (bed.tenant.to_string(), format!("{{{store}}}"));
        transaction.query_one(context, &[&tenant, &stores]).await.expect("set");
        let count = "select count(*) from memory";
        let seen: i64 = transaction.query_one(count, &[]).await.expect("readable").get(0);
        assert_eq!(seen, 1);
        transaction.commit().await.expect("ends");
        let seen: i64 = client.query_one(count, &[]).await.expect("readable").get(0);
        assert_eq!(seen, 0);
    });
}

fn the_server_is_nobody(programs: &Programs) {
    let bed = Bed::new(programs);
    bed.as_server(async |client| {
        for statement in [
            "alter table memory disable row level security",
            "alter table memory no force row level security",
            "drop policy own on memory",
            "create table mine (a int)",
            "set role postgres",
            "set role oldhand_door",
            "set row_security = off; select * from memory",
            "select * from pg_authid",
            "alter role oldhand_server bypassrls",
            "delete from event",
            "update event set body = '{}'",
            "delete from audit",
            "insert into tenant (name) values ('mine')",
            "update refinery_schema_history set version = 2",
        ] {
            let answer = client.batch_execute(statement).await;
            assert!(answer.is_err(), "the server may: {statement}");
        }
        let owned = "select count(*) from pg_class where relowner = 'oldhand_server'::regrole";
        let owned: i64 = client.query_one(owned, &[]).await.expect("readable").get(0);
        assert_eq!(owned, 0);
    });
}

fn unsafe_servers_are_refused(programs: &Programs) {
    let bed = Bed::new(programs);
    // The servers of these tests don't wait for the disk, which is the only thing wrong with them.
    let problems = bed.database.check().expect("it can be asked");
    let [problem] = problems.as_slice() else { panic!("found {problems:?}") };
    assert!(problem.contains("`fsync` is off"), "{problem}");
}
