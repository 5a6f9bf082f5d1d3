//! Any damage to the files of the index, and the answer is the same.

use std::path::Path;

use oldhand_text::hash::ContentHash;

use super::{Files, Library, by_meaning, by_words, files_below, put_back, questions};

/// An index that is whole, and what it answers.
struct Whole {
    library: Library,
    files: Files,
    answers: Vec<String>,
}

impl Whole {
    fn new(library: Library) -> Self {
        let answers = library.answers_of_the_files();
        // The second time everything is in its place, whatever was embedded on the way.
        assert_eq!(library.answers(), answers, "made from the files");
        assert_eq!(library.answers(), answers, "kept");
        let files = files_below(&library.cache());
        assert_eq!(library.answers(), answers, "asked again");
        assert_eq!(files_below(&library.cache()), files, "an index that is current is left alone");
        // Of the questions, only the one that nothing fits is without an answer.
        let found: Vec<bool> = answers.iter().map(|it| !super::ids(it).is_empty()).collect();
        assert_eq!(found, [true, true, true, true, false, true]);
        Self { library, files, answers }
    }

    /// Asks one of the questions, another one each time, with a file that was changed.
    #[track_caller]
    fn check(&self, number: usize, path: &Path, bytes: Option<Vec<u8>>) {
        let mut files = self.files.clone();
        match bytes {
            Some(bytes) => drop(files.insert(path.to_owned(), bytes)),
            None => drop(files.remove(path)),
        }
        put_back(&self.library.cache(), &files);
        let number = number % self.answers.len();
        let asked = &questions()[number];
        assert_eq!(self.library.ask(asked), self.answers[number], "{asked:?}");
    }

    fn kept(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice()))
    }

    fn head(&self) -> (&Path, &[u8]) {
        self.kept().find(|(path, _)| path.ends_with("head")).unwrap()
    }

    /// A head that says something else, with the sum that fits.
    #[track_caller]
    fn check_head(&self, number: usize, from: &str, to: &str) {
        let (path, bytes) = self.head();
        let text = std::str::from_utf8(bytes).unwrap();
        let (sum, body) = text.split_once('\n').unwrap();
        let changed = body.replacen(from, to, 1);
        assert_ne!(changed, body, "{from} is not in {body}");
        let right = ContentHash::of(changed.as_bytes());
        self.check(number, path, Some(format!("{sum}\n{changed}").into_bytes()));
        self.check(number, path, Some(format!("{right}\n{changed}").into_bytes()));
    }
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1 << (at % 8);
    bytes
}

#[test]
fn a_file_cut_short() {
    let whole = Whole::new(by_words(48));
    let mut tried = 0;
    for (path, bytes) in whole.kept() {
        let step = if path.ends_with("head") { 1 } else { (bytes.len() / 40).max(1) };
        for length in (0..bytes.len()).step_by(step) {
            whole.check(tried, path, Some(bytes[..length].to_vec()));
            tried += 1;
        }
        whole.check(tried, path, Some([bytes, b"x"].concat()));
        for number in 0..questions().len() {
            whole.check(number, path, None);
        }
    }
    assert!(tried > 300, "{tried}");
    println!("{tried} lengths");
}

#[test]
fn a_flipped_bit() {
    let whole = Whole::new(by_words(48));
    let mut tried = 0;
    for (path, bytes) in whole.kept() {
        for at in (0..bytes.len()).step_by(37) {
            whole.check(tried, path, Some(flipped(bytes, at)));
            tried += 1;
        }
    }
    assert!(tried > 600, "{tried}");
    println!("{tried} bits");
}

/// Several at once, and what was damaged is whole again after one answer.
#[test]
fn damage_is_healed_by_one_answer() {
    let whole = Whole::new(by_words(48));
    let damaged: Files = whole
        .kept()
        .map(|(path, bytes)| (path.to_owned(), bytes[..bytes.len() / 2].to_vec()))
        .collect();
    put_back(&whole.library.cache(), &damaged);
    assert_eq!(whole.library.ask(&questions()[0]), whole.answers[0]);
    let healed = files_below(&whole.library.cache());
    assert_eq!(whole.library.answers(), whole.answers);
    assert_eq!(files_below(&whole.library.cache()), healed);
    assert_eq!(whole.library.stats()["index"]["memories"], 48);
}

