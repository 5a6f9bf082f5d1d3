//! Many agents at once, and a tenant that asks as much as it can beside one that asks little.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::house::{House, Reply, Served};
use crate::texts::Random;
use crate::{Outcome, fill, gauge, house, texts};

const AGENTS: usize = 200;
/// Ten agents share one.
const TOKENS: usize = 20;
/// An agent thinks between two requests, for some seconds.
const THINKS_MS: (usize, usize) = (3_000, 9_000);
/// An agent that is told when to ask again does so.
const REPEATS: usize = 5;
/// One request of so many writes.
const WRITES_EVERY: usize = 10;
const NOISY: usize = 32;
const TENANT_TOKENS: usize = 8;
const SLICES: usize = 6;
const SLICE: Duration = Duration::from_secs(6);
const QUIET_PAUSE: Duration = Duration::from_millis(100);

#[derive(Default)]
struct Tally {
    recalls: Vec<f64>,
    writes: Vec<f64>,
    /// How often a busy server said when to ask again, and was asked again.
    repeated: usize,
    failures: BTreeMap<String, usize>,
}

impl Tally {
    fn take(&mut self, is_write: bool, began: Instant, reply: Reply) {
        match reply {
            Ok(_) if is_write => self.writes.push(gauge::ms(began.elapsed())),
            Ok(_) => self.recalls.push(gauge::ms(began.elapsed())),
            Err(no) => *self.failures.entry(no.said).or_default() += 1,
        }
    }

    fn add(&mut self, other: Self) {
        self.recalls.extend(other.recalls);
        self.writes.extend(other.writes);
        self.repeated += other.repeated;
        for (said, count) in other.failures {
            *self.failures.entry(said).or_default() += count;
        }
    }

    fn refused(&self) -> usize {
        self.failures.values().sum()
    }
}

pub(crate) fn agents(house: &House, seconds: u64) -> Outcome<()> {
    let store = house.new_store(house.tenant, ("shop", "repository", "server"))?;
    fill::fill(house, (house.tenant, store), 0..10_000, true)?;
    house.sql("vacuum analyze")?;
    let tokens = house.agent((house.tenant, "acme"), "crowd", &[store], TOKENS)?;
    let served = house.serve(1)?;
    let (server, database, start) = (served.cpu()?, house.database_cpu()?, Instant::now());
    let until = start + Duration::from_secs(seconds);
    let mut all = Tally::default();
    thread::scope(|scope| {
        let asking = (0..AGENTS).map(|number| {
            let (served, token) = (&served, &tokens[number % TOKENS]);
            scope.spawn(move || one_agent(served, token, number, until))
        });
        let asking: Vec<_> = asking.collect();
        for agent in asking {
            match agent.join() {
                Ok(tally) => all.add(tally),
                Err(_) => *all.failures.entry("an agent panicked".to_owned()).or_default() += 1,
            }
        }
    });
    let took = start.elapsed().as_secs_f64();
    println!("{AGENTS} agents for {took:.0} s over a store of 10000");
    for (name, times) in [("recall", &mut all.recalls), ("write", &mut all.writes)] {
        let count = times.len();
        let [half, most, longest] = [0.5, 0.99, 1.0].map(|it| gauge::percentile(times, it));
        println!("  {name}: {count}, ms p50 {half:.0}   p99 {most:.0}   longest {longest:.0}");
    }
    println!(
        "  CPU: server {:.1} s, database {:.1} s",
        (served.cpu()? - server) / 1e3,
        (house.database_cpu()? - database) / 1e3
    );
    println!("  asked again as told: {}", all.repeated);
    println!("  failures: {}", all.refused());
    for (said, count) in &all.failures {
        println!("    {count} times: {said}");
    }
    let written = house.number("select count(*) from memory where no > 10000")?;
    println!("  {} writes acknowledged, {written} there", all.writes.len());
    Ok(())
}

