//! The page `code`, with values that are hard to show.

use super::*;
use crate::house::Named;
use crate::pages::checked::{HOSTILE, check, scene, text};
use oldhand_charts::map::Folder;

fn code(words: &str) -> Code {
    let memory = CodeMemory {
        memory: Named { id: words.to_owned(), title: words.to_owned() },
        kind: words.to_owned(),
        state: "stable".to_owned(),
        verdict: words.to_owned(),
        tone: "c-bad",
        reasons: vec![words.to_owned()],
        paths: vec![words.to_owned()],
        hash: words.to_owned(),
        asks: true,
    };
    let folder =
        Folder { name: words.to_owned(), href: code_path(words), files: 3, ..Folder::default() };
    Code {
        path: words.to_owned(),
        files: 3,
        folders: vec![folder],
        memories: vec![memory],
        total: 2,
        unchecked: 1,
        notes: vec![words.to_owned()],
    }
}

#[test]
fn a_folder_shows_its_map_and_its_memories() {
    let page = check(&view(&code("src/pay"), &CodeAsk::default(), &scene()));
    let text = text(&page);
    for words in ["3 files, 2 memories, 1 folder without one.", "1 were not checked", "Still holds"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(
        page.contains("href=\"/code?path=src\"") && page.contains("href=\"/code?path=src%2Fpay\""),
        "{page}"
    );
}

#[test]
fn it_says_what_would_be_here() {
    let page = check(&view(&Code::default(), &CodeAsk::default(), &scene()));
    assert!(text(&page).contains("There are no files here."), "{page}");
}

#[test]
fn text_of_others_stays_text() {
    check(&view(&code(HOSTILE), &CodeAsk::default(), &scene()));
}
