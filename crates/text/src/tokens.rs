//! The one token counter: an estimate of how many tokens a modern byte pair tokenizer (o200k) makes of a text, rounded
//! up so that a budget holds. It has no vocabulary.
//!
//! Every character is one event: its kind, in its place. An event has a weight, the weights are added up, a margin
//! comes on top. Weights are never negative, so a longer text never counts less. `tools/tokens` measures the error
//! against real tokenizers and refits [`WEIGHTS`].

#[cfg(test)]
mod tests;

/// What `tools/tokens fit` prints, in thousandths of a token: a row per `Group`, a column per place.
#[rustfmt::skip]
pub const WEIGHTS: [[u16; COLUMNS]; GROUPS] = [
    [850, 994, 953, 229, 22, 0, 599, 810, 896, 0, 636, 80, 0, 0, 0, 0], // FirstSmall
    [940, 1275, 919, 666, 0, 1408, 714, 742, 934, 894, 581, 928, 0, 0, 0, 0], // FirstCapital
    [126, 7, 32, 149, 660, 109, 731, 0, 0, 0, 0, 0, 0, 0, 0, 0], // TailSpaced
    [0, 48, 104, 326, 435, 165, 976, 0, 0, 0, 0, 0, 0, 0, 0, 0], // TailBare
    [54, 48, 150, 299, 316, 275, 470, 0, 0, 0, 0, 0, 0, 0, 0, 0], // TailStrange
    [104, 74, 235, 409, 328, 453, 586, 0, 0, 0, 0, 0, 0, 0, 0, 0], // TailAccent
    [37, 155, 267, 359, 385, 413, 417, 0, 0, 0, 0, 0, 0, 0, 0, 0], // TailFarAccent
    [300, 350, 350, 400, 450, 350, 170, 0, 0, 0, 0, 0, 0, 0, 0, 0], // TailMixed
    [94, 192, 285, 450, 500, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], // TailCapitals
    [607, 998, 727, 558, 510, 469, 897, 349, 745, 979, 715, 1798, 1376, 3000, 4512, 0], // ScriptFirst
    [375, 552, 278, 436, 360, 465, 441, 437, 309, 578, 606, 1226, 847, 2500, 4047, 0], // ScriptNext
    [0, 1033, 6, 615, 23, 21, 174, 758, 997, 991, 1993, 1000, 1000, 0, 429, 555], // White
    [236, 269, 269, 511, 234, 248, 751, 365, 63, 51, 71, 216, 966, 838, 970, 961], // Mark
    [96, 302, 1133, 1185, 1282, 1423, 2106, 796, 1487, 604, 1833, 1215, 1263, 553, 630, 149], // Symbol
];
pub const COLUMNS: usize = 16;
pub const GROUPS: usize = 14;

/// Up to here the margin is a share of the text, in parts of a thousand: about 80 tokens.
const MARGIN_SHORT: u64 = 140;
/// The margin of a long text: a share in parts of a thousand, and this many thousandths of the root of its tokens.
/// Errors of words even out, errors of a whole text do not.
const MARGIN_LONG: u64 = 45;
const MARGIN_ROOT: u64 = 850;

/// The tokens of `text`: at least the true number for 99 in 100 memories, about a tenth too many on average.
pub fn count(text: &str) -> usize {
    of_weight(weight(text)).max(usize::from(!text.is_empty()))
}

/// In thousandths of a token, before the margin: what adds up, piece by piece.
pub fn weight(text: &str) -> u64 {
    events(text).map(|event| u64::from(WEIGHTS.as_flattened()[event])).sum()
}

/// The tokens of a text with this weight, with the margin. More weight is never fewer tokens.
pub fn of_weight(sum: u64) -> usize {
    let long = sum * MARGIN_LONG / 1000 + MARGIN_ROOT * (sum * 1000).isqrt() / 1000;
    let short = sum * MARGIN_SHORT / 1000;
    let tokens = (sum + short.min(long)).div_ceil(1000);
    usize::try_from(tokens).unwrap_or(usize::MAX)
}