/// Meaning is lost with its vectors and rebuilt: the whole store is embedded for each answer.
#[test]
fn damage_where_meaning_is_kept() {
    let library = by_meaning(18);
    let answers = library.answers();
    assert_eq!(library.answers(), answers, "kept");
    let files = files_below(&library.cache());
    let whole = Whole { library, files, answers };
    let (head, bytes) = whole.head();
    whole.check(1, head, Some(bytes[..bytes.len() / 2].to_vec()));
    let (segment, bytes) = whole.kept().find(|(_, bytes)| bytes.len() > 16 * 1024).unwrap();
    whole.check(2, segment, Some(bytes[..bytes.len() - 1].to_vec()));
    // In the middle are words and cards, at the end are vectors.
    whole.check(3, segment, Some(flipped(bytes, bytes.len() / 2)));
    whole.check(5, segment, Some(flipped(bytes, bytes.len() - 100)));
    whole.check(4, segment, None);
}

#[test]
fn a_head_that_speaks_of_something_else() {
    let whole = Whole::new(by_words(48));
    for number in 0..questions().len() {
        whole.check_head(number, "\"version\":3", "\"version\":4");
        whole.check_head(number, "\"version\":3", "\"version\":2");
        whole.check_head(number, "\"terms\":", "\"terms\":9");
        whole.check_head(number, "\"model\":\"none\"", "\"model\":\"other\"");
        whole.check_head(number, "/.oldhand\"", "/.elsewhere\"");
        whole.check_head(number, "\"documents\":4", "\"documents\":3");
        whole.check_head(number, "\"dead\":[", "\"dead\":[17,9,3");
        whole.check_head(number, "\"dead\":[", "\"dead\":[1,1000000");
        whole.check_head(number, "\"file\":\"segment-", "\"file\":\"../segment-");
        whole.check_head(
            number,
            "\"logs\":{",
            "\"logs\":{\"2001-01.jsonl\":{\"len\":5,\"end\":\"\"},",
        );
        whole.check_head(number, "\"segments\":[{", "\"segments\":[],\"more\":[{");
    }
}

/// The folder of another store, which has other memories.
#[test]
fn the_index_of_another_store() {
    let whole = Whole::new(by_words(48));
    let other = by_words(5);
    other.answers();
    let theirs = files_below(&other.cache());
    let mut names = whole.files.keys().filter(|path| path.ends_with("head"));
    let folder = names.next().unwrap().parent().unwrap();
    for (number, answer) in whole.answers.iter().enumerate() {
        let moved = theirs
            .iter()
            .map(|(path, bytes)| (folder.join(path.file_name().unwrap()), bytes.clone()))
            .collect();
        put_back(&whole.library.cache(), &moved);
        assert_eq!(whole.library.ask(&questions()[number]), *answer);
        // Their head with our segments.
        let mut mixed = whole.files.clone();
        mixed.insert(folder.join("head"), moved[&folder.join("head")].clone());
        put_back(&whole.library.cache(), &mixed);
        assert_eq!(whole.library.ask(&questions()[number]), *answer);
    }
}

/// A store of several segments, with dead documents in them.
#[test]
fn damage_to_one_of_several_segments() {
    let library = by_words(48);
    library.answers();
    for number in [3, 20, 41] {
        library.scratch.ok(&["update", &format!("rule-{number}"), "--tags", "rule,changed"]);
        library.answers();
    }
    let whole = Whole::new(library);
    let segments = whole.kept().filter(|(path, _)| !path.ends_with("head")).count();
    assert!(segments >= 2, "{segments}");
    let mut tried = 0;
    for (path, bytes) in whole.kept() {
        for at in (0..bytes.len()).step_by(211) {
            whole.check(tried, path, Some(flipped(bytes, at)));
            tried += 1;
        }
        for number in 0..questions().len() {
            whole.check(number, path, None);
        }
    }
}
