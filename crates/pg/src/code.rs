//! The code around a store whose truth is in git, as far as a server knows it: what git said where it was pushed
//! from.

use std::collections::HashMap;
use std::time::Duration;

use oldhand_core::fresh::{Answers, Given, PathAnswer, PathQuestion};
use oldhand_store::port::{CodeHistory, CodeSnapshot, CodeTree, Commit};

use crate::access::Access;
use crate::database::query;
use crate::error::PgError;
use crate::sql;

pub struct PgCode<'a> {
    pub access: &'a Access<'a>,
    pub store: i32,
}

/// A question about a path, as a key.
pub fn question_key(question: &PathQuestion) -> String {
    let PathQuestion { path, since, seen } = question;
    format!("{since} {} {path}", seen.as_deref().unwrap_or("-"))
}

impl PgCode<'_> {
    fn known(
        &self,
        keys: &[String],
    ) -> Result<(Option<String>, HashMap<String, PathAnswer>), PgError> {
        let (tenant, store) = (self.access.caller.tenant, self.store);
        self.access.read(async |client| {
            let head = query(client, sql::sync::HEAD_OF, &[&tenant, &store]).await?;
            let rows = query(client, sql::sync::CODE_ANSWERS, &[&tenant, &store, &keys]).await?;
            let one = |row: &tokio_postgres::Row| {
                let answer: String = row.get("answer");
                Some((row.get("question"), serde_json::from_str(&answer).ok()?))
            };
            Ok((head.first().and_then(|row| row.get(0)), rows.iter().filter_map(one).collect()))
        })
    }
}

impl CodeTree for PgCode<'_> {
    fn exists(&self, _path: &str) -> bool {
        false
    }

    fn mentions(&self, _words: &[String]) -> Vec<String> {
        Vec::new()
    }

    fn files(&self) -> Vec<String> {
        Vec::new()
    }

    fn read(&self, _path: &str) -> Option<String> {
        None
    }

    fn history(&self) -> Option<&dyn CodeHistory> {
        Some(self)
    }
}

impl CodeHistory for PgCode<'_> {
    fn ask(&self, questions: &[PathQuestion], _within: Duration) -> Answers {
        let keys: Vec<String> = questions.iter().map(question_key).collect();
        let (head, mut known) = match self.known(&keys) {
            Ok((Some(head), known)) => (head, known),
            Ok((None, _)) => return Answers::Skipped("no commit was pushed".to_owned()),
            Err(error) => return Answers::Skipped(error.to_string()),
        };
        let paths: Vec<Option<PathAnswer>> = keys.iter().map(|key| known.remove(key)).collect();
        let lacks = paths.iter().any(Option::is_none);
        let short = head.get(..12).unwrap_or(&head).to_owned();
        let incomplete = lacks.then(|| format!("the push of {short} did not tell all"));
        Answers::Given(Given { head: Some(head), paths, incomplete })
    }

    fn snapshot(&self, paths: &[String], _within: Duration) -> CodeSnapshot {
        CodeSnapshot { head: None, ids: vec![None; paths.len()] }
    }

    fn last_files(&self, _folder: &str, _within: Duration) -> Vec<String> {
        Vec::new()
    }

    fn last_commits(&self, _paths: &[String], _count: usize, _within: Duration) -> Vec<Commit> {
        Vec::new()
    }
}
