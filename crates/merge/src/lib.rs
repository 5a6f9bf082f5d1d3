//! Merges three versions of a memory file by fields: what both sides added is kept, what only one
//! changed is taken, and words that both changed stand between git's markers. Bytes in, bytes out:
//! it knows no repository and no store. No rule asks which side is ours, so a rebase gives what a
//! merge gives.

mod body;
mod front;
mod items;
mod lines;
mod page;
mod rules;
mod three;
mod waiting;

use std::cmp::Ordering;

use oldhand_core::codec::markdown::{self, Origin};
use oldhand_core::kind::Kinds;
use oldhand_core::write;
use oldhand_text::hash::ContentHash;

use self::page::Page;
pub use self::three::Three;

/// As git writes them when nobody asks for another size.
pub const MARKER_SIZE: usize = 7;
/// A longer marker would only be a way to fill a disk.
const MARKER_SIZE_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    pub bytes: Vec<u8>,
    /// Places that a person has to settle, each between markers.
    pub conflicts: usize,
    /// What was decided without asking, one line each.
    pub notes: Vec<String>,
}

impl Merged {
    fn clean(text: &str) -> Self {
        Self { bytes: text.as_bytes().to_vec(), conflicts: 0, notes: Vec::new() }
    }
}

/// `path` is the file's place in the repository, as far as it is known: its name and folder stand
/// in for what the text leaves out.
pub fn merge(versions: Three<&[u8]>, path: &str, marker_size: usize) -> Merged {
    let size = marker_size.clamp(1, MARKER_SIZE_MAX);
    if let Some(settled) = versions.settled() {
        return Merged { bytes: settled.to_vec(), conflicts: 0, notes: Vec::new() };
    }
    match versions.try_map(|bytes| std::str::from_utf8(bytes).ok()) {
        Some(texts) => merge_texts(texts, path, size),
        None => merge_unknown_encoding(versions, size),
    }
}

/// One character per byte, and back: lines are found without knowing what they say.
fn merge_unknown_encoding(versions: Three<&[u8]>, size: usize) -> Merged {
    let texts = versions.map(|bytes| bytes.iter().map(|byte| char::from(*byte)).collect());
    let merged = merge_plain(texts.as_ref().map(String::as_str), size, "it is not UTF-8");
    let text = String::from_utf8_lossy(&merged.bytes);
    Merged { bytes: text.chars().filter_map(|c| u8::try_from(c).ok()).collect(), ..merged }
}

/// Line breaks of one style are merged as `\n`, and get the style back that counts.
fn merge_texts(texts: Three<&str>, path: &str, size: usize) -> Merged {
    let Some(styles) = texts.try_map(line_breaks) else { return merge_pages(texts, path, size) };
    let style = styles.settled().copied().unwrap_or("\n");
    if style == "\n" && styles.is_one() {
        return merge_pages(texts, path, size);
    }
    let plain = texts.map(|text| text.replace("\r\n", "\n"));
    let plain = plain.as_ref().map(String::as_str);
    let merged = match plain.settled() {
        Some(settled) => Merged::clean(settled),
        None => merge_pages(plain, path, size),
    };
    let text = String::from_utf8_lossy(&merged.bytes).replace('\n', style);
    Merged { bytes: text.into_bytes(), ..merged }
}

/// The one style of a text, `None` if it has several.
fn line_breaks(text: &str) -> Option<&'static str> {
    let (all, long) = (text.matches('\n').count(), text.matches("\r\n").count());
    match long {
        0 => Some("\n"),
        long if long == all => Some("\r\n"),
        _ => None,
    }
}

fn merge_pages(texts: Three<&str>, path: &str, size: usize) -> Merged {
    let Some(pages) = texts.pair().try_map(Page::parse) else {
        return merge_plain(texts, size, "a side can't be read");
    };
    if let Some(waiting) = waiting::merge(texts, pages.as_ref()) {
        return waiting;
    }
    if pages.ours.identity() != pages.theirs.identity() {
        return merge_plain(texts, size, "`id`, `type` or `schema_version` differ");
    }
    if pages.as_ref().into_iter().any(Page::is_newer) {
        return merge_plain(texts, size, "it was written by a newer version");
    }
    let base = Page::parse(texts.base);
    let start = match &base {
        Some(base) => base,
        None if is_first(&pages.ours, &pages.theirs) => &pages.ours,
        None => &pages.theirs,
    };
    let versions = Three { base: base.as_ref(), ours: &pages.ours, theirs: &pages.theirs };
    let mut merge = Merge::new(&versions, start, size);
    let text = merge.whole();
    let Merge { conflicts, notes, .. } = merge;
    if conflicts == 0
        && let Err(why) = check(&text, texts, start, path)
    {
        return merge_plain(texts, size, &why);
    }
    Merged { bytes: text.into_bytes(), conflicts, notes }
}

