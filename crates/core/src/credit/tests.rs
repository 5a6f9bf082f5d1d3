//! What counts as a use.

use super::*;
use crate::content::FieldValue;
use crate::kind::Kind;
use crate::memory::MemoryId;

fn memory() -> Memory {
    let mut memory =
        Memory::new(MemoryId::of_title("Release notes"), Kind::Runbook, "Release notes");
    memory.aliases = vec!["OPS-7".to_owned()];
    memory.related_files = vec!["tools/release.sh".to_owned()];
    let steps = ["Run `cargo xtask release`".to_owned(), "git push origin --tags".to_owned()];
    memory.content.set("steps", FieldValue::List(steps.to_vec()));
    memory
}

#[track_caller]
fn check(paths: &[&str], words: &[&str], commands: &[&str], want: bool) {
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let (paths, words, commands) = (owned(paths), owned(words), owned(commands));
    let signs = Signs { paths: &paths, words: &words, commands: &commands };
    assert_eq!(signs.show_use_of(&memory()), want);
}

#[test]
fn being_served_is_no_sign() {
    check(&[], &[], &[], false);
    check(&["src/flag.rs"], &["the flag is parsed once"], &["cargo test"], false);
}

#[test]
fn named_touched_or_run() {
    check(&[], &["followed release-notes as it is"], &[], true);
    check(&[], &["see OPS-7"], &[], true);
    check(&[], &["prerelease-notes are others"], &[], false);
    check(&["tools/release.sh"], &[], &[], true);
    check(&["tools"], &[], &[], true);
    check(&["tools/release"], &[], &[], false);
    check(&[], &[], &["cargo xtask release --dry-run"], true);
    check(&[], &[], &["git push origin --tags"], true);
    check(&[], &[], &["cargo"], false);
}
