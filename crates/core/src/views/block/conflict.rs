//! A page on which git left a conflict. What is between the marks of a block is made from the memories, so
//! nobody has to choose there; what is outside stays for whoever wrote it.

use super::{BEGIN, END, find};

/// The page with one block and without the conflicts in it; `None` where none is in it, or where nobody can
/// say what of the page is the block.
pub fn without_conflict(name: &str, page: &str) -> Option<String> {
    let (mut out, mut is_touched) = (String::new(), false);
    let (mut ours, mut theirs) = (Side::default(), Side::default());
    let mut lines = page.split_inclusive('\n');
    while let Some(line) = lines.next() {
        if !line.starts_with("<<<<<<< ") {
            ours.takes(line);
            theirs.takes(line);
            out.push_str(line);
            continue;
        }
        let hunk = Hunk::read(line, &mut lines)?;
        let (one, other) = (ours.parts(&hunk.ours), theirs.parts(&hunk.theirs));
        if one.block.is_empty() && other.block.is_empty() {
            out.push_str(&hunk.text);
            continue;
        }
        is_touched = true;
        hunk.outside(&one.above, &other.above, &mut out);
        out.push_str(if one.block.is_empty() { &other.block } else { &one.block });
        hunk.outside(&one.below, &other.below, &mut out);
        if ours.is_inside != theirs.is_inside {
            return None;
        }
    }
    (is_touched && matches!(find(name, &out), Ok(Some(_)))).then_some(out)
}

/// One side's way through the page.
#[derive(Default)]
struct Side {
    is_inside: bool,
}

/// What one side of a conflict says above, in and below the block.
#[derive(Default)]
struct Parts {
    above: String,
    block: String,
    below: String,
}

impl Side {
    /// Whether a line is one of the block.
    fn takes(&mut self, line: &str) -> bool {
        let bare = line.trim();
        let is_end = bare == END;
        let is_ours = self.is_inside || is_end || bare.starts_with(BEGIN);
        self.is_inside = is_ours && !is_end;
        is_ours
    }

    fn parts(&mut self, lines: &[&str]) -> Parts {
        let mut parts = Parts::default();
        for line in lines {
            let place = match self.takes(line) {
                true => &mut parts.block,
                false if parts.block.is_empty() => &mut parts.above,
                false => &mut parts.below,
            };
            place.push_str(line);
        }
        parts
    }
}

/// A conflict as git writes it.
struct Hunk<'p> {
    text: String,
    begin: &'p str,
    middle: &'p str,
    end: &'p str,
    ours: Vec<&'p str>,
    theirs: Vec<&'p str>,
}

impl<'p> Hunk<'p> {
    /// `None` if it has no end.
    fn read(begin: &'p str, lines: &mut impl Iterator<Item = &'p str>) -> Option<Self> {
        let (ours, theirs) = (Vec::new(), Vec::new());
        let mut hunk = Self { text: begin.to_owned(), begin, middle: "", end: "", ours, theirs };
        let mut is_base = false;
        for line in lines {
            hunk.text.push_str(line);
            if line.starts_with(">>>>>>> ") {
                hunk.end = line;
                return (!hunk.middle.is_empty()).then_some(hunk);
            } else if line.trim_end() == "=======" {
                hunk.middle = line;
            } else if line.starts_with("||||||| ") {
                is_base = true;
            } else if !hunk.middle.is_empty() {
                hunk.theirs.push(line);
            } else if !is_base {
                hunk.ours.push(line);
            }
        }
        None
    }

    /// Text that is not ours: once if both sides agree, else both, for a person to choose.
    fn outside(&self, one: &str, other: &str, out: &mut String) {
        if one == other {
            out.push_str(one);
            return;
        }
        for part in [self.begin, one, self.middle, other, self.end] {
            out.push_str(part);
        }
    }
}
