//! What the log says after a merge, and what waits for a person then.

use std::path::Path;

use super::{Clone, Team};

/// Both have a memory that ada wrote; each does something to it, and grace merges.
fn both_do<'t>(team: &'t Team, ada: &[&str], grace: &[&str]) -> Clone<'t> {
    let clones = [team.at("ada"), team.at("grace")];
    let add =
        ["add", "decision", "--title", "Bounded queues", "--decision", "At most a thousand wait"];
    clones[0].oldhand(&add);
    clones[0].commit("a decision");
    clones[0].git(&["push", "-q", "origin", "HEAD:main"]);
    clones[1].git(&["pull", "-q", "origin", "main"]);
    for (clone, args) in clones.iter().zip([ada, grace]) {
        clone.oldhand(args);
        clone.commit("a change");
    }
    let [ada, grace] = clones;
    ada.git(&["push", "-q", "origin", "HEAD:main"]);
    grace.git(&["fetch", "-q"]);
    grace.git(&["merge", "-q", "origin/main"]);
    grace
}

#[test]
fn a_merge_is_recorded_and_two_moves_are_named() {
    let team = Team::new();
    let retire = ["retire", "bounded-queues", "--reason", "a library does it"];
    let grace =
        both_do(&team, &retire, &["update", "bounded-queues", "--rationale", "Memory is small"]);
    let text = grace.read(".oldhand/decisions/bounded-queues.md");
    assert!(text.contains("state: retired") && text.contains("- Memory is small"), "{text}");
    let diagnosis = grace.doctor();
    let repaired = diagnosis["repaired"].to_string();
    assert!(
        repaired.contains("recorded the merge of `decisions/bounded-queues.md`"),
        "{diagnosis}"
    );
    assert!(!diagnosis["findings"].to_string().contains("bounded-queues"), "{diagnosis}");
    let history = grace.oldhand(&["history", "bounded-queues"]);
    assert!(history.contains("merged by git"), "{history}");
    // Once: the log knows the version now.
    assert!(!grace.doctor().to_string().contains("bounded-queues"));

    let team = Team::new();
    let grace = both_do(&team, &retire, &["archive", "bounded-queues", "--reason", "old"]);
    let findings = grace.doctor()["findings"].to_string();
    let all = ["to retired by ada", "to archived by grace", "; retired was kept"];
    all.iter().for_each(|it| assert!(findings.contains(it), "{findings}"));
    // It is named until a person has decided (R459): that what was kept was meant, or not.
    let again = grace.doctor()["findings"].to_string();
    assert!(again.contains("; retired was kept"), "{again}");
    let keep = ["review", "bounded-queues", "--decision", "keep", "--reason", "it is over"];
    grace.oldhand(&keep);
    assert!(!grace.doctor()["findings"].to_string().contains("bounded-queues"));

    let team = Team::new();
    let grace = both_do(&team, &retire, &["archive", "bounded-queues", "--reason", "old"]);
    grace.doctor();
    grace.oldhand(&["restore", "bounded-queues"]);
    assert!(!grace.doctor()["findings"].to_string().contains("bounded-queues"));
}

