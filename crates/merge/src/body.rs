//! The body: the sections of the start, each merged by its shape, and the new ones of both sides.

use oldhand_core::kind::schema::{FieldSpec, Place, Shape};

use crate::lines::{self, closed};
use crate::page::{Block, Page};
use crate::{Merge, Three};

type Name = (String, usize);

/// A merged section: its heading, its text, and the blank lines behind it.
struct Piece<'a> {
    head: &'a str,
    core: String,
    /// `None` where it was the last of its file.
    gap: Option<&'a str>,
}

impl<'a> Merge<'a> {
    pub(crate) fn body(&mut self) -> String {
        let names = self.block_order();
        let pieces: Vec<Piece<'a>> = names.iter().filter_map(|name| self.piece(name)).collect();
        let end = self.end();
        let mut out = String::new();
        for (at, Piece { head, core, gap }) in pieces.iter().enumerate() {
            out.push_str(head);
            out.push_str(core);
            let is_last = at + 1 == pieces.len();
            let rest = if is_last { end } else { gap.unwrap_or("\n\n") };
            // A heading begins its own line, and so does a marker's successor.
            let needs_break = !core.is_empty() && !rest.starts_with(['\r', '\n']);
            if needs_break && (!is_last || core.ends_with(" theirs")) {
                out.push('\n');
            }
            out.push_str(rest);
        }
        out
    }

    /// What follows the last line of the file.
    fn end(&self) -> &'a str {
        let last = |page: &'a Page<'a>| page.blocks.last().map(|block| block.rest);
        let ends = self.versions.each(last);
        ends.settled().copied().flatten().or(last(self.start)).unwrap_or("\n")
    }

    /// `None` where the section is gone.
    fn piece(&mut self, name: &Name) -> Option<Piece<'a>> {
        let blocks = self.versions.each(|page| page.block(name));
        let start = self.start.block(name);
        let core = match (blocks.ours, blocks.theirs) {
            (Some(_), Some(_)) => self.core(name, blocks),
            (Some(kept), None) | (None, Some(kept)) => {
                if let Some(base) = blocks.base {
                    if base.core == kept.core {
                        return None;
                    }
                    let heading = kept.head.trim_matches(['#', ' ', '\r', '\n']);
                    self.note(&format!(
                        "`{heading}` was changed on one side and taken out on the other: kept"
                    ));
                }
                kept.core.to_owned()
            }
            (None, None) => return None,
        };
        let any = start.or(blocks.ours).or(blocks.theirs)?;
        let heads = blocks.map(|block| block.map(|block| block.head));
        let head = heads.settled().copied().flatten().unwrap_or(any.head);
        let gaps = self.versions.each(|page| page.gap(name));
        let gap = gaps.settled().copied().flatten();
        let gap = gap.or_else(|| self.start.gap(name)).or(gaps.ours.min(gaps.theirs));
        Some(Piece { head, core, gap: gap.or(gaps.ours.max(gaps.theirs)) })
    }

    fn core(&mut self, name: &Name, blocks: Three<Option<&'a Block<'a>>>) -> String {
        let texts = blocks.map(|block| block.map_or("", |block| block.core));
        if let Some(settled) = texts.settled() {
            return (*settled).to_owned();
        }
        let kind = self.start.kind();
        let is_here = |field: &&FieldSpec| match &field.place {
            Place::Section { heading, also } => {
                let mut all = std::iter::once(heading.as_ref()).chain(also.iter().copied());
                all.any(|it| it.to_lowercase() == name.0)
            }
            Place::Frontmatter | Place::Body => false,
        };
        let shape = kind.fields().iter().find(is_here).map(|field| &field.shape);
        if let Some(Shape::List | Shape::Alternatives) = shape {
            return self.list_section(texts);
        }
        let texts = texts.map(closed);
        let (text, conflicts) = lines::merge(texts.as_ref().map(String::as_str), self.size);
        self.conflicts += conflicts;
        text.strip_suffix('\n').unwrap_or(&text).to_owned()
    }

    /// The sections of the start, and each new one behind the one that it follows on its side.
    fn block_order(&self) -> Vec<Name> {
        let place = |page: &Page<'_>, at: usize| {
            let before = page.blocks[..at].iter().rev();
            let known = before.filter_map(|block| self.start.position(&block.name));
            known.map(|place| place + 1).next().unwrap_or(0)
        };
        let new = |page: &Page<'_>| -> Vec<(usize, usize, Name)> {
            let all = page.blocks.iter().enumerate();
            let new = all.filter(|(_, block)| self.start.position(&block.name).is_none());
            new.map(|(at, block)| (place(page, at), self.rank(&block.name), block.name.clone()))
                .collect()
        };
        let mut added = self.in_order(new(self.versions.ours), new(self.versions.theirs));
        added.sort_by_key(|(place, rank, _)| (*place, *rank));
        let mut names: Vec<Name> = Vec::new();
        for at in 0..=self.start.blocks.len() {
            for (_, _, name) in added.iter().filter(|(place, ..)| *place == at) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            names.extend(self.start.blocks.get(at).map(|block| block.name.clone()));
        }
        names
    }

    /// The place of a section among those of its kind; those that the kind does not know are last.
    fn rank(&self, name: &Name) -> usize {
        let kind = self.start.kind();
        let known = kind.fields().iter().position(|field| match &field.place {
            Place::Section { heading, .. } => heading.to_lowercase() == name.0,
            Place::Frontmatter | Place::Body => false,
        });
        known.unwrap_or(usize::MAX)
    }
}

impl<'a> Page<'a> {
    fn position(&self, name: &Name) -> Option<usize> {
        self.blocks.iter().position(|block| block.name == *name)
    }

    /// The blank lines behind a section that is not the last.
    fn gap(&self, name: &Name) -> Option<&'a str> {
        let at = self.position(name)?;
        (at + 1 < self.blocks.len()).then(|| self.blocks[at].rest)
    }
}
