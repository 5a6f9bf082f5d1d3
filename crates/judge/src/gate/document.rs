//! From a record or a text to the sentences that claim something, and the options it turned down.
//! Context, reasons and consequences claim nothing.

use super::Statement;
use super::claims::Claim;
use super::records::Record;
use oldhand_core::codec::sections::Outside;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::Kind;
use oldhand_core::kind::schema;
use oldhand_core::memory::Memory;
use oldhand_text::{sentence, table};

/// More than these claims is a book; the first ones hold the decision.
const CLAIMS_MAX: usize = 40;
/// A text of this size without headings is read as a document: its opening counts.
const DOCUMENT_BYTES_MIN: usize = 1500;
/// What is read of a document that has no section of a known name.
const OPENING_SENTENCES: usize = 4;
/// A longer part of a list tells a story and names no option.
const OPTION_WORDS_MAX: usize = 6;
const BULLETS: [char; 6] = ['-', '*', '+', '>', '_', ' '];

const REPLACING: &str = "supersedes|superseding|obsoletes|replaces|deprecates";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Opening,
    Claims,
    Rejected,
    Other,
}

/// The title; empty when the text begins with something else.
fn first_line(text: &str) -> &str {
    const OTHERS: &str = "abstract|background|context|introduction|motivation|problem|status|\
        summary|table of contents";
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| sentence::has_words(line)).unwrap_or_default();
    let title = first.trim_start_matches('#').trim();
    let is_title = !table::begins(OTHERS, &title.to_ascii_lowercase())
        && !is_metadata(title)
        && !title.starts_with(['-', '*', '|', '[']);
    if is_title { title } else { "" }
}

const LABELS: &[(Section, &str)] = &[
    (Section::Claims, "decision|decided|we decided|outcome|rule|constraint|constraints"),
    (Section::Rejected, "alternative|alternatives|alternatives considered|considered|rejected"),
    (
        Section::Other,
        "background|because|consequence|consequences|context|example|history|impact|note|problem|\
         rationale|reason|reasons|status|why|workaround|workarounds",
    ),
];

impl Section {
    fn of_heading(heading: &str) -> Self {
        let heading = heading.to_ascii_lowercase();
        let names = |words| table::holds(words, &heading);
        let claims = "decision|outcome|proposal|rule|constraint|summary|abstract|solution";
        if names("alternative|considered|options|rejected") {
            Self::Rejected
        } else if names(claims) && !names("decision driver|decision maker|non-goal") {
            Self::Claims
        } else {
            Self::Other
        }
    }

    /// By a label in prose: `Context: …`, `Rejected: …`. It holds until the next one.
    fn labelled(sentence: &str) -> (Option<Self>, &str) {
        let Some((label, rest)) = sentence.split_once(':') else { return (None, sentence) };
        let label = label.trim().trim_matches(BULLETS).to_ascii_lowercase();
        let is_in =
            |(_, labels): &&(Self, &'static str)| table::phrases(labels).any(|it| it == label);
        match LABELS.iter().find(is_in) {
            Some((section, _)) => (Some(*section), rest.trim()),
            None => (None, sentence),
        }
    }
}

impl Statement {
    pub fn of_memory(memory: &Memory) -> Self {
        let mut statement = Self::titled(&memory.title);
        statement.say(&memory.title);
        let main = schema::main_field(memory.kind.fields());
        let fields: &[&str] = match memory.kind {
            Kind::Decision => &["decision", "constraints"],
            Kind::Constraint => &["rule"],
            Kind::Preference => &["value", "prefer"],
            _ => &Vec::from_iter(main.map(|field| field.name.as_ref())),
        };
        for value in fields.iter().filter_map(|name| memory.content.get(name)) {
            match value {
                FieldValue::Text(text) => statement.say(text),
                FieldValue::List(items) => items.iter().for_each(|item| statement.say(item)),
                _ => {}
            }
        }
        for avoided in memory.content.list("avoid") {
            statement.say(&format!("avoid {avoided}"));
        }
        if let Some(FieldValue::Alternatives(options)) = memory.content.get("alternatives") {
            statement.rejected.extend(options.iter().filter_map(|it| Claim::of(&it.option)));
        }
        statement
    }

    pub fn of_text(text: &str) -> Self {
        let mut statement = Self::titled(first_line(text));
        let has_headings = text.lines().any(|line| line.starts_with('#'));
        if has_headings || text.len() >= DOCUMENT_BYTES_MIN {
            statement.record.is_document = true;
            statement.say(first_line(text));
            statement.read_document(text);
        } else {
            statement.say(text);
        }
        statement
    }

