//! One version of a file, divided into the pieces that are merged: keys with their lines, and
//! headings with the text below them. All pieces together are the file's bytes.

use jiff::Timestamp;
use oldhand_core::codec::document::{Document, Section};
use oldhand_core::kind::Kind;
use oldhand_core::memory::{Memory, SCHEMA_VERSION};
use oldhand_core::write;
use oldhand_core::yaml::{Yaml, parse_map};
use oldhand_text::time::parse_instant;

#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub(crate) source: &'a str,
    /// Up to and with the first fence.
    pub(crate) opening: &'a str,
    pub(crate) keys: Vec<Key<'a>>,
    /// Comments behind the last key.
    pub(crate) after_keys: &'a str,
    pub(crate) closing: &'a str,
    /// The first is what stands above all headings.
    pub(crate) blocks: Vec<Block<'a>>,
}

/// A key with all its lines.
#[derive(Debug)]
pub(crate) struct Key<'a> {
    pub(crate) name: String,
    /// Comments and blank lines above it.
    pub(crate) lead: &'a str,
    pub(crate) raw: &'a str,
    pub(crate) value: Yaml,
}

/// A heading and the text below it.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    /// The heading in lower case, and which of several equal ones it is.
    pub(crate) name: (String, usize),
    /// The line of the heading.
    pub(crate) head: &'a str,
    pub(crate) core: &'a str,
    /// What follows the last line that says something.
    pub(crate) rest: &'a str,
}

impl<'a> Page<'a> {
    /// `None` for what is no memory file, or whose keys don't begin their lines.
    pub(crate) fn parse(source: &'a str) -> Option<Self> {
        let document = Document::parse(source).ok()?;
        let within = document.frontmatter.clone()?;
        let values = parse_map(document.frontmatter_text()).ok()?;
        let names = document.entries.iter().map(|entry| &entry.key);
        if !values.iter().map(|(name, _)| name).eq(names) {
            return None;
        }
        let mut end = within.start;
        let mut keys = Vec::with_capacity(values.len());
        for ((name, value), entry) in values.into_iter().zip(&document.entries) {
            let lead = &source[end..entry.range.start];
            keys.push(Key { name, lead, raw: &source[entry.range.clone()], value });
            end = entry.range.end;
        }
        Some(Self {
            source,
            opening: &source[..within.start],
            keys,
            after_keys: &source[end..within.end],
            closing: &source[within.end..document.body.start],
            blocks: blocks_of(&document),
        })
    }

    pub(crate) fn key(&self, name: &str) -> Option<&Key<'a>> {
        self.keys.iter().find(|key| key.name == name)
    }

    pub(crate) fn value(&self, name: &str) -> Option<&Yaml> {
        self.key(name).map(|key| &key.value).filter(|value| !value.is_null())
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_text()
    }

    pub(crate) fn instant(&self, name: &str) -> Option<Timestamp> {
        self.text(name).and_then(parse_instant)
    }

    pub(crate) fn block(&self, name: &(String, usize)) -> Option<&Block<'a>> {
        self.blocks.iter().find(|block| block.name == *name)
    }

    pub(crate) fn name(&self) -> &str {
        self.text("id").unwrap_or("memory")
    }

    pub(crate) fn kind(&self) -> Kind {
        Kind::named(self.text("type").unwrap_or_default())
    }

    /// What never differs between two versions of one memory.
    pub(crate) fn identity(&self) -> [Option<&str>; 3] {
        [self.text("id"), self.text("type"), Some(self.schema())]
    }

    fn schema(&self) -> &str {
        self.text("schema_version").unwrap_or(SCHEMA_VERSION)
    }

    pub(crate) fn is_newer(&self) -> bool {
        let schema_version = self.schema().to_owned();
        write::refuse_newer(&Memory { schema_version, ..Memory::default() }).is_err()
    }
}

fn blocks_of<'a>(document: &Document<'a>) -> Vec<Block<'a>> {
    let source = document.source;
    let (core, rest) = divided(&source[document.preamble()]);
    let mut blocks = vec![Block { name: (String::new(), 0), head: "", core, rest }];
    for Section { heading, range, text } in &document.sections {
        let heading = heading.to_lowercase();
        let before = blocks.iter().filter(|block| block.name.0 == heading).count();
        let (core, rest) = divided(&source[text.clone()]);
        let head = &source[range.start..text.start];
        blocks.push(Block { name: (heading, before), head, core, rest });
    }
    blocks
}

/// The lines that say something, without the last line break, and the rest.
fn divided(text: &str) -> (&str, &str) {
    let said = text.trim_end().len();
    let end = text[said..].find(['\r', '\n']).map_or(text.len(), |at| said + at);
    if said == 0 { ("", text) } else { text.split_at(end) }
}
