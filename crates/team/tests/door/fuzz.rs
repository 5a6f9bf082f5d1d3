//! Two tenants with the same ids, paths, titles and stores, and marked texts: whatever one of them asks for with what it
//! stole from the other, no byte of the other's marks comes back, and nothing of the other's changes (R402 R429).

mod asking;
mod side;

use std::collections::BTreeMap;

use oldhand_team::door::limits::LimitSettings;
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::bed::Bed;
use crate::logs;
use asking::{Random, Wish};
use side::Side;

pub(crate) const TESTS: &[Test] = &[("fuzz::no_tenant_gets_a_byte_of_another", fuzz)];

#[expect(clippy::print_stdout, reason = "the numbers of a run are worth reading")]
fn fuzz(programs: &Programs) {
    let wanted = match std::env::var("OLDHAND_FUZZ").as_deref() {
        Ok("long") => 20_000,
        _ => 500,
    };
    let bed = Bed::new(programs);
    let open = bed.open_server(LimitSettings {
        token_per_minute: 10_000_000,
        tenant_per_minute: 10_000_000,
        ..LimitSettings::default()
    });
    let mut one = Side::new(&bed, &open, "first", "MARKALDER");
    let mut other = Side::new(&bed, &open, "second", "MARKBIRCH");
    let began = logs::text().len();
    let untouched = other.snapshot();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    // Answers in which the asker's own texts are.
    let mut own = 0;
    let mut came: BTreeMap<u16, usize> = BTreeMap::new();
    for number in 0..wanted {
        // The other one reads now and then: what is kept of its answers must not be given to the first.
        let is_one = random.below(8) > 0;
        let (asker, rival) = if is_one { (&mut one, &other) } else { (&mut other, &one) };
        let wish = Wish::random(&mut random, asker, rival, !is_one);
        let answer = wish.ask(asker);
        let said = format!("{:?}\n{}", answer.headers, answer.body);
        let what = format!("request {number}: {wish:?}: {}", answer.status);
        assert!(!said.contains(rival.mark), "{what}: {said}");
        assert!(answer.status < 500, "{what}: {said}");
        assert_ne!(answer.status, 429, "{what}");
        own += usize::from(said.contains(asker.mark));
        *came.entry(answer.status).or_default() += 1;
    }
    let counted = open.door.metrics.text();
    let logged = logs::text();
    // What a server writes, and what our own code would write if it were asked for more.
    let is_served = |line: &&str| {
        let is_more = [" TRACE ", " DEBUG "].iter().any(|level| line.contains(level));
        !is_more || line.contains(" oldhand")
    };
    let theirs = logged[began..].lines().filter(is_served);
    for line in theirs.chain(counted.lines()) {
        for mark in [one.mark, other.mark] {
            assert!(!line.contains(mark), "{line}");
        }
    }
    assert_eq!(other.snapshot(), untouched, "nothing of the other tenant changed");
    let answered = came.iter().filter(|it| *it.0 < 400).map(|it| it.1).sum::<usize>();
    println!("{wanted} requests, {answered} answered, {own} with texts, by status {came:?}");
    assert!(own > wanted / 16, "texts are read: {own}");
    assert!(answered > wanted / 4, "most of what is asked must be asked well: {came:?}");
}
