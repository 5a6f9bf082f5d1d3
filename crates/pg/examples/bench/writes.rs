//! One write at a time: the store on PostgreSQL, the same transaction by a plain client, the disk alone, and a memory
//! over REST with its gate and its look for a twin.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_pg::access::Access;
use oldhand_pg::database::Database;
use oldhand_pg::vault::PgVault;
use oldhand_store::port::{Plan, Vault as _};
use oldhand_store::ulid::SystemEntropy;

use crate::house::House;
use crate::replay::{Plain, Recorder};
use crate::{Outcome, gauge, house, texts};

const WRITES: u64 = 100;
const ROUNDS: usize = 7;
const REST_WRITES: u64 = 40;
const REST_ROUNDS: u64 = 4;
/// What the log of PostgreSQL writes at a time.
const PAGE: usize = 8_192;

/// Milliseconds a write, by the clock and by the processor.
#[derive(Default)]
struct Times {
    clock: Vec<f64>,
    cpu: Vec<f64>,
}

impl Times {
    fn tell(&self, name: &str) -> (f64, f64) {
        let (clock, cpu) = (gauge::least(&self.clock), gauge::least(&self.cpu));
        println!("  {name:34} {clock:6.2} ms   CPU {cpu:6.2} ms");
        (clock, cpu)
    }
}

pub(crate) fn bench(house: &House) -> Outcome<()> {
    let new_store = |name: &str| house.new_store(house.tenant, (name, "team", "server"));
    let first = new_store("recorded")?;
    Recorder::switch(house, true)?;
    let pool = house.pool()?;
    write(house, (&pool, first), 1)?;
    let recorder = Recorder::begin(house.server.socket())?;
    write(house, (&pool, first), WRITES)?;
    let recording = recorder.end()?;
    Recorder::switch(house, false)?;
    for (sql, count) in recording.kinds() {
        let sql: String = sql.chars().take(100).collect();
        println!("    {:5.2} a write: {sql}", count as f64 / WRITES as f64);
    }
    let (client, _) = house.connect("oldhand_server")?;
    let (mut ours, mut raw, mut disk) = (Times::default(), Times::default(), Times::default());
    for round in 0..ROUNDS {
        let store = new_store(&format!("ours{round}"))?;
        let other = new_store(&format!("raw{round}"))?;
        let there = recording.about(first, other);
        let mut plain = Plain::new(&client);
        measure(house, WRITES, &mut ours, || write(house, (&house.database, store), WRITES))?;
        measure(house, WRITES, &mut raw, || house.runtime.block_on(plain.say_all(&there)))?;
        measure(house, WRITES, &mut disk, || sync(house, WRITES))?;
    }
    println!("least of {ROUNDS} rounds of {WRITES} writes, one after the other");
    let ours = ours.tell("the store");
    let raw = raw.tell("the same transaction, plain client");
    let disk = disk.tell("the disk: 8 KiB and fdatasync");
    println!("  ratio to the plain client: {:.2}, CPU {:.2}", ours.0 / raw.0, ours.1 / raw.1);
    println!("  writes a second beside syncs a second: {:.2}", disk.0 / ours.0);
    over_rest(house)
}

fn measure(
    house: &House,
    writes: u64,
    times: &mut Times,
    run: impl FnOnce() -> Outcome<()>,
) -> Outcome<()> {
    let cpu = || -> Outcome<f64> {
        Ok(house.database_cpu()? + gauge::ms(gauge::cpu(std::process::id())?))
    };
    let (before, start) = (cpu()?, Instant::now());
    run()?;
    times.clock.push(gauge::ms(start.elapsed()) / writes as f64);
    times.cpu.push((cpu()? - before) / writes as f64);
    Ok(())
}

fn write(house: &House, (database, store): (&Database, i32), count: u64) -> Outcome<()> {
    let access = Access::new(database, house.caller(house.tenant, vec![store]));
    let (kinds, now) = (Kinds::default(), Timestamp::now());
    let vault = PgVault { access: &access, store, kinds: &kinds, entropy: &SystemEntropy, now };
    // Numbers of its own, also where it comes twice.
    let from = if count == 1 { 5_000_000 } else { 0 };
    for number in from..from + count {
        let (file, event) = texts::creation(number, &kinds)?;
        let plan = Plan::one(file, event);
        let written = vault.write(&mut || Ok(plan.clone()));
        drop(written.map_err(|failure| failure.to_string())?.settle());
    }
    Ok(())
}

fn sync(house: &House, count: u64) -> Outcome<()> {
    let file = File::create(house.folder().join("page"))?;
    file.set_len(PAGE as u64 * (count + 1))?;
    file.sync_all()?;
    for number in 0..count {
        file.write_all_at(&[7; PAGE], number * PAGE as u64)?;
        file.sync_data()?;
    }
    Ok(())
}

/// The server that is asked has no worker: another one indexes beside it, and each is counted until nothing waits.
fn over_rest(house: &House) -> Outcome<()> {
    let store = house.new_store(house.tenant, ("rest", "repository", "server"))?;
    let token = house.agent((house.tenant, "acme"), "writer", &[store], 1)?.remove(0);
    // What was written before stays without words and vectors.
    house.sql("delete from job")?;
    let (served, working, agent) = (house.serve(0)?, house.serve(1)?, house::agent());
    println!("over REST, least of {REST_ROUNDS} rounds of {REST_WRITES}: CPU ms a write");
    for (kind, first) in [("reference", 7_000_000), ("decision", 8_000_000)] {
        let (mut least, mut refused) = ([f64::INFINITY; 4], 0);
        for round in 0..REST_ROUNDS {
            let cpu = || -> Outcome<[f64; 3]> {
                Ok([served.cpu()?, working.cpu()?, house.database_cpu()?])
            };
            let (before, start) = (cpu()?, Instant::now());
            for number in 0..REST_WRITES {
                let text = texts::text(first + round * REST_WRITES + number);
                let key = house::idempotency_key();
                let reply = served.remember(&agent, &token, ("rest", kind, &text, &key));
                refused += u32::from(reply.is_err());
            }
            let clock = gauge::ms(start.elapsed());
            while house.number("select count(*) from job")? > 0 {
                std::thread::sleep(Duration::from_millis(50));
            }
            let [asked, indexing, database] = cpu()?;
            let took = [asked - before[0], indexing - before[1], database - before[2], clock];
            for (least, took) in least.iter_mut().zip(took) {
                *least = least.min(took / REST_WRITES as f64);
            }
        }
        let [asked, indexing, database, clock] = least;
        println!(
            "  {kind:10} server {asked:.1}, worker {indexing:.1}, database {database:.1}; {clock:.1} ms by the \
             clock; {refused} stopped or asked about"
        );
    }
    Ok(())
}
