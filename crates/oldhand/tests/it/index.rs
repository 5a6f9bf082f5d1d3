//! The search index is a cache: whatever happens to it, the answer is the one that the files give,
//! and whatever happens to the files, the next answer knows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use oldhand_store::disk::RealDisk;
use serde_json::Value;

use crate::scratch::Scratch;

mod busy;
mod damage;
mod large;
mod lists;
mod log;
mod noticed;
mod places;
mod repeats;

/// Memories that are newer than any clock don't age: an answer does not depend on when it is asked.
const WRITTEN: &str = "2099-01-01T00:00:00Z";

const KEYWORDS: &str = "recall.model=keywords";

/// Some files by their paths.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A store of memories about several parts of one program.
struct Library {
    scratch: Scratch,
    model: &'static str,
}

/// By words alone, which is quick.
fn by_words(count: usize) -> Library {
    Library::new(count, KEYWORDS)
}

fn by_meaning(count: usize) -> Library {
    Library::new(count, "recall.model=minilm")
}

impl Library {
    fn new(count: usize, model: &'static str) -> Self {
        let mut scratch = Scratch::new();
        scratch.now = WRITTEN.parse().unwrap();
        let library = Self { scratch, model };
        if count > 0 {
            library.import(&(0..count).map(record).collect::<String>());
        }
        library
    }

    #[track_caller]
    fn import(&self, records: &str) {
        let ran = self.scratch.run_on(&RealDisk, &["import", "-"], records.as_bytes());
        assert_eq!(ran.code, 0, "{}", String::from_utf8_lossy(&ran.stderr));
    }

    fn home(&self) -> PathBuf {
        self.scratch.repository().parent().unwrap().to_owned()
    }

    fn cache(&self) -> PathBuf {
        self.home().join(".cache")
    }

    fn args<'a>(&'a self, asked: &'a [String]) -> Vec<&'a str> {
        let mut args = vec!["--config", self.model, "--json"];
        args.extend(asked.iter().map(String::as_str));
        args
    }

    /// The answer by the program inside this process.
    #[track_caller]
    fn ask(&self, asked: &[String]) -> String {
        self.scratch.ok(&self.args(asked))
    }

    /// The answer by the program itself, in an environment that was changed.
    #[track_caller]
    fn ask_outside(
        &self,
        asked: &[String],
        change: impl Fn(&mut Command) -> &mut Command,
    ) -> String {
        let mut command = self.scratch.program(&self.args(asked));
        change(&mut command);
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{asked:?}: {}: {stderr}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    fn answers(&self) -> Vec<String> {
        questions().iter().map(|asked| self.ask(asked)).collect()
    }

    /// What the files alone say: no index is kept anywhere.
    fn answers_of_the_files(&self) -> Vec<String> {
        let ask =
            |asked: &Vec<String>| self.ask_outside(asked, |command| command.env_remove("HOME"));
        questions().iter().map(ask).collect()
    }

    fn forget_the_index(&self) {
        if self.cache().exists() {
            std::fs::remove_dir_all(self.cache()).unwrap();
        }
    }

    /// Ids that a recall for these words serves.
    #[track_caller]
    fn found(&self, words: &str) -> Vec<String> {
        ids(&self.ask(&asked(words)))
    }

    #[track_caller]
    fn stats(&self) -> Value {
        serde_json::from_str(&self.ask(&["stats".to_owned()])).unwrap()
    }

    fn file(&self, id: &str) -> PathBuf {
        self.scratch.store().join(format!("reference/{id}.md"))
    }

    /// The answers are those that an index made this moment gives.
    #[track_caller]
    fn assert_as_new(&self, when: &str) {
        let answers = self.answers();
        self.forget_the_index();
        assert_eq!(answers, self.answers(), "{when}");
    }
}

fn ids(answer: &str) -> Vec<String> {
    let answer: Value = serde_json::from_str(answer).unwrap();
    let all =
        ["memories", "cautions"].into_iter().flat_map(|list| answer[list].as_array().unwrap());
    let ids = all.map(|one| one["id"].as_str().unwrap());
    ids.map(str::to_owned).collect()
}

fn asked(words: &str) -> Vec<String> {
    vec!["recall".to_owned(), words.to_owned()]
}

/// A rare word, a sentence, an identifier, a path, nothing that fits, and a page of words.
fn questions() -> Vec<Vec<String>> {
    let words = "the quicksilver switch of the login part turns off testing of an invoice";
    let page: Vec<&str> = words.split(' ').cycle().take(500).collect();
    let path = ["recall", "change this file", "--path", "src/billing/rounding.rs"];
    vec![
        asked("quicksilver"),
        asked("How do we round the total of an invoice before it is sent to the customer?"),
        asked("queue_retries_13"),
        path.map(str::to_owned).into(),
        asked("zebra umbrella kaleidoscope"),
        asked(&page.join(" ")),
    ]
}

const PARTS: [&str; 8] =
    ["billing", "login", "search", "deploy", "cache", "queue", "report", "mail"];
const ASPECTS: [&str; 6] = ["rounding", "retries", "limits", "naming", "logging", "testing"];

/// One memory as a line for `import`.
fn record(number: usize) -> String {
    let (part, aspect) = (PARTS[number % PARTS.len()], ASPECTS[number % ASPECTS.len()]);
    let rare = if number == 17 { "The quicksilver switch turns it off. " } else { "" };
    let text = format!(
        "In the {part} part, {aspect} follows rule {number}: the total of an invoice, an attempt or \
         a page is counted once. {rare}See src/{part}/{aspect}.rs and `{part}_{aspect}_{number}`. \
         Whoever changes {aspect} tells the people of {part} before the next release goes out to \
         customers."
    );
    memory(&format!("rule-{number}"), &format!("Rule {number} of {part} {aspect}"), &text)
}

fn memory(id: &str, title: &str, text: &str) -> String {
    let markdown = markdown(id, title, text);
    let mut line = serde_json::json!({"id": id, "markdown": markdown}).to_string();
    line.push('\n');
    line
}

fn markdown(id: &str, title: &str, text: &str) -> String {
    format!(
        "---\nid: {id}\ntype: reference\ntitle: {title}\nstate: stable\nscope: project\n\
         tags: [rule]\norigin: user\ncreated_at: {WRITTEN}\nupdated_at: {WRITTEN}\n---\n\n{text}\n"
    )
}

fn files_below(folder: &Path) -> Files {
    let mut files = Files::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return files };
    for entry in entries.map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            files.extend(files_below(&entry.path()));
        } else {
            files.insert(entry.path(), std::fs::read(entry.path()).unwrap());
        }
    }
    files
}

/// These files and no others.
fn put_back(folder: &Path, files: &Files) {
    std::fs::remove_dir_all(folder).unwrap();
    for (path, bytes) in files {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}
