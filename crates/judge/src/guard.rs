//! Whether a tool call would write into a store without going through oldhand (R287). It reads the
//! paths that a call spells out and follows no script or variable. A file that was changed anyway is
//! imported as an edit by hand, so a missed call loses nothing.

mod answer;
mod input;
mod programs;
mod store_path;

use serde_json::Value;

use self::input::Tool;
use self::store_path::{Deed, StorePaths, Target};
use oldhand_text::agent_text::AgentText;
use oldhand_text::{command_line, table};

/// The end of a longer command line is not read.
const COMMAND_BYTES_MAX: usize = 256 * 1024;

#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    pub tool: &'a str,
    pub input: &'a Value,
    pub cwd: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    /// What the path is, and the command to use instead.
    Deny(AgentText),
}

/// `stores` are absolute roots; any folder named `.oldhand` is one too. `resolve` gives the real
/// path of one that may not exist yet, with `~` replaced and links followed.
pub fn judge(call: &Call<'_>, stores: &[String], resolve: &dyn Fn(&str) -> String) -> Verdict {
    let paths = StorePaths::new(stores, resolve);
    let found = match input::tool_of(call.tool, call.input) {
        Tool::Reader => None,
        Tool::Shell { commands, folder } => {
            let cwd = folder.map_or(call.cwd.to_owned(), |it| command_line::join(call.cwd, &it));
            commands.iter().find_map(|line| written_by(&paths, &cwd, line))
        }
        Tool::Writer(written) => paths.first(call.cwd, &written),
    };
    found.map_or(Verdict::Pass, |target| Verdict::Deny(answer::text(&target)))
}

fn written_by(paths: &StorePaths<'_>, cwd: &str, line: &str) -> Option<Target> {
    let line = &line[..line.floor_char_boundary(COMMAND_BYTES_MAX)];
    command_line::commands(line).iter().find_map(|command| {
        let cwd = command_line::join(cwd, &command.folder);
        let redirected = command.writes.iter().find_map(|it| paths.target(&cwd, it, Deed::Write));
        redirected
            .or_else(|| paths.first(&cwd, &programs::written(command)))
            // Hosts wrap a line: `bash -lc '…'`.
            .or_else(|| written_by(paths, &cwd, programs::inner_line(command)?))
    })
}

/// Flags that say more about a memory, and nothing about who wrote it or where.
const OWN_FLAGS: &str = "--kind --title --tag --tags --file --because --beside --refines";

/// A single `oldhand remember` with plain words: nothing that a shell would expand, run or write.
/// What is not certain is asked about as ever.
pub fn only_remembers(line: &str) -> bool {
    const SPECIAL: &str = "$`\\!;&|<>(){}[]*?~#\n\r";
    let mut quote = None;
    for letter in line.trim().chars() {
        match (quote, letter) {
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if letter == open => quote = None,
            (Some('\''), _) => {}
            // Between double quotes a shell still expands these.
            (Some(_), '$' | '`' | '\\' | '!') => return false,
            (Some(_), _) => {}
            (None, _) if SPECIAL.contains(letter) => return false,
            (None, _) => {}
        }
    }
    let commands = command_line::commands(line);
    let [command] = commands.as_slice() else { return false };
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    let ["oldhand", "remember", told @ ..] = words.as_slice() else { return false };
    // The program sees a flag in quotes as it sees any other.
    let mut flags = told.iter().filter(|word| word.starts_with('-'));
    quote.is_none() && !told.is_empty() && flags.all(|flag| table::has(OWN_FLAGS, flag))
}

#[cfg(test)]
mod tests;