/// One event per character, as `group * COLUMNS + column`: what the weights are fitted on.
pub fn events(text: &str) -> impl Iterator<Item = usize> {
    let mut walk = Walk { strange: STRANGE_START, ..Walk::default() };
    text.chars().map(move |c| walk.step(c))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Group {
    FirstSmall,
    FirstCapital,
    /// Further letters, by the length of the word so far: English behind a space, English elsewhere, no sign of
    /// English lately, accents around, behind a digit, capitals.
    #[default]
    TailSpaced,
    TailBare,
    TailStrange,
    TailAccent,
    TailFarAccent,
    TailMixed,
    TailCapitals,
    ScriptFirst,
    ScriptNext,
    /// Blanks, line ends and digits.
    White,
    Mark,
    /// Symbols, and letters with accents.
    Symbol,
}

impl Group {
    /// A character in its place: where its weight stands, counted over all rows.
    fn at(self, column: usize) -> usize {
        self as usize * COLUMNS + column
    }
}

/// What stands before the next character. Marks are signs, symbols and emoji.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Before {
    #[default]
    Start,
    Line,
    Space,
    Mark,
    Letter,
    Digit,
}

/// The reader's place in a text.
#[derive(Debug, Default)]
struct Walk {
    before: Before,
    last: char,
    /// Characters of the current run: of a word, a number, blanks or marks.
    run: usize,
    /// The current run follows a space, and a tokenizer takes the two as one piece.
    spaced: bool,
    /// The current word has had capitals only.
    capitals: bool,
    /// The last four letters of the current word.
    key: u32,
    /// The weights for the next letters of the current word.
    tail: Group,
    /// Words since the last sign of English.
    strange: u32,
    /// Words for which an accent still tells the language: of Latin-1 and of the rest of Latin.
    accent: u32,
    far_accent: u32,
}

/// English comes by with one of its small words this often; without one for longer, words are taken as rarer.
const STRANGE_WORDS: u32 = 10;
/// With accents around, fewer words without a sign of English do.
const STRANGE_WORDS_ACCENT: u32 = 3;
/// A text starts as half a stranger.
const STRANGE_START: u32 = 4;
const ACCENT_WORDS: u32 = 40;
/// Signs of English: words, or the ends of longer ones, that few other languages write.
#[rustfmt::skip]
const ENGLISH: [[u8; 4]; 32] = [
    *b"\0\0of", *b"\0\0to", *b"\0\0is", *b"\0\0be", *b"\0\0if", *b"\0\0or", *b"\0\0by", *b"\0\0it",
    *b"\0the", *b"\0and", *b"\0for", *b"\0are", *b"\0not", *b"\0you", *b"\0use", *b"\0all",
    *b"\0can", *b"\0has", *b"\0new", *b"\0but", *b"with", *b"that", *b"from", *b"this",
    *b"when", *b"into", *b"only", *b"must", *b"each", *b"else", *b"self", *b"then",
];

impl Walk {
    // Inlined with `small`: the place stays in registers, which is a quarter of the time.
    #[inline(always)]
    fn step(&mut self, c: char) -> usize {
        let event = match c {
            'a'..='z' => self.small(c),
            ' ' => self.space(),
            'A'..='Z' => self.capital(),
            '0'..='9' => self.digit(),
            '\n' | '\r' => self.line(),
            '\t' => self.tab(),
            _ if c.is_ascii() => self.mark(c),
            _ => self.wide(c),
        };
        self.last = c;
        event
    }

    #[inline(always)]
    fn small(&mut self, c: char) -> usize {
        if self.before != Before::Letter {
            let column = self.begin_word();
            self.capitals = false;
            self.key = u32::from(c);
            return Group::FirstSmall.at(column);
        }
        self.run += 1;
        self.key = self.key << 8 | u32::from(c);
        let after_capitals = self.capitals && self.run > 2;
        self.capitals = false;
        if after_capitals {
            // `HTTPServer`: the small letter tells that a second word began one letter ago.
            return Group::FirstCapital.at(10);
        }
        let doubled = c == self.last && matches!(c, 'a' | 'i' | 'u');
        let rare = matches!(c, 'j' | 'k' | 'w' | 'z');
        let column = if rare { 5 } else { length_class(self.run) };
        self.tail.at(if doubled { 6 } else { column })
    }

    fn capital(&mut self) -> usize {
        if self.before == Before::Letter && self.capitals {
            self.run += 1;
            return Group::TailCapitals.at(length_class(self.run));
        }
        let column = self.begin_word();
        self.capitals = true;
        Group::FirstCapital.at(column)
    }

