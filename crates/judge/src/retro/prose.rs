//! Lessons in text for people: bullets below headings that announce lessons, or else the
//! sentences that carry one. Code, quotes and tables are never lessons.

use std::collections::BTreeSet;

use super::{LessonDraft, draft, says_nothing};
use oldhand_core::codec::sections::Outside;
use oldhand_core::policy::RETRO_LESSONS_MAX;
use oldhand_text::sentence::{self, BOLD_LEVEL, folded, sentences};
use oldhand_text::strings::normalise_line;

/// At most one lesson more than are taken, so that a long text costs no more than a refusal needs.
pub(super) fn lessons(text: &str) -> Vec<LessonDraft> {
    let blocks = blocks(text);
    let sections = lesson_sections(&blocks);
    let texts: Vec<LessonText<'_>> = match sections.as_slice() {
        [] => blocks.iter().filter_map(Block::text).flat_map(telling_sentences).collect(),
        sections => sections.iter().flat_map(Section::lessons).collect(),
    };
    let mut known = BTreeSet::new();
    texts
        .into_iter()
        .filter(|lesson| known.insert(lesson.text.clone()))
        .filter_map(|lesson| lesson.draft())
        .take(RETRO_LESSONS_MAX + 1)
        .collect()
}

/// Sentences that became no lesson, nor a part of one. Headings, code, quotes and tables are none.
pub(super) fn left(text: &str, lessons: &[LessonDraft]) -> Vec<String> {
    let whole = |lesson: &LessonDraft| {
        let guidance = lesson.guidance.as_deref().unwrap_or_default();
        folded(&format!("{} {} {guidance}", lesson.title, lesson.summary))
    };
    let taken: Vec<String> = lessons.iter().map(whole).collect();
    let mut left = Vec::new();
    for said in blocks(text).iter().filter_map(Block::text) {
        let line = normalise_line(said);
        let is_left = |sentence: &&str| {
            let folded = folded(sentence);
            !says_nothing(sentence) && !taken.iter().any(|lesson| lesson.contains(&folded))
        };
        left.extend(sentences(&line).filter(is_left).map(str::to_owned));
    }
    left
}

/// A text that is a lesson, with the heading above it.
struct LessonText<'a> {
    text: String,
    heading: &'a str,
    /// The heading is the title of this lesson alone.
    is_titled: bool,
}

impl<'a> LessonText<'a> {
    fn new(text: &str, heading: &'a str) -> Self {
        Self { text: text.to_owned(), heading, is_titled: false }
    }

    fn draft(&self) -> Option<LessonDraft> {
        let lesson = draft::of_text(&self.text, self.heading)?;
        let title = draft::given_title(self.heading);
        Some(if self.is_titled { LessonDraft { title, ..lesson } } else { lesson })
    }
}

#[derive(Debug, PartialEq)]
enum Block {
    Heading { level: usize, text: String },
    Item(String),
    Paragraph(String),
}

impl Block {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Heading { .. } => None,
            Self::Item(text) | Self::Paragraph(text) => Some(text),
        }
    }
}

const LINE_HEADING_CHARS: usize = 60;

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut outside = Outside::default();
    // The indentation of the item that is open; a paragraph ends at a blank line.
    let mut item: Option<usize> = None;
    let mut after_blank = true;
    for line in text.lines() {
        let bare = line.trim();
        let indent = line.len() - line.trim_start().len();
        let inside_item = item.is_some_and(|open| indent > open);
        let is_text = outside.passes(line);
        if bare.is_empty() {
            after_blank = true;
        } else if !is_text && inside_item {
            append(&mut blocks, "\n", line.trim_start_matches(' '));
        } else if !is_text || bare.starts_with(['>', '|']) {
            (item, after_blank) = (None, true);
        } else if let Some(level) = underline(bare).filter(|_| !after_blank && item.is_none()) {
            make_heading(&mut blocks, level);
            after_blank = true;
        } else if let Some((level, text)) = heading_of(line, after_blank) {
            blocks.push(Block::Heading { level, text });
            (item, after_blank) = (None, true);
        } else if let Some(said) = sentence::item(bare).filter(|_| !inside_item) {
            blocks.push(Block::Item(said.to_owned()));
            (item, after_blank) = (Some(indent), false);
        } else if inside_item || (item.is_some() && !after_blank) {
            append(&mut blocks, "\n", bare);
            after_blank = false;
        } else if after_blank {
            blocks.push(Block::Paragraph(bare.to_owned()));
            (item, after_blank) = (None, false);
        } else {
            append(&mut blocks, " ", bare);
        }
    }
    blocks
}

fn append(blocks: &mut [Block], between: &str, line: &str) {
    if let Some(Block::Item(text) | Block::Paragraph(text)) = blocks.last_mut() {
        text.push_str(between);
        text.push_str(line);
    }
}

/// A line of `===` or `---` below a paragraph makes it a heading.
fn underline(bare: &str) -> Option<usize> {
    let all = |mark: char| bare.len() >= 3 && bare.chars().all(|c| c == mark);
    if all('=') { Some(1) } else { all('-').then_some(2) }
}

fn make_heading(blocks: &mut [Block], level: usize) {
    if let Some(block) = blocks.last_mut()
        && let Block::Paragraph(text) = block
    {
        *block = Block::Heading { level, text: std::mem::take(text) };
    }
}

