//! Labels as they are read and found, and the reference's sums.

use oldhand_transcripts::{Turn, Voice};
use serde_json::json;

use super::{Judged, Report, judge, key, label, reference};

fn turn(line: usize, voice: Voice, text: &str) -> Turn {
    Turn { line, voice, text: text.to_owned(), ..Turn::default() }
}

fn labelled(line: usize, text: &str, name: &str) -> super::Label {
    let object = json!({
        "session": "s", "line": line, "voice": "person", "words": text.split(' ').count(),
        "key": key(text), "label": name, "split": "dev",
    });
    label(object.as_object().unwrap()).unwrap()
}

#[test]
fn labels_find_their_sentences_and_hits() {
    let turns = [
        turn(3, Voice::Person, "- ok  then. Never push to main.\nrun the tests"),
        turn(4, Voice::Agent, "Never push to main."),
    ];
    let labels = [
        labelled(3, "Never push to main.", "constraint"),
        labelled(3, "run the tests", "none"),
        labelled(3, "words that are gone", "none"),
    ];
    let (mut judged, mut sessions) = (Vec::new(), Vec::new());
    assert_eq!(judge(&labels, &turns, &mut judged, &mut sessions), 1);
    let found: Vec<Option<&str>> =
        judged.iter().map(|it: &Judged| it.ours.as_ref().map(|ours| ours.0.as_str())).collect();
    assert_eq!(found, [Some("constraint"), None]);
    let report = Report::new(&judged, &sessions);
    let row = &report.sentences[0];
    assert_eq!((row.split.as_str(), row.category, row.by), ("dev person", "any", "triage"));
    assert_eq!((row.quality.precision, row.quality.recall), (1.0, 1.0));
    assert!(report.to_text().contains("dev person constraint"));
    assert_eq!(report.to_json()["sessions"][0]["labelled"], json!(1));
}

#[test]
fn the_reference_needs_more_than_one_statement() {
    let one = [turn(1, Voice::Person, "We decided on Kafka because of the order.")];
    assert_eq!(reference::fired(&one), Vec::<&str>::new());
    let two = [turn(1, Voice::Person, "We decided on Kafka because of the order.\nWe chose Go.")];
    assert_eq!(reference::fired(&two), ["decision"]);
    assert_eq!(reference::categories_of("We have not decided yet"), Vec::<&str>::new());
    assert_eq!(reference::categories_of("a `failed` run"), Vec::<&str>::new());
    assert_eq!(reference::categories_of("the run failed"), ["runbook"]);
}

#[test]
fn what_is_no_label_is_said() {
    let object = json!({"session": "s", "line": "3", "voice": "person"});
    assert!(label(object.as_object().unwrap()).err().unwrap().contains("line"));
    let object = json!({"session": "s", "line": 3, "voice": "dog"});
    assert!(label(object.as_object().unwrap()).err().unwrap().contains("voice"));
}
