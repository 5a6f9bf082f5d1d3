//! Administration with the real program: a first tenant and token from the shell, a store that leaves as files and is
//! opened by `oldhand`, what is erased and stays erased, what a damaged table shows, and what keeps a server from
//! starting (R426 R427).

use std::path::Path;
use std::process::Command;

use oldhand_core::kind::Kinds;
use oldhand_pg::vault::PgVault;
use oldhand_store::port::{Plan, Vault as _};
use oldhand_store::ulid::SystemEntropy;
use oldhand_testkit::contract::creation;
use oldhand_testkit::postgres::Programs;
use serde_json::Value;

use crate::Test;
use crate::bed::{Bed, KEY};
use crate::client::get;

pub(crate) const TESTS: &[Test] = &[
    ("admin::a_first_token_comes_from_the_shell", first_token),
    ("admin::a_token_is_rotated_with_an_overlap", rotation),
    ("admin::a_store_leaves_as_files_that_the_program_opens", export),
    ("admin::what_is_erased_is_nowhere", erase),
    ("admin::a_changed_text_is_found", damage),
    ("admin::a_backup_is_restored_and_verified", backup),
    ("admin::a_full_store_takes_nothing_more", full),
    ("admin::every_refusal_to_start_names_its_fix", start),
];

struct Said {
    code: i32,
    out: String,
    err: String,
}

impl Said {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|_| panic!("JSON: {} {}", self.out, self.err))
    }
}

fn program(bed: &Bed, folder: &Path, args: &[&str]) -> Said {
    let address = |role: &str| {
        let socket = bed.server.socket().display().to_string().replace('/', "%2F");
        format!("postgres://{role}@{socket}/postgres")
    };
    let key = folder.join("key");
    let output = Command::new(env!("CARGO_BIN_EXE_oldhand-team"))
        .args(args)
        .env_clear()
        .env("OLDHAND_TEAM_DATABASE", address("oldhand_server"))
        .env("OLDHAND_TEAM_OWNER_DATABASE", address("postgres"))
        .env("OLDHAND_TEAM_KEY_FILE", &key)
        .env("OLDHAND_TEAM_TENANT", "acme")
        .output()
        .expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    Said { code: output.status.code().expect("a code"), out, err }
}

/// A folder with the key of the bed's doors.
fn folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let key = folder.path().join("key");
    std::fs::write(&key, KEY).expect("written");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).expect("set");
    folder
}

fn admin(bed: &Bed, folder: &Path, line: &str) -> Value {
    let args: Vec<&str> = ["admin", "--json"].into_iter().chain(line.split(' ')).collect();
    let said = program(bed, folder, &args);
    assert_eq!(said.code, 0, "{line}: {}{}", said.out, said.err);
    said.json()
}

fn first_token(programs: &Programs) {
    let (bed, folder) = (Bed::new(programs), folder());
    let at = folder.path();
    let said = program(&bed, at, &["migrate"]);
    assert_eq!((said.code, said.out.as_str()), (0, "applied: \n"), "{}", said.err);
    let new = at.join("new-key").display().to_string();
    assert_eq!(admin(&bed, at, &format!("key create {new}"))["key_file"], new);
    let again = program(&bed, at, &["admin", "key", "create", &new]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("hint: name a file that is not there"), "{}", again.err);

    admin(&bed, at, "tenant create globex");
    for line in [
        "--tenant globex store create rules --level org",
        "--tenant globex principal create bot --kind agent",
        "--tenant globex grant give rules bot writer",
    ] {
        admin(&bed, at, line);
    }
    let line =
        "--tenant globex token create bot --scope memory:read --scope memory:write --store rules";
    let made = admin(&bed, at, line);
    let token = made["token"].as_str().expect("a token");
    let open = bed.open(None);
    let ask = |token: &str| {
        let authorization = format!("Bearer {token}");
        get(&format!("{}/v1/read/rules", open.address), &[("authorization", &authorization)]).status
    };
    assert_eq!(ask(token), 200);
    let list = program(&bed, at, &["admin", "--tenant", "globex", "token", "list"]);
    assert!(list.out.contains("in force") && !list.out.contains(&token[4..]), "{}", list.out);
    let id = made["id"].as_str().expect("an id");
    admin(&bed, at, &format!("--tenant globex token revoke {id}"));
    assert_eq!(ask(token), 401);
    let other = program(&bed, at, &["admin", "token", "revoke", id]);
    assert_eq!(other.code, 2, "of another tenant: {}", other.out);
    let audit = admin(&bed, at, "--tenant globex audit --verify");
    assert_eq!(audit["is_whole"], true);
    let lines = program(&bed, at, &["admin", "--tenant", "globex", "audit"]);
    assert!(lines.out.contains("revoke") && !lines.out.contains(&token[4..]), "{}", lines.out);
    for (line, field) in [
        ("token create bot --scope memory:all", "`scope` is unknown"),
        ("token create bot --days 0", "`days` is out of range"),
        ("token create bot --store nowhere", "there is no store `nowhere`"),
        ("grant give rules bot king", "`role` is unknown"),
    ] {
        let args: Vec<&str> =
            ["admin", "--tenant", "globex"].into_iter().chain(line.split(' ')).collect();
        let said = program(&bed, at, &args);
        assert!(said.code == 2 && said.err.contains(field), "{line}: {}", said.err);
        assert!(said.err.contains("hint: "), "{}", said.err);
    }
}

