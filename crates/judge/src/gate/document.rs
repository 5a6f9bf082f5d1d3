//! From a record or a text to the sentences that claim something, and the options it turned down.
//! Context, reasons and consequences claim nothing.

use super::records::Record;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::Kind;
use oldhand_core::kind::schema;
use oldhand_core::memory::Memory;

/// More than these claims is a book; the first ones hold the decision.
const SENTENCES_MAX: usize = 40;
/// A text of this size without headings is read as a document: its opening counts.
const DOCUMENT_BYTES_MIN: usize = 1500;
/// What is read of a document that has no section of a known name.
const OPENING_SENTENCES: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Parts {
    pub sentences: Vec<String>,
    pub rejected: Vec<String>,
    pub record: Record,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Opening,
    Claims,
    Rejected,
    Other,
}

pub(super) fn of_memory(memory: &Memory) -> Parts {
    let mut parts = Parts::titled(&memory.title);
    parts.say(&memory.title);
    let fields: &[&str] = match memory.kind {
        Kind::Decision => &["decision", "constraints"],
        Kind::Constraint => &["rule"],
        Kind::Preference => &["value", "prefer"],
        _ => &[],
    };
    let main = schema::main_field(schema::fields_of(&memory.kind)).map(|field| field.name.as_ref());
    let only_main = main.filter(|_| fields.is_empty());
    for name in fields.iter().copied().chain(only_main) {
        match memory.content.get(name) {
            Some(FieldValue::Text(text)) => parts.say(text),
            Some(FieldValue::List(items)) => items.iter().for_each(|item| parts.say(item)),
            _ => {}
        }
    }
    for avoided in memory.content.list("avoid") {
        parts.say(&format!("avoid {avoided}"));
    }
    if let Some(FieldValue::Alternatives(options)) = memory.content.get("alternatives") {
        parts.rejected.extend(options.iter().map(|it| it.option.clone()));
    }
    parts
}

pub(super) fn of_text(text: &str) -> Parts {
    let has_headings = text.lines().any(|line| line.starts_with('#'));
    if has_headings || text.len() >= DOCUMENT_BYTES_MIN {
        return of_document(text);
    }
    let mut parts = Parts::titled(first_line(text));
    let mut section = Section::Claims;
    for line in text.lines() {
        for sentence in sentences(line) {
            let (head, rest) = labelled(sentence);
            section = head.unwrap_or(section);
            match section {
                Section::Rejected => parts.rejected.push(option(rest)),
                Section::Claims => parts.say(rest),
                Section::Opening | Section::Other => {}
            }
        }
    }
    parts
}

/// `Alternatives: X`, `Reason: Y`: a label holds until the next one.
fn labelled(sentence: &str) -> (Option<Section>, &str) {
    const OTHER: &[&str] = &[
        "background",
        "consequence",
        "consequences",
        "context",
        "example",
        "impact",
        "note",
        "rationale",
        "reason",
        "reasons",
        "status",
        "why",
        "workaround",
        "workarounds",
    ];
    let Some((head, rest)) = sentence.split_once(':') else { return (None, sentence) };
    let head = head.trim().trim_matches(['-', '*', ' ']).to_ascii_lowercase();
    match head.as_str() {
        "decision" | "rule" | "constraint" | "constraints" => (Some(Section::Claims), rest.trim()),
        "alternative" | "alternatives" | "alternatives considered" | "rejected" => {
            (Some(Section::Rejected), rest.trim())
        }
        label if OTHER.contains(&label) => (Some(Section::Other), rest.trim()),
        _ => (None, sentence),
    }
}

/// The option without the reason that turned it down.
fn option(item: &str) -> String {
    let item = item.trim().trim_start_matches(['-', '*', '+', ' ']);
    let end = [": ", ", because", " because", " - ", " \u{2013} ", " \u{2014} ", " ("]
        .iter()
        .filter_map(|by| item.find(by))
        .min();
    item[..end.unwrap_or(item.len())].trim_matches(['*', '_', '`', ' ', '.', ':']).to_owned()
}

fn of_document(text: &str) -> Parts {
    let mut parts = Parts::titled(first_line(text));
    parts.record.is_document = true;
    parts.say(first_line(text));
    let (mut section, mut opening, mut is_code) = (Section::Opening, 0, false);
    let mut claims = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") {
            is_code = !is_code;
        }
        if is_code || line.is_empty() || line.starts_with('|') || line.starts_with("<!--") {
            continue;
        }
        if let Some(heading) = line.strip_prefix('#') {
            section = section_of(heading.trim_start_matches('#').trim());
            continue;
        }
        match section {
            Section::Claims if !is_metadata(line) => claims.push(line),
            Section::Rejected if line.starts_with(['-', '*', '+']) && !is_argument(line) => {
                parts.rejected.push(option(line))
            }
            Section::Opening if opening < OPENING_SENTENCES && !is_metadata(line) => {
                parts.say(line);
                opening += 1;
            }
            _ => {}
        }
        parts.note_replacing(line);
    }
    claims.into_iter().for_each(|line| parts.say(line));
    parts
}

/// `Good, because ...`: the arguments of an option, not an option.
fn is_argument(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '+', ' ', '_']).to_ascii_lowercase();
    ["good", "bad", "neutral", "pro", "con"].iter().any(|word| line.starts_with(word))
}

/// `Date: 2024-05-01`, `Status: accepted`: a short label and its value.
fn is_metadata(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '+', ' ', '_']);
    line.split_once(':').is_some_and(|(head, _)| head.split_whitespace().count() <= 3)
}

