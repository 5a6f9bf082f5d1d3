//! The history of the code, asked through the `git` program: ids first, the work tree beside them,
//! and one walk over the commits for what is not known to be unchanged. It answers; core decides what
//! an answer means.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::port::{CodeHistory, CodeSnapshot, Commit};
use oldhand_core::fresh::{Answers, Given, NO_GIT, NO_REPOSITORY, PathQuestion};

mod cache;
mod check;
mod checkout;
mod child;
mod diff;
mod first;
mod log;
mod mark;
mod tree;
mod work;

pub(crate) use checkout::Checkout;
use child::{Git, Trouble, find_program};

/// A longer name is a mistake in the settings.
const NAME_CHARS_MAX: usize = 100;

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
    /// For one question, or why there is nobody to ask.
    fn git(&self, within: Duration) -> Result<Git, &'static str> {
        let program = find_program(self.search_path.as_deref()).ok_or(NO_GIT)?;
        let checkout = Checkout::find(&self.root).ok_or(NO_REPOSITORY)?;
        Ok(Git::new(program, checkout, Instant::now() + within))
    }

    /// `user.name` of git's settings, which are where these variables say.
    pub fn user_name(&self, places: &[(&str, &str)]) -> Option<String> {
        let mut git = Command::new(find_program(self.search_path.as_deref())?);
        git.arg("-C").arg(&self.root).args(["config", "--get", "user.name"]);
        git.env_clear().envs(places.iter().copied()).stdin(Stdio::null()).stderr(Stdio::null());
        let output = git.output().ok().filter(|output| output.status.success())?;
        let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        Some(name).filter(|name| !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX)
    }
}

impl CodeHistory for GitHistory {
    fn ask(&self, questions: &[PathQuestion], within: Duration) -> Answers {
        let git = match self.git(within) {
            Ok(git) => git,
            Err(why) => return Answers::Skipped(why.to_owned()),
        };
        match check::answer(&git, questions, self.cache.as_deref()) {
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

    fn snapshot(&self, paths: &[String], within: Duration) -> CodeSnapshot {
        let Ok(git) = self.git(within) else { return CodeSnapshot::default() };
        let Ok(head) = git.head() else { return CodeSnapshot::default() };
        CodeSnapshot { ids: work::ids(&git, head.as_deref(), paths), head }
    }

    fn last_files(&self, folder: &str, within: Duration) -> Vec<String> {
        self.last_names(folder, within).unwrap_or_default()
    }

    fn last_commits(&self, paths: &[String], count: usize, within: Duration) -> Vec<Commit> {
        self.commits_of(paths, count, within).unwrap_or_default()
    }
}
