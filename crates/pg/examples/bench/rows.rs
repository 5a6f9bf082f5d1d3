//! Row security on and off: the statements of a question by the role of the server and by one that it does not hold
//! for, each by itself.

use crate::house::{House, OWNER};
use crate::replay::{Plain, Recording, Said};
use crate::{Outcome, gauge};

const ROUNDS: usize = 7;
const EACH: usize = 15;

pub(crate) fn compare(house: &House, recording: &Recording) -> Outcome<()> {
    println!("    row security, CPU ms of the database a statement, least of {ROUNDS} rounds:");
    // The first ones of a question are said before it is known which stores are in reach.
    let said = recording.0.iter().filter(|it| it.sql.contains("set_config('oldhand.tenant'"));
    let context = said.max_by_key(|it| it.size()).ok_or("no statement says who asks")?;
    let (server, owner) = (house.connect("oldhand_server")?, house.connect(OWNER)?);
    let mut sides = [
        (Plain::new(&server.0), server.1, Vec::new()),
        (Plain::new(&owner.0), owner.1, Vec::new()),
    ];
    let (mut with, mut without) = (0.0, 0.0);
    for (sql, count) in recording.kinds() {
        let is_asked = sql.starts_with("select") && !sql.contains("set_config");
        if !is_asked || sql.contains(" for ") {
            continue;
        }
        let these: Vec<&Said> = recording.0.iter().filter(|it| it.sql == sql).take(EACH).collect();
        sides.iter_mut().for_each(|(.., times)| times.clear());
        for _ in 0..ROUNDS {
            for (plain, backend, times) in &mut sides {
                times.push(house.runtime.block_on(once(plain, *backend, (context, &these)))?);
            }
        }
        let [on, off] = [&sides[0].2, &sides[1].2].map(|times| gauge::least(times));
        let sql: String = sql.chars().take(70).collect();
        println!("      {on:7.3} / {off:7.3} = {:.2}   {sql}", on / off);
        with += on * count as f64;
        without += off * count as f64;
    }
    println!("      all of a question: {:.2}", with / without);
    Ok(())
}

/// In one transaction, each twice and the second time measured.
async fn once(
    plain: &mut Plain<'_>,
    backend: u32,
    (context, these): (&Said, &[&Said]),
) -> Outcome<f64> {
    plain.say(&Said::plain("begin")).await?;
    plain.say(context).await?;
    for said in these {
        plain.say(said).await?;
    }
    let before = gauge::exact(backend)?;
    for said in these {
        plain.say(said).await?;
    }
    let took = gauge::exact(backend)? - before;
    plain.say(&Said::plain("rollback")).await?;
    Ok(gauge::ms(took) / these.len() as f64)
}