/// A heading at the margin, a line in bold, or a short line with a colon behind a blank one.
fn heading_of(line: &str, after_blank: bool) -> Option<(usize, String)> {
    let bare = line.trim();
    let is_at_margin = !line.starts_with(' ');
    if let Some((level, text)) = sentence::heading(bare)
        && (level == BOLD_LEVEL || is_at_margin)
    {
        return Some((level, text.to_owned()));
    }
    let is_short = bare.chars().count() <= LINE_HEADING_CHARS && sentence::item(bare).is_none();
    let named = bare.strip_suffix(':').filter(|_| is_short && after_blank && is_at_margin)?;
    Some((BOLD_LEVEL, named.to_owned()))
}

const ANNOUNCING: &str = "lesson|lessons|learnings|i learned|we learned|was learned|takeaway|\
     takeaways|memory candidate|memory candidates|next time|do differently|went wrong|went well|\
     what worked|what didnt work|what did not work|what to remember|root cause|root causes";

/// Whether a folded text has one of the phrases, as whole words.
fn has_any(folded: &str, phrases: &str) -> bool {
    phrases.split('|').any(|phrase| folded.contains(&format!(" {phrase} ")))
}

fn opens_with(folded: &str, phrases: &str) -> bool {
    phrases.split('|').any(|phrase| folded.starts_with(&format!(" {phrase} ")))
}

/// What stands below one heading, down to the next.
#[derive(Default)]
struct Section<'a> {
    heading: &'a str,
    /// A heading inside a section of lessons names one lesson.
    is_inner: bool,
    items: Vec<&'a str>,
    paragraphs: Vec<&'a str>,
}

impl<'a> Section<'a> {
    fn lessons(&self) -> Vec<LessonText<'a>> {
        let whole = |text: &&str| LessonText::new(text, self.heading);
        if !self.items.is_empty() {
            let around = self.paragraphs.iter().flat_map(|text| telling_sentences(text));
            return self.items.iter().map(whole).chain(around).collect();
        }
        let said = self.paragraphs.iter().filter(|text| !text.ends_with(':'));
        if !self.is_inner {
            return said.map(whole).collect();
        }
        let text: Vec<&str> = said.copied().collect();
        vec![LessonText { is_titled: true, ..LessonText::new(&text.join("\n\n"), self.heading) }]
    }
}

fn lesson_sections(blocks: &[Block]) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut open: Option<usize> = None;
    for block in blocks {
        match (block, open) {
            (Block::Heading { level, text }, _) if has_any(&folded(text), ANNOUNCING) => {
                sections.push(Section { heading: text, ..Section::default() });
                // A heading of the same sort further down must not widen the section.
                open = Some(open.map_or(*level, |outer| outer.min(*level)));
            }
            (Block::Heading { level, text }, Some(outer)) if *level > outer => {
                let is_inner = !says_nothing(text);
                sections.push(Section { heading: text, is_inner, ..Section::default() });
            }
            (Block::Heading { .. }, _) => open = None,
            (Block::Item(text), Some(_)) => {
                sections.last_mut().into_iter().for_each(|section| section.items.push(text));
            }
            (Block::Paragraph(text), Some(_)) => {
                sections.last_mut().into_iter().for_each(|section| section.paragraphs.push(text));
            }
            _ => {}
        }
    }
    sections
}

/// The sentences that carry a lesson, each with those behind it that only explain it.
fn telling_sentences(text: &str) -> Vec<LessonText<'static>> {
    let line = normalise_line(text);
    let mut lessons: Vec<LessonText<'static>> = Vec::new();
    let mut follows = false;
    for sentence in sentences(&line) {
        let folded = folded(sentence);
        if carries_lesson(sentence, &folded) {
            lessons.push(LessonText::new(sentence, ""));
            follows = true;
        } else if follows
            && opens_with(&folded, EXPLAINING)
            && let Some(last) = lessons.last_mut()
        {
            last.text.push(' ');
            last.text.push_str(sentence);
        } else {
            follows = false;
        }
    }
    lessons
}

/// A sentence with a lesson begins with one of these: orders, and what announces itself.
const OPENING: &str = "always|never|avoid|make sure|be sure to|lesson|lessons learned|takeaway|\
     key takeaway|note to self|remember to";

/// Or has one of these anywhere.
const ANYWHERE: &str = "next time|we should have|i should have|should have been|shouldve|\
     should not have|shouldnt have|turned out|turns out|root cause was|root cause is|\
     lesson learned|the lesson|i learned|we learned|learned that|learnt that|from now on|\
     going forward|in future|in the future|must never|must always|should always|should never";

/// Small talk that has the words of a lesson.
const EMPTY: &str = "never mind|never seen|never saw|never had|never been|turned out fine|\
     turned out well|turned out great|turned out ok|turned out good|see you next time|\
     until next time";

/// A sentence that begins with one of these only explains the one before it.
const EXPLAINING: &str = "because|otherwise|this is because|that is because|that way|this way|\
     instead";

fn carries_lesson(sentence: &str, folded: &str) -> bool {
    let is_short = folded.split(' ').count() < 6;
    if sentence.ends_with('?') || is_short || has_any(folded, EMPTY) {
        return false;
    }
    let forbids =
        opens_with(folded, "dont|do not") && has_any(folded, "because|since|otherwise|instead");
    forbids || opens_with(folded, OPENING) || has_any(folded, ANYWHERE)
}