    fn titled(title: &str) -> Self {
        let record = Record { title: title.to_owned(), ..Record::default() };
        Self { record, ..Self::default() }
    }

    /// Every sentence of a text without headings.
    fn say(&mut self, text: &str) {
        let mut section = Section::Claims;
        for line in prose(text) {
            if line.starts_with('#') {
                continue;
            }
            for sentence in sentences(line.trim_start_matches(BULLETS)) {
                let (labelled, sentence) = Section::labelled(sentence);
                section = labelled.unwrap_or(section);
                match section {
                    // The words of links stay, their targets go.
                    Section::Claims => self.claim(&without(sentence, "](", ")")),
                    Section::Rejected => self.turn_down(sentence),
                    Section::Opening | Section::Other => {}
                }
            }
        }
    }

    fn claim(&mut self, sentence: &str) {
        if self.claims.len() < CLAIMS_MAX && !self.claims.iter().any(|it| it.text == sentence) {
            self.claims.extend(Claim::of(sentence));
        }
    }

    /// The options of a list; what is in brackets is the reason.
    fn turn_down(&mut self, list: &str) {
        let bare = without(list, "(", ")");
        let options = bare.split(',').map(str::trim).filter(|it| !it.starts_with("because "));
        let is_short = |it: &String| (1..=OPTION_WORDS_MAX).contains(&it.split(' ').count());
        let options = options.map(option).filter(is_short);
        self.rejected.extend(options.filter_map(|option| Claim::of(&option)));
    }

    fn read_document(&mut self, text: &str) {
        let (mut section, mut opening) = (Section::Opening, 0);
        for line in prose(text) {
            if let Some(heading) = line.strip_prefix('#') {
                section = Section::of_heading(heading.trim_start_matches('#').trim());
                continue;
            }
            match section {
                Section::Claims if !is_metadata(line) => self.say(line),
                Section::Rejected if line.starts_with(['-', '*', '+']) && !is_argument(line) => {
                    self.rejected.extend(Claim::of(&option(line)));
                }
                Section::Opening if opening < OPENING_SENTENCES && !is_metadata(line) => {
                    self.say(line);
                    opening += 1;
                }
                _ => {}
            }
            let replaces = table::holds(REPLACING, &line.to_ascii_lowercase());
            if replaces && self.record.replacing.len() < CLAIMS_MAX {
                self.record.replacing.push(line.to_owned());
            }
        }
    }
}

/// The lines without blocks of code, tables, tags and addresses.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut outside = Outside::default();
    let lines = text.lines().filter(move |line| outside.passes(line)).map(str::trim);
    let is_prose = |line: &&str| !line.is_empty() && !line.starts_with(['|', '<']);
    lines.filter(is_prose).filter(|line| !table::begins("http://|https://", line))
}

/// The option without the reason that turned it down.
fn option(item: &str) -> String {
    let item = item.trim().trim_start_matches(BULLETS);
    let ends = [": ", ", because", " because", " - ", " \u{2013} ", " \u{2014} ", " ("];
    let end = ends.iter().filter_map(|by| item.find(by)).min();
    item[..end.unwrap_or(item.len())].trim_matches(['*', '_', '`', ' ', '.', ':']).to_owned()
}

/// `Good, because ...`: the arguments of an option, not an option.
fn is_argument(line: &str) -> bool {
    let line = line.trim_start_matches(BULLETS).to_ascii_lowercase();
    table::begins("good|bad|neutral|pro|con", &line)
}

/// `Date: 2024-05-01`, `Status: accepted`: a short label and its value.
fn is_metadata(line: &str) -> bool {
    let line = line.trim_start_matches(BULLETS);
    line.split_once(':').is_some_and(|(head, _)| head.split_whitespace().count() <= 3)
}

/// The text without what stands between these two, and without them.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut parts = text.split(open);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |bare, part| bare + part.split_once(close).map_or("", |(_, it)| it))
}

/// Parted where a sentence ends and at semicolons, without the marks.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let parts = sentence::sentences(line).flat_map(|sentence| sentence.split(';'));
    let parts = parts.map(|part| part.trim().trim_end_matches(['.', '!', '?', ' ']));
    parts.filter(|part| !part.is_empty())
}
