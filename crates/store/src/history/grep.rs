//! Which files of the work tree name something, asked of git in one question.

use std::ffi::OsString;
use std::time::Duration;

use super::GitHistory;
use super::child::texts;

impl GitHistory {
    /// Files that have one of the words as a whole; none where git can't be asked.
    pub fn mentions(&self, words: &[String], within: Duration) -> Option<Vec<String>> {
        let asker = self.asker(within)?;
        let command = "grep --untracked --full-name -z -l -I -F -w --no-color";
        let mut args: Vec<OsString> = command.split(' ').map(OsString::from).collect();
        for word in words {
            args.extend(["-e".into(), OsString::from(word)]);
        }
        let here = asker.checkout.spot("").filter(|it| !it.is_empty());
        args.extend(["--".into(), OsString::from(here.unwrap_or_else(|| ".".to_owned()))]);
        let names = texts(&asker.git().find(&args).ok()?);
        Some(names.iter().map(|name| asker.checkout.told(name)).collect())
    }
}