/// Both added the file: the result begins as the one that was there first.
fn is_first(ours: &Page<'_>, theirs: &Page<'_>) -> bool {
    let age =
        |page: &Page<'_>| (page.instant("created_at"), ContentHash::of(page.source.as_bytes()));
    let known = |page: &Page<'_>| page.instant("created_at").is_none();
    (known(ours), age(ours)) <= (known(theirs), age(theirs))
}

/// By lines, as git does without a driver.
fn merge_plain(texts: Three<&str>, size: usize, why: &str) -> Merged {
    let (text, conflicts) = lines::merge(texts, size);
    let notes = vec![format!("read as plain text: {why}")];
    Merged { bytes: text.into_bytes(), conflicts, notes }
}

/// A clean result must be a memory without a problem that neither side had.
fn check(text: &str, texts: Three<&str>, start: &Page<'_>, path: &str) -> Result<(), String> {
    let kinds = Kinds::default();
    let spec = kinds.spec(&start.kind());
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folder = folders.rsplit('/').next().filter(|it| !it.is_empty()).unwrap_or(&spec.folder);
    let stem = name.strip_suffix(".md").unwrap_or_else(|| start.name());
    let problems = |text: &str| {
        let parsed = markdown::parse(text, Origin { stem, folder }, &kinds)?;
        let checked = write::check(&parsed.memory, &kinds);
        Ok::<_, oldhand_core::codec_error::CodecError>([parsed.problems, checked].concat())
    };
    let found = problems(text).map_err(|error| error.to_string())?;
    let known = texts.pair().map(|side| problems(side).unwrap_or_default());
    let is_known = |field: &str| known.as_ref().into_iter().flatten().any(|it| it.field == field);
    found.iter().find(|it| !is_known(&it.field)).map_or(Ok(()), |new| Err(new.to_string()))
}

/// One merge of readable versions.
struct Merge<'a> {
    versions: &'a Three<Option<&'a Page<'a>>, &'a Page<'a>>,
    /// Whose bytes the result begins with.
    start: &'a Page<'a>,
    size: usize,
    /// How the times of the last change compare, ours with theirs.
    age: Ordering,
    conflicts: usize,
    notes: Vec<String>,
}

impl<'a> Merge<'a> {
    fn new(
        versions: &'a Three<Option<&'a Page<'a>>, &'a Page<'a>>,
        start: &'a Page<'a>,
        size: usize,
    ) -> Self {
        let changed = |page: &Page<'_>| page.instant("updated_at");
        let age = changed(versions.ours).cmp(&changed(versions.theirs));
        Self { versions, start, size, age, conflicts: 0, notes: Vec::new() }
    }

    fn whole(&mut self) -> String {
        let start = self.start;
        let frontmatter = self.frontmatter();
        let body = self.body();
        format!("{}{frontmatter}{}{body}", start.opening, start.closing)
    }

    fn note(&mut self, what: &str) {
        self.notes.push(format!("{}: {what}", self.start.name()));
    }

    /// The three texts between markers.
    fn conflict(&mut self, three: Three<&str>) -> String {
        self.conflicts += 1;
        lines::between_markers(three, self.size)
    }

    /// What both added, the side first that changed earlier, then by text.
    fn in_order<T: Ord>(&self, ours: Vec<T>, theirs: Vec<T>) -> Vec<T> {
        let ours_first = self.age.then_with(|| ours.cmp(&theirs)).is_le();
        let (first, second) = if ours_first { (ours, theirs) } else { (theirs, ours) };
        first.into_iter().chain(second).collect()
    }
}

#[cfg(test)]
mod tests;
