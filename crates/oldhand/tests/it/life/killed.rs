//! Killed at every call that changes the disk: afterwards the whole of it has happened, files and
//! log, or nothing of it. A candidate on its way is in one folder, never in two and never in none.

use oldhand_testkit::kill::{KillAt, Outcome, run};

use crate::scratch::fill;

use super::{Scene, assert_no_torn_line, difference, scenes, state};

fn check(scene: &Scene) -> u32 {
    fill(&scene.store);
    let (before, after) = (state(&scene.store), state(&scene.done()));
    assert_ne!(before, after, "{}", scene.name);
    let mut points = 0;
    let kinds: [fn(u32) -> KillAt; 2] = [KillAt::BeforeCall, KillAt::AfterCall];
    for kind in kinds {
        for number in 1.. {
            let copy = scene.store.copy();
            let killed = match run(&mut copy.program(&scene.args), kind(number)).unwrap() {
                Outcome::Finished(finished) => {
                    assert_eq!(finished.code, Some(i32::from(scene.code)), "{}", scene.name);
                    break;
                }
                Outcome::Killed(killed) => killed,
            };
            let when = format!("{} killed at {} number {number}", scene.name, killed.call);
            let found = state(&copy);
            let is_told = scene.was_told(&killed.stdout);
            assert!(
                found == after || (found == before && !is_told),
                "{when}, told {is_told}: {}",
                difference(&found, &after)
            );
            assert_no_torn_line(&copy, &when);
            copy.assert_healthy(&when);
            points += 1;
        }
    }
    points
}

#[test]
fn each_command_happens_or_does_not() {
    let scenes = scenes();
    let points: u32 = std::thread::scope(|scope| {
        let workers: Vec<_> = scenes.iter().map(|scene| scope.spawn(|| check(scene))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    println!("{points} points");
    assert!(points >= 200, "only {points} points");
}
