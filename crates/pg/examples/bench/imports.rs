//! A repository of ten thousand memories pushed for the first time, beside a plain copy of the same rows into the same
//! tables; and what the worker then does with them.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use oldhand_pg::worker::{Rules, Worker};
use oldhand_store::index::Embedder;

use crate::house::House;
use crate::{Outcome, gauge, local, recall, texts};

const MEMORIES: u64 = 10_000;

/// Rows of one store out, and into another one: with the number of the copy in between.
const COPIES: [(&str, &str); 2] = [
    ("memory", "path, folder, id, text, hash, revision"),
    ("event", "seq, id, at, type, memory, write, source, body"),
];

struct Took {
    clock: f64,
    /// This process and those that it waited for.
    own: f64,
    server: f64,
    database: f64,
}

impl Took {
    fn cpu(&self) -> f64 {
        self.own + self.server + self.database
    }
}

pub(crate) fn bench(house: &House) -> Outcome<()> {
    let home = house.folder().join("repository");
    std::fs::create_dir_all(&home)?;
    let git = |arguments: &[&str]| git(&home, arguments);
    git(&["init", "-q"])?;
    local::write(&house.program("oldhand"), &home, 0..MEMORIES, false)?;
    git(&["add", ".oldhand"])?;
    git(&["commit", "-qm", "memories"])?;
    let store = house.new_store(house.tenant, ("shop", "repository", "git"))?;
    let token = house.agent((house.tenant, "acme"), "ci", &[store], 1)?.remove(0);
    let served = house.serve(0)?;
    let mut pushing = local::program(&house.program("oldhand-team"), &home);
    pushing.args(["sync", "push", "--store", "shop", "--server", &served.address]);
    pushing.env("OLDHAND_TEAM_TOKEN", &token).stderr(std::process::Stdio::piped());
    // It gives the repository an id, which is committed with it.
    pushing.output()?;
    git(&["add", ".oldhand"])?;
    git(&["commit", "-qm", "its id"])?;
    let before = served.cpu()?;
    let mut pushed = took(house, || match pushing.output()? {
        it if it.status.success() => Ok(()),
        it => Err(String::from_utf8_lossy(&it.stderr).into_owned().into()),
    })?;
    pushed.server = served.cpu()? - before;
    let count = house.number("select count(*) from memory")?;
    println!("{count} memories, memories a second by the clock and of CPU");
    let tell = |name: &str, took: &Took| {
        let rate = |ms: f64| count as f64 / ms * 1e3;
        println!("  {name:34} {:8.0} {:8.0}", rate(took.clock), rate(took.cpu()));
    };
    tell("pushed", &pushed);
    let Took { own, server, database, .. } = pushed;
    println!("  its CPU ms: client and git {own:.0}, server {server:.0}, database {database:.0}");
    let mut copied: Option<Took> = None;
    for round in 0..3 {
        let other = house.new_store(house.tenant, (&format!("copy{round}"), "team", "server"))?;
        let (one, folder) = (copy(house, store, other)?, house.server.socket());
        if copied.as_ref().is_none_or(|least| one.cpu() < least.cpu()) {
            copied = Some(one);
        }
        house.sql(&format!("delete from memory where store = {other}"))?;
        house.sql(&format!("delete from event where store = {other}"))?;
        for (table, _) in COPIES {
            std::fs::remove_file(folder.join(table))?;
        }
    }
    let copied = copied.ok_or("nothing was copied")?;
    tell("copied into the same tables", &copied);
    println!(
        "  pushed beside copied: {:.2} by the clock, {:.2} of CPU",
        copied.clock / pushed.clock,
        copied.cpu() / pushed.cpu()
    );
    let embedder: Option<&dyn Embedder> = Some(&texts::Noise);
    let worker = Worker { database: &house.database, rules: &|_| Rules::default(), embedder };
    let indexed = took(house, || Ok(worker.run_all().map(drop)?))?;
    tell("indexed by the worker, noise", &indexed);
    house.sql("vacuum (full) memory")?;
    house.sql("vacuum (full) event")?;
    println!("  bytes a memory where the worker wrote the words and passages:");
    recall::by_table(house, MEMORIES)
}

fn git(folder: &Path, arguments: &[&str]) -> Outcome<()> {
    let name = ["-c", "user.name=ada", "-c", "user.email=ada@example.com"];
    let mut command = Command::new("git");
    command.args(name).args(arguments).current_dir(folder).env("HOME", folder);
    match command.output()? {
        it if it.status.success() => Ok(()),
        it => Err(String::from_utf8_lossy(&it.stderr).into_owned().into()),
    }
}

/// By the clock, and the processor time of this process, of those it waited for, and of the database.
fn took(house: &House, run: impl FnOnce() -> Outcome<()>) -> Outcome<Took> {
    let own = || -> Outcome<f64> { Ok(gauge::ms(gauge::cpu(std::process::id())?)) };
    let (before, database, start) = (own()?, house.database_cpu()?, Instant::now());
    run()?;
    let (clock, own) = (gauge::ms(start.elapsed()), own()? - before);
    Ok(Took { clock, own, server: 0.0, database: house.database_cpu()? - database })
}

fn copy(house: &House, from: i32, to: i32) -> Outcome<Took> {
    let folder = house.server.socket().display().to_string();
    for (table, columns) in COPIES {
        house.sql(&format!(
            "copy (select tenant, {to}, {columns} from {table} where store = {from}) to '{folder}/{table}'"
        ))?;
    }
    took(house, || {
        for (table, columns) in COPIES {
            house
                .sql(&format!("copy {table} (tenant, store, {columns}) from '{folder}/{table}'"))?;
        }
        Ok(())
    })
}
