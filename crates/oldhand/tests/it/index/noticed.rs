//! What happens to the files is known to the next answer.

use std::fs;
use std::process::Command;

use super::{Library, by_meaning, by_words, markdown};

const NOBODY: [&str; 0] = [];

/// A store whose index is kept and current.
fn ready() -> Library {
    let library = by_words(40);
    assert_eq!(library.found("quicksilver"), ["rule-17"]);
    library
}

#[test]
fn an_edit_in_place() {
    let library = ready();
    let file = library.file("rule-17");
    let before = fs::metadata(&file).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    // As long as it was, and as old as it was.
    fs::write(&file, text.replace("quicksilver", "marshmallow")).unwrap();
    let opened = fs::File::options().write(true).open(&file).unwrap();
    opened.set_modified(before.modified().unwrap()).unwrap();
    drop(opened);
    assert_eq!(fs::metadata(&file).unwrap().len(), before.len());
    assert_eq!(library.found("marshmallow"), ["rule-17"]);
    assert_eq!(library.found("quicksilver"), NOBODY);
    fs::write(&file, text.replace("quicksilver", "a much longer text about pomegranates")).unwrap();
    assert_eq!(library.found("pomegranates"), ["rule-17"]);
    library.assert_as_new("after edits");
}

#[test]
fn a_file_added_removed_and_renamed_by_hand() {
    let library = ready();
    let file = library.file("by-hand");
    fs::write(&file, markdown("by-hand", "Written by hand", "All about pomegranates.")).unwrap();
    assert_eq!(library.found("pomegranates"), ["by-hand"]);
    fs::remove_file(&file).unwrap();
    assert_eq!(library.found("pomegranates"), NOBODY);
    fs::rename(library.file("rule-17"), library.file("rule-17-moved")).unwrap();
    library.assert_as_new("a file of another name");
    fs::rename(library.file("rule-17-moved"), library.file("rule-17")).unwrap();
    assert_eq!(library.found("quicksilver"), ["rule-17"]);
    // Two files change places: the folder has the same names as before.
    let (one, other, aside) = (
        library.file("rule-16"),
        library.file("rule-17"),
        library.file("rule-17").with_extension("away"),
    );
    fs::rename(&one, &aside).unwrap();
    fs::rename(&other, &one).unwrap();
    fs::rename(&aside, &other).unwrap();
    library.assert_as_new("two files changed places");
}

#[test]
fn a_whole_folder_away_and_back() {
    let library = ready();
    let (folder, away) = (library.scratch.store().join("reference"), library.home().join("away"));
    fs::rename(&folder, &away).unwrap();
    assert_eq!(library.found("quicksilver"), NOBODY);
    fs::rename(&away, &folder).unwrap();
    assert_eq!(library.found("quicksilver"), ["rule-17"]);
    library.assert_as_new("a folder that came back");
}

/// A file that can't be read is named in every answer, and comes back when it can be.
#[test]
fn a_file_that_is_half_written() {
    let library = ready();
    let file = library.file("rule-17");
    let text = fs::read(&file).unwrap();
    fs::write(&file, &text[..40]).unwrap();
    for _ in 0..2 {
        let answer = library.ask(&super::asked("quicksilver"));
        assert!(answer.contains("could not read `reference/rule-17.md`"), "{answer}");
        assert_eq!(super::ids(&answer), NOBODY);
    }
    library.assert_as_new("half a file");
    fs::write(&file, &text).unwrap();
    assert_eq!(library.found("quicksilver"), ["rule-17"]);
}

#[test]
fn what_the_tool_wrote_right_before() {
    let library = ready();
    let tool = |args: &[&str]| library.scratch.ok(args);
    tool(&["add", "reference", "--title", "Fruit", "--text", "All about pomegranates."]);
    assert_eq!(library.found("pomegranates"), ["fruit"]);
    tool(&["update", "fruit", "--text", "All about tangerines."]);
    assert_eq!(library.found("pomegranates"), NOBODY);
    assert_eq!(library.found("tangerines"), ["fruit"]);
    tool(&["undo"]);
    assert_eq!(library.found("pomegranates"), ["fruit"]);
    tool(&["retire", "fruit", "--reason", "eaten"]);
    assert_eq!(library.found("pomegranates"), NOBODY);
    tool(&["restore", "fruit"]);
    assert_eq!(library.found("pomegranates"), ["fruit"]);
    tool(&["archive", "fruit", "--reason", "winter"]);
    assert_eq!(library.found("pomegranates"), NOBODY);
    tool(&["unarchive", "fruit"]);
    tool(&["supersede", "fruit", "--title", "Vegetables", "--text", "All about artichokes."]);
    assert_eq!(library.found("artichokes"), ["vegetables"]);
    assert_eq!(library.found("pomegranates"), ["vegetables"], "by what it replaced");
    library.assert_as_new("after writes by the tool");
}

#[test]
fn another_branch_and_back() {
    let library = ready();
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .args(["-c", "user.name=ada", "-c", "user.email=ada@example.org"])
            .args(args)
            .current_dir(library.scratch.repository())
            .env("HOME", library.home())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "rules"]);
    git(&["checkout", "-qb", "fruit"]);
    library.scratch.ok(&["add", "reference", "--title", "Fruit", "--text", "About pomegranates."]);
    library.scratch.ok(&["retire", "rule-17"]);
    fs::remove_file(library.file("rule-2")).unwrap();
    git(&["add", "-A"]);
    git(&["commit", "-qm", "fruit"]);
    let ask = |words: &str| library.found(words);
    for _ in 0..2 {
        assert_eq!((ask("pomegranates"), ask("quicksilver")), (vec!["fruit".to_owned()], vec![]));
        assert_eq!(library.stats()["memories"], 40);
        git(&["checkout", "-q", "main"]);
        assert_eq!((ask("pomegranates"), ask("quicksilver")), (vec![], vec!["rule-17".to_owned()]));
        assert_eq!(library.stats()["memories"], 40);
        library.assert_as_new("on the main branch");
        git(&["checkout", "-q", "fruit"]);
    }
    library.assert_as_new("on the other branch");
}

/// What a memory means does not change with its labels: its vectors stay.
#[test]
fn vectors_outlive_a_change_of_labels() {
    let library = by_meaning(18);
    library.answers();
    let embedded = || library.stats()["index"]["embedded"].clone();
    assert_eq!(embedded(), 18);
    for number in [3, 9, 17] {
        library.scratch.ok(&["update", &format!("rule-{number}"), "--tags", "other"]);
        // Taken in without a question, so that nothing is embedded on the way.
        assert_eq!(embedded(), 18);
    }
    library.scratch.ok(&["update", "rule-17", "--text", "All about pomegranates."]);
    assert_eq!(embedded(), 17, "another text is another meaning");
    assert_eq!(library.found("pomegranates"), ["rule-17"]);
    assert_eq!(embedded(), 18);
    library.assert_as_new("after changes of labels and of a text");
}

/// A store that was never embedded, and questions that share no word with it: each embeds a part.
#[test]
fn questions_in_other_words_embed_the_rest() {
    let library = by_meaning(34);
    for embedded in [32, 34, 34] {
        library.found("zebra umbrella kaleidoscope");
        assert_eq!(library.stats()["index"]["embedded"], embedded);
    }
    let answers = library.answers();
    library.ask(&["reindex".to_owned()]);
    assert_eq!(library.answers(), answers, "embedded in parts or at once");
}
