//! The labels of an entry's fields: how they are written, and which of them have a home.

use oldhand_core::codec::sections::marker_width;
use oldhand_text::sentence;

use crate::text;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    Context,
    Decision,
    Alternatives,
    Rationale,
    Consequences,
    Constraints,
    Status,
    Date,
    Sources,
    Files,
    ArchivedOn,
    SupersededBy,
    Supersedes,
    Related,
}

const LABELS: &[(&str, Label)] = &[
    (
        "context|problem|background|issue|problem statement|context and problem statement",
        Label::Context,
    ),
    ("decision|choice|outcome|solution|what|decision outcome", Label::Decision),
    (
        "alternatives|alternatives considered|considered alternatives|options|considered options|\
         options considered|rejected alternatives|alternatives rejected",
        Label::Alternatives,
    ),
    ("rationale|reason|reasons|why|justification|reasoning", Label::Rationale),
    ("consequences|impact|implications|trade offs|tradeoffs", Label::Consequences),
    ("constraints|constraints introduced", Label::Constraints),
    ("status", Label::Status),
    ("date", Label::Date),
    ("sources", Label::Sources),
    ("where|files", Label::Files),
    ("archived on", Label::ArchivedOn),
    ("superseded by|replaced by", Label::SupersededBy),
    ("supersedes|replaces", Label::Supersedes),
    ("related|related to|related decisions", Label::Related),
];

/// What a label means, if it is one of ours.
pub fn known(name: &str) -> Option<Label> {
    let folded = sentence::folded(name);
    let folded = folded.trim();
    LABELS
        .iter()
        .find(|(words, _)| words.split('|').any(|it| it == folded))
        .map(|(_, label)| *label)
}

/// A further heading of the template that has no field with us.
pub(super) fn is_detail(name: &str) -> bool {
    sentence::folded(name).trim().starts_with("implementation")
}

/// How a label is written; a stronger form is not a part of a weaker one's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    Item,
    Bold,
    /// The deeper, the weaker.
    Heading(std::cmp::Reverse<usize>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found<'t> {
    pub(super) form: Form,
    pub(super) name: &'t str,
    pub(super) text: &'t str,
    /// By how much the lines below an item are indented.
    pub(super) width: usize,
}

impl Found<'_> {
    /// Whether it ends the field that is open: known labels always do, others when they are as strong.
    pub(super) fn begins(&self, open: Option<Form>) -> bool {
        match (open, self.form) {
            (Some(Form::Heading(level)), Form::Heading(own)) => {
                own >= level || known(self.name).is_some()
            }
            _ if known(self.name).is_some() => true,
            (Some(open), form) => form >= open,
            (None, _) => true,
        }
    }
}

/// The label that a line begins with. `is_line`: the bullets of an entry that is one line.
pub(super) fn of(line: &str, is_line: bool) -> Option<Found<'_>> {
    if let Some((level, name)) = text::heading(line).filter(|(level, _)| *level >= 2) {
        let name = name.trim_end_matches(':').trim();
        let form = Form::Heading(std::cmp::Reverse(level));
        return Some(Found { form, name, text: "", width: 0 });
    }
    let width = marker_width(line).unwrap_or(0);
    let bare = &line[width..];
    let form = if width > 0 { Form::Item } else { Form::Bold };
    if let Some((name, text)) = bold(bare) {
        return Some(Found { form, name, text, width });
    }
    let (name, text) = bare.split_once(':')?;
    let is_short = name.split_whitespace().count() <= 3 && name.starts_with(char::is_uppercase);
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
    let is_apart = text.is_empty() || text.starts_with([' ', '\t']);
    let fits = is_apart && is_plain && (known(name).is_some() || is_line && width > 0 && is_short);
    fits.then(|| Found { form, name: name.trim(), text: text.trim(), width })
}

/// `**Label:** text`, `**Label**: text`; a label alone on its line only where it is known.
fn bold(bare: &str) -> Option<(&str, &str)> {
    let (inner, rest) = bare.strip_prefix("**")?.split_once("**")?;
    let name = inner.trim().trim_end_matches(':').trim();
    let fits = !name.is_empty() && name.chars().count() <= 60 && sentence::has_words(name);
    let text = match rest.strip_prefix(':') {
        Some(text) => text,
        None if inner.trim_end().ends_with(':') => rest,
        None if rest.trim().is_empty() && known(name).is_some() => rest,
        None => return None,
    };
    fits.then(|| (name, text.trim()))
}
