//! What the index keeps of a memory, to filter, rank and explain it without opening its file.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::codec::sections;
use crate::kind::Kinds;
use crate::kind::schema::Place;
use crate::memory::Memory;
use crate::origin::Origin;
use crate::policy::TrustPolicy;
use crate::scope::Scope;
use crate::signals::Signals;
use crate::state::State;
use oldhand_text::agent_text::LINE_CHARS_MAX;
use oldhand_text::strings::shorten;
use oldhand_text::tokens;

/// One memory in the index. Short names: there are many of these.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Card {
    pub id: String,
    #[serde(rename = "t")]
    pub title: String,
    #[serde(rename = "k")]
    pub kind: String,
    #[serde(rename = "s")]
    pub state: State,
    #[serde(rename = "sc")]
    pub scope: String,
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    #[serde(rename = "g", default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(rename = "a", default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    #[serde(rename = "o")]
    pub origin: Origin,
    /// Seconds since the epoch.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<i64>,
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<i64>,
    #[serde(rename = "e", default, skip_serializing_if = "is_default")]
    pub evergreen: bool,
    #[serde(rename = "r")]
    pub trust: f64,
    #[serde(rename = "x", default, skip_serializing_if = "is_default")]
    pub contradictions: u32,
    /// Its file claims a standing that the log does not carry.
    #[serde(rename = "ur", default, skip_serializing_if = "is_default")]
    pub unrecorded: bool,
    /// A person's word that an agent has put under review.
    #[serde(rename = "ct", default, skip_serializing_if = "is_default")]
    pub contested: bool,
    /// Changed without the tool since a person last looked.
    #[serde(rename = "he", default, skip_serializing_if = "is_default")]
    pub hand_edited: bool,
    /// Nobody here has accepted its store.
    #[serde(skip)]
    pub doubted: bool,
    /// How often it was used or contradicted: what was never used needs no look at the log.
    #[serde(rename = "us", default, skip_serializing_if = "is_default")]
    pub uses: u32,
    #[serde(rename = "n")]
    pub tokens: u32,
    /// Bytes of its file, for the threshold below which a store is read in full.
    #[serde(rename = "b")]
    pub bytes: u32,
    #[serde(rename = "by", default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    #[serde(rename = "rt", default, skip_serializing_if = "Vec::is_empty")]
    pub related_to: Vec<String>,
    /// Memories that it names otherwise: what it rests on, replaces, refines or conflicts with.
    #[serde(rename = "ln", default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    #[serde(rename = "p", default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// It introduces constraints: old age alone does not make these weaker.
    #[serde(rename = "cs", default, skip_serializing_if = "is_default")]
    pub has_constraints: bool,
    /// Of the passages that its vectors stand for.
    #[serde(rename = "m", default, skip_serializing_if = "String::is_empty")]
    pub passages_mark: String,
    /// How many passages there are: the best of many is near by chance.
    #[serde(rename = "pc", default, skip_serializing_if = "is_default")]
    pub passages: u32,
    /// The session it came from: memories of one session explain each other.
    #[serde(rename = "ss", default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// It is in the user's own store. Set by whoever opens the stores, never by a file.
    #[serde(skip)]
    pub is_own: bool,
    /// The name of another store that it is in; none for the one that is asked. Set as `is_own` is.
    #[serde(skip)]
    pub from: Option<Arc<str>>,
}