    /// The column says how the word is joined to what stands before it.
    fn begin_word(&mut self) -> usize {
        let column = match self.before {
            Before::Space => 0,
            Before::Start | Before::Line => 1,
            Before::Mark if self.spaced || self.run > 1 => 2,
            // A single mark and the word behind it are one piece to a tokenizer.
            Before::Mark => match self.last {
                '-' => 3,
                '_' | '.' | '(' | ',' => 4,
                '\'' => 5,
                '/' | '<' | '=' | '&' => 6,
                ':' | '@' | '[' | '`' | '"' | '|' | '>' | '#' | '+' => 7,
                _ => 11,
            },
            Before::Digit => 8,
            Before::Letter => 9,
        };
        self.accent = self.accent.saturating_sub(1);
        self.far_accent = self.far_accent.saturating_sub(1);
        self.tail = match self.strange {
            _ if self.before == Before::Digit => Group::TailMixed,
            // Once a run has had digits, its letters are those of a key or a hash.
            _ if self.before == Before::Letter && self.tail == Group::TailMixed => Group::TailMixed,
            STRANGE_WORDS_ACCENT.. if self.far_accent > 0 => Group::TailFarAccent,
            STRANGE_WORDS_ACCENT.. if self.accent > 0 => Group::TailAccent,
            STRANGE_WORDS.. => Group::TailStrange,
            _ if column == 0 => Group::TailSpaced,
            _ => Group::TailBare,
        };
        self.spaced = column == 0;
        self.before = Before::Letter;
        self.run = 1;
        self.key = 0;
        column
    }

    fn end_word(&mut self) {
        if self.before != Before::Letter || !self.spaced {
            return;
        }
        // All are compared: leaving early would cost more in mispredicted branches.
        let key = self.key.to_be_bytes();
        let english = ENGLISH.iter().fold(false, |found, word| found | (*word == key));
        if english {
            self.strange = 0;
        } else if self.run >= 4 {
            self.strange = self.strange.saturating_add(1);
        }
    }

    fn digit(&mut self) -> usize {
        if self.before == Before::Digit {
            self.run += 1;
            // A token holds three digits at most.
            return Group::White.at(if self.run % 3 == 1 { 12 } else { 13 });
        }
        let column = if self.before == Before::Space { 10 } else { 11 };
        self.before = Before::Digit;
        self.run = 1;
        Group::White.at(column)
    }

    fn space(&mut self) -> usize {
        self.end_word();
        if self.before == Before::Space {
            self.run += 1;
            return Group::White.at(if self.run == 2 { 1 } else { 2 });
        }
        self.before = Before::Space;
        self.run = 1;
        // Free: it is counted with what follows.
        Group::White.at(0)
    }

    fn tab(&mut self) -> usize {
        self.end_word();
        let column = if self.before == Before::Space { 14 } else { 3 };
        self.run = if self.before == Before::Space { self.run + 1 } else { 1 };
        self.before = Before::Space;
        Group::White.at(column)
    }

    fn line(&mut self) -> usize {
        self.end_word();
        let column = match self.before {
            Before::Start | Before::Line => 4,
            // Marks and the line ends behind them are one piece.
            Before::Mark if matches!(self.last, '`' | '=' | '~' | '+') => 15,
            Before::Mark if self.run < 3 => 5,
            Before::Mark => 6,
            Before::Space => 7,
            Before::Letter => 8,
            Before::Digit => 9,
        };
        self.before = Before::Line;
        self.run = 1;
        Group::White.at(column)
    }

    fn mark(&mut self, c: char) -> usize {
        let kind = match c {
            '(' | '[' | '{' | '<' => 0,
            ')' | ']' | '}' | '>' => 1,
            '`' | '"' | '\'' => 2,
            '*' | '_' | '~' | '#' => 3,
            '.' | ',' | ':' | ';' | '!' | '?' => 4,
            '/' | '\\' => 5,
            '-' | '=' | '+' | '|' => 6,
            _ => 7,
        };
        let before = self.join_marks();
        match before {
            Before::Mark if c != self.last => Group::Mark.at(kind),
            // Rulers and headings have tokens of their own.
            Before::Mark if matches!(kind, 3 | 6) => {
                Group::Mark.at(if self.run <= 4 { 8 } else { 9 })
            }
            Before::Mark => Group::Mark.at(if self.run <= 4 { 10 } else { 11 }),
            Before::Space => Group::Mark.at(12),
            // `don't` is one piece.
            Before::Letter if c == '\'' => Group::FirstSmall.at(10),
            Before::Letter | Before::Digit if matches!(kind, 0 | 2) => Group::Mark.at(13),
            Before::Letter | Before::Digit => Group::Mark.at(14),
            Before::Start | Before::Line => Group::Mark.at(15),
        }
    }