#[test]
fn the_next_write_records_a_merge() {
    let team = Team::new();
    let grace = both_do(
        &team,
        &["update", "bounded-queues", "--context", "Jobs pile up"],
        &["update", "bounded-queues", "--rationale", "Memory is small"],
    );
    grace.oldhand(&["update", "bounded-queues", "--consequences", "Callers wait"]);
    let history = grace.oldhand(&["history", "bounded-queues"]);
    assert!(history.contains("merged by git") && !history.contains("by hand"), "{history}");
    assert!(!grace.doctor().to_string().contains("bounded-queues"));
    let text = grace.read(".oldhand/decisions/bounded-queues.md");
    let all = ["Jobs pile up", "- Memory is small", "- Callers wait"];
    all.iter().for_each(|it| assert!(text.contains(it), "{text}"));

    // Two moves are told by the write that ends them.
    let team = Team::new();
    let retire = ["retire", "bounded-queues", "--reason", "a library does it"];
    let grace = both_do(&team, &retire, &["archive", "bounded-queues", "--reason", "old"]);
    let program = Path::new(env!("CARGO_BIN_EXE_oldhand"));
    let output = grace.command(program).args(["restore", "bounded-queues"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    let all = ["to retired by ada", "to archived by grace", "; retired was kept"];
    all.iter().for_each(|it| assert!(told.contains(it), "{told}"));
}

/// Ada's branch, where grace can merge it.
fn merge_of(team: &Team) -> Clone<'_> {
    let [ada, grace] = [team.at("ada"), team.at("grace")];
    ada.git(&["push", "-q", "origin", "HEAD:main"]);
    grace.git(&["fetch", "-q"]);
    grace
}

/// What git made of two versions is no edit by hand, however it came about (R463).
#[test]
fn every_merge_is_recorded_as_one() {
    let add = ["add", "decision", "--title", "Bound queues", "--decision", "Queues are bounded."];
    let words = |tag: &'static str| [&add[..], &["--tags", tag]].concat();
    // Both wrote down the same.
    let team = Team::new();
    let [ada, grace] = [team.at("ada"), team.at("grace")];
    ada.oldhand(&words("queues"));
    grace.oldhand(&words("jobs"));
    [&ada, &grace].iter().for_each(|clone| clone.commit("a decision"));
    merge_of(&team).git(&["merge", "-q", "origin/main"]);
    recorded_as_merge(&grace, "bound-queues");

    // They said different things, and one side was taken whole.
    let team = Team::new();
    let [ada, grace] = [team.at("ada"), team.at("grace")];
    ada.oldhand(&words("queues"));
    grace.oldhand(&["add", "decision", "--title", "Bound queues", "--decision", "At most ten."]);
    [&ada, &grace].iter().for_each(|clone| clone.commit("a decision"));
    assert!(!merge_of(&team).try_git(&["merge", "-q", "origin/main"]).status.success());
    grace.git(&["checkout", "--theirs", ".oldhand/decisions/bound-queues.md"]);
    recorded_as_merge(&grace, "bound-queues");

    // A branch went on after it was squashed.
    let team = Team::new();
    let [ada, grace] = [team.at("ada"), team.at("grace")];
    ada.oldhand(&add);
    ada.commit("a decision");
    merge_of(&team).git(&["merge", "-q", "origin/main"]);
    let change = |clone: &Clone<'_>, field: &str, text: &str| {
        clone.oldhand(&["update", "bound-queues", field, text]);
        clone.commit("a change");
    };
    grace.git(&["checkout", "-q", "-b", "feature"]);
    change(&grace, "--context", "Jobs pile up");
    change(&ada, "--rationale", "Memory is small");
    grace.git(&["checkout", "-q", "main"]);
    merge_of(&team).git(&["merge", "-q", "origin/main"]);
    grace.git(&["merge", "-q", "--squash", "feature"]);
    recorded_as_merge(&grace, "bound-queues");
    grace.commit("all of it at once");
    grace.git(&["checkout", "-q", "feature"]);
    change(&grace, "--consequences", "Callers wait");
    grace.git(&["checkout", "-q", "main"]);
    grace.git(&["merge", "-q", "--no-edit", "feature"]);
    recorded_as_merge(&grace, "bound-queues");
}

#[track_caller]
fn recorded_as_merge(clone: &Clone<'_>, id: &str) {
    let diagnosis = clone.doctor()["repaired"].to_string();
    let line = format!("recorded the merge of `decisions/{id}.md`");
    assert!(diagnosis.contains(&line), "{diagnosis}");
    let history = clone.oldhand(&["history", id]);
    assert!(history.contains("merged by git") && !history.contains("by hand"), "{history}");
}

#[test]
fn decisions_that_never_met_wait_for_a_person() {
    let decide = |clone: &Clone<'_>, title: &str, text: &str| {
        clone.oldhand(&["add", "decision", "--title", title, "--decision", text]);
        clone.commit("a decision");
    };
    for way in ["--follow", "--supersede", "--keep-both"] {
        let team = Team::new();
        let [ada, grace] = [team.at("ada"), team.at("grace")];
        decide(&ada, "Money is integers", "We use integer cents for money, never floats");
        decide(&grace, "Money is floats", "We use floats for money, never integer cents");
        ada.git(&["push", "-q", "origin", "HEAD:main"]);
        grace.git(&["fetch", "-q"]);
        grace.git(&["merge", "-q", "origin/main"]);
        let diagnosis = grace.doctor();
        let findings = diagnosis["findings"].to_string();
        assert!(findings.contains("and both are in force"), "{diagnosis}");
        let waiting = grace.oldhand(&["pending"]);
        let id = ["conflict-money-is-floats", "conflict-money-is-integers"];
        let id = id.iter().find(|id| waiting.contains(**id)).unwrap_or_else(|| panic!("{waiting}"));
        assert!(grace.oldhand(&["resume"]).contains(id));
        // Asked once, however often somebody looks.
        grace.doctor();
        assert_eq!(grace.oldhand(&["pending"]), waiting);
        grace.oldhand(&["resolve", id, way, "--by", "grace", "--reason", "we talked"]);
        let list = grace.oldhand(&["list", "--state", "stable"]);
        let in_force = list.matches("money-is-").count();
        assert_eq!(in_force, if way == "--keep-both" { 2 } else { 1 }, "{way}: {list}");
        let findings = grace.doctor()["findings"].to_string();
        assert!(!findings.contains("money-is-"), "{way}: {findings}");
    }
}
