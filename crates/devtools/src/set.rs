//! Sets as files: documents, questions and unanswerable questions, one JSON object per line, plain or
//! packed by gzip. What can't be used is named by file and line. Nothing is scored here.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use jiff::Timestamp;
use oldhand_app::eval::Question;
use oldhand_core::kind::{Kind, Kinds};
use serde_json::{Map, Value};

use crate::dates;
use crate::failure::Fail;
use crate::lines::{self, required, word, wrong};
use crate::questions::{QuestionReader, SCOPE_DEFAULT, Sheet, taken};

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

/// How many questions to ask of a set, and what counts as their answers.
#[derive(Debug, Clone)]
pub(crate) struct Choice<'a> {
    /// The field with the answers; a question without it falls back to `gold`.
    pub gold_field: &'a str,
    pub limit: Option<usize>,
    pub k: usize,
}

pub(crate) fn read(folder: &Path, choice: &Choice<'_>) -> Result<Set, Fail> {
    if !folder.is_dir() {
        return Err(Fail::new(format!("there is no folder `{}`", folder.display()), HINT));
    }
    let required = |stem: &str| {
        find(folder, stem).ok_or_else(|| {
            let message = format!("there is no `{stem}.jsonl` in `{}`", folder.display());
            Fail::new(message, HINT)
        })
    };
    let (documents, queries) = (required("docs")?, required("queries")?);
    let documents = read_documents(&documents)?;
    let mut reader = QuestionReader::new(choice.gold_field);
    reader.read(open(&queries)?, Sheet::Queries).map_err(|why| unreadable(&queries, &why))?;
    if let Some(path) = find(folder, "abstention") {
        reader.read(open(&path)?, Sheet::Abstention).map_err(|why| unreadable(&path, &why))?;
    }
    let questions = reader.finish(choice.limit, choice.k).map_err(|why| Fail::new(why, HINT))?;
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
    Ok(Set { name, documents, questions })
}

fn unreadable(path: &Path, why: &str) -> Fail {
    let message = format!("could not read `{}` {why}", path.display());
    Fail::new(message, "each line is one JSON object; `oldhand-eval --help` says more")
}

/// Every line of a file that is not blank, as an object with its number.
pub(crate) fn each_object(
    path: &Path,
    take: impl FnMut(&Map<String, Value>, usize) -> Result<(), String>,
) -> Result<(), Fail> {
    lines::each_object(open(path)?, take).map_err(|why| unreadable(path, &why))
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
        scope: word(object, "scope")?.unwrap_or_else(|| SCOPE_DEFAULT.to_owned()),
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

/// A file, unpacked when its name ends in `.gz`.
pub(crate) fn open(path: &Path) -> Result<BufReader<Box<dyn Read>>, Fail> {
    let file = File::open(path).map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "it is not there".to_owned(),
            _ => error.to_string(),
        };
        Fail::new(format!("could not read `{}`: {why}", path.display()), HINT)
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
