//! What a value looks like: its characters, its randomness, and whether it only stands for a secret.

/// How far matchers look behind an anchor: the scan stays linear in a text of nothing but anchors.
pub(super) const REACH: usize = 256;

/// Shannon entropy, in bits per character, that a named value must exceed to count as random.
/// English words and identifiers stay below it or fail [`churn`].
const MIN_ENTROPY: f64 = 3.5;
/// The same for hexadecimal values and for values under 24 characters, which can't reach it.
const MIN_ENTROPY_NARROW: f64 = 2.9;
/// The least share of neighbouring characters that change class (see [`churn`]). Random base-36 has
/// about 0.4, base-62 about 0.44, hexadecimal 0.47; names with a number in them stay below 0.15.
const MIN_CHURN: f64 = 0.18;
/// The same for a word under [`MIN_NAMED`] characters.
const MIN_CHURN_WORD: f64 = 0.25;
/// The shortest word that a name alone can make a secret, if it is surely one value.
const MIN_WORD: usize = 12;
/// The shortest random part that counts beside a word such as `test`.
const MIN_CORE: usize = 20;
/// The shortest value that a name alone can make a secret.
const MIN_NAMED: usize = 16;

/// Parts of a value which say that it is a stand-in.
const STAND_INS: &str = "example placeholder changeme change-me change_me your- your_ yourpass \
    yourkey yourtoken yoursecret redacted dummy replace insert- insert_ xxxx **** .... -here \
    _here tokenhere keyhere notreal not-real not_real not-a- not_a_";

/// Further parts that are too short or too common to excuse a token with an issuer's own prefix.
const SEQUENCES: &str = "1234567 abcdef sha1- sha256 sha384 sha512 md5:";

/// Words that excuse a named value unless what stands beside them is random.
const SAMPLE_WORDS: &str = "fake mock todo sample test- test_ -test _test mysecret my- my_";

/// Parts of short values that are samples, or the names of algorithms and encodings.
const WORDS_IN_SAMPLES: &str = "pass secret test user admin argon bcrypt scrypt pbkdf sha md5 utf base \
    0x";

/// A set of bytes that the body of a token may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Hex,
    Upper,
    Uuid,
    Alnum,
    Word,
    /// Base64url.
    Url,
    /// Base64url with `.` between parts.
    Dotted,
    /// Both base64 alphabets and padding.
    Base64,
    /// The `crypt` family of password hashes.
    Crypt,
}

impl Class {
    pub(super) fn has(self, b: u8) -> bool {
        let signs: &[u8] = match self {
            Class::Hex => return b.is_ascii_hexdigit(),
            Class::Upper => return b.is_ascii_uppercase() || b.is_ascii_digit(),
            Class::Uuid => return b.is_ascii_hexdigit() || b == b'-',
            Class::Alnum => b"",
            Class::Word => b"_",
            Class::Url => b"_-",
            Class::Dotted => b"_-.",
            Class::Base64 => b"_-+/=",
            Class::Crypt => b"./$=,+",
        };
        b.is_ascii_alphanumeric() || signs.contains(&b)
    }
}

/// The end of the run of `class` that starts at `from`, at most `cap` bytes on.
pub(super) fn run_end(text: &[u8], from: usize, cap: usize, class: Class) -> usize {
    end_while(text, from, cap, |b| class.has(b))
}

/// The same for bytes that a closure knows.
pub(super) fn end_while(text: &[u8], from: usize, cap: usize, is: impl Fn(u8) -> bool) -> usize {
    from + text.iter().skip(from).take(cap).take_while(|&&b| is(b)).count()
}

/// The start of the run of `class` that ends at `to`, at most `cap` bytes back.
pub(super) fn run_start(text: &[u8], to: usize, cap: usize, class: Class) -> usize {
    let before = text.get(..to).unwrap_or_default();
    to - before.iter().rev().take(cap).take_while(|&&b| class.has(b)).count()
}

/// Whether a token can start at `at`: not inside a word. The letter of an escape such as `\n` and
/// the digits of `%3D` belong to what stands before, as texts quote JSON and URLs.
pub(super) fn starts_token(text: &[u8], at: usize) -> bool {
    let back = |n: usize| at.checked_sub(n).and_then(|i| text.get(i)).copied();
    match back(1) {
        Some(b) if b.is_ascii_alphanumeric() => {
            (back(2) == Some(b'\\') && matches!(b, b'n' | b'r' | b't'))
                || (back(3) == Some(b'%') && b.is_ascii_hexdigit())
        }
        _ => true,
    }
}