fn rotation(programs: &Programs) {
    let (bed, folder) = (Bed::new(programs), folder());
    let at = folder.path();
    let bot = bed.access(&[]).create_principal("ci", "bot").expect("made");
    bed.access(&[]).grant(bed.stores[0], bot, "reader").expect("granted");
    let (old, id) = bed.token(bot, &["memory:read"], Some(&[bed.stores[0]]));
    let open = bed.open(None);
    let ask = |token: &str, store: &str| {
        let authorization = format!("Bearer {token}");
        let address = format!("{}/v1/read/{store}", open.address);
        get(&address, &[("authorization", &authorization)]).status
    };
    let made = admin(&bed, at, &format!("token rotate {id} --overlap 1"));
    let new = made["token"].as_str().expect("a token");
    assert_eq!([ask(&old, "payments"), ask(new, "payments"), ask(new, "search")], [200, 200, 404]);
    let made = admin(
        &bed,
        at,
        &format!("token rotate {} --overlap 0", made["id"].as_str().expect("an id")),
    );
    let newest = made["token"].as_str().expect("a token");
    assert_eq!([ask(new, "payments"), ask(newest, "payments")], [401, 200]);
}

fn write(bed: &Bed, title: &str) -> Result<String, oldhand_store::failure::Failure> {
    let access = bed.access(&[bed.stores[0]]);
    let kinds = Kinds::default();
    let vault = PgVault {
        access: &access,
        store: bed.stores[0],
        kinds: &kinds,
        entropy: &SystemEntropy,
        now: jiff::Timestamp::now(),
    };
    let (file, mut event) = creation(title);
    event.after = file.hash().map(|hash| hash.to_string());
    let id = file.id.to_string();
    let plan = Plan::one(file, event);
    vault.write(&mut || Ok(plan.clone())).map(|unsettled| drop(unsettled.settle()))?;
    Ok(id)
}

