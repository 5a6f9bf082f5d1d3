//! A question, as the database grows and as more of it is in reach: the server with its database, the same statements
//! by a plain client, and the plain program on files.

use ureq::Agent;

use crate::house::{House, Served};
use crate::local::Local;
use crate::replay::{Plain, Recorder, Recording};
use crate::{Outcome, fill, gauge, house, local, rows, texts};

const SMALL: u64 = 10_000;
const FILLED_AT_ONCE: usize = 4;
const REPOSITORY: &str = "shop";

/// How much there is in all, how much of it is in the largest reach, and the size of the stores that are added.
struct Stage {
    all: u64,
    reach: u64,
    each: u64,
}

const STAGES: [Stage; 4] = [
    Stage { all: SMALL, reach: SMALL, each: SMALL },
    Stage { all: 100_000, reach: 100_000, each: 30_000 },
    Stage { all: 200_000, reach: 200_000, each: 50_000 },
    Stage { all: 1_000_000, reach: 1_000_000, each: 100_000 },
];

struct Grown<'h> {
    house: &'h House,
    stores: Vec<i32>,
    local: Local,
    agents: usize,
}

/// CPU milliseconds a question, the least of several rounds.
#[derive(Default)]
struct Costs {
    server: Vec<f64>,
    database: Vec<f64>,
    both: Vec<f64>,
    raw_client: Vec<f64>,
    raw_database: Vec<f64>,
    raw: Vec<f64>,
    local: Vec<f64>,
}

pub(crate) fn bench(house: &House, largest: u64, is_exact: bool) -> Outcome<()> {
    let home = house.folder().join("local");
    std::fs::create_dir_all(home.join(".git"))?;
    let oldhand = house.program("oldhand");
    local::write(&oldhand, &home, 0..SMALL, true)?;
    let local = Local::start(&oldhand, &home)?;
    let mut grown = Grown { house, stores: Vec::new(), local, agents: 0 };
    let mut there = 0;
    for stage in STAGES.iter().filter(|stage| stage.all <= largest) {
        let (began, cpu) = (std::time::Instant::now(), grown.cpu()?);
        let first = there;
        // Copying into it would measure the index, and not the memories.
        let tenant = house.tenant;
        house.sql(&format!("drop index if exists passage_near_{tenant}"))?;
        there = grown.fill(there, stage)?;
        house.sql("vacuum analyze")?;
        house.sql("checkpoint")?;
        println!(
            "\n{there} memories: {} copied and vacuumed in {:.0} s, {:.0} s of CPU",
            there - first,
            began.elapsed().as_secs_f64(),
            (grown.cpu()? - cpu) / 1e3
        );
        sizes(house, there)?;
        grown.ask(1, SMALL, (40, 4))?;
        if stage.reach > SMALL {
            let asked = if stage.reach > 200_000 { (6, 2) } else { (15, 3) };
            grown.ask(grown.stores.len(), stage.reach, asked)?;
            if !is_exact {
                grown.promote()?;
                grown.ask(grown.stores.len(), stage.reach, asked)?;
            }
        }
    }
    Ok(())
}

