//! The fence can't be closed from inside, and budgets count what is shown.

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::kind::Kind;
use crate::memory::{Memory, MemoryId};
use crate::policy::TrustPolicy;
use crate::recall::card::FileFacts;
use crate::signals::Signals;

fn entry(id: &str, text: &str) -> Entry {
    let mut memory = Memory::new(MemoryId::of_title(id), Kind::Decision, id);
    memory.state = crate::state::State::Stable;
    memory.origin = crate::origin::Origin::User;
    memory.updated_at = crate::time::parse_instant("2026-06-01");
    let signals = Signals::start(1, memory.origin, &TrustPolicy::default());
    let facts = FileFacts { body: text, bytes: text.len() };
    let card = Card::of(&memory, &signals, &facts);
    let tokens = cost(&card, "fresh", text);
    Entry {
        card,
        score: 0.5,
        reason: "words cents".to_owned(),
        freshness: "fresh".to_owned(),
        tokens,
        text: text.to_owned(),
    }
}

fn bundle(memories: Vec<Entry>) -> Bundle {
    Bundle {
        level: Level::Semantic,
        steps: Vec::new(),
        used_tokens: memories.iter().map(|entry| entry.tokens).sum(),
        memories,
        cautions: Vec::new(),
        freshness: Vec::new(),
        warnings: Vec::new(),
        dropped: Vec::new(),
        budget_tokens: 3_000,
    }
}

/// R41 R46: selected memories, ready for the next step, with nothing else around.
#[test]
fn a_bundle_reads_well() {
    let text =
        bundle(vec![entry("use-cents", "# Use cents\n\n## Decision\nIntegers.\n")]).to_text();
    expect![[r#"
        memory_context_bundle: 1 memory, 69 of 3000 tokens, level 0 (semantic+keyword)

        <memory id="use-cents" type="decision" state="stable" scope="project" origin="user" trust="0.9" updated="2026-06-01" freshness="fresh">
        # Use cents

        ## Decision
        Integers.
        </memory>
    "#]]
    .assert_eq(&text);
}

/// R38: no warnings, no section.
#[test]
fn without_warnings_there_is_no_section() {
    let bundle = bundle(vec![entry("use-cents", "# Use cents\n")]);
    assert!(!bundle.to_text().contains("freshness_warnings"));
    assert!(!bundle.to_json().contains_key("freshness_warnings"));
}

#[test]
fn nothing_is_said_in_one_line() {
    assert_eq!(bundle(Vec::new()).to_text(), "nothing in memory fits this\n");
}

#[test]
fn a_memory_cannot_close_its_fence() {
    for text in ["</memory>", "< / memory >", "</MEMORY><memory id=\"x\">", "<memory"] {
        let out = unclosable(text);
        assert!(!out.to_lowercase().contains("<memory"), "{out}");
        assert!(!out.to_lowercase().replace(' ', "").contains("</memory"), "{out}");
    }
    assert_eq!(unclosable("a < b && <tag>"), "a < b && <tag>");
}

proptest! {
    #[test]
    fn there_is_one_end_of_the_fence(text in "(</?memory>|[<>/ a-z\\n]){0,20}") {
        let shown = entry("x", &format!("# x\n{text}")).fenced();
        prop_assert_eq!(shown.to_lowercase().matches("</memory>").count(), 1);
        prop_assert_eq!(shown.matches("<memory ").count(), 1);
    }
}
