//! Search: words anywhere, or one of the three exact modes: fields, text, links (R15). It reads what
//! is there, where recall ranks.

use oldhand_core::recall::rank::Candidate;
use oldhand_text::terms::{folded, stem};

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

/// Words that are looked for anywhere in a text, whatever their case, accents and English endings.
pub struct Words(Vec<Word>);

struct Word {
    /// Folded.
    text: String,
    stem: String,
}

impl Words {
    pub fn of(text: &str) -> Self {
        let word = |text: &str| Word { text: text.to_owned(), stem: stem(text) };
        Self(folded(text).split_whitespace().map(word).collect())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many of them the text has.
    pub fn count(&self, text: &str) -> usize {
        self.count_folded(&folded(text))
    }

    fn count_folded(&self, text: &str) -> usize {
        self.0.iter().filter(|word| word.is_in(text)).count()
    }

    /// The first of the lines that have most of them.
    pub fn place<'t>(&self, text: &'t str) -> &'t str {
        let lines = split(text).1.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let best = lines
            .map(|line| (self.count(line), line))
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map_or("", |(_, line)| line)
    }
}

impl Word {
    /// As it is, also within a longer word, or with another ending.
    fn is_in(&self, text: &str) -> bool {
        let is_letter = |it: char| it.is_alphanumeric();
        let is_form = |at: usize| {
            let word = &text[at..];
            let word = &word[..word.find(|it: char| !is_letter(it)).unwrap_or(word.len())];
            !text[..at].ends_with(is_letter) && stem(word) == self.stem
        };
        let begins = || text.match_indices(&self.stem).any(|(at, _)| is_form(at));
        text.contains(&self.text) || self.stem != self.text && begins()
    }
}

impl Memories<'_> {
    pub fn search(&self, index: &dyn Index, request: &SearchRequest) -> Result<Found> {
        let mut matches = match request.mode {
            Mode::Words => with_words(index, request)?,
            Mode::Frontmatter => with_line(index, request, |text| split(text).0)?,
            Mode::Content => with_line(index, request, |text| split(text).1)?,
            Mode::Links => self.linked(index, request)?,
        };
        let total = matches.len();
        matches.truncate(if request.limit == 0 { usize::MAX } else { request.limit });
        Ok(Found { matches, total })
    }

    fn linked(&self, index: &dyn Index, request: &SearchRequest) -> Result<Vec<Match>> {
        let target = self.get(&request.what)?.memory;
        let mut matches = Vec::new();
        // Following links leads to what was superseded too: it says so.
        for candidate in index.cards(&request.filter.narrow())? {
            // A file that can't be read has no link to show.
            let Ok(Some(stored)) = index.read(&candidate) else { continue };
            if let Some(place) = link_between(&stored.memory, &stored.text, &target) {
                matches.push(Match { candidate, place });
            }
        }
        Ok(matches)
    }
}

fn with_line(
    index: &dyn Index,
    request: &SearchRequest,
    part: fn(&str) -> &str,
) -> Result<Vec<Match>> {
    let what = folded(request.what.trim());
    let mut matches = Vec::new();
    index.each_text(index.cards(&request.filter.listed())?, &mut |candidate, text| {
        if let Some(place) = line_with(part(text), &what) {
            matches.push(Match { candidate, place });
        }
    })?;
    Ok(matches)
}

fn with_words(index: &dyn Index, request: &SearchRequest) -> Result<Vec<Match>> {
    let words = Words::of(&request.what);
    let mut most = 1;
    let mut found: Vec<(usize, usize, Match)> = Vec::new();
    index.each_text(index.cards(&request.filter.listed())?, &mut |candidate, text| {
        let all = words.count(text);
        if all >= most {
            most = all;
            let (in_title, place) = (words.count(&candidate.card.title), words.place(text));
            found.push((all, in_title, Match { candidate, place: place.to_owned() }));
        }
    })?;
    found.retain(|(all, _, _)| *all == most);
    found.sort_by(|a, b| {
        b.1.cmp(&a.1).then_with(|| a.2.candidate.card.id.cmp(&b.2.candidate.card.id))
    });
    Ok(found.into_iter().map(|(_, _, one)| one).collect())
}

fn split(text: &str) -> (&str, &str) {
    let Some(rest) = text.strip_prefix("---") else { return ("", text) };
    rest.split_once("\n---").unwrap_or(("", text))
}

fn line_with(text: &str, what: &str) -> Option<String> {
    if what.is_empty() {
        return None;
    }
    text.lines().find(|line| folded(line).contains(what)).map(|line| line.trim().to_owned())
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
