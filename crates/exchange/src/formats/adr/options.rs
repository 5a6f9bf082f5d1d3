//! The options of a decision: which was chosen, and what speaks against the others.

use oldhand_core::content::{Alternative, FieldValue};
use oldhand_text::sentence;
use oldhand_text::strings::normalise_line;
use serde_json::json;

use crate::page::Section;
use crate::record::Foreign;
use crate::text;
use crate::topic;

/// Alternatives are the considered options but the chosen one.
pub(super) fn settle(record: &mut Foreign, sections: &[Section]) {
    let find = |names: &[&str]| {
        sections.iter().find(|section| names.contains(&sentence::folded(&section.heading).trim()))
    };
    let chosen = chosen_in(record);
    if let Some(chosen) = &chosen {
        record.set_rest("chosen", json!(chosen));
    }
    let Some(options) = find(&["considered options", "options considered", "options"]) else {
        return;
    };
    let pros =
        find(&["pros and cons of the options"]).map(|it| it.text.as_str()).unwrap_or_default();
    let (items, others) = topic::items(&options.text);
    if items.is_empty() || text::says_nothing(&others).is_none() {
        // No plain list: it stays as it is.
        record.draft.sections.push((options.heading.clone(), options.text.clone()));
    }
    // An option that the record is named after is what was decided.
    let chosen = chosen.or_else(|| record.draft.title().map(str::to_owned));
    let is_chosen = |option: &str| chosen.as_deref().is_some_and(|it| same(it, option));
    let names = items.iter().map(|item| linked(item)).filter(|name| !is_chosen(name));
    let alternatives: Vec<Alternative> = names
        .map(|name| {
            let why = against(pros, &name);
            if why.is_empty() { log_alternative(&name) } else { Alternative::new(&name, &why) }
        })
        .collect();
    if !alternatives.is_empty() && record.value("alternatives").is_none() {
        record.set_value("alternatives", FieldValue::Alternatives(alternatives));
    }
}

/// An option with its reason behind a colon or a dash.
fn log_alternative(item: &str) -> Alternative {
    crate::log::alternatives(&format!("- {item}"))
        .into_iter()
        .next()
        .unwrap_or_else(|| Alternative::new(item, ""))
}

/// `Chosen option: "X", because …`
fn chosen_in(record: &Foreign) -> Option<String> {
    let Some(FieldValue::Text(decision)) = record.value("decision") else { return None };
    let plain = decision.replace("**", "");
    let (_, rest) = plain.split_once("Chosen option:")?;
    let rest = rest.trim_start();
    let close = match rest.chars().next()? {
        '"' => '"',
        '“' => '”',
        '\'' => '\'',
        '[' => ']',
        _ => ',',
    };
    let inner = if close == ',' { rest } else { &rest[rest.chars().next()?.len_utf8()..] };
    let chosen = inner.split([close, '\n']).next()?.trim().trim_end_matches('.');
    let chosen = linked(chosen.trim_start_matches('['));
    (!chosen.is_empty()).then(|| chosen.trim_end_matches(']').to_owned())
}

/// The words of an item; those of a link without where it leads.
fn linked(item: &str) -> String {
    let line = normalise_line(item);
    let link = line
        .strip_prefix('[')
        .and_then(|it| it.strip_suffix(')'))
        .and_then(|it| it.split_once("]("));
    link.map_or_else(|| line.clone(), |(words, _)| words.to_owned())
}

fn same(one: &str, other: &str) -> bool {
    sentence::folded(one) == sentence::folded(other)
}

/// What the section about an option calls bad.
fn against(pros: &str, option: &str) -> String {
    let mut is_own = false;
    let mut bad = Vec::new();
    for (line, is_plain) in text::marked_lines(pros) {
        if let Some((_, words)) = text::heading(line).filter(|_| is_plain) {
            is_own = same(&linked(words), option);
        } else if is_own {
            let item = sentence::without_item_mark(line.trim());
            if item.get(..3).is_some_and(|it| it.eq_ignore_ascii_case("bad")) {
                bad.push(normalise_line(item));
            }
        }
    }
    bad.join("; ")
}