fn export(programs: &Programs) {
    let (bed, folder) = (Bed::new(programs), folder());
    let at = folder.path();
    let id = write(&bed, "Use cents").expect("written");
    write(&bed, "Ask the queue twice").expect("written");
    let target = at.join("out");
    let answer = admin(&bed, at, &format!("export payments {}", target.display()));
    assert_eq!((&answer["files"], &answer["events"]), (&Value::from(2), &Value::from(2)));
    let again = program(&bed, at, &["admin", "export", "payments", &target.display().to_string()]);
    assert_eq!(again.code, 2, "never over one that is there");

    let oldhand = Path::new(env!("CARGO_BIN_EXE_oldhand-team")).with_file_name("oldhand");
    if !oldhand.is_file() {
        panic!("build the plain program first: `cargo build -p oldhand`");
    }
    let run = |args: &[&str]| {
        let output = Command::new(&oldhand)
            .args(args)
            .current_dir(&target)
            .env_clear()
            .env("HOME", at)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .output()
            .expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let listed = run(&["list", "--json"]);
    assert!(listed.contains(&id) && listed.contains("ask-the-queue-twice"), "{listed}");
    assert!(run(&["history", &id, "--json"]).contains("created"));
    let seen = run(&["doctor"]);
    assert!(seen.contains("looked at 2 memories and 2 events"), "{seen}");
    // All that it finds is that these memories say little.
    let findings = seen.lines().filter(|line| line.starts_with("finding: "));
    let others: Vec<&str> =
        findings.filter(|it| !it.contains("`tags`") && !it.contains("`content.text`")).collect();
    assert!(others.is_empty(), "{others:?}");
}

fn erase(programs: &Programs) {
    let (bed, folder) = (Bed::new(programs), folder());
    let at = folder.path();
    let id = write(&bed, "Marked zanzibar").expect("written");
    write(&bed, "Use cents").expect("written");
    let ada = bed.access(&[]).create_principal("person", "ada lovelace").expect("made");
    let line = format!(
        "insert into session_line (tenant, store, principal, part, session, body) \
         values ({}, {}, {ada}, 'record', 's', '{{\"query\": \"where is {id}\"}}'), \
                ({0}, {1}, {ada}, 'record', 's', '{{\"query\": \"kangaroo\"}}')",
        bed.tenant, bed.stores[0]
    );
    bed.sql(&line);
    let holds = |word: &str| {
        let tables: Vec<String> = bed.as_owner(async |client| {
            let listed = "select relname::text from pg_class where relnamespace = 'public'::regnamespace \
                          and relkind = 'r' and relname <> 'audit'";
            let rows = client.query(listed, &[]).await.expect("readable");
            rows.iter().map(|row| row.get(0)).collect()
        });
        let holding = tables.into_iter().filter(|table| {
            bed.sql(&format!(
                "select from {table} t where t::text ilike '%{word}%' and '{table}' <> 'event'"
            )) > 0
        });
        holding.collect::<Vec<_>>()
    };
    assert_eq!(holds("zanzibar"), ["memory", "session_line"]);
    let erased = admin(&bed, at, &format!("erase memory payments {id}"));
    assert_eq!(erased["mentions"], 1);
    assert!(holds("zanzibar").is_empty(), "{:?}", holds("zanzibar"));
    let words = "select from event where body ?| array['reason', 'evidence', 'fields']";
    assert_eq!(bed.sql(&format!("{words} and memory = '{id}'")), 0);
    let none = program(&bed, at, &["admin", "erase", "memory", "payments", "never-was"]);
    assert!(none.code == 2 && none.err.contains("there is no memory `never-was`"), "{}", none.err);

    assert_eq!(holds("kangaroo"), ["session_line"]);
    let args = ["admin", "--json", "erase", "person", "ada lovelace"];
    assert_eq!(program(&bed, at, &args).code, 0);
    assert!(holds("kangaroo").is_empty() && holds("lovelace").is_empty());
    assert!(bed.sql("select from audit where action = 'erase'") == 2, "a line says so");
    assert_eq!(admin(&bed, at, "verify")["is_whole"], true);
}

fn damage(programs: &Programs) {
    let (bed, folder) = (Bed::new(programs), folder());
    let at = folder.path();
    write(&bed, "Use cents").expect("written");
    assert_eq!(admin(&bed, at, "verify payments")["files"], 1);
    let check = |change: &str, back: &str, want: &str| {
        assert!(bed.sql(change) > 0, "{change}");
        let said = program(&bed, at, &["admin", "verify"]);
        assert!(said.code == 1 && said.out.contains(want), "{want} in {}", said.out);
        assert!(bed.sql(back) > 0, "{back}");
        assert_eq!(program(&bed, at, &["admin", "verify"]).code, 0, "{back}");
    };
    check(
        "update memory set text = replace(text, 'cents', 'euros')",
        "update memory set text = replace(text, 'euros', 'cents')",
        "is not the text that was written",
    );
    check(
        "update memory set hash = reverse(hash)",
        "update memory set hash = reverse(hash)",
        "is not what its last event says",
    );
    check(
        "update memory set id = 'other'",
        "update memory set id = 'use-cents'",
        "no event says where",
    );
    check(
        "update store set seq = seq + 1 where seq > 0",
        "update store set seq = seq - 1 where seq > 0",
        "the log ends at",
    );
    check("update held set bytes = bytes + 1", "update held set bytes = bytes - 1", "were counted");
}

/// As docs/team/operate.md says.
fn backup(programs: &Programs) {
    let (bed, folder) = (Bed::new(programs), folder());
    let at = folder.path();
    write(&bed, "Use cents").expect("written");
    let bot = bed.access(&[]).create_principal("ci", "bot").expect("made");
    let (token, _) = bed.token(bot, &["memory:read"], None);
    let address = |socket: &Path, role: &str| {
        let socket = socket.display().to_string().replace('/', "%2F");
        format!("postgres://{role}@{socket}/postgres")
    };
    let dump = at.join("dump").display().to_string();
    let run = |name: &str, args: &[&str]| {
        let output = Command::new(programs.program(name)).args(args).output().expect("it runs");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let source = address(bed.server.socket(), "postgres");
    let (is_done, said) = run("pg_dump", &["--format=custom", "--file", &dump, &source]);
    assert!(is_done, "{said}");
    let bytes = std::fs::read(&dump).expect("a dump");
    assert!(!bytes.windows(token.len()).any(|it| it == token.as_bytes()));

    let fresh = programs.start(oldhand_testkit::postgres::Durability::None).expect("it starts");
    let target = address(fresh.socket(), "postgres");
    let roles = ["-c", "create role oldhand_server login", "-c", "create role oldhand_door"];
    let (is_done, said) = run("psql", &[&["-q", target.as_str()][..], &roles].concat());
    assert!(is_done, "{said}");
    let (is_done, said) = run("pg_restore", &["--exit-on-error", "--dbname", &target, &dump]);
    assert!(is_done, "{said}");
    let restored = bed.at(fresh);
    assert_eq!(admin(&restored, at, "verify")["is_whole"], true);
    let problems = restored.database.check().expect("asked");
    assert!(problems.iter().all(|it| it.contains("`fsync`")), "{problems:?}");
    let open = restored.open(None);
    let authorization = format!("Bearer {token}");
    let answer = get(&format!("{}/mcp/token", open.address), &[("authorization", &authorization)]);
    assert_eq!(answer.status, 200, "tokens count with the same key");
}

fn full(programs: &Programs) {
    let (bed, folder) = (Bed::new(programs), folder());
    let at = folder.path();
    admin(&bed, at, "tenant limits --memories 2");
    write(&bed, "Use cents").expect("written");
    write(&bed, "Use euros").expect("written");
    let refused = write(&bed, "Use dollars").map(drop).expect_err("full");
    assert!(
        format!("{refused:?}").contains("the store is full: it may hold 2 memories"),
        "{refused:?}"
    );
    admin(&bed, at, "erase memory payments use-cents");
    write(&bed, "Use dollars").expect("there is room again");
    admin(&bed, at, "tenant limits --memories 100 --bytes 10");
    assert!(write(&bed, "Use yen").is_err());
    assert_eq!(admin(&bed, at, "verify")["is_whole"], true, "nothing of it stayed");
}

fn start(programs: &Programs) {
    let (bed, folder) = (Bed::new(programs), folder());
    let at = folder.path();
    // The servers of these tests don't wait for the disk: that one is always there.
    let others = || {
        let problems = bed.database.check().expect("asked");
        assert!(
            problems.iter().any(|it| it.contains("`fsync` is off") && it.contains("set it to on"))
        );
        problems.into_iter().filter(|it| !it.contains("`fsync`")).collect::<Vec<_>>()
    };
    assert!(others().is_empty(), "{:?}", others());
    let check = |change: &str, back: &str, want: [&str; 2]| {
        bed.sql(change);
        let said = program(&bed, at, &["admin", "check"]);
        assert_eq!(said.code, 1, "{change}: {}{}", said.out, said.err);
        for want in want {
            assert!(said.out.contains(want), "{want} in {}", said.out);
        }
        bed.sql(back);
        assert!(others().is_empty(), "{back}: {:?}", others());
    };
    check(
        "alter role oldhand_server set synchronous_commit = off",
        "alter role oldhand_server reset synchronous_commit",
        ["`synchronous_commit` is off", "set it to on"],
    );
    check(
        "alter role oldhand_server bypassrls",
        "alter role oldhand_server nobypassrls",
        ["bypasses row security", "use `oldhand_server`"],
    );
    check(
        "alter table page owner to oldhand_server",
        "alter table page owner to postgres",
        ["owns tables", "use `oldhand_server`"],
    );
    check(
        "alter table page no force row level security",
        "alter table page force row level security",
        ["not forced on `page`", "force row level security"],
    );
    check(
        "update pg_extension set extversion = '0.7.4' where extname = 'vector'",
        "update pg_extension set extversion = '0.8.0' where extname = 'vector'",
        ["pgvector is 0.7.4", "install 0.8 or later"],
    );
    check(
        "update refinery_schema_history set version = version + 100",
        "update refinery_schema_history set version = version - 100",
        ["the schema has version", "use the program of that version"],
    );
    check(
        "alter table refinery_schema_history rename to gone",
        "alter table gone rename to refinery_schema_history",
        ["the schema has version 0", "run `oldhand-team migrate`"],
    );
    bed.sql("alter system set full_page_writes = off");
    bed.sql("select pg_reload_conf()");
    let is_seen = || others().iter().any(|it| it.contains("`full_page_writes` is off"));
    while !is_seen() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