fn section_of(heading: &str) -> Section {
    let heading = heading.to_ascii_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| heading.contains(word));
    if names(&["alternative", "considered", "options", "rejected"]) {
        return Section::Rejected;
    }
    if names(&["decision driver", "decision maker", "non-goal"]) {
        return Section::Other;
    }
    let claims = [
        "decision",
        "outcome",
        "proposal",
        "rule",
        "constraint",
        "summary",
        "abstract",
        "solution",
    ];
    if names(&claims) { Section::Claims } else { Section::Other }
}

/// The title; empty when the text begins with something else.
fn first_line(text: &str) -> &str {
    const OTHERS: &[&str] = &[
        "abstract",
        "background",
        "context",
        "introduction",
        "motivation",
        "problem",
        "status",
        "summary",
        "table of contents",
    ];
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| line.chars().any(char::is_alphanumeric)).unwrap_or_default();
    let title = first.trim_start_matches('#').trim();
    let lower = title.to_ascii_lowercase();
    let is_other = OTHERS.iter().any(|other| lower.starts_with(other));
    if is_other || is_metadata(title) || title.starts_with(['-', '*', '|', '[']) {
        ""
    } else {
        title
    }
}

impl Parts {
    fn titled(title: &str) -> Self {
        let record = Record { title: title.to_owned(), ..Record::default() };
        Self { record, ..Self::default() }
    }

    /// Every sentence of a paragraph.
    fn say(&mut self, text: &str) {
        let mut part = Section::Claims;
        let mut is_code = false;
        for line in text.lines() {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            let line = line.trim().trim_start_matches(['-', '*', '+', '>', ' ']);
            if is_code || is_fence || says_nothing(line) {
                continue;
            }
            for sentence in sentences(line) {
                let (labelled, sentence) = label(sentence);
                part = labelled.unwrap_or(part);
                if part == Section::Rejected {
                    self.turn_down(sentence);
                }
                if part != Section::Claims {
                    continue;
                }
                let sentence = without_links(sentence);
                let is_new = !self.sentences.contains(&sentence);
                if is_new && self.sentences.len() < SENTENCES_MAX {
                    self.sentences.push(sentence);
                }
            }
        }
    }

    /// The options of a list; what stands in brackets is the reason.
    fn turn_down(&mut self, list: &str) {
        let mut depth = 0usize;
        let bare: String = list
            .chars()
            .filter(|c| {
                let was_inside = depth > 0;
                match c {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                !was_inside && *c != '('
            })
            .collect();
        let options = bare.split(',').map(str::trim);
        let is_option = |it: &&str| (1..=OPTION_WORDS_MAX).contains(&it.split(' ').count());
        self.rejected
            .extend(options.filter(is_option).filter(|it| !it.is_empty()).map(str::to_owned));
    }

    fn note_replacing(&mut self, line: &str) {
        let lower = line.to_ascii_lowercase();
        let is_active = ["supersedes", "superseding", "obsoletes", "replaces", "deprecates"];
        if is_active.iter().any(|word| lower.contains(word))
            && self.record.replacing.len() < SENTENCES_MAX
        {
            self.record.replacing.push(line.to_owned());
        }
    }
}

/// A heading, a row of a table, an address: no sentence.
fn says_nothing(line: &str) -> bool {
    line.starts_with(['#', '|', '<']) || line.starts_with("http://") || line.starts_with("https://")
}

/// A longer part of a list tells a story and names no option.
const OPTION_WORDS_MAX: usize = 6;

/// Prose names its parts as headings do: `Context: …`, `Rejected: …`. A part goes on to the next.
fn label(sentence: &str) -> (Option<Section>, &str) {
    let Some((word, rest)) = sentence.split_once(": ") else { return (None, sentence) };
    let part = match word.trim().to_ascii_lowercase().as_str() {
        "decision" | "decided" | "rule" | "outcome" | "we decided" => Section::Claims,
        "rejected" | "alternatives" | "alternatives considered" | "considered" => Section::Rejected,
        "context" | "background" | "problem" | "reason" | "reasons" | "rationale" | "why"
        | "consequence" | "consequences" | "impact" | "history" | "note" | "because" => {
            Section::Other
        }
        _ => return (None, sentence),
    };
    (Some(part), rest)
}

/// The words of links stay, their targets go.
fn without_links(sentence: &str) -> String {
    let mut plain = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some(at) = rest.find("](") {
        plain.push_str(&rest[..at]);
        let target = &rest[at + 2..];
        rest = target.find(')').map_or("", |end| &target[end + 1..]);
    }
    plain.push_str(rest);
    plain
}

/// Parted where a sentence ends; a point inside of a number or a name ends none.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.trim().is_empty() {
            return None;
        }
        let end = sentence_end(rest);
        let (sentence, after) = rest.split_at(end);
        rest = after.trim_start_matches(['.', ';', '!', '?', ' ']);
        Some(sentence.trim())
    })
    .filter(|sentence| !sentence.is_empty())
}

fn sentence_end(text: &str) -> usize {
    for (at, mark) in text.match_indices(['.', ';', '!', '?']) {
        let after = &text[at + 1..];
        let is_abbreviation =
            ["e.g", "i.e", "etc", "vs"].iter().any(|word| text[..at].ends_with(word));
        if mark == ";" || (after.is_empty() || after.starts_with(' ')) && !is_abbreviation {
            return at;
        }
    }
    text.len()
}
