//! The history of the code, asked through the `git` program: ids first, the work tree beside them,
//! and one walk over the commits for what is not known to be unchanged. It answers; core decides what
//! an answer means.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::port::{CodeHistory, Look};
use oldhand_core::fresh::{Answers, Given, NO_GIT, NO_REPOSITORY, PathQuestion};

mod cache;
mod check;
mod checkout;
mod child;
mod diff;
mod grep;
mod log;
mod mark;
mod tree;
mod work;

use check::Check;
pub(crate) use checkout::Checkout;
use child::{Git, Trouble, find_program};

/// The history of the repository that a store lies in.
pub struct GitHistory {
    /// What the paths of memories are relative to.
    pub root: PathBuf,
    /// Where `git` is looked for.
    pub search_path: Option<OsString>,
    /// Where answers are kept from one command to the next.
    pub cache: Option<PathBuf>,
}

impl GitHistory {
    /// One question's way to git; none without the program or a repository.
    fn asker(&self, within: Duration) -> Option<Asker> {
        let program = find_program(self.search_path.as_deref())?;
        let checkout = Checkout::find(&self.root)?;
        Some(Asker { program, checkout, end: Instant::now() + within })
    }
}

impl CodeHistory for GitHistory {
    fn ask(&self, questions: &[PathQuestion], within: Duration) -> Answers {
        let Some(asker) = self.asker(within) else {
            let is_missing = find_program(self.search_path.as_deref()).is_none();
            return Answers::Skipped(if is_missing { NO_GIT } else { NO_REPOSITORY }.to_owned());
        };
        match Check::new(&asker, questions, self.cache.as_deref()).answer() {
            Ok(given) => Answers::Given(given),
            Err(Trouble::Missing) => Answers::Skipped(NO_GIT.to_owned()),
            Err(Trouble::Failed) => Answers::Skipped("git could not read it".to_owned()),
            Err(Trouble::Late) => Answers::Given(Given {
                head: None,
                paths: vec![None; questions.len()],
                incomplete: Some(format!("git took longer than {} ms", within.as_millis())),
            }),
        }
    }

    fn look(&self, paths: &[String], within: Duration) -> Look {
        let Some(asker) = self.asker(within) else { return Look::default() };
        let Ok(head) = asker.head() else { return Look::default() };
        let ids = if paths.is_empty() {
            Vec::new()
        } else {
            work::ids(&asker.git(), &asker.checkout, head.as_deref(), paths)
        };
        Look { head, ids }
    }

    fn left(&self, folder: &str, within: Duration) -> Vec<String> {
        self.names_left(folder, within).unwrap_or_default()
    }
}

/// The way to git; a child is started only when the files don't answer.
struct Asker {
    program: PathBuf,
    checkout: Checkout,
    end: Instant,
}

impl Asker {
    fn git(&self) -> Git {
        Git::new(self.program.clone(), &self.checkout, self.end)
    }

    /// The last commit; none before the first.
    fn head(&self) -> Result<Option<String>, Trouble> {
        if let Some(id) = self.checkout.head() {
            return Ok(Some(id));
        }
        let id = self.git().word(&["rev-parse", "--verify", "-q", "HEAD"])?;
        Ok(id.filter(|id| checkout::is_id(id)))
    }
}
