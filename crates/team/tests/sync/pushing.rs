//! A push gives the server what the commit has, whatever came before it (R431).

use oldhand_pg::access::Access;
use oldhand_store::port::Vault;
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::world::{MAINTAINER, READER, Repository, WRITER, World, write};

pub(crate) const TESTS: &[Test] = &[
    ("pushing::a_repository_is_pushed_again_and_again", again_and_again),
    ("pushing::three_hundred_memories_arrive_in_one_push", three_hundred),
    ("pushing::of_two_jobs_at_once_one_comes_first_and_both_end_well", two_jobs),
    ("pushing::rewritten_history_needs_a_maintainer", rewritten),
    ("pushing::a_repository_that_moves_keeps_its_store", moved),
    ("pushing::what_can_not_be_pushed_is_refused_and_nothing_is_taken", refused),
    ("pushing::any_sequence_of_commits_gives_the_same", any_sequence),
    ("pushing::what_git_says_about_the_code_goes_along", freshness),
];

fn again_and_again(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.commit("one");
    repository.connect("pay");
    repository.is_mirrored(store);
    assert!(repository.sync(&["push"]).contains("has this commit already"));
    repository.oldhand(&["retire", "staging-host", "--reason", "it is gone"]);
    repository.reference("Staging queue", "q-7");
    repository.commit("two");
    let said = repository.sync(&["push", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((said["created"].as_i64(), said["changed"].as_i64()), (Some(1), Some(1)), "{said}");
    repository.is_mirrored(store);
    assert!(repository.sync(&["status"]).contains("it has this commit"));
    // What is not committed is not pushed.
    repository.reference("Not committed", "x-1");
    assert!(repository.sync(&["push"]).contains("has this commit already"));
}

fn three_hundred(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("large", "repository", "git");
    let repository = world.repository("large");
    repository.reference("The first", "one");
    let first = repository.root.join(".oldhand/reference/the-first.md");
    let text = std::fs::read_to_string(&first).expect("readable");
    for number in 0..300 {
        let text = text.replace("The first", &format!("Number {number}"));
        let text = text.replace("one", &format!("value {number} {}", "long ".repeat(1_000)));
        write(&repository.root.join(format!(".oldhand/reference/number-{number}.md")), &text);
    }
    repository.commit("many");
    repository.connect("large");
    repository.is_mirrored(store);
    let access = Access::new(&world.bed.database, world.bed.caller(&[store]));
    assert_eq!(world.bed.vault(&access, store).ids().expect("readable").len(), 301);
}

/// Two clones of one repository, one commit ahead of the other.
fn two_jobs(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.commit("one");
    repository.connect("pay");
    let older = Repository { world: &world, root: world.folder.path().join("older") };
    for round in 0..6 {
        repository.reference(&format!("Host {round} a"), "db-3");
        repository.commit("older");
        let _ = std::fs::remove_dir_all(&older.root);
        let target = older.root.to_str().expect("UTF-8");
        repository.git(&["clone", "-q", ".", target]);
        repository.reference(&format!("Host {round} b"), "db-4");
        repository.commit("newer");
        let saids = std::thread::scope(|scope| {
            let jobs = [&older, &repository].map(|it| scope.spawn(|| it.sync_says(&["push"])));
            jobs.map(|job| job.join().expect("no panic"))
        });
        // The older clone can't know the newer commit, if that one came first.
        let [older, newer] = &saids;
        assert_eq!(newer.code, 0, "{newer:?}");
        let is_late = older.code == 2 && older.err.contains("does not have");
        assert!(older.code == 0 || is_late, "{older:?}");
        repository.is_mirrored(store);
    }
}

fn rewritten(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.commit("one");
    repository.connect("pay");
    repository.reference("A mistake", "db-9");
    repository.commit("two");
    repository.sync(&["push"]);
    let access = Access::new(&world.bed.database, world.bed.caller(&[store]));
    let vault = world.bed.vault(&access, store);
    let hash = vault.find_at("reference/a-mistake.md").expect("readable").expect("there").hash;
    repository.git(&["reset", "-q", "--hard", "HEAD~1"]);
    repository.reference("Another host", "db-3");
    repository.commit("three");
    let said = repository.sync_says(&["push"]);
    assert_eq!(said.code, 2, "{said:?}");
    assert!(said.err.contains("does not follow") && said.err.contains("--reset"), "{said:?}");
    let said = repository.sync_says(&["push", "--reset"]);
    assert!(said.code == 2 && said.err.contains("`maintainer`"), "{said:?}");
    assert!(vault.find_at("reference/a-mistake.md").expect("readable").is_some());
    let said = repository.sync_at(&world.address, MAINTAINER, &["push", "--reset"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(vault.find_at("reference/a-mistake.md").expect("readable").is_none());
    assert!(vault.find_at("reference/another-host.md").expect("readable").is_some());
    assert!(vault.kept(&hash.to_string()).expect("readable").is_some(), "the text is kept");
    let lines = access.audit_lines(0, 100).expect("readable");
    assert!(lines.iter().any(|line| line.action == "sync_reset"), "it is in the audit");
}

fn moved(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.commit("one");
    repository.connect("pay");
    let root = world.folder.path().join("payments");
    std::fs::rename(&repository.root, &root).expect("renamed");
    let repository = Repository { world: &world, root };
    repository.git(&["remote", "add", "origin", "https://example.com/other/payments.git"]);
    repository.reference("Staging queue", "q-7");
    repository.commit("two");
    repository.sync(&["push"]);
    repository.is_mirrored(store);
    // Another repository with a store of that name is refused.
    let other = world.repository("other");
    other.reference("Their host", "db-5");
    let said = other.sync_says(&["push"]);
    assert_eq!(said.code, 2, "{said:?}");
    other.commit("an id");
    let said = other.sync_says(&["push", "--store", "pay"]);
    assert!(said.code == 2, "{said:?}");
    repository.is_mirrored(store);
}

fn refused(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    world.store("rules", "org", "server");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.commit("one");
    let said = repository.sync_says(&["push"]);
    assert_eq!(said.code, 2, "{said:?}");
    repository.commit("an id");
    let check = |said: crate::world::Said, words: &str| {
        assert!(said.code == 2 && said.err.contains(words), "{words}: {said:?}");
    };
    check(repository.sync_says(&["push"]), "does not know this repository");
    check(repository.sync_says(&["push", "--store", "nothing"]), "there is no such thing here");
    check(repository.sync_says(&["push", "--store", "rules"]), "not in git");
    let pay = &["push", "--store", "pay"];
    check(repository.sync_at(&world.address, READER, pay), "the role `writer`");
    check(repository.sync_at(&world.address, "oht_unknown", pay), "not in force");
    check(repository.sync_at(&world.address, "", pay), "there is no token");
    check(repository.sync_at("http://127.0.0.1:1", WRITER, pay), "can't be reached");
    check(repository.sync_at("http://memory.example", WRITER, pay), "https only");
    repository.sync(pay);
    repository.is_mirrored(store);
    // A secret that somebody committed by hand.
    let path = repository.root.join(".oldhand/reference/staging-host.md");
    let text = std::fs::read_to_string(&path).expect("readable");
    let key = ["AKIA", "Q7XJ4M2LTZRW5B3N"].concat();
    write(&path, &text.replace("db-2", &format!("db-2 with {key}")));
    repository.commit("a secret");
    let said = repository.sync_says(&["push"]);
    assert!(said.code == 2 && said.err.contains("holds a secret"), "{said:?}");
    assert!(!said.err.contains(&key) && said.err.contains("staging-host.md"), "{said:?}");
    let access = Access::new(&world.bed.database, world.bed.caller(&[store]));
    let vault = world.bed.vault(&access, store);
    let there = vault.find_at("reference/staging-host.md").expect("readable").expect("there");
    assert!(there.text.contains("db-2") && !there.text.contains(&key));
    write(&path, &text);
    repository.commit("without it");
    repository.sync(&["push"]);
    repository.is_mirrored(store);
}

/// Branches that remember, change, retire and use, merged by git alone.
fn any_sequence(programs: &Programs) {
    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    repository.reference("Staging host", "db-2");
    repository.commit("one");
    repository.connect("pay");
    let mut random = 7_u64;
    let mut below = move |end: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % end
    };
    let word = |number: usize| {
        let digit = |at: u32| char::from(b'a' + (number / 26_usize.pow(at) % 26) as u8);
        (0..5).map(|at| digit(4 - at)).collect::<String>()
    };
    let mut made: Vec<String> = Vec::new();
    let (mut on_branch, mut pushes) = (false, 0);
    for step in 0..60 {
        match below(6) {
            0 | 1 => {
                let title = format!("{} {}", word(below(9_000_000)), word(below(9_000_000)));
                repository.reference(&title, &word(below(9_000_000)));
                made.push(title.replace(' ', "-"));
            }
            2 if !made.is_empty() => {
                let id = &made[below(made.len())];
                // One that another branch has is not there, and one that was retired stays so.
                repository.oldhand_says(&["retire", id, "--reason", "not needed"]);
            }
            3 if !made.is_empty() => {
                let id = &made[below(made.len())];
                let task = format!("A-{step}");
                let apply = ["apply", id, "--effect", "positive", "--task", &task];
                repository.oldhand_says(&apply);
            }
            4 if !on_branch => {
                repository.commit("before the branch");
                repository.git(&["switch", "-q", "-c", &format!("branch-{step}")]);
                on_branch = true;
            }
            4 => {
                repository.commit("on the branch");
                repository.git(&["switch", "-q", "main"]);
                repository.reference(&format!("main {}", word(step)), &word(step + 99));
                repository.commit("on main");
                repository.git(&["merge", "-q", "--no-edit", "-X", "ours", "@{-1}"]);
                on_branch = false;
            }
            _ if !on_branch => {
                repository.commit("a step");
                repository.sync(&["push"]);
                repository.is_mirrored(store);
                pushes += 1;
            }
            _ => {}
        }
    }
    assert!(pushes > 3 && made.len() > 5, "{pushes} pushes of {} memories", made.len());
}

fn freshness(programs: &Programs) {
    use oldhand_core::fresh::{Answers, PathQuestion};
    use oldhand_store::port::CodeHistory;

    let world = World::new(programs);
    let store = world.store("pay", "repository", "git");
    let repository = world.repository("pay");
    write(&repository.root.join("src/pay.rs"), "fn pay() {}\n");
    repository.commit("code");
    let decision = "Every amount in `src/pay.rs` is an integer number of cents";
    repository.oldhand(&["add", "decision", "--title", "Keep cents", "--decision", decision]);
    repository.commit("one");
    repository.connect("pay");
    let access = Access::new(&world.bed.database, world.bed.caller(&[store]));
    let vault = world.bed.vault(&access, store);
    let stored = vault.scan().expect("readable").stored;
    let memory = &stored.iter().find(|it| it.path.contains("cents")).expect("there").memory;
    let asked = oldhand_core::fresh::questions(memory);
    let oldhand_core::fresh::Questions::Ask(asked) = asked else { panic!("{asked:?}") };
    let code = oldhand_pg::code::PgCode { access: &access, store };
    let within = std::time::Duration::from_secs(1);
    let Answers::Given(given) = code.ask(&asked, within) else { panic!("nobody to ask") };
    assert!(given.paths.iter().all(Option::is_some), "{given:?}");
    assert_eq!(given.head, Some(repository.git(&["rev-parse", "HEAD"])));
    // What was not told is not known.
    let since = jiff::Timestamp::UNIX_EPOCH;
    let other = [PathQuestion { path: "src/other.rs".to_owned(), since, seen: None }];
    let Answers::Given(given) = code.ask(&other, within) else { panic!("nobody to ask") };
    assert!(given.paths == [None] && given.incomplete.is_some());
}
