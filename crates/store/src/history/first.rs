//! When git first saw files: one question for all of them.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;

use super::GitHistory;
use super::child::{texts, words};

/// More paths than this are asked for by the folders at the root.
const PATHS_MAX: usize = 200;

impl GitHistory {
    /// The commit that added each path, as far as git tells within the time.
    pub fn first_seen(&self, paths: &[&str], within: Duration) -> BTreeMap<String, Timestamp> {
        let mut seen = BTreeMap::new();
        let Ok(git) = self.git(within) else { return seen };
        let Ok(below) = self.root.strip_prefix(&git.checkout.toplevel) else { return seen };
        let below = below.display().to_string();
        let prefix = if below.is_empty() { below } else { format!("{below}/") };
        let asked: Vec<String> = if paths.len() > PATHS_MAX {
            let tops = paths.iter().map(|path| path.split('/').next().unwrap_or_default());
            let tops: std::collections::BTreeSet<String> =
                tops.map(|top| format!("{prefix}{top}")).collect();
            tops.into_iter().collect()
        } else {
            paths.iter().map(|path| format!("{prefix}{path}")).collect()
        };
        let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
        let options = "--diff-filter=A --name-only --no-renames --no-ext-diff --no-relative";
        let command = format!("log -z --format=%x01%ct {options} HEAD");
        let Ok(output) = git.run(&words(&command, &asked)) else { return seen };
        let mut at = None;
        for line in texts(&output) {
            let line = line.trim_start_matches('\n');
            match line.strip_prefix('\u{1}') {
                Some(time) => {
                    let seconds = time.trim().parse::<i64>().ok();
                    at = seconds.and_then(|it| Timestamp::from_second(it).ok());
                }
                // Newest first: the last one that is told is the first that there was.
                None => {
                    if let Some((path, at)) = line.strip_prefix(&prefix).zip(at) {
                        seen.insert(path.to_owned(), at);
                    }
                }
            }
        }
        seen
    }
}
