//! Whether a tool call would write into a store past the one way of writing (R287). It reads the
//! call alone: what a script does that the call only names, nobody can see here. A file that was
//! changed all the same is imported as an edit from outside, so that a miss loses nothing.

mod answer;
mod git;
mod glob;
mod input;
mod patch;
mod place;
mod powershell;
mod programs;
mod script;
mod shell;
mod walk;
mod writers;

use serde_json::Value;

use self::input::Tool;
use self::place::{Deed, Places};
use self::walk::Walk;
use oldhand_text::agent_text::AgentText;

/// One call, as the host tells of it.
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
/// path of one that may not exist yet, with its links followed.
pub fn judge(call: &Call<'_>, stores: &[String], resolve: &dyn Fn(&str) -> String) -> Verdict {
    let places = Places::new(stores, resolve);
    let found = match input::tool_of(call.tool, call.input) {
        Tool::Reader => None,
        Tool::Shell { commands, folder } => {
            let cwd = folder.map_or_else(|| call.cwd.to_owned(), |it| place::join(call.cwd, &it));
            commands.iter().find_map(|command| Walk::new(&places, &cwd).judge(command))
        }
        Tool::Writer { paths, deed } => {
            paths.iter().find_map(|path| places.target(call.cwd, path, deed))
        }
        Tool::Patch { text, paths } => {
            let of_text = patch::paths(&text);
            let of_text = of_text.iter().map(|(path, deed)| (path.as_str(), *deed));
            of_text
                .chain(paths.iter().map(|path| (path.as_str(), Deed::Write)))
                .find_map(|(path, deed)| places.target(call.cwd, path, deed))
        }
    };
    found.map_or(Verdict::Pass, |target| Verdict::Deny(answer::text(&target)))
}

#[cfg(test)]
mod tests;
