//! The history of the code, asked through the `git` program: ids first, the work tree beside them,
//! and one walk over the commits for what is not known to be unchanged. It answers; what an answer
//! means is decided elsewhere.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::port::{CodeHistory, Look};
use oldhand_core::fresh::{Answers, Given, NO_GIT, NO_REPOSITORY, PathQuestion};

mod cache;
mod check;
mod child;
mod diff;
mod grep;
mod log;
mod mark;
mod place;
mod tree;
mod work;

use check::Check;
use child::{Git, Trouble, find_program};
use place::Head;
pub(crate) use place::Place;

/// The history of the repository that a store lies in.
pub struct GitHistory {
    /// What the paths of memories are relative to.
    pub root: PathBuf,
    /// Where `git` is looked for.
    pub search_path: Option<OsString>,
    /// Where answers are kept from one command to the next.
    pub cache: Option<PathBuf>,
}

impl CodeHistory for GitHistory {
    fn ask(&self, questions: &[PathQuestion], within: Duration) -> Answers {
        let Some(program) = find_program(self.search_path.as_deref()) else {
            return Answers::Skipped(NO_GIT.to_owned());
        };
        let Some(place) = Place::find(&self.root) else {
            return Answers::Skipped(NO_REPOSITORY.to_owned());
        };
        let asker = Asker { program, place: &place, end: Instant::now() + within };
        match Check::new(&asker, questions, self.cache.as_deref()).answer() {
            Ok(given) => Answers::Given(given),
            Err(Trouble::Missing) => Answers::Skipped(NO_GIT.to_owned()),
            Err(Trouble::Failed) => Answers::Skipped("git could not read it".to_owned()),
            Err(Trouble::Late) => Answers::Given(Given {
                head: None,
                paths: vec![None; questions.len()],
                incomplete: Some(late(within)),
            }),
        }
    }

    fn look(&self, paths: &[String], within: Duration) -> Look {
        let program = find_program(self.search_path.as_deref());
        let (Some(program), Some(place)) = (program, Place::find(&self.root)) else {
            return Look::default();
        };
        let asker = Asker { program, place: &place, end: Instant::now() + within };
        let Ok(head) = asker.head() else { return Look::default() };
        let ids = if paths.is_empty() {
            Vec::new()
        } else {
            work::ids(&asker.git(), &place, head.as_deref(), paths)
        };
        Look { head, ids }
    }

    fn left(&self, folder: &str, within: Duration) -> Vec<String> {
        self.names_left(folder, within).unwrap_or_default()
    }
}

fn late(within: Duration) -> String {
    format!("git took longer than {} ms", within.as_millis())
}

/// One check's way to git; a child is made only when the files don't tell.
struct Asker<'a> {
    program: PathBuf,
    place: &'a Place,
    end: Instant,
}

impl Asker<'_> {
    fn git(&self) -> Git {
        Git::new(self.program.clone(), self.place, self.end)
    }

    /// The last commit; none before the first.
    fn head(&self) -> Result<Option<String>, Trouble> {
        match self.place.head() {
            Head::At(id) => Ok(Some(id)),
            Head::Unborn => Ok(None),
            Head::Unsure => {
                let args = ["rev-parse", "--verify", "-q", "HEAD"].map(OsString::from);
                match self.git().run(&args) {
                    Ok(output) => {
                        let id = String::from_utf8_lossy(&output).trim().to_owned();
                        Ok(Some(id).filter(|id| place::is_id(id)))
                    }
                    Err(Trouble::Failed) => Ok(None),
                    Err(other) => Err(other),
                }
            }
        }
    }
}
