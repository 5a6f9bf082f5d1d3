//! The samples, with their sides swapped too, and one case for each rule.

use std::path::Path;

use crate::{MARKER_SIZE, Merged, Three, merge};

fn read(case: &str, name: &str) -> Vec<u8> {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/samples/imports/merge");
    std::fs::read(Path::new(samples).join(case).join(name)).unwrap()
}

fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Merged {
    merge(Three { base, ours, theirs }, "", MARKER_SIZE)
}

/// With the two sides of each conflict exchanged.
pub(super) fn swapped(text: &str) -> String {
    let mut out = String::new();
    let mut parts: Option<[String; 3]> = None;
    let mut part = 0;
    for line in text.split_inclusive('\n') {
        match (&mut parts, line) {
            (None, "<<<<<<< ours\n") => (parts, part) = (Some(Default::default()), 0),
            (Some(_), "||||||| base\n") => part = 1,
            (Some(_), "=======\n") => part = 2,
            (Some([ours, base, theirs]), ">>>>>>> theirs\n") => {
                out += &format!(
                    "<<<<<<< ours\n{theirs}||||||| base\n{base}=======\n{ours}>>>>>>> theirs\n"
                );
                parts = None;
            }
            (Some(parts), line) => parts[part] += line,
            (None, line) => out += line,
        }
    }
    out
}

#[test]
fn samples_to_the_byte() {
    let expected: serde_json::Value = serde_json::from_slice(&read("", "expected.json")).unwrap();
    for case in expected["cases"].as_array().unwrap() {
        let name = case["case"].as_str().unwrap();
        if case["driver"].is_string() {
            continue;
        }
        let [base, ours, theirs, wanted] =
            ["base.md", "ours.md", "theirs.md", "merged.md"].map(|it| read(name, it));
        let result = merged(&base, &ours, &theirs);
        let text = String::from_utf8(result.bytes).unwrap();
        assert_eq!(text, String::from_utf8(wanted).unwrap(), "{name}");
        assert_eq!(u64::from(result.conflicts > 0), case["exit"].as_u64().unwrap(), "{name}");
        if let Some(note) = case["note"].as_str() {
            assert!(result.notes.iter().any(|it| it.ends_with(note)), "{name}: {:?}", result.notes);
        }
        let other = merged(&base, &theirs, &ours);
        assert_eq!(swapped(&String::from_utf8(other.bytes).unwrap()), text, "{name}, swapped");
    }
}