fn one_agent(served: &Served, token: &str, number: usize, until: Instant) -> Tally {
    let (mut random, agent) = (Random::new(number as u64 + 77), house::agent());
    let (mut tally, mut asked) = (Tally::default(), number);
    // Not all at the same moment.
    let mut think = Duration::from_millis(random.next(THINKS_MS.1) as u64);
    while Instant::now() + think < until {
        thread::sleep(think);
        let (began, is_write) = (Instant::now(), asked % WRITES_EVERY == 0);
        let place = number * 1_000 + asked;
        let (text, key) = (texts::text(9_000_000 + place as u64), house::idempotency_key());
        let question = texts::question(place);
        let ask = || match is_write {
            true => served.remember(&agent, token, ("shop", "reference", &text, &key)),
            false => served.recall(&agent, token, ("shop", &question)),
        };
        let mut reply = ask();
        for _ in 0..REPEATS {
            let Some(seconds) = reply.as_ref().err().and_then(|no| no.again_after) else { break };
            tally.repeated += 1;
            thread::sleep(Duration::from_secs(seconds));
            reply = ask();
        }
        tally.take(is_write, began, reply);
        asked += 1;
        let (least, most) = THINKS_MS;
        think = Duration::from_millis((least + random.next(most - least)) as u64);
    }
    tally
}

pub(crate) fn tenants(house: &mut House) -> Outcome<()> {
    let noisy = house.another_tenant("noisy")?;
    let house = &*house;
    let mut tokens = Vec::new();
    for (tenant, name) in [(house.tenant, "acme"), (noisy, "noisy")] {
        let store = house.new_store(tenant, ("shop", "repository", "server"))?;
        let first = u64::from(tenant == noisy) * 10_000;
        fill::fill(house, (tenant, store), first..first + 10_000, true)?;
        tokens.push(house.agent((tenant, name), "agent", &[store], TENANT_TOKENS)?);
    }
    house.sql("vacuum analyze")?;
    let served = house.serve(0)?;
    let (is_noisy, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
    let (mut alone, mut beside, mut noise) = (Vec::new(), Vec::new(), Tally::default());
    thread::scope(|scope| {
        let noise_makers: Vec<_> = (0..NOISY)
            .map(|number| {
                let token = &tokens[1][number % TENANT_TOKENS];
                let (served, is_noisy, is_over) = (&served, &is_noisy, &is_over);
                scope.spawn(move || make_noise(served, token, (is_noisy, is_over)))
            })
            .collect();
        for slice in 0..SLICES * 2 {
            let is_beside = slice % 2 == 1;
            is_noisy.store(is_beside, Ordering::Relaxed);
            // What was begun before comes to its end.
            thread::sleep(Duration::from_secs(1));
            let times = if is_beside { &mut beside } else { &mut alone };
            ask_quietly(&served, &tokens[0][slice % TENANT_TOKENS], times);
        }
        is_over.store(true, Ordering::Relaxed);
        for maker in noise_makers {
            noise.add(maker.join().unwrap_or_default());
        }
    });
    println!(
        "one client of a tenant, alone and beside {NOISY} clients of another that never pause"
    );
    for (name, times) in [("alone", &mut alone), ("beside", &mut beside)] {
        let [least, half, most] = [0.0, 0.5, 0.95].map(|it| gauge::percentile(times, it));
        let count = times.len();
        println!(
            "  {name:7} {count:5} answers, ms least {least:.1}   p50 {half:.1}   p95 {most:.1}"
        );
    }
    let ratio = gauge::percentile(&mut beside, 0.5) / gauge::percentile(&mut alone, 0.5);
    println!("  p50 beside and alone: {ratio:.2}");
    println!("  the other: {} answers, {} refused", noise.recalls.len(), noise.refused());
    Ok(())
}

fn ask_quietly(served: &Served, token: &str, times: &mut Vec<f64>) {
    let (agent, until) = (house::agent(), Instant::now() + SLICE);
    let mut number = 0;
    while Instant::now() < until {
        let began = Instant::now();
        if served.recall(&agent, token, ("shop", &texts::question(number))).is_ok() {
            times.push(gauge::ms(began.elapsed()));
        }
        number += 1;
        thread::sleep(QUIET_PAUSE);
    }
}

fn make_noise(served: &Served, token: &str, (on, over): (&AtomicBool, &AtomicBool)) -> Tally {
    let (agent, mut tally, mut number) = (house::agent(), Tally::default(), 0);
    while !over.load(Ordering::Relaxed) {
        if !on.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
            continue;
        }
        let (began, question) = (Instant::now(), texts::question(number % 500));
        number += 1;
        tally.take(false, began, served.recall(&agent, token, ("shop", &question)));
    }
    tally
}
