//! Any text as a record that somebody gives: JSON, Markdown, YAML. Nothing may panic.

use oldhand_core::draft;
use oldhand_core::kind::Kinds;
use oldhand_core::yaml;

pub fn read_record(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let kinds = Kinds::default();
    let _ = draft::json::parse_draft(text, &kinds);
    let _ = draft::from_markdown(text, &kinds);
    let full = yaml::parse(text);
    // The short way and the parser must agree where the short way answers.
    if let Ok(entries) = yaml::parse_map(text) {
        let full = match full {
            Ok(Some(yaml::Yaml::Map(full))) => full,
            Ok(None) => Vec::new(),
            Ok(Some(other)) if other.is_null() => Vec::new(),
            other => panic!("read as {entries:?}, the parser says {other:?}"),
        };
        assert_eq!(entries, full);
        // YAML knows no longer keys on one line, and the depth is bounded.
        for (key, value) in entries.iter().filter(|(key, value)| longest_key(key, value) < 500) {
            written_value_is_read_back(key, value);
        }
    }
}

fn longest_key(key: &str, value: &yaml::Yaml) -> usize {
    let inner = match value {
        yaml::Yaml::Scalar { .. } => 0,
        yaml::Yaml::List(items) => {
            items.iter().map(|item| longest_key("", item)).max().unwrap_or(0)
        }
        yaml::Yaml::Map(entries) => {
            entries.iter().map(|(key, value)| longest_key(key, value)).max().unwrap_or(0)
        }
    };
    inner.max(key.len())
}

fn written_value_is_read_back(key: &str, value: &yaml::Yaml) {
    let written = yaml::write_entry(key, value);
    let read = yaml::parse_map(&written);
    let read = read.unwrap_or_else(|error| panic!("{written:?}: {error}"));
    assert_eq!(read.len(), 1, "{written:?}");
    assert_eq!(read[0].0, key, "{written:?}");
    // Quotes may come and go, but not the meaning.
    assert_eq!(read[0].1.to_json(), value.to_json(), "{written:?}");
}
