//! The paths of files in the text of a memory, whether or not they exist.

use crate::kind::Kind;
use crate::memory::{Memory, unique};

/// More than these is a list, not what a memory rests on.
pub const BOUND_PATHS_MAX: usize = 8;

/// Summaries and the architecture name files without resting on them.
pub fn is_bound(kind: &Kind) -> bool {
    !matches!(kind, Kind::SessionSummary | Kind::Architecture)
}

/// Paths of files in its title and text, in their order, each once.
pub fn paths_named(memory: &Memory) -> Vec<String> {
    let texts = memory.content.iter().map(|(_, value)| value.plain());
    let texts: Vec<String> = std::iter::once(memory.title.clone()).chain(texts).collect();
    let is_edge = |it: char| it.is_whitespace() || "`\"'()[]{}<>,;|".contains(it);
    let words = texts.iter().flat_map(|text| text.split(is_edge));
    unique(words.filter_map(path_of).map(str::to_owned))
}

/// The path in a word: `./src/pay.rs:12.` names `src/pay.rs`.
fn path_of(word: &str) -> Option<&str> {
    let word = word.trim_end_matches(['.', ':', '!', '?']);
    let word = word.strip_prefix("./").unwrap_or(word);
    let path = match word.split_once(':') {
        Some((path, place)) if place.starts_with(|it: char| it.is_ascii_digit()) => path,
        Some(_) => return None,
        None => word,
    };
    let (stem, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    // `e.g.` is no file.
    let is_file = !stem.is_empty()
        && (stem.len() > 1 || path.contains('/'))
        && (1..=8).contains(&extension.len())
        && extension.chars().all(|it| it.is_ascii_alphanumeric())
        && extension.chars().any(|it| it.is_ascii_alphabetic());
    let is_inside = !path.starts_with(['/', '~', '-', '.'])
        && path.split('/').all(|part| !part.is_empty() && part != "..")
        && !path.contains(['*', '\\', '$', '@', '=']);
    (is_file && is_inside).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::FieldValue;
    use crate::memory::MemoryId;

    #[track_caller]
    fn check(text: &str, want: &[&str]) {
        let mut memory = Memory::new(MemoryId::of_title("m"), Kind::Reference, "Totals");
        memory.content.set("text", FieldValue::Text(text.to_owned()));
        assert_eq!(paths_named(&memory), want);
    }

    #[test]
    fn only_files_are_paths() {
        check(
            "Rounding is in `src/pay/total.rs`, see ./src/pay/mod.rs:12.",
            &["src/pay/total.rs", "src/pay/mod.rs"],
        );
        check("Edit Cargo.toml and (docs/a.md), twice docs/a.md", &["Cargo.toml", "docs/a.md"]);
        check("and/or, src/pay, e.g. v1.2, /etc/passwd, ~/x.rs, ../x.rs, a//b.rs", &[]);
        check("https://example.com/a.html, *.rs, src/*.rs, ada@example.com, 1.5", &[]);
        check("--flag=src/a.rs, -x.rs, .env, crate::gate::judge", &[]);
    }
}
