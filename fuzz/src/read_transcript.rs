//! Any bytes as a session's transcript, in every format. Nothing may panic, reading stays within the bytes, and a
//! file that is read in two parts gives the same turns as one that is read at once.

use oldhand_transcripts::{self as transcript, Format, RESULT_BYTES_MAX, Reading};

const FORMATS: [Format; 6] = [
    Format::ClaudeCode,
    Format::Codex,
    Format::Gemini,
    Format::Copilot,
    Format::Cursor,
    Format::Plain,
];

pub fn read_transcript(bytes: &[u8]) {
    let _ = transcript::detect(bytes);
    if let Some(repaired) = transcript::repaired_json(bytes) {
        assert!(transcript::repaired_json(&repaired).is_none(), "repaired twice: {repaired:?}");
    }
    for format in FORMATS {
        let reading = transcript::read(bytes, format, 1);
        check(&reading, bytes);
        // A message of this format may replace an earlier one.
        if format != Format::Gemini {
            check_parts(&reading, bytes, format);
        }
        if let Some(document) = transcript::read_document(bytes, format, 0) {
            check(&document, bytes);
            let rest = transcript::read_document(bytes, format, 1).expect("it is a document");
            assert!(rest.turns.len() <= document.turns.len());
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = transcript::is_typed(text);
        assert!(transcript::without_injected(text).len() <= text.len());
        let spoken = transcript::spoken(text);
        assert_eq!(transcript::spoken(&spoken), spoken, "{text:?}");
    }
}

fn check(reading: &Reading, bytes: &[u8]) {
    assert!(reading.consumed <= bytes.len());
    assert!(reading.skipped <= reading.lines);
    for turn in &reading.turns {
        assert!((1..=reading.lines).contains(&turn.line), "{turn:?}");
        // The cut leaves a few bytes that say so.
        assert!(turn.results.iter().all(|it| it.text.len() <= RESULT_BYTES_MAX + 64), "{turn:?}");
    }
}

/// Reading goes on where it ended, at any line.
fn check_parts(whole: &Reading, bytes: &[u8], format: Format) {
    let first = transcript::read(&bytes[..bytes.len() / 2], format, 1);
    let second = transcript::read(&bytes[first.consumed..], format, 1 + first.lines);
    let turns = [first.turns, second.turns].concat();
    assert_eq!(turns, whole.turns);
    assert_eq!(first.consumed + second.consumed, whole.consumed);
    assert_eq!(first.skipped + second.skipped, whole.skipped);
}
