//! Which files of the work tree name something, asked of git in one question.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use super::child::{Trouble, find_program};
use super::place::Place;
use super::{Asker, GitHistory};

impl GitHistory {
    /// Files that have one of the words as a whole; none where git can't be asked.
    pub fn mentions(&self, words: &[String], within: Duration) -> Option<Vec<String>> {
        let program = find_program(self.search_path.as_deref())?;
        let place = Place::find(&self.root)?;
        let asker = Asker { program, place: &place, end: Instant::now() + within };
        let options =
            ["grep", "--untracked", "--full-name", "-z", "-l", "-I", "-F", "-w", "--no-color"];
        let mut args: Vec<OsString> = options.iter().map(OsString::from).collect();
        for word in words {
            args.extend(["-e".into(), OsString::from(word)]);
        }
        let here = place.spot("").filter(|it| !it.is_empty()).unwrap_or_else(|| ".".to_owned());
        args.extend(["--".into(), OsString::from(here)]);
        match asker.git().find(&args) {
            Ok(output) => {
                let names = output.split(|byte| *byte == 0).filter(|name| !name.is_empty());
                Some(names.map(|it| place.told(&String::from_utf8_lossy(it))).collect())
            }
            Err(Trouble::Late | Trouble::Missing | Trouble::Failed) => None,
        }
    }
}
