//! Scoring triage: sentences of real transcripts that somebody labelled by hand. The labels hold
//! no text, only where a sentence stands and the hash of its words; the transcripts stay outside.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use oldhand_desk::evaluate::table;
use oldhand_desk::printer::Io;
use oldhand_judge::capture::triage::{Hit, Rules, triage};
use oldhand_text::hash::ContentHash;
use oldhand_text::strings::counted;
use oldhand_transcripts::{self as transcript, Format, Turn, Voice};
use serde_json::{Map, Value, json};

use crate::Bench;
use crate::binary::{self, Case, Quality};
use crate::failure::Fail;
use crate::lines::{required, wrong};
use crate::set::{each_object, open};

mod reference;
#[cfg(test)]
mod tests;

/// A longer transcript is read up to here.
const TRANSCRIPT_BYTES_MAX: u64 = 256 * 1024 * 1024;
const NONE: &str = "none";
/// Any category: that something is worth remembering at all.
const ANY: &str = "any";
const CATEGORIES: &[&str] = &[ANY, "decision", "constraint", "preference", "runbook", "tech_debt"];

/// One labelled sentence.
struct Label {
    session: String,
    line: usize,
    voice: Voice,
    /// How many words it has, and what they hash to.
    words: usize,
    key: String,
    label: String,
    split: String,
}

/// What everybody said of one labelled sentence.
struct Judged {
    split: String,
    voice: Voice,
    label: String,
    /// The category and the score, if it was a hit.
    ours: Option<(String, f64)>,
    /// The categories whose words it has; those that fired in the session.
    words: Vec<&'static str>,
    fired: Vec<&'static str>,
}

/// What was found in one session as a whole.
struct Session {
    split: String,
    labels: Vec<String>,
    ours: Vec<String>,
    reference: Vec<&'static str>,
}

pub(crate) fn run(
    file: &Path,
    folder: &Path,
    bench: &Bench<'_>,
    io: &mut Io<'_>,
) -> Result<(), Fail> {
    let mut by_session: BTreeMap<String, Vec<Label>> = BTreeMap::new();
    each_object(file, |object, _| {
        let label = label(object)?;
        by_session.entry(label.session.clone()).or_default().push(label);
        Ok(())
    })?;
    let (mut judged, mut sessions, mut lost) = (Vec::new(), Vec::new(), 0);
    for (session, labels) in &by_session {
        let Some(turns) = read_turns(folder, session)? else {
            lost += labels.len();
            continue;
        };
        lost += judge(labels, &turns, &mut judged, &mut sessions);
    }
    if lost > 0 {
        let count = counted(lost, "label has", "labels have");
        io.note("warning", &format!("{count} no sentence in `{}`", folder.display()));
    }
    let report = Report::new(&judged, &sessions);
    if bench.json {
        io.json("eval", report.to_json())?;
    } else {
        io.text(&report.to_text())?;
    }
    Ok(())
}

fn label(object: &Map<String, Value>) -> Result<Label, String> {
    let number = |name: &str| {
        let value = object.get(name).unwrap_or(&Value::Null);
        let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| wrong(name, "a number", value))
    };
    let voice = match required(object, "voice")?.as_str() {
        "person" => Voice::Person,
        "agent" => Voice::Agent,
        other => return Err(wrong("voice", "`person` or `agent`", &json!(other))),
    };
    Ok(Label {
        session: required(object, "session")?,
        line: number("line")?,
        voice,
        words: number("words")?,
        key: required(object, "key")?,
        label: required(object, "label")?,
        split: required(object, "split")?,
    })
}

/// The turns of a session, whose file may be packed; none when there is no such file.
fn read_turns(folder: &Path, session: &str) -> Result<Option<Vec<Turn>>, Fail> {
    let names = ["jsonl", "jsonl.gz"].map(|ending| folder.join(format!("{session}.{ending}")));
    let Some(path) = names.into_iter().find(|path| path.is_file()) else { return Ok(None) };
    let mut bytes = Vec::new();
    let read = open(&path)?.take(TRANSCRIPT_BYTES_MAX).read_to_end(&mut bytes);
    read.map_err(|error| {
        let message = format!("could not read `{}`: {error}", path.display());
        Fail::new(message, "a transcript is a `.jsonl` file, or the same as `.jsonl.gz`")
    })?;
    let format = transcript::detect(&bytes).unwrap_or(Format::ClaudeCode);
    Ok(Some(transcript::read(&bytes, format, 1).turns))
}

/// Judges the labels of one session; gives how many could not be found in it.
fn judge(
    labels: &[Label],
    turns: &[Turn],
    judged: &mut Vec<Judged>,
    sessions: &mut Vec<Session>,
) -> usize {
    let hits = triage(turns, &Rules::default()).hits;
    let reference = reference::fired(turns);
    let mut lost = 0;
    for label in labels {
        let Some(text) = sentence(label, turns) else {
            lost += 1;
            continue;
        };
        let ours = hits.iter().find(|hit| hit.line == label.line && is_same(hit, &text));
        let words = reference::categories_of(&text);
        let fired = words.iter().copied().filter(|name| reference.contains(name)).collect();
        judged.push(Judged {
            split: label.split.clone(),
            voice: label.voice,
            label: label.label.clone(),
            ours: ours.map(|hit| (hit.kind.to_string(), hit.score)),
            words,
            fired,
        });
    }
    let said = labels.iter().filter(|label| label.label != NONE);
    sessions.push(Session {
        split: labels.first().map(|label| label.split.clone()).unwrap_or_default(),
        labels: said.map(|label| label.label.clone()).collect(),
        ours: hits.iter().map(|hit| hit.kind.to_string()).collect(),
        reference,
    });
    lost
}