/// Whether the body of a token with an issuer's prefix varies as a generated one does.
pub(super) fn is_generated(body: &[u8], class: Class) -> bool {
    let kinds = Kinds::of(body);
    let mixed = match class {
        Class::Hex | Class::Uuid => kinds.digits > 0,
        Class::Upper => true,
        // Without a digit it may be a name in camel case.
        _ => kinds.alnum_kinds() >= 2 && (kinds.digits > 0 || churn(body) >= MIN_CHURN),
    };
    let variety = if matches!(class, Class::Hex | Class::Uuid) { 6 } else { 8 };
    // AWS's published `AKIA...EXAMPLE` is let fire although it opens nothing: it is what people try
    // a scanner with, and texts quote it too seldom for the refusal to hurt.
    let excused = || class != Class::Upper && holds_any(body, STAND_INS);
    mixed && distinct(body) >= variety && !excused()
}

/// Whether a value with a telling name is random enough to be a secret, not a word, path or name.
pub(super) fn is_random(value: &[u8]) -> bool {
    if value.len() < MIN_NAMED || !value.iter().all(u8::is_ascii_graphic) {
        return false;
    }
    let kinds = Kinds::of(value);
    if kinds.digits == 0 || kinds.lower + kinds.upper < 3 {
        return false;
    }
    varies(value) && !is_stand_in(value)
}

/// Whether characters vary as drawn ones do, and not as those of words and names.
fn varies(value: &[u8]) -> bool {
    let narrow = value.len() < 24 || value.iter().all(|&b| Class::Uuid.has(b));
    let floor = if narrow { MIN_ENTROPY_NARROW } else { MIN_ENTROPY };
    entropy(value) > floor && (churn(value) >= MIN_CHURN || is_unpronounceable(value))
}

/// The same for a value that is too short for [`is_random`] and surely one value.
pub(super) fn is_random_word(value: &[u8]) -> bool {
    (MIN_WORD..MIN_NAMED).contains(&value.len())
        && value.iter().all(|&b| Class::Base64.has(b) && b != b'/')
        && Kinds::of(value).digits > 0
        && entropy(value) > MIN_ENTROPY_NARROW
        && churn(value) >= MIN_CHURN_WORD
        && !holds_any(value, WORDS_IN_SAMPLES)
        && !is_stand_in(value)
}

/// Whether `value` is one long word of letters that spell nothing; for values that are surely one.
pub(super) fn is_letter_salad(value: &[u8]) -> bool {
    value.len() >= MIN_WORD
        && value.iter().all(u8::is_ascii_alphabetic)
        && entropy(value) > MIN_ENTROPY_NARROW
        && is_unpronounceable(value)
        && !is_stand_in(value)
}

/// Whether `value` is a long number that was drawn rather than counted.
pub(super) fn is_number(value: &[u8]) -> bool {
    value.len() >= MIN_NAMED
        && value.iter().all(u8::is_ascii_digit)
        && distinct(value) >= 6
        && !is_stand_in(value)
}

/// Whether the letters of `value` are drawn evenly: the rare ones as often as the others, and
/// consonants in rows. Values with few digits show it where [`churn`] does not.
fn is_unpronounceable(value: &[u8]) -> bool {
    let (mut letters, mut rare, mut row, mut longest) = (0_usize, 0_usize, 0_usize, 0_usize);
    for b in value.iter().map(u8::to_ascii_lowercase) {
        let is_consonant = b.is_ascii_lowercase() && !b"aeiouy".contains(&b);
        letters += usize::from(b.is_ascii_lowercase());
        rare += usize::from(b"jkqvwxz".contains(&b));
        row = if is_consonant { row + 1 } else { 0 };
        longest = longest.max(row);
    }
    // A row of five takes a word such as `strengths`, and those have no rare letter.
    letters >= 12 && (rare * 100 >= letters * 15 && longest >= 4 || rare > 0 && longest >= 5)
}

/// Whether `value` is a random pass phrase of symbols and spaces, as salts are often generated.
pub(super) fn is_symbol_soup(value: &[u8]) -> bool {
    let kinds = Kinds::of(value);
    value.len() >= 40
        && value.iter().all(|&b| b == b' ' || b.is_ascii_graphic())
        && kinds.alnum_kinds() == 3
        && kinds.symbols * 5 >= value.len()
        && entropy(value) > 4.5
}

/// Whether `value` is a short password that somebody chose: three kinds of character, or letters
/// and digits if it is `exact`ly one value; not a stock word with a number behind it.
pub(super) fn is_chosen_password(value: &[u8], exact: bool) -> bool {
    if !(6..=64).contains(&value.len()) || !value.iter().all(u8::is_ascii_graphic) {
        return false;
    }
    let kinds = Kinds::of(value);
    let joins = value.iter().filter(|&&b| matches!(b, b'_' | b'-' | b'.' | b'/' | b':')).count();
    let count = kinds.alnum_kinds() + usize::from(kinds.symbols > joins);
    let varied = (count >= 3 && value.len() >= 8)
        || (exact && count == 2 && joins == 0 && !holds_any(value, WORDS_IN_SAMPLES));
    varied
        && kinds.digits > 0
        && distinct(value) >= 5
        && !is_stock_word(value)
        && !is_stand_in(value)
}

