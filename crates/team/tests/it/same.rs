//! The same commands on both grounds: what the program says over files, it says over PostgreSQL.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::{Timestamp, ToSpan};
use oldhand::{Env, Io, answer};
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_store::disk::{Disk, RealDisk};
use oldhand_store::nowhere::NoDisk;
use oldhand_store::ulid::Entropy;
use oldhand_team::ground::PgGround;
use oldhand_team::visitor::Visitor;
use oldhand_testkit::postgres::Programs;
use serde_json::Value;

use crate::Test;
use crate::bed::Bed;

pub(crate) const TESTS: &[Test] = &[("same::both_grounds_give_the_same_answers", answers)];

#[derive(Default)]
struct Counting(AtomicU64);

impl Entropy for Counting {
    fn next(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

fn env<'a>(
    vars: &[(&str, &Path)],
    current_dir: &Path,
    (disk, entropy): (&'a dyn Disk, &'a dyn Entropy),
) -> Env<'a> {
    let vars = vars.iter().map(|(name, path)| ((*name).to_owned(), path.display().to_string()));
    Env {
        vars: vars.collect(),
        current_dir: current_dir.to_owned(),
        disk,
        entropy,
        interactive: false,
        terminal: None,
        remarks: None,
    }
}

struct Files {
    home: tempfile::TempDir,
    entropy: Counting,
}

impl Files {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(home.path().join("pay")).expect("a folder");
        let files = Self { home, entropy: Counting::default() };
        let now = Timestamp::UNIX_EPOCH;
        assert_eq!(files.run(&["init"], b"", now).0, 0);
        files.entropy.0.store(0, Ordering::Relaxed);
        files
    }

    fn run(&self, words: &[&str], input: &[u8], now: Timestamp) -> (u8, String) {
        let (home, here) = (self.home.path(), self.home.path().join("pay"));
        let env = env(&[("HOME", home)], &here, (&RealDisk, &self.entropy));
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        let args = ["oldhand", "--json", "--by", "ada"].iter().chain(words).map(OsString::from);
        let code = oldhand::run(args, &env, now, &mut Io::new(input, &mut out, &mut notes));
        (code, String::from_utf8(out).expect("text"))
    }
}

struct Served<'b> {
    bed: &'b Bed,
    visitor: Arc<Visitor>,
    entropy: Counting,
}

impl Served<'_> {
    fn run(&self, words: &[&str], input: &[u8], now: Timestamp) -> (u8, String) {
        let env = env(&[], &PathBuf::from("/"), (&NoDisk, &self.entropy));
        let here = self.visitor.stores.iter().find(|it| it.name == "pay").expect("it is there");
        let ground = PgGround::new(&self.bed.database, &self.visitor, here);
        let (flags, host) = (GlobalFlags::default(), None);
        let desk = Desk { env: &env, flags, now, host, lasting: None, ground: &ground };
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let answered = answer(&words, input, &desk);
        (answered.code, answered.json)
    }
}

const RECORD: &str = r#"{"category":"decision","title":"Keep money in integer cents",
    "content":{"decision":"All amounts are integers of the smallest unit.","rationale":"Floats lose cents."},
    "domain":"payments","tags":["money"]}"#;
const STEPS: &[(&[&str], &str)] = &[
    (&["add", "--from", "-"], RECORD),
    (
        &[
            "add",
            "constraint",
            "--title",
            "No card numbers in logs",
            "--rule",
            "Never log a card number.",
            "--domain",
            "payments",
        ],
        "",
    ),
    (&["remember", "--kind", "fact", "The invoice service listens on port 8080"], ""),
    (&["recall", "how do we round the total of an invoice"], ""),
    (&["recall", "--explain", "log the card"], ""),
    (&["check", "Store all amounts as floating point numbers"], ""),
    (&["check", "Use a bakery for breakfast"], ""),
    (&["list"], ""),
    (&["show", "keep-money-in-integer-cents"], ""),
    (&["search", "card", "number"], ""),
    (&["update", "keep-money-in-integer-cents", "--tag", "cents"], ""),
    (&["apply", "keep-money-in-integer-cents", "--task", "t-1", "--effect", "positive"], ""),
    (&["apply", "keep-money-in-integer-cents"], ""),
    (&["history", "keep-money-in-integer-cents"], ""),
    (&["why", "keep-money-in-integer-cents", "money in cents"], ""),
    (&["index"], ""),
    (&["review"], ""),
    (&["retire", "no-such-memory", "--reason", "gone"], ""),
    (&["health"], ""),
    (&["undo"], ""),
    (&["receipts"], ""),
];

fn answers(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store("pay", "repository");
    let visitor = bed.person("ada", &[(store, "maintainer")]);
    let served = Served { bed: &bed, visitor, entropy: Counting::default() };
    let files = Files::new();
    let begin: Timestamp = "2026-03-01T10:00:00Z".parse().expect("a time");
    let mut differing = BTreeMap::new();
    for (at, (words, input)) in STEPS.iter().enumerate() {
        let minutes = i64::try_from(at).expect("few");
        let now = begin + minutes.minutes();
        let one = files.run(words, input.as_bytes(), now);
        let other = served.run(words, input.as_bytes(), now);
        if plain(&one.1) != plain(&other.1) || one.0 != other.0 {
            differing.insert(at, format!("{words:?}\n files: {one:?}\nserved: {other:?}"));
        }
    }
    assert!(differing.is_empty(), "{}", differing.into_values().collect::<Vec<_>>().join("\n"));
}

/// Without the ids of events, which are random.
fn plain(json: &str) -> Value {
    let mut value = serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.to_owned()));
    forget_ids(&mut value);
    value
}

fn forget_ids(value: &mut Value) {
    const ULID_CHARS: usize = 26;
    match value {
        Value::String(text) if text.len() == ULID_CHARS && text.starts_with("01") => text.clear(),
        Value::Array(items) => items.iter_mut().for_each(forget_ids),
        Value::Object(fields) => fields.values_mut().for_each(forget_ids),
        _ => {}
    }
}
