//! Which memories are meant: a filter over memories, and the same as words of the index.

use oldhand_core::kind::Kinds;
use oldhand_core::recall::card;
use oldhand_core::state::RecordStatus;
use oldhand_text::strings::normalise_tag;

use crate::prelude::*;

/// What to show; a field that is not set limits nothing.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub kinds: Vec<Kind>,
    pub states: Vec<State>,
    pub status: Option<RecordStatus>,
    pub tags: Vec<String>,
    pub domain: Option<String>,
    pub level: Option<String>,
    pub scope: Option<String>,
    pub path: Option<String>,
    /// A module of old: also what is archived, when it speaks about it (R127).
    pub legacy: Option<String>,
    /// The source that an import brought it from.
    pub source: Option<String>,
    pub limit: usize,
}

impl Filter {
    /// From words as people type them.
    pub fn named(
        kinds: &[String],
        states: &[String],
        tags: &[String],
        known: &Kinds,
    ) -> Result<Self, Problem> {
        Ok(Self {
            kinds: kinds.iter().map(|name| known.parse(name)).collect::<Result<_, _>>()?,
            states: states.iter().map(|name| State::parse(name)).collect::<Result<_, _>>()?,
            tags: tags.iter().map(|tag| normalise_tag(tag)).collect(),
            ..Self::default()
        })
    }

    /// As words of the index, for a list: what is not active is listed when somebody asks for it.
    pub(crate) fn listed(&self) -> Narrow {
        let mut narrow = self.narrow();
        if narrow.states.is_empty() {
            narrow.states = State::ALL.iter().copied().filter(|it| it.is_active()).collect();
        }
        narrow
    }

    /// The same filter as words of the index.
    pub fn narrow(&self) -> Narrow {
        let mut words: Vec<Vec<String>> = Vec::new();
        if !self.kinds.is_empty() {
            words.push(self.kinds.iter().map(|kind| format!("kind:{kind}")).collect());
        }
        words.extend(self.tags.iter().map(|tag| vec![format!("tag:{tag}")]));
        words.extend(self.domain.iter().map(|it| vec![format!("domain:{}", it.to_lowercase())]));
        words.extend(self.level.iter().map(|it| vec![format!("level:{}", it.to_lowercase())]));
        words.extend(self.scope.iter().map(|it| vec![format!("scope:{}", it.to_lowercase())]));
        words.extend(self.path.iter().map(|path| card::path_filter(path)));
        let mut states = State::ALL.to_vec();
        states.retain(|state| self.names_state(*state) == Some(true));
        Narrow { words, states }
    }

    pub fn matches(&self, memory: &Memory) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&memory.kind))
            && self.names_state(memory.state).unwrap_or(memory.is_active())
            && self.tags.iter().all(|tag| memory.tags.contains(tag))
            && is_or_unsaid(self.domain.as_deref(), memory.domain.as_deref())
            && is_or_unsaid(self.level.as_deref(), memory.level.as_deref())
            && is_or_unsaid(self.scope.as_deref(), Some(&memory.scope.to_string()))
            && self.path.as_deref().is_none_or(|path| is_about_path(memory, path))
            && self.legacy.as_deref().is_none_or(|module| speaks_of(memory, module))
            && self.source.as_deref().is_none_or(|source| is_of_source(memory, source))
    }

    /// It asks for what no row of the index knows.
    pub(crate) fn needs_files(&self) -> bool {
        self.legacy.is_some() || self.source.is_some()
    }

    /// Whether a state is asked for; `None` where nothing is said about states.
    fn names_state(&self, state: State) -> Option<bool> {
        match self.status {
            _ if !self.states.is_empty() => Some(self.states.contains(&state)),
            Some(status) => Some(state.record_status() == status),
            // Work on old modules looks into the archive too (R127).
            None if self.legacy.is_some() => Some(state.record_status() != RecordStatus::Retired),
            None => None,
        }
    }
}

/// An import brought it from there.
pub fn is_of_source(memory: &Memory, source: &str) -> bool {
    memory.imported.as_ref().is_some_and(|it| it.from == source)
}

/// A candidate that only `promote` by its name lifts.
pub fn is_held(memory: &Memory) -> bool {
    let reason = memory.state_reason.as_deref().unwrap_or_default();
    memory.state == State::Candidate && reason.starts_with(oldhand_core::imported::HELD)
}

fn is_or_unsaid(wanted: Option<&str>, found: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| {
        found.is_some_and(|found| found.to_lowercase() == wanted.to_lowercase())
    })
}

/// A memory is about a path when one of its own paths is it, holds it or lies in it.
fn is_about_path(memory: &Memory, path: &str) -> bool {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    let holds = |outer: &str, inner: &str| {
        inner == outer || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    let component = match &memory.scope {
        Scope::Component(component) => Some(component.as_str()),
        _ => None,
    };
    memory
        .paths()
        .into_iter()
        .chain(component)
        .map(|own| own.trim_end_matches('/'))
        .any(|own| holds(own, path) || holds(path, own))
}

fn speaks_of(memory: &Memory, module: &str) -> bool {
    let module = module.to_lowercase();
    let mut texts: Vec<String> = vec![memory.title.clone(), memory.scope.to_string()];
    texts.extend(memory.paths().into_iter().map(str::to_owned));
    texts.extend(memory.tags.iter().cloned());
    texts.extend(memory.content.iter().map(|(_, value)| value.plain()));
    texts.iter().any(|text| text.to_lowercase().contains(&module))
}