/// Whether `value` only stands for a secret: a sample, a mask, a variable, a template.
pub(super) fn is_stand_in(value: &[u8]) -> bool {
    is_reference(value)
        || distinct(value) < 4
        || holds_any(value, STAND_INS)
        || holds_any(value, SEQUENCES)
        || holds_any(value, SAMPLE_WORDS) && !has_random_core(value)
}

/// Whether the parts of `value` that have a digit are together a random value.
fn has_random_core(value: &[u8]) -> bool {
    let parts = value.split(|b| !b.is_ascii_alphanumeric());
    let core =
        parts.filter(|part| part.iter().any(u8::is_ascii_digit)).collect::<Vec<_>>().concat();
    core.len() >= MIN_CORE && varies(&core)
}

/// Whether `value` is a variable or template that something else fills in.
pub(super) fn is_reference(value: &[u8]) -> bool {
    let first = value.first().copied().unwrap_or(b'$');
    // `$` starts a variable, but also a `crypt` hash: those have a rule of their own.
    matches!(first, b'$' | b'<' | b'{' | b'%' | b'[' | b'(' | b'@' | b'*' | b'#')
        || value.windows(2).any(|w| w == b"${" || w == b"{{" || w == b"$(" || w == b"#{")
}

/// Whether `value` is a word everybody uses where a password goes, with or without numbers.
pub(super) fn is_stock_word(value: &[u8]) -> bool {
    const WORDS: &str = "admin dev example foo bar guest local login mysql p pass passwd \
    password postgres pw pwd root secret test testing token user username mypass mypassword \
    userpass dbpass dbpassword changeit changeme key apikey redis rabbitmq mongo minio \
    minioadmin value string hidden masked redacted xxx abc demo sa";
    let letters: Vec<u8> =
        value.iter().filter(|b| b.is_ascii_alphabetic()).map(u8::to_ascii_lowercase).collect();
    letters.is_empty() || WORDS.split_whitespace().any(|word| word.as_bytes() == letters)
}

/// Whether `text` holds `needle`, without regard to ASCII case.
pub(super) fn holds(text: &[u8], needle: &str) -> bool {
    text.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
}

fn holds_any(text: &[u8], needles: &str) -> bool {
    needles.split_whitespace().any(|needle| holds(text, needle))
}

/// How many different bytes `value` holds.
pub(super) fn distinct(value: &[u8]) -> usize {
    counts(value).iter().filter(|&&count| count > 0).count()
}

/// Shannon entropy in bits per byte.
fn entropy(value: &[u8]) -> f64 {
    let shares = counts(value).map(|count| f64::from(count) / value.len() as f64);
    shares.iter().filter(|&&share| share > 0.0).map(|share| -share * share.log2()).sum()
}

fn counts(value: &[u8]) -> [u32; 256] {
    let mut counts = [0; 256];
    for &b in value {
        counts[usize::from(b)] += 1;
    }
    counts
}

/// The share of neighbours that differ in class. A capital before a small letter is no change, and
/// separators are skipped, so that names score low and generated values high.
fn churn(value: &[u8]) -> f64 {
    let kind = |b: u8| match b {
        b'a'..=b'z' => Some(0),
        b'A'..=b'Z' => Some(1),
        b'0'..=b'9' => Some(2),
        b'_' | b'-' | b'.' | b'/' | b':' | b'=' => None,
        _ => Some(3),
    };
    let (mut pairs, mut changes) = (0_u32, 0_u32);
    for pair in value.windows(2) {
        if let (Some(a), Some(b)) = (kind(pair[0]), kind(pair[1])) {
            pairs += 1;
            changes += u32::from(a != b && (a, b) != (1, 0));
        }
    }
    f64::from(changes) / f64::from(pairs.max(1))
}

/// How many characters of each kind a value has.
pub(super) struct Kinds {
    lower: usize,
    upper: usize,
    digits: usize,
    symbols: usize,
}

impl Kinds {
    pub(super) fn of(value: &[u8]) -> Self {
        let mut kinds = Kinds { lower: 0, upper: 0, digits: 0, symbols: 0 };
        for b in value {
            match b {
                b'a'..=b'z' => kinds.lower += 1,
                b'A'..=b'Z' => kinds.upper += 1,
                b'0'..=b'9' => kinds.digits += 1,
                _ => kinds.symbols += 1,
            }
        }
        kinds
    }

    pub(super) fn alnum_kinds(&self) -> usize {
        [self.lower, self.upper, self.digits].iter().filter(|&&n| n > 0).count()
    }
}