pub const UNRECORDED_WORD: &str = "standing:unrecorded";
pub const CONTESTED_WORD: &str = "standing:contested";

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Card {
    /// Which store it is in, where that is not the one that is asked.
    pub fn store(&self) -> Option<&str> {
        if self.is_own { Some("own") } else { self.from.as_deref() }
    }

    /// `body` is the text that is served, see `body_text`, and `bytes` the size of its file.
    pub fn of(memory: &Memory, signals: &Signals, body: &str, bytes: usize) -> Self {
        Self {
            id: memory.id.to_string(),
            // Files are edited by hand: a title may be as long as a file.
            title: shorten(&memory.title, LINE_CHARS_MAX),
            kind: memory.kind.to_string(),
            state: memory.state,
            scope: memory.scope.to_string(),
            domain: memory.domain.clone(),
            level: memory.level.clone(),
            tags: memory.tags.clone(),
            aliases: memory.aliases.clone(),
            origin: memory.origin,
            created_at: memory.created_at.map(Timestamp::as_second),
            updated_at: memory.updated_at.map(Timestamp::as_second),
            evergreen: memory.evergreen,
            trust: signals.trust,
            unrecorded: !signals.is_recorded,
            contested: signals.is_contested,
            hand_edited: signals.is_hand_edited,
            contradictions: signals.contradiction_count,
            uses: signals.reuse_count + signals.contradiction_count + signals.reviews,
            tokens: u32::try_from(tokens::count(body)).unwrap_or(u32::MAX),
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
            superseded_by: memory.superseded_by.clone(),
            related_to: memory.related_to.clone(),
            links: memory.links().map(|(_, id)| id.to_owned()).collect(),
            paths: memory.paths().into_iter().map(str::to_owned).collect(),
            has_constraints: !memory.content.list("constraints").is_empty(),
            session: session_of(memory),
            ..Self::default()
        }
    }

    /// Stated or approved by a person: only these are presented as binding.
    pub fn is_persons_word(&self) -> bool {
        let is_approved = self.state == State::Canonical;
        let is_carried = !self.unrecorded && !self.doubted;
        is_carried && (matches!(self.origin, Origin::User | Origin::Gate) || is_approved)
    }

    /// The last change, in seconds.
    pub fn instant(&self) -> i64 {
        self.updated_at.or(self.created_at).unwrap_or(i64::MIN)
    }

    /// Nobody here stands for what it says of itself.
    pub fn doubt(&mut self, policy: &TrustPolicy) {
        self.doubted = true;
        self.trust = self.trust.min(policy.by_evidence[0]);
    }

    /// State and origin as readers should take them.
    pub fn told_standing(&self) -> (&'static str, &'static str) {
        if self.unrecorded || self.doubted {
            ("unreviewed", "unverified")
        } else {
            (self.state.as_str(), self.origin.as_str())
        }
    }

    /// Words by which memories are filtered, as `field:value`.
    pub fn filter_words(&self) -> Vec<String> {
        let mut words = vec![
            format!("kind:{}", self.kind),
            format!("scope:{}", self.scope).to_lowercase(),
            format!("id:{}", self.id),
        ];
        words.extend(self.unrecorded.then(|| UNRECORDED_WORD.to_owned()));
        words.extend(self.contested.then(|| CONTESTED_WORD.to_owned()));
        words.extend(self.domain.iter().map(|domain| format!("domain:{}", domain.to_lowercase())));
        words.extend(self.level.iter().map(|level| format!("level:{}", level.to_lowercase())));
        words.extend(self.tags.iter().map(|tag| format!("tag:{tag}")));
        words.extend(self.aliases.iter().map(|alias| format!("id:{}", alias.to_lowercase())));
        words.extend(self.aliases.iter().filter_map(|alias| {
            let (series, number) = alias.rsplit_once('-')?;
            let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| format!("series:{}", series.to_lowercase()))
        }));
        let named = self.related_to.iter().chain(&self.links).chain(&self.superseded_by);
        words.extend(named.map(|id| format!("link:{}", id.trim().to_lowercase())));
        let component = self.scope.strip_prefix("component:");
        for path in self.paths.iter().map(String::as_str).chain(component) {
            words.extend(ancestors(path).map(|path| format!("path:{path}")));
            words.push(format!("about:{}", path.trim_end_matches('/')));
        }
        words.sort();
        words.dedup();
        words
    }
}

fn session_of(memory: &Memory) -> Option<String> {
    memory.evidence.iter().chain(&memory.sources).find_map(|evidence| {
        evidence.strip_prefix("session:").map(|session| session.trim().to_owned())
    })
}

/// The whole memory as it is served: its title and every field that it has, none shortened.
pub fn body_text(memory: &Memory, kinds: &Kinds) -> String {
    let spec = kinds.spec(&memory.kind);
    let mut out = format!("# {}\n", memory.title);
    let in_front = spec.fields.iter().filter(|field| field.place == Place::Frontmatter);
    let facts: Vec<String> = in_front
        .filter_map(|field| Some((&field.name, memory.content.get(&field.name)?)))
        .map(|(name, value)| format!("{}: {}", name.replace('_', " "), value.plain()))
        .collect();
    if !facts.is_empty() {
        out.push_str(&format!("\n{}\n", facts.join(" · ")));
    }
    for field in spec.fields.iter() {
        let Some(value) = memory.content.get(&field.name) else { continue };
        match &field.place {
            Place::Frontmatter => {}
            Place::Section { heading, .. } => {
                let text = sections::write(&field.shape, value);
                out.push_str(&format!("\n## {heading}\n{}\n", text.trim_end()));
            }
            Place::Body => out.push_str(&format!("\n{}\n", value.plain().trim_end())),
        }
    }
    for (heading, text) in &memory.sections {
        let heading = if heading.is_empty() { String::new() } else { format!("## {heading}\n") };
        out.push_str(&format!("\n{heading}{}\n", text.trim()));
    }
    out
}

/// The texts of the index's fields: title, body, labels, context.
pub fn field_texts(memory: &Memory, body: &str) -> [String; 4] {
    let mut titles = vec![memory.title.as_str()];
    titles.extend(memory.aliases.iter().map(String::as_str));
    let body = body.split_once('\n').map_or("", |(_, rest)| rest);
    // An empty list of tags still has its line: what the index keeps stays as it is.
    let words = [&memory.domain, &memory.level, &memory.description].into_iter().flatten();
    let labels = std::iter::once(memory.tags.join("\n")).chain(words.cloned());
    let day = memory.created_at.map(|created| created.strftime("%d %B %Y").to_string());
    let mut context = memory.paths();
    if let Scope::Component(path) = &memory.scope {
        context.push(path);
    }
    context.extend(day.as_deref());
    let labels = labels.collect::<Vec<_>>().join("\n");
    [titles.join("\n"), body.to_owned(), labels, context.join("\n")]
}

/// A path and every folder above it.
pub fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.map(move |end| &path[..end]).filter(|path| !path.is_empty())
}

/// Words for "is about this path": a memory whose own path is it, holds it or lies in it.
pub fn path_filter(path: &str) -> Vec<String> {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    let mut words = vec![format!("path:{path}")];
    words.extend(ancestors(path).map(|above| format!("about:{above}")));
    words
}
