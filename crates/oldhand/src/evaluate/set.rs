//! Sets as files: documents, questions and unanswerable questions, one JSON object a line, plain or
//! packed by gzip. What can't be used is named by file and line. Nothing is scored here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use jiff::Timestamp;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_text::problem::Problem;
use serde_json::{Map, Value};

use super::{Question, dates};
use crate::failure::Fail;

/// One line: a memory of the largest size with room for the escapes of JSON.
const LINE_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// One file, unpacked: all of it is held in memory.
const FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;
const LINES_MAX: usize = 2_000_000;

/// The scope of what names none.
const SCOPE_UNSAID: &str = "all";
const CATEGORY_UNSAID: &str = "question";
const CATEGORY_ABSTENTION: &str = "abstention";
/// Where a document may say when it was written, the first that can be read.
const DATE_KEYS: &[&str] = &["date", "time", "created"];

const HINT: &str = "a set is a folder with `docs.jsonl`, `queries.jsonl` and perhaps \
    `abstention.jsonl`, each of them also as `.jsonl.gz`";

#[derive(Debug)]
pub(crate) struct Set {
    pub name: String,
    pub documents: Vec<Document>,
    pub questions: Vec<Question>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    pub id: String,
    pub scope: String,
    pub title: Option<String>,
    pub text: String,
    pub kind: Kind,
    pub at: Option<Timestamp>,
    /// What was said in one sitting belongs together.
    pub session: Option<String>,
}

/// Which file the questions come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sheet {
    Queries,
    Abstention,
}

/// `gold_field` is where the answers stand; a question that has none there falls back to `gold`.
pub(crate) fn read(folder: &Path, gold_field: &str) -> Result<Set, Fail> {
    if !folder.is_dir() {
        return Err(Fail::usage(format!("there is no folder `{}`", folder.display()), HINT));
    }
    let required = |stem: &str| {
        find(folder, stem).ok_or_else(|| {
            let message = format!("there is no `{stem}.jsonl` in `{}`", folder.display());
            Fail::usage(message, HINT)
        })
    };
    let (documents, queries) = (required("docs")?, required("queries")?);
    let documents = read_documents(&documents)?;
    let mut reader = QuestionReader::new(gold_field);
    reader.read(&queries, Sheet::Queries)?;
    if let Some(abstention) = find(folder, "abstention") {
        reader.read(&abstention, Sheet::Abstention)?;
    }
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
    Ok(Set { name, documents, questions: reader.finish(&queries)? })
}

/// Questions alone: about a store that is there.
pub(crate) fn read_questions(path: &Path, gold_field: &str) -> Result<Vec<Question>, Fail> {
    let mut reader = QuestionReader::new(gold_field);
    reader.read(path, Sheet::Queries)?;
    reader.finish(path)
}

fn find(folder: &Path, stem: &str) -> Option<PathBuf> {
    let plain = folder.join(format!("{stem}.jsonl"));
    let packed = folder.join(format!("{stem}.jsonl.gz"));
    [plain, packed].into_iter().find(|path| path.is_file())
}

fn read_documents(path: &Path) -> Result<Vec<Document>, Fail> {
    let kinds = Kinds::default();
    let mut documents = Vec::new();
    let mut lines: BTreeMap<(String, String), usize> = BTreeMap::new();
    each_object(path, |object, line| {
        let document = document(object, &kinds)?;
        let key = (document.scope.clone(), document.id.clone());
        if let Some(first) = lines.insert(key, line) {
            return Err(taken(&document.id, first));
        }
        documents.push(document);
        Ok(())
    })?;
    Ok(documents)
}

fn document(object: &Map<String, Value>, kinds: &Kinds) -> Result<Document, String> {
    let empty = Map::new();
    let meta = match object.get("meta") {
        None | Some(Value::Null) => &empty,
        Some(Value::Object(meta)) => meta,
        Some(other) => return Err(wrong("meta", "an object", other)),
    };
    let kind = match word(object, "kind")? {
        Some(name) => kinds.parse(&name).map_err(|mut problem| {
            "kind".clone_into(&mut problem.field);
            problem.to_string()
        })?,
        None => Kind::Reference,
    };
    Ok(Document {
        id: required(object, "id")?,
        scope: word(object, "scope")?.unwrap_or_else(|| SCOPE_UNSAID.to_owned()),
        title: word(object, "title")?,
        text: match object.get("text") {
            Some(Value::String(text)) => text.clone(),
            other => return Err(wrong("text", "text", other.unwrap_or(&Value::Null))),
        },
        kind,
        at: DATE_KEYS.iter().find_map(|key| meta.get(*key)?.as_str().and_then(dates::parse)),
        session: word(meta, "session")?,
    })
}

struct QuestionReader<'a> {
    gold_field: &'a str,
    questions: Vec<Question>,
    lines: BTreeMap<String, usize>,
    has_gold_field: bool,
}

impl<'a> QuestionReader<'a> {
    fn new(gold_field: &'a str) -> Self {
        Self { gold_field, questions: Vec::new(), lines: BTreeMap::new(), has_gold_field: false }
    }

    fn read(&mut self, path: &Path, sheet: Sheet) -> Result<(), Fail> {
        each_object(path, |object, line| {
            let question = self.question(object, line, sheet)?;
            if let Some(first) = self.lines.insert(question.id.clone(), line) {
                return Err(taken(&question.id, first));
            }
            self.questions.push(question);
            Ok(())
        })
    }