impl Grown<'_> {
    fn cpu(&self) -> Outcome<f64> {
        Ok(self.house.database_cpu()? + gauge::ms(gauge::cpu(std::process::id())?))
    }

    /// Several stores at the same time, until there are as many memories as this stage has.
    fn fill(&mut self, mut there: u64, stage: &Stage) -> Outcome<u64> {
        let mut parts = Vec::new();
        while there < stage.all {
            let (name, level) = match self.stores.len() {
                0 => (REPOSITORY.to_owned(), "repository"),
                number => (format!("team{number}"), "team"),
            };
            let store = self.house.new_store(self.house.tenant, (&name, level, "server"))?;
            parts.push((store, there..there + stage.each));
            self.stores.push(store);
            there += stage.each;
        }
        for parts in parts.chunks(FILLED_AT_ONCE) {
            std::thread::scope(|scope| {
                let one = |(store, numbers): &(i32, std::ops::Range<u64>)| {
                    let (it, numbers) = ((self.house.tenant, *store), numbers.clone());
                    let house = self.house;
                    scope.spawn(move || {
                        fill::fill(house, it, numbers, true).map_err(|error| error.to_string())
                    })
                };
                let filling: Vec<_> = parts.iter().map(one).collect();
                let mut ends =
                    filling.into_iter().map(|it| it.join().map_err(|_| "a fill panicked"));
                ends.try_for_each(|end| -> Outcome<()> { Ok(end??) })
            })?;
        }
        Ok(there)
    }

    /// Makes the vector index of the tenant, which is due at this size.
    fn promote(&self) -> Outcome<()> {
        let (began, cpu) = (std::time::Instant::now(), self.house.database_cpu()?);
        self.house.make_indexes()?;
        let tenant = self.house.tenant;
        let size = format!("select pg_relation_size('passage_near_{tenant}')");
        println!(
            "  a vector index: {:.0} MiB, made in {:.0} s, {:.0} s of CPU",
            self.house.number(&size)? as f64 / 1_048_576.0,
            began.elapsed().as_secs_f64(),
            (self.house.database_cpu()? - cpu) / 1e3
        );
        Ok(())
    }

    /// With the first stores in reach.
    fn ask(
        &mut self,
        stores: usize,
        reach: u64,
        (questions, rounds): (usize, usize),
    ) -> Outcome<()> {
        self.agents += 1;
        let name = format!("agent{}", self.agents);
        let stores = &self.stores[..stores];
        let token = self.house.agent((self.house.tenant, "acme"), &name, stores, 1)?.remove(0);
        let recording = record(self.house, &token, questions)?;
        let served = self.house.serve(0)?;
        let agent = house::agent();
        let (client, _) = self.house.connect("oldhand_server")?;
        let mut plain = Plain::new(&client);
        ask_all(&served, (&agent, &token), questions)?;
        self.house.runtime.block_on(plain.say_all(&recording))?;
        let with_local = reach == SMALL;
        if with_local {
            self.ask_local(questions)?;
        }
        let mut costs = Costs::default();
        for _ in 0..rounds {
            let (database, server) = (self.house.database_cpu()?, served.cpu()?);
            ask_all(&served, (&agent, &token), questions)?;
            let (database, server) =
                (self.house.database_cpu()? - database, served.cpu()? - server);
            costs.take(questions, server, database);
            let (database, client) =
                (self.house.database_cpu()?, gauge::ms(gauge::cpu(std::process::id())?));
            self.house.runtime.block_on(plain.say_all(&recording))?;
            let client = gauge::ms(gauge::cpu(std::process::id())?) - client;
            costs.take_raw(questions, client, self.house.database_cpu()? - database);
            if with_local {
                let before = self.local.cpu()?;
                self.ask_local(questions)?;
                costs.local.push((self.local.cpu()? - before) / questions as f64);
            }
        }
        costs.tell(reach, recording.0.len() as f64 / questions as f64);
        if self.agents == 1 {
            for (sql, count) in recording.kinds() {
                let sql: String = sql.chars().take(100).collect();
                println!("    {:6.2} a question: {sql}", count as f64 / questions as f64);
            }
            rows::compare(self.house, &recording)?;
        } else if reach == 200_000 {
            rows::compare(self.house, &recording)?;
        }
        Ok(())
    }

    fn ask_local(&mut self, questions: usize) -> Outcome<()> {
        for number in 0..questions {
            self.local.recall(&texts::question(number))?;
        }
        Ok(())
    }
}

fn record(house: &House, token: &str, questions: usize) -> Outcome<Recording> {
    Recorder::switch(house, true)?;
    let served = house.serve(0)?;
    let agent = house::agent();
    served.recall(&agent, token, (REPOSITORY, "a first question"))?;
    let recorder = Recorder::begin(house.server.socket())?;
    ask_all(&served, (&agent, token), questions)?;
    let recording = recorder.end()?;
    Recorder::switch(house, false)?;
    Ok(recording)
}

fn ask_all(served: &Served, (agent, token): (&Agent, &str), questions: usize) -> Outcome<()> {
    for number in 0..questions {
        served.recall(agent, token, (REPOSITORY, &texts::question(number)))?;
    }
    Ok(())
}

impl Costs {
    fn take(&mut self, questions: usize, server: f64, database: f64) {
        let each = |time: f64| time / questions as f64;
        self.server.push(each(server));
        self.database.push(each(database));
        self.both.push(each(server + database));
    }

    fn take_raw(&mut self, questions: usize, client: f64, database: f64) {
        let each = |time: f64| time / questions as f64;
        self.raw_client.push(each(client));
        self.raw_database.push(each(database));
        self.raw.push(each(client + database));
    }

    fn tell(&self, reach: u64, statements: f64) {
        let [server, database, both, client, raw_database, raw, local] = [
            &self.server,
            &self.database,
            &self.both,
            &self.raw_client,
            &self.raw_database,
            &self.raw,
            &self.local,
        ]
        .map(|times: &Vec<f64>| gauge::least(times));
        println!("  {reach} in reach, CPU ms a question, {statements:.1} statements");
        println!("    server {server:.2} + database {database:.2} = {both:.2}");
        println!(
            "    plain client {client:.2} + database {raw_database:.2} = {raw:.2}   ratio {:.2}",
            both / raw
        );
        if local.is_finite() {
            println!("    on files, over MCP: {local:.2}   ratio {:.2}", both / local);
        }
    }
}

/// Bytes a memory, by table.
fn sizes(house: &House, memories: u64) -> Outcome<()> {
    let all = house.number("select pg_database_size(current_database())")?;
    println!(
        "  {:.0} MiB in all, {:.0} bytes a memory",
        all as f64 / 1_048_576.0,
        all as f64 / memories as f64
    );
    by_table(house, memories)
}

pub(crate) fn by_table(house: &House, memories: u64) -> Outcome<()> {
    let tables = "select relname::text, pg_table_size(oid), pg_indexes_size(oid) from pg_class \
         where relname in ('memory', 'event', 'word', 'passage') and relkind = 'r' order by relname";
    for row in house.runtime.block_on(house.owner.query(tables, &[]))? {
        let (name, table, indexes): (String, i64, i64) = (row.get(0), row.get(1), row.get(2));
        let each = |bytes: i64| bytes as f64 / memories as f64;
        println!(
            "    {name:8} {:6.0} in the table, {:6.0} in its indexes",
            each(table),
            each(indexes)
        );
    }
    Ok(())
}
