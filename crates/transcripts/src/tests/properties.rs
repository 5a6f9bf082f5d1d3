//! What holds for any bytes.

use proptest::prelude::*;

use super::super::*;

const FORMATS: [Format; 6] = [
    Format::ClaudeCode,
    Format::Codex,
    Format::Gemini,
    Format::Copilot,
    Format::Cursor,
    Format::Plain,
];

/// Pieces of records, so that random texts reach into the readers.
fn lines() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(r#"{"type":"user","message":{"content":"hello there"}}"#.to_owned()),
        Just(r#"{"role":"user","content":"hello <oldhand-memory>x"}"#.to_owned()),
        Just(r#"{"type":"response_item","payload":{"role":"user","content":"hi"}}"#.to_owned()),
        Just(r#"{"type":"user.message","data":{"content":["é",1,null]}}"#.to_owned()),
        Just(r#"{"type":"gemini","content":[{"text":"x"}],"toolCalls":[{}]}"#.to_owned()),
        Just("\n".to_owned()),
        "[{}\\[\\]\":,a-z\\\\0-9\n\r\0]{0,12}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.join("\n"))
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for format in FORMATS {
            let reading = read(&bytes, format, 1);
            prop_assert!(reading.consumed <= bytes.len() && reading.skipped <= reading.lines);
            read_document(&bytes, format, 1);
        }
        detect(&bytes);
    }

    #[test]
    fn reading_on_is_reading_whole(text in lines(), cut in any::<prop::sample::Index>()) {
        for format in FORMATS {
            let whole = read(text.as_bytes(), format, 1);
            let first = read(&text.as_bytes()[..cut.index(text.len() + 1)], format, 1);
            let rest = read(&text.as_bytes()[first.consumed..], format, 1 + first.lines);
            let mut turns = first.turns;
            turns.extend(rest.turns);
            prop_assert_eq!(turns, whole.turns);
            prop_assert_eq!(first.consumed + rest.consumed, whole.consumed);
            prop_assert_eq!(first.skipped + rest.skipped, whole.skipped);
        }
    }

    #[test]
    fn taking_ours_out_twice_is_once(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "<oldhand-memory", "</oldhand-memory>", ">", "<memory id=\"", "</memory>", "<oldhand-mem",
            "ory", "memory_context_bundle:", "\n", "\n\n", " ", "x", "é",
        ]), 0..16),
    ) {
        let text = pieces.concat();
        let once = without_injected(&text).into_owned();
        prop_assert_eq!(without_injected(&once), once.as_str());
    }
}
