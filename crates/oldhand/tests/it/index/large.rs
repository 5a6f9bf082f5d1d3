//! A store that is too large to be compared file by file for every answer.

use std::fs;

use super::{KEYWORDS, Library, markdown, memory};

const MANY: usize = 1_500;
const NOBODY: [&str; 0] = [];

fn many() -> Library {
    let library = Library::new(0, KEYWORDS);
    let text = |n: usize| format!("Short note about item{n} of shelf{}.", n % 40);
    let records: String =
        (0..MANY).map(|n| memory(&format!("note-{n}"), &format!("Note {n}"), &text(n))).collect();
    library.import(&records);
    assert_eq!(library.found("item700"), ["note-700"]);
    library
}

#[test]
fn files_of_a_large_store() {
    let mut library = many();
    let file = library.file("by-hand");
    let write = |id: &str, text: &str| markdown(id, "Written by hand", text);
    fs::write(&file, write("by-hand", "All about pomegranates.")).unwrap();
    assert_eq!(library.found("pomegranates"), ["by-hand"], "added");
    // Replaced as editors and git do it.
    let new = library.home().join("new.md");
    fs::write(&new, write("by-hand", "All about tangerine trees")).unwrap();
    fs::rename(&new, &file).unwrap();
    assert_eq!(library.found("tangerine"), ["by-hand"], "replaced");
    assert_eq!(library.found("pomegranates"), NOBODY, "replaced");
    fs::rename(&file, library.file("item-by-hand")).unwrap();
    let renamed = library.ask(&super::asked("tangerine"));
    fs::remove_file(library.file("item-by-hand")).unwrap();
    assert!(renamed.contains("item-by-hand") || super::ids(&renamed).is_empty(), "{renamed}");
    assert_eq!(library.found("tangerine"), NOBODY, "removed");
    assert_eq!(library.stats()["memories"], MANY);

    // An edit in place outside of the window: at the latest when it is served or when nothing is
    // found.
    for (number, second) in (0..40).zip(0..) {
        library.scratch.now = format!("2099-01-01T00:01:{second:02}Z").parse().unwrap();
        let id = format!("note-{}", number * 37);
        let word = format!("pomegranate{number}");
        let text = format!("Short note about item{} and {word}.", number * 37);
        fs::write(library.file(&id), markdown(&id, "Note edited", &text)).unwrap();
        let old = library.ask(&super::asked(&format!("item{}", number * 37)));
        assert!(old.contains(&word), "what is served is what the file says: {old}");
    }
    library.scratch.now = "2099-01-01T01:00:00Z".parse().unwrap();
    fs::write(library.file("note-3"), markdown("note-3", "Note", "About artichokes.")).unwrap();
    assert_eq!(library.found("artichokes"), ["note-3"], "nothing was found, so all was compared");
}

#[test]
fn writes_of_the_tool_in_a_large_store() {
    let library = many();
    library.scratch.ok(&["add", "reference", "--title", "Fruit", "--text", "On pomegranates."]);
    assert_eq!(library.found("pomegranates"), ["fruit"]);
    library.scratch.ok(&["update", "fruit", "--text", "On tangerines."]);
    // By hand right behind a write of the tool, before anybody looked.
    fs::write(library.file("by-hand"), markdown("by-hand", "By hand", "On artichokes.")).unwrap();
    assert_eq!(library.found("tangerines"), ["fruit"]);
    assert_eq!(library.found("artichokes"), ["by-hand"]);
    // And right before one.
    fs::write(library.file("before"), markdown("before", "Before", "On aubergines.")).unwrap();
    library.scratch.ok(&["retire", "fruit"]);
    assert_eq!(library.found("aubergines"), ["before"]);
    assert_eq!(library.found("tangerines"), NOBODY);
    fs::remove_file(library.file("before")).unwrap();
    library.scratch.ok(&["update", "note-9", "--text", "On parsnips."]);
    assert_eq!(library.found("aubergines"), NOBODY);
    assert_eq!(library.found("parsnips"), ["note-9"]);
    assert_eq!(library.stats()["memories"], MANY + 2);
    let questions = ["shelf7", "Short note", "item700 item701", "nothing of this kind"];
    let ask = || questions.map(|words| library.ask(&super::asked(words)));
    let in_steps = ask();
    library.forget_the_index();
    assert_eq!(in_steps, ask());
}
