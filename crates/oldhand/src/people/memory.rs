//! One memory: what it says, what happened to it, and why it was served.

use oldhand_app::history::{History, describe};
use oldhand_app::recall::{Explained, Recalled};
use oldhand_app::story::Story;
use oldhand_core::kind::Kinds;
use oldhand_core::memory::Memory;
use oldhand_core::policy::TAG_FALLBACK;
use oldhand_core::recall::card::body_text;
use oldhand_core::signals::Signals;
use oldhand_screen::{Screen, Tone, bar};
use oldhand_store::port::Stored;
use oldhand_text::strings::counted;
use oldhand_text::time::parse_instant;

use super::{kind, reason, since, state};

pub(crate) fn show(stored: &Stored, signals: &Signals, kinds: &Kinds, screen: &Screen) -> String {
    let memory = &stored.memory;
    let plain = |text: &str| screen.paint(Tone::Plain, text);
    let list = |items: &[String]| plain(&items.join(", "));
    let facts = screen.facts(&[
        ("id", plain(memory.id.as_str())),
        ("alias", list(&memory.aliases)),
        ("domain", plain(memory.domain.as_deref().unwrap_or_default())),
        ("tags", if memory.tags == [TAG_FALLBACK] { String::new() } else { list(&memory.tags) }),
        ("standing", plain(signals.standing())),
        ("written", when(memory, screen)),
        ("used", used(signals)),
        ("rests on", list(&memory.depends_on.code_paths)),
        ("evidence", list(&memory.evidence)),
        ("related", list(&memory.related_to)),
        ("supersedes", list(&memory.supersedes)),
        ("superseded by", plain(memory.superseded_by.as_deref().unwrap_or_default())),
        ("why so", plain(memory.state_reason.as_deref().unwrap_or_default())),
        ("file", screen.dim(&stored.path)),
    ]);
    let text = body_text(memory, kinds);
    let text = text.split_once('\n').map_or("", |(_, rest)| rest);
    format!("{}\n{facts}\n{}", head(memory, signals.trust, screen), screen.body(text.trim(), 2))
}

/// The title, and what it is in one line.
fn head(memory: &Memory, trust: f64, screen: &Screen) -> String {
    let standing = screen.parts(&[
        kind(memory.kind.as_str(), screen),
        state(memory.state, screen),
        format!("{} {}", screen.trust(trust), screen.dim(&trust.to_string())),
        screen.dim(&memory.scope.to_string()),
    ]);
    format!("{}\n{}", screen.title(&memory.title), screen.wrapped(&standing, 0))
}

fn when(memory: &Memory, screen: &Screen) -> String {
    let created = memory.created_at.map(|at| screen.ago(at)).unwrap_or_default();
    match memory.updated_at.filter(|at| Some(*at) != memory.created_at) {
        Some(at) => format!("{created}, changed {}", screen.ago(at)),
        None => created,
    }
}

fn used(signals: &Signals) -> String {
    let Signals { reuse_count, successful_reuses, failed_reuses, .. } = signals;
    if *reuse_count == 0 {
        return String::new();
    }
    let times = counted(*reuse_count as usize, "time", "times");
    format!("{times}, {successful_reuses} helped, {failed_reuses} did not")
}

pub(crate) fn history(history: &History, screen: &Screen) -> String {
    let mut rows = Vec::new();
    for step in &history.steps {
        let event = &step.event;
        if step.edited_before {
            let what = screen.paint(Tone::Warn, "edited by hand before this");
            rows.push(vec![since(Some(event.at), screen), screen.dim("external"), what]);
        }
        let by = screen.paint(Tone::Plain, &event.via.beside(&event.by));
        let what = screen.paint(Tone::Plain, &describe(event));
        rows.push(vec![since(Some(event.at), screen), by, what]);
    }
    let mut out = screen.table(rows, 2);
    let mut warn = |text: &str| out.push_str(&format!("{}\n", screen.paint(Tone::Warn, text)));
    if history.merged_since {
        warn("merged by git since; `oldhand doctor` records it");
    }
    if history.edited_since {
        warn("edited by hand since; `oldhand doctor` records it");
    }
    if history.is_unreadable {
        warn("the file can't be read; `oldhand doctor` tells more");
    } else if history.id.is_none() {
        warn("the file is gone");
    }
    out
}