    fn question(
        &mut self,
        object: &Map<String, Value>,
        line: usize,
        sheet: Sheet,
    ) -> Result<Question, String> {
        self.has_gold_field |= object.contains_key(self.gold_field);
        let category = match sheet {
            Sheet::Queries => CATEGORY_UNSAID,
            Sheet::Abstention => CATEGORY_ABSTENTION,
        };
        let gold = self.gold(object)?;
        if sheet == Sheet::Queries && !object.contains_key("gold") && gold.is_empty() {
            // A forgotten key must not pass for a question without an answer.
            return Err(wrong("gold", "a list of ids, empty without an answer", &Value::Null));
        }
        if sheet == Sheet::Abstention && !gold.is_empty() {
            return Err(wrong("gold", "an empty list", &Value::from(gold)));
        }
        Ok(Question {
            id: word(object, "id")?.unwrap_or_else(|| format!("line-{line}")),
            scope: word(object, "scope")?.unwrap_or_else(|| SCOPE_UNSAID.to_owned()),
            text: required(object, "text")?,
            category: word(object, "category")?.unwrap_or_else(|| category.to_owned()),
            gold,
            exclude: ids(object, "exclude")?,
            depth: 0,
        })
    }

    /// Each id once, as it is scored.
    fn gold(&self, object: &Map<String, Value>) -> Result<Vec<String>, String> {
        let asked_for = ids(object, self.gold_field)?;
        let gold = if asked_for.is_empty() { ids(object, "gold")? } else { asked_for };
        let mut seen = BTreeSet::new();
        Ok(gold.into_iter().filter(|id| seen.insert(id.clone())).collect())
    }

    fn finish(self, path: &Path) -> Result<Vec<Question>, Fail> {
        if self.has_gold_field || self.questions.is_empty() {
            return Ok(self.questions);
        }
        let message = format!("no question in `{}` has `{}`", path.display(), self.gold_field);
        Err(Fail::usage(message, "check what follows `--gold`"))
    }
}

/// A line of text or a whole number, which some sets use as ids; `None` when it is empty.
pub(super) fn word(object: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let text = word_of(value).ok_or_else(|| wrong(name, "a line of text", value))?;
            Ok(Some(text).filter(|text| !text.trim().is_empty()))
        }
    }
}

pub(super) fn required(object: &Map<String, Value>, name: &str) -> Result<String, String> {
    let missing = || wrong(name, "a line of text", object.get(name).unwrap_or(&Value::Null));
    word(object, name)?.ok_or_else(missing)
}

fn word_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if !number.is_f64() => Some(number.to_string()),
        _ => None,
    }
}

fn ids(object: &Map<String, Value>, name: &str) -> Result<Vec<String>, String> {
    let expected = "a list of ids";
    match object.get(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| word_of(item).ok_or_else(|| wrong(name, expected, item)))
            .collect(),
        Some(other) => Err(wrong(name, expected, other)),
    }
}

pub(super) fn wrong(name: &str, expected: &str, found: &Value) -> String {
    let found = match found {
        Value::Null => "nothing".to_owned(),
        other => other.to_string(),
    };
    Problem::new(name, expected, &found).to_string()
}

fn taken(id: &str, first: usize) -> String {
    format!("the id is taken by line {first}: `{}`", oldhand_text::strings::visible_line(id))
}

/// Every line that is not blank, as an object with its number.
pub(super) fn each_object(
    path: &Path,
    mut take: impl FnMut(&Map<String, Value>, usize) -> Result<(), String>,
) -> Result<(), Fail> {
    let mut reader = open(path)?;
    let (mut line, mut bytes) = (Vec::new(), 0);
    for number in 1.. {
        let failed = |why: String| {
            let message = format!("could not read `{}` line {number}: {why}", path.display());
            Fail::usage(message, "each line is one JSON object; `oldhand eval --help` says more")
        };
        line.clear();
        let read = (&mut reader).take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut line);
        let read = read.map_err(|error| failed(error.to_string()))? as u64;
        bytes += read;
        if read == 0 {
            break;
        }
        if read > LINE_BYTES_MAX {
            return Err(failed(format!("expected at most {LINE_BYTES_MAX} bytes in a line")));
        }
        if bytes > FILE_BYTES_MAX || number > LINES_MAX {
            let limit = format!("{FILE_BYTES_MAX} bytes and {LINES_MAX} lines");
            return Err(failed(format!("expected at most {limit} in a file")));
        }
        let text = line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&line).trim_ascii();
        if !text.is_empty() {
            object(text).and_then(|object| take(&object, number)).map_err(failed)?;
        }
    }
    Ok(())
}

fn object(text: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_slice(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => Err(wrong("line", "a JSON object", &other)),
        Err(error) => {
            // It counts lines inside of what it was given, which is one line of ours.
            let why = error.to_string().replace(" at line 1 column", " at column");
            Err(format!("expected a JSON object: {why}"))
        }
    }
}

/// A file, unpacked when its name ends in `.gz`.
pub(super) fn open(path: &Path) -> Result<BufReader<Box<dyn Read>>, Fail> {
    let file = File::open(path).map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "it is not there".to_owned(),
            _ => error.to_string(),
        };
        Fail::usage(format!("could not read `{}`: {why}", path.display()), HINT)
    })?;
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let plain: Box<dyn Read> = if is_packed {
        Box::new(MultiGzDecoder::new(BufReader::new(file)))
    } else {
        Box::new(file)
    };
    Ok(BufReader::new(plain))
}

#[cfg(test)]
mod tests;