/// The words of a label, found by their hash: it does not depend on how we part sentences.
fn sentence(label: &Label, turns: &[Turn]) -> Option<String> {
    let is_there = |turn: &&Turn| turn.line == label.line && turn.voice == label.voice;
    turns.iter().filter(is_there).find_map(|turn| {
        turn.text.lines().find_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let windows = words.windows(label.words.max(1));
            windows.map(|window| window.join(" ")).find(|text| key(text) == label.key)
        })
    })
}

fn key(text: &str) -> String {
    ContentHash::of(text.as_bytes()).short()
}

/// One of the two holds the other: labels and triage part sentences by rules of their own.
fn is_same(hit: &Hit, text: &str) -> bool {
    let (ours, theirs) = (bare(&hit.text), bare(text));
    ours.contains(&theirs) || theirs.contains(&ours)
}

fn bare(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    line.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

struct Row {
    split: String,
    category: &'static str,
    by: &'static str,
    quality: Quality,
}

struct Report {
    sentences: Vec<Row>,
    sessions: Vec<Row>,
}

impl Report {
    fn new(judged: &[Judged], sessions: &[Session]) -> Self {
        let mut splits: Vec<&str> = judged.iter().map(|it| it.split.as_str()).collect();
        splits.sort_unstable();
        splits.dedup();
        let mut report = Self { sentences: Vec::new(), sessions: Vec::new() };
        for split in splits {
            for (voice, who) in [(Voice::Person, "person"), (Voice::Agent, "agent")] {
                let of: Vec<&Judged> =
                    judged.iter().filter(|it| it.split == split && it.voice == voice).collect();
                report.sentences.extend(sentence_rows(&format!("{split} {who}"), &of));
            }
            let of: Vec<&Session> = sessions.iter().filter(|it| it.split == split).collect();
            report.sessions.extend(session_rows(split, &of));
        }
        report
    }

    fn to_text(&self) -> String {
        let mut out = "sentences, by triage and by the reference's words\n\n".to_owned();
        out.push_str(&shown(&self.sentences));
        out.push_str("\nsessions in which a labelled sentence is of the category\n\n");
        out.push_str(&shown(&self.sessions));
        out
    }

    fn to_json(&self) -> Map<String, Value> {
        let rows = |rows: &[Row]| -> Vec<Value> { rows.iter().map(row_json).collect() };
        let mut object = Map::new();
        object.insert("sentences".into(), Value::Array(rows(&self.sentences)));
        object.insert("sessions".into(), Value::Array(rows(&self.sessions)));
        object
    }
}

fn sentence_rows(split: &str, of: &[&Judged]) -> Vec<Row> {
    let mut rows = Vec::new();
    for category in CATEGORIES.iter().copied() {
        let is_of = |name: &str| if category == ANY { name != NONE } else { name == category };
        let score = |it: &Judged| it.ours.as_ref().filter(|ours| is_of(&ours.0)).map(|ours| ours.1);
        let case = |it: &Judged, score: Option<f64>| Case {
            is_true: is_of(&it.label),
            says_yes: score.is_some(),
            score: score.unwrap_or_default(),
        };
        let has = |names: &[&str]| names.iter().any(|name| is_of(name)).then_some(1.0);
        let mut row = |by: &'static str, cases: Vec<Case>| {
            let quality = binary::quality(&cases);
            rows.push(Row { split: split.to_owned(), category, by, quality });
        };
        row("triage", of.iter().map(|it| case(it, score(it))).collect());
        row("words", of.iter().map(|it| case(it, has(&it.words))).collect());
        row("fired", of.iter().map(|it| case(it, has(&it.fired))).collect());
    }
    rows
}

fn session_rows(split: &str, of: &[&Session]) -> Vec<Row> {
    let mut rows = Vec::new();
    for category in CATEGORIES.iter().copied() {
        let is_of = |name: &str| if category == ANY { name != NONE } else { name == category };
        let case = |it: &Session, says_yes: bool| Case {
            is_true: it.labels.iter().any(|label| is_of(label)),
            says_yes,
            score: f64::from(u8::from(says_yes)),
        };
        let ours = of.iter().map(|it| case(it, it.ours.iter().any(|name| is_of(name))));
        let theirs = of.iter().map(|it| case(it, it.reference.iter().any(|name| is_of(name))));
        for (by, cases) in [("triage", ours.collect::<Vec<_>>()), ("fired", theirs.collect())] {
            let quality = binary::quality(&cases);
            rows.push(Row { split: split.to_owned(), category, by, quality });
        }
    }
    rows
}

fn shown(rows: &[Row]) -> String {
    let header = ["split and category", "by", "n", "labelled", "precision", "recall", "F1"];
    let mut lines = vec![header.map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(|row| {
        let quality = &row.quality;
        let counts = [quality.cases, quality.positives].map(|count| count.to_string());
        let shares =
            [quality.precision, quality.recall, quality.f1].map(|share| format!("{share:.3}"));
        let names = vec![format!("{} {}", row.split, row.category), row.by.to_owned()];
        [names, counts.to_vec(), shares.to_vec()].concat()
    }));
    table(lines)
}

fn row_json(row: &Row) -> Value {
    let quality = &row.quality;
    json!({
        "split": row.split, "category": row.category, "by": row.by, "cases": quality.cases,
        "labelled": quality.positives, "precision": quality.precision, "recall": quality.recall,
        "f1": quality.f1,
    })
}
