//! What a command did, in the one shape that all writes share.

use oldhand_core::memory::Memory;
use oldhand_core::state::State;
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Outcome;
use oldhand_desk::format;
use oldhand_desk::printer::Io;
use oldhand_screen::{Screen, Tone};
use oldhand_sessions::anchor::Binding;
use oldhand_text::strings::visible_line;
use oldhand_text::time::parse_instant;
use serde::Serialize;

use super::{kind, since, state};

/// A verb, what it was done to, what is true of it now, and what may come next.
#[derive(Default)]
pub(crate) struct Deed<'a> {
    /// `remembered`, `retired`, `waits` …
    pub verb: &'a str,
    pub title: String,
    /// As it is now: people read kind, state and age of it in one line.
    pub memory: Option<&'a Memory>,
    pub facts: Vec<(&'a str, String)>,
    pub related: &'a [Binding],
    pub hint: Option<String>,
}

/// What the line about a memory says already.
const IN_ONE_LINE: &[&str] = &["kind", "state"];

impl<'a> Deed<'a> {
    pub(crate) fn of(verb: &'a str, memory: &'a Memory) -> Self {
        Self { verb, title: memory.title.clone(), memory: Some(memory), ..Self::default() }
    }

    /// What is no memory: a folder, a task, a host.
    pub(crate) fn about(verb: &'a str, title: impl Into<String>) -> Self {
        Self { verb, title: title.into(), ..Self::default() }
    }

    pub(crate) fn with_facts(self, facts: Vec<(&'a str, String)>) -> Self {
        Self { facts, ..self }
    }

    pub(crate) fn tell(
        &self,
        (schema, answer): (&str, impl Serialize),
        desk: &Desk<'_>,
        io: &mut Io<'_>,
    ) -> Outcome {
        desk.present(io, schema, answer, (|| self.text(), |screen: &Screen| self.people(screen)))
    }

    pub(crate) fn text(&self) -> String {
        let (title, facts) = (visible_line(&self.title), format::facts(&self.facts));
        let mut text = format!("{}: {title}\n{facts}", self.verb);
        for one in self.related {
            text.push_str(&format!("related: {} ({})\n", visible_line(&one.title), one.id));
        }
        if let Some(hint) = &self.hint {
            text.push_str(&format!("hint: {hint}\n"));
        }
        text
    }

    pub(crate) fn people(&self, screen: &Screen) -> String {
        let (mark, tone, verb) = self.spoken();
        let line = format!("{}  {}", screen.paint(tone, &verb), screen.title(&self.title));
        let mut out = screen.item(&screen.paint(tone, mark), &line, 0);
        if let Some(memory) = self.memory {
            let line = screen.parts(&[
                kind(memory.kind.as_str(), screen),
                state(memory.state, screen),
                screen.dim(&memory.scope.to_string()),
                since(memory.updated_at.or(memory.created_at), screen),
            ]);
            out.push_str(&screen.wrapped(&line, 2));
        }
        let is_new =
            |(label, _): &&(&str, String)| self.memory.is_none() || !IN_ONE_LINE.contains(label);
        let facts = self.facts.iter().filter(is_new);
        let facts = facts.map(|(label, text)| (*label, value(label, text, screen)));
        let related = self.related.iter().map(|one| {
            let parts = [screen.paint(Tone::Plain, &one.title), screen.dim(&one.id)];
            ("related", screen.parts(&parts))
        });
        out.push_str(&screen.facts(&facts.chain(related).collect::<Vec<_>>()));
        out + &self.hint.as_ref().map(|hint| screen.hint(hint)).unwrap_or_default()
    }
}

impl Deed<'_> {
    /// Programs read one word of a fixed list; people read what it means.
    fn spoken(&self) -> (&'static str, Tone, String) {
        let (mark, tone, verb) = match self.verb {
            "positive" => ("✓", Tone::Good, "helped"),
            "neutral" => ("=", Tone::Dim, "made no difference"),
            "negative" => ("!", Tone::Warn, "did not help"),
            "contradiction" => ("!", Tone::Warn, "was contradicted"),
            "failed" => ("✗", Tone::Bad, "failed"),
            verb if verb.starts_with("would ") => ("…", Tone::Warn, verb),
            "unchanged" => ("=", Tone::Dim, "unchanged"),
            "waits" => ("…", Tone::Warn, "waits for somebody to approve it"),
            "not accepted" => ("!", Tone::Warn, "not accepted"),
            verb => ("✓", Tone::Good, verb),
        };
        // `retired` is a verb already.
        match State::parse(verb).ok().filter(|state| state.is_active()) {
            Some(state) => (mark, tone, format!("now {}", state.as_str().replace('_', " "))),
            None => (mark, tone, verb.to_owned()),
        }
    }
}

/// What is looked up is dim, trust is a bar, and a date is said as people say it.
fn value(label: &str, text: &str, screen: &Screen) -> String {
    match (label, text.parse::<f64>(), parse_instant(text)) {
        ("id" | "file" | "old" | "new" | "memory" | "request", ..) => screen.dim(text),
        ("trust", Ok(trust), _) => format!("{} {}", screen.trust(trust), screen.dim(text)),
        (_, _, Some(at)) => screen.paint(Tone::Plain, &screen.ago(at)),
        _ => screen.literals(text),
    }
}
