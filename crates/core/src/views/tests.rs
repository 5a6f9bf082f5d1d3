//! The pages, and edits made in them.

use expect_test::expect;

use super::*;
use crate::content::Alternative;
use crate::memory::MemoryId;

fn decision(id: &str, state: State) -> Memory {
    let mut memory =
        Memory::new(MemoryId::parse(id).unwrap(), Kind::Decision, &format!("Use {id}"));
    memory.state = state;
    memory.created_at = oldhand_text::time::parse_instant("2026-11-15");
    memory.content.set("context", FieldValue::Text("We need it.\n\n## not a heading".into()));
    memory.content.set("decision", FieldValue::Text(format!("{id} it is.")));
    let none = vec![Alternative::new("nothing", "too little")];
    memory.content.set("alternatives", FieldValue::Alternatives(none));
    memory
}

/// R47, R48: the decision log; R122: an archived entry says when and why.
#[test]
fn the_log_and_its_archive() {
    let mut archived = decision("gzip", State::Archived);
    archived.archived_at = oldhand_text::time::parse_instant("2026-11-20");
    archived.archived_reason = Some("nothing is packed any more".into());
    let memories = [decision("zstd", State::Stable), archived];
    expect![[r#"
        <!-- oldhand:view decisions b0a7280e3839 -->
        # Decisions

        ## 2026-11-15: Use zstd

        <!-- id: zstd 5582ee263436 -->

        ### Context

        We need it.

        \## not a heading

        ### Decision

        zstd it is.

        ### Alternatives considered

        - **nothing**: too little

        ### Constraints introduced

        None recorded.
    "#]]
    .assert_eq(&render(View::Decisions, &memories));
    expect![[r#"
        <!-- oldhand:view archive e2b43e3c6361 -->
        # Archived decisions

        ## 2026-11-15: Use gzip

        <!-- id: gzip eb05a8714843 -->

        Archived on 2026-11-20: nothing is packed any more

        ### Context

        We need it.

        \## not a heading

        ### Decision

        gzip it is.

        ### Alternatives considered

        - **nothing**: too little

        ### Constraints introduced

        None recorded.
    "#]]
    .assert_eq(&render(View::Archive, &memories));
}

/// R54: the five parts of the architecture page.
#[test]
fn the_architecture_page() {
    let mut memory = Memory::new(MemoryId::of_title("arch"), Kind::Architecture, "Arch");
    memory.state = State::Stable;
    memory.content.set("module_map", FieldValue::Text("- `core`: rules".into()));
    expect![[r#"
        <!-- oldhand:view architecture 29afa2dca108 -->
        # Architecture

        ## Module map

        <!-- part: 48959226cd28 -->

        - `core`: rules

        ## Key interfaces

        <!-- part: 5b43b51a28c7 -->

        None recorded.

        ## Data flow

        <!-- part: 5b43b51a28c7 -->

        None recorded.

        ## External dependencies

        <!-- part: 5b43b51a28c7 -->

        None recorded.

        ## Known technical debt

        <!-- part: 5b43b51a28c7 -->

        None recorded.
    "#]]
    .assert_eq(&render(View::Architecture, &[memory]));
}

#[test]
fn an_untouched_page_has_no_edits() {
    let memories = [decision("zstd", State::Stable), decision("lz4", State::Stable)];
    for view in [View::Decisions, View::Archive] {
        let page = render(view, &memories);
        assert_eq!(page_of(view, &page), Page::Clean);
        assert_eq!(page_of(view, &page.replace('\n', "\r\n")), Page::Clean);
        assert_eq!(read_edits(view, &page, &memories).unwrap(), vec![]);
    }
    assert_eq!(page_of(View::Decisions, "# My own page\n"), Page::Foreign);
}

#[test]
fn edits_come_back_as_drafts() {
    let memories = [decision("zstd", State::Stable), decision("lz4", State::Stable)];
    let page = render(View::Decisions, &memories).replace("zstd it is.", "zstd, level 3.").replace(
        "### Constraints introduced\n\nNone recorded.",
        "### Constraints introduced\n\n- no gzip",
    ) + "\n## 2026-12-01: Brand new\n\n### Decision\n\nSo be it.\n";
    assert_eq!(page_of(View::Decisions, &page), Page::Edited);
    let edits = read_edits(View::Decisions, &page, &memories).unwrap();
    assert_eq!(edits.len(), 3);
    let ViewEdit::Changed { id, draft } = &edits[1] else { panic!("{edits:?}") };
    assert_eq!(id, "zstd");
    let text = FieldValue::Text("zstd, level 3.".into());
    assert!(draft.content.contains(&("decision".to_owned(), text)));
    let ViewEdit::New(draft) = &edits[2] else { panic!("{edits:?}") };
    assert_eq!(draft.title(), Some("Brand new"));
}

/// A page that lags behind a memory is no edit of it, and an edit of a changed memory is a conflict.
#[test]
fn an_old_page_takes_nothing_back() {
    let old = [decision("zstd", State::Stable), decision("lz4", State::Stable)];
    let mut new = old.clone();
    new[0].content.set("decision", FieldValue::Text("zstd, level 9.".into()));
    let page = render(View::Decisions, &old).replace("lz4 it is.", "lz4, always.");
    let edits = read_edits(View::Decisions, &page, &new).unwrap();
    assert!(matches!(edits.as_slice(), [ViewEdit::Changed { id, .. }] if id == "lz4"), "{edits:?}");
    let page = render(View::Decisions, &old).replace("zstd it is.", "zstd, level 3.");
    let refusal = read_edits(View::Decisions, &page, &new).unwrap_err();
    assert!(refusal.message.contains("`zstd` was changed here and by a command"), "{refusal}");
}

/// What a text says can't be taken for the page's own headings and comments.
#[test]
fn texts_that_look_like_the_page() {
    let text = "c\n\n### Details\n\n### Decision\n\n```\n### in code\n```\n\\### guarded\n<!-- id: other -->";
    let mut odd = decision("zstd", State::Stable);
    odd.title = "Use C#".to_owned();
    odd.content.set("context", FieldValue::Text(text.into()));
    let memories = [odd, decision("lz4", State::Stable)];
    let page = render(View::Decisions, &memories);
    assert_eq!(read_edits(View::Decisions, &page, &memories).unwrap(), vec![], "{page}");
    let page = page.replace("zstd it is.", "zstd, level 3.");
    let edits = read_edits(View::Decisions, &page, &memories).unwrap();
    let [ViewEdit::Changed { id, draft }] = edits.as_slice() else { panic!("{edits:?}") };
    assert_eq!((id.as_str(), draft.content.len(), draft.title()), ("zstd", 1, None), "{draft:?}");
}