    /// Makes the character a part of a run of marks; returns what stood before it.
    fn join_marks(&mut self) -> Before {
        let before = self.before;
        if before == Before::Mark {
            self.run += 1;
        } else {
            self.end_word();
            self.spaced = before == Before::Space;
            self.before = Before::Mark;
            self.run = 1;
        }
        before
    }

    fn wide(&mut self, c: char) -> usize {
        let script = match c {
            '\u{c0}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}' => return self.accented(c),
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => 0,
            'є' | 'і' | 'ї' | 'ґ' => 1,
            '\u{400}'..='\u{52f}' => 2,
            '\u{590}'..='\u{5ff}' => 3,
            '\u{600}'..='\u{77f}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' => 4,
            '\u{900}'..='\u{97f}' => 5,
            '\u{980}'..='\u{dff}' => 6,
            '\u{e00}'..='\u{e7f}' => 7,
            '\u{530}'..='\u{58f}' | '\u{10a0}'..='\u{10ff}' => 8,
            '\u{ac00}'..='\u{d7af}' => 9,
            '\u{3040}'..='\u{30ff}' => 10,
            // Ideographs under radicals that simplified Chinese writes differently: rarer in vocabularies.
            '\u{7cf8}'..='\u{7e9e}'
            | '\u{8a00}'..='\u{8b9f}'
            | '\u{8c9d}'..='\u{8d1c}'
            | '\u{8eca}'..='\u{8f65}'
            | '\u{91d2}'..='\u{9484}'
            | '\u{9580}'..='\u{95e7}'
            | '\u{9801}'..='\u{9874}' => 11,
            '\u{4e00}'..='\u{9fff}' => 12,
            '\u{780}'..='\u{8ff}'
            | '\u{e80}'..='\u{1dff}'
            | '\u{2c00}'..='\u{2dff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{a000}'..='\u{abff}' => 13,
            '\u{10000}'..='\u{1cfff}' | '\u{20000}'..='\u{3ffff}' => 14,
            _ => return self.symbol(c),
        };
        self.capitals = false;
        if self.before != Before::Letter {
            self.begin_word();
            self.key = u32::from(c);
            return Group::ScriptFirst.at(script);
        }
        self.run += 1;
        self.key = u32::from(c);
        Group::ScriptNext.at(script)
    }

    /// A Latin letter that is not ASCII, or a mark that combines with the letter before it.
    fn accented(&mut self, c: char) -> usize {
        let first = self.before != Before::Letter;
        if first {
            self.begin_word();
        } else {
            self.run += 1;
        }
        self.accent = ACCENT_WORDS;
        if ('\u{100}'..'\u{300}').contains(&c) {
            self.far_accent = ACCENT_WORDS;
        }
        self.tail = if self.far_accent > 0 { Group::TailFarAccent } else { Group::TailAccent };
        self.capitals = false;
        self.key = u32::from(c);
        Group::Symbol.at(match c {
            '\u{300}'..='\u{36f}' => 10,
            ..'\u{100}' if first => 11,
            _ if first => 12,
            ..'\u{100}' => 13,
            ..'\u{300}' => 14,
            _ => 15,
        })
    }

    fn symbol(&mut self, c: char) -> usize {
        let same = self.join_marks() == Before::Mark && c == self.last;
        Group::Symbol.at(match c {
            // Emoji; and what no vocabulary knows, byte for byte.
            '\u{1f000}'.. | '\u{e000}'..='\u{f8ff}' => 6,
            '\u{2500}'..='\u{259f}' if same => 0,
            _ if same => 1,
            '\u{2010}'..='\u{2027}' => 2,
            '\u{2190}'..='\u{22ff}' => 3,
            '\u{2500}'..='\u{259f}' => 4,
            '\u{2600}'..='\u{27bf}' => 5,
            '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}' => 7,
            ..'\u{800}' => 8,
            _ => 9,
        })
    }
}

/// Words of up to twelve letters are often one token, longer ones seldom.
fn length_class(letters: usize) -> usize {
    [2, 5, 12, 16].iter().filter(|most| letters > **most).count()
}
