//! Search: words anywhere, or one of the three exact modes: fields, text, links (R15). Exact where
//! recall is lenient.

use oldhand_core::recall::rank::Candidate;

use crate::context::Memories;
use crate::filter::Filter;
use crate::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Those that have all of the words somewhere, or else most of them; titles count more.
    Words,
    Frontmatter,
    Content,
    Links,
}

#[derive(Debug, Clone)]
pub struct SearchRequest {
    pub mode: Mode,
    /// Words, or the name of a memory for links.
    pub what: String,
    pub filter: Filter,
    /// 0 is all.
    pub limit: usize,
}

pub struct Found {
    /// By id; for words the best first.
    pub matches: Vec<Match>,
    /// How many match, shown or not.
    pub total: usize,
}

pub struct Match {
    pub candidate: Candidate,
    /// The line or the link that matched.
    pub place: String,
}

/// The place in a memory that matches, if any.
type Look = Box<dyn Fn(&Stored) -> Option<String>>;

impl Memories<'_> {
    pub fn search(&self, index: &dyn Index, request: &SearchRequest) -> Result<Found> {
        let what = request.what.trim().to_lowercase();
        if request.mode == Mode::Words {
            return with_words(index, request, &what);
        }
        let looks: Look = match request.mode {
            Mode::Words | Mode::Frontmatter => {
                Box::new(move |stored| line_with(split(&stored.text).0, &what))
            }
            Mode::Content => Box::new(move |stored| line_with(split(&stored.text).1, &what)),
            Mode::Links => {
                let target = self.get(&request.what)?.memory;
                Box::new(move |stored| link_between(&stored.memory, &stored.text, &target))
            }
        };
        // Following links leads to what was superseded too: it says so.
        let narrow = match request.mode {
            Mode::Links => request.filter.narrow(),
            _ => request.filter.listed(),
        };
        let mut matches = Vec::new();
        for candidate in index.cards(&narrow)? {
            // A file that can't be read has no line to show.
            let Ok(Some(stored)) = index.read(&candidate) else { continue };
            if let Some(place) = looks(&stored) {
                matches.push(Match { candidate, place });
            }
        }
        let total = matches.len();
        matches.truncate(if request.limit == 0 { usize::MAX } else { request.limit });
        Ok(Found { matches, total })
    }
}

fn with_words(index: &dyn Index, request: &SearchRequest, what: &str) -> Result<Found> {
    let words: Vec<&str> = what.split_whitespace().collect();
    let count = |text: &str| {
        let text = text.to_lowercase();
        words.iter().filter(|word| text.contains(**word)).count()
    };
    let mut found: Vec<(usize, usize, Match)> = Vec::new();
    for candidate in index.cards(&request.filter.listed())? {
        let Ok(Some(stored)) = index.read(&candidate) else { continue };
        let all = count(&stored.text);
        if all > 0 {
            let lines = split(&stored.text).1.lines().map(str::trim);
            let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
            // The first of the best lines.
            let best = lines
                .map(|line| (count(line), line))
                .reduce(|best, next| if next.0 > best.0 { next } else { best });
            let place = best.map(|(_, line)| line.to_owned()).unwrap_or_default();
            found.push((all, count(&candidate.card.title), Match { candidate, place }));
        }
    }
    let most = found.iter().map(|(all, _, _)| *all).max().unwrap_or(0);
    found.retain(|(all, _, _)| *all == most);
    found.sort_by(|a, b| {
        b.1.cmp(&a.1).then_with(|| a.2.candidate.card.id.cmp(&b.2.candidate.card.id))
    });
    let total = found.len();
    found.truncate(if request.limit == 0 { usize::MAX } else { request.limit });
    Ok(Found { matches: found.into_iter().map(|(_, _, one)| one).collect(), total })
}

fn split(text: &str) -> (&str, &str) {
    let Some(rest) = text.strip_prefix("---") else { return ("", text) };
    rest.split_once("\n---").unwrap_or(("", text))
}

fn line_with(text: &str, what: &str) -> Option<String> {
    if what.is_empty() {
        return None;
    }
    text.lines().find(|line| line.to_lowercase().contains(what)).map(|line| line.trim().to_owned())
}

/// How one memory and the target are linked, in either direction.
fn link_between(memory: &Memory, text: &str, target: &Memory) -> Option<String> {
    if memory.id == target.id {
        return None;
    }
    let names = |list: &[String], of: &Memory| {
        list.iter().any(|name| *name == of.id.as_str() || of.aliases.contains(name))
    };
    let mut links = Vec::new();
    for (from, to, own) in [(memory, target, true), (target, memory, false)] {
        let is_successor = to.superseded_by.as_ref().is_some_and(|by| *by == from.id.as_str());
        let fields = [
            ("is related to", names(&from.related_to, to)),
            ("depends on", names(&from.depends_on.decisions, to)),
            ("supersedes", names(&from.supersedes, to) || is_successor),
            ("conflicts with", names(&from.conflicts_with, to)),
        ];
        for (link, is_there) in fields {
            if is_there {
                let (who, whom) = if own { ("it", "this") } else { ("this", "it") };
                links.push(format!("{who} {link} {whom}"));
            }
        }
    }
    if links.is_empty() && mentions(split(text).1, target) {
        links.push("it mentions this".to_owned());
    }
    (!links.is_empty()).then(|| links.join(", "))
}

fn mentions(text: &str, target: &Memory) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let long = target.aliases.iter().filter(|alias| alias.len() >= 4).map(String::as_str);
    [target.id.as_str()].into_iter().chain(long).any(|name| {
        text.match_indices(name).any(|(at, _)| {
            !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
        })
    })
}