/// An answer on this machine that had to do with it.
pub(crate) struct Answered {
    pub at: String,
    pub what: &'static str,
    pub reason: String,
    pub asked: String,
}

/// `why` without a question.
pub(crate) fn life(story: &Story, answers: &[Answered], screen: &Screen) -> String {
    let memory = &story.stored.memory;
    let mut out = head(memory, story.signals.trust, screen);
    out.push_str(&format!("{}\n\n", screen.dim(memory.id.as_str())));
    let row = |sentence: &String| match dated(sentence) {
        Some((day, rest)) => {
            vec![format!("  {}", screen.dim(day)), screen.paint(Tone::Plain, &upper_first(rest))]
        }
        None => vec![String::new(), screen.paint(Tone::Plain, sentence)],
    };
    out.push_str(&narrow(screen).table(story.sentences.iter().map(row).collect(), 1));
    if answers.is_empty() {
        let none = "no answer on this machine had to do with it";
        return out + &format!("\n{}\n", screen.dim(none));
    }
    out.push_str(&format!("\n{}\n", screen.title("answers on this machine")));
    let row = |one: &Answered| {
        let tone = if one.what == "served" { Tone::Good } else { Tone::Warn };
        let asked = screen.paint(Tone::Plain, &format!("“{}”", one.asked));
        vec![
            format!("  {}", since(parse_instant(&one.at), screen)),
            screen.paint(tone, one.what),
            format!("{asked}\n{}", screen.dim(&reason(&one.reason))),
        ]
    };
    out + &screen.table(answers.iter().map(row).collect(), 2)
}

/// The day at the head of a sentence.
fn dated(sentence: &str) -> Option<(&str, &str)> {
    let (day, rest) = sentence.split_once(": ")?;
    parse_instant(day).map(|_| (day, rest))
}

fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn narrow(screen: &Screen) -> Screen {
    Screen { width: screen.width.min(100), ..*screen }
}

/// `why` with a question: its place, and what it was weighed by.
pub(crate) fn rank(
    memory: &Memory,
    explained: &Explained,
    recalled: &Recalled,
    screen: &Screen,
) -> String {
    let tone = if explained.is_served { Tone::Good } else { Tone::Warn };
    let mut out = format!("{}\n", screen.title(&memory.title));
    let (verdict, why) = explained.why.split_once(": ").unwrap_or((&explained.why, ""));
    let why = format!("{verdict}: {}", reason(why));
    out.push_str(&screen.wrapped(&screen.paint(tone, &why), 0));
    let place = explained.rank.map(|rank| format!("{rank} of {}", recalled.ranked.len()));
    out.push_str(&screen.facts(&[
        ("id", screen.dim(memory.id.as_str())),
        ("state", state(memory.state, screen)),
        ("place", place.unwrap_or_default()),
    ]));
    if let Some(scored) = &explained.scored {
        let parts = &scored.parts;
        let weighed = [
            ("words", parts.lexical),
            ("names", parts.names),
            ("meaning", parts.dense),
            ("recency", parts.recency),
            ("trust", parts.trust),
            ("near", parts.proximity),
        ];
        let largest = weighed.iter().map(|(_, number)| *number).fold(0.01, f64::max);
        let row = |label: &str, number: f64, share: f64| {
            let number = screen.dim(&format!("{:.2}", number + 0.0));
            vec![format!("  {}", screen.dim(label)), bar(share), number]
        };
        let rows = weighed.iter().map(|(label, number)| row(label, *number, number / largest));
        let chance = row("chance", scored.confidence, scored.confidence);
        out.push_str(&format!("\n{}", screen.table(rows.chain([chance]).collect(), 2)));
    }
    out.push('\n');
    for step in &recalled.bundle.steps {
        out.push_str(&screen.wrapped(&screen.dim(&reason(&step.line())), 2));
    }
    out
}
