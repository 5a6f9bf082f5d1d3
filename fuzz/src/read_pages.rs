//! Any text as one of the pages and lines that the program reads beside memories. Nothing may
//! panic, and a page that nobody touched shows no edit.

use std::slice::from_ref;

use oldhand_core::content::{Alternative, FieldValue};
use oldhand_core::event::Event;
use oldhand_core::index_page::IndexPage;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::state::State;
use oldhand_core::views::{self, View};
use oldhand_judge::guess;
use oldhand_text::{secrets, strings as text};

pub fn read_pages(bytes: &[u8]) {
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    index_page(source);
    pages(source);
    events(source);
    texts(source);
}

fn index_page(source: &str) {
    let kinds = Kinds::default();
    for source in [source.to_owned(), IndexPage::default().render(&kinds) + source] {
        if let Some(page) = IndexPage::parse(&source) {
            let rendered = page.render(&kinds);
            let again = IndexPage::parse(&rendered).expect("our own page");
            assert_eq!(again.render(&kinds), rendered);
        }
    }
}

fn pages(source: &str) {
    let decision = decision(source);
    let architecture = architecture(source);
    for view in View::ALL {
        let _ = views::page_of(*view, source);
        for memories in [&[][..], from_ref(&decision), from_ref(&architecture)] {
            let _ = views::read_edits(*view, source, memories);
        }
    }
    for (view, memory) in [(View::Decisions, decision), (View::Architecture, architecture)] {
        let memories = [memory];
        let page = views::render(view, &memories);
        // A text with the marks of a merge is taken for one; nothing more is asked of its page.
        if views::page_of(view, &page) == views::Page::Conflict {
            continue;
        }
        assert_eq!(views::page_of(view, &page), views::Page::Clean);
        let edits = views::read_edits(view, &page, &memories);
        assert_eq!(edits, Ok(Vec::new()), "{page}");
    }
}

fn decision(source: &str) -> Memory {
    let title = text::normalise_line(source);
    let title = if title.is_empty() { "t".to_owned() } else { text::shorten(&title, 120) };
    let mut memory = Memory::new(MemoryId::of_title("an id"), Kind::Decision, &title);
    memory.state = State::Stable;
    memory.content.set("context", FieldValue::Text(text::normalise_body(source)));
    let items: Vec<String> = source.split("\n\n").map(text::normalise_body).collect();
    let alternatives = items.iter().map(|item| Alternative::new(item, item));
    let alternatives = alternatives.filter(|item| !item.option.is_empty()).collect();
    memory.content.set("alternatives", FieldValue::Alternatives(alternatives));
    let items = items.into_iter().filter(|item| !item.is_empty()).collect();
    memory.content.set("constraints", FieldValue::List(items));
    memory
}

fn architecture(source: &str) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title("the parts"), Kind::Architecture, "The parts");
    memory.state = State::Stable;
    memory.content.set("module_map", FieldValue::Text(text::normalise_body(source)));
    memory.content.set("data_flow", FieldValue::Text("one way".to_owned()));
    memory
}

fn events(source: &str) {
    for line in source.lines() {
        if let Some(event) = Event::of_line(line) {
            let written = event.to_line().expect("an event is JSON");
            let read = Event::of_line(&written).expect("our own line");
            assert_eq!(read.to_line().expect("an event is JSON"), written);
        }
    }
}

fn texts(source: &str) {
    let lines = source.matches('\n').count() + 1;
    for found in secrets::scan(source) {
        assert!((1..=lines).contains(&found.line) && found.column >= 1, "{found:?}");
    }
    let slug = text::slug(source);
    assert_eq!(MemoryId::parse(&slug).map(|id| id.to_string()), Ok(slug.clone()));
    assert_eq!(text::slug(&slug), slug);
    let line = text::normalise_line(source);
    assert_eq!(text::normalise_line(&line), line);
    let shown = text::visible(source);
    assert_eq!(text::visible(&shown), shown);
    assert!(!text::visible_line(source).contains(['\n', '\r', '\t']));
    let _ = guess::kind(source, None);
    let _ = guess::title(source);
}
