//! Who reads an answer, and in which form: people at a terminal get it laid out for their eyes,
//! pipes, hooks and agents get the form that agents read.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use oldhand_screen::Screen;
use oldhand_text::agent_text::AgentText;
use serde::Serialize;

use crate::desk::Desk;
use crate::env::Terminal;
use crate::failure::{DONE, Outcome};
use crate::looks::{Choice, Form};
use crate::printer::Io;

/// Where nothing says how wide it is.
const COLUMNS: usize = 80;

/// An answer in words, for whoever gets no screen.
pub enum Words {
    /// Foreign text in it may look like a tag.
    Report(String),
    /// Rendered already, with tags of our own.
    Rendered(AgentText),
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self::Report(text)
    }
}

impl From<AgentText> for Words {
    fn from(text: AgentText) -> Self {
        Self::Rendered(text)
    }
}

impl Words {
    fn into_string(self) -> String {
        match self {
            Self::Report(text) => text,
            Self::Rendered(text) => text.into_string(),
        }
    }
}

impl Desk<'_> {
    /// The screen of the person who reads the answer; none if it is not for people.
    pub fn screen(&self) -> Option<Screen> {
        self.screen_on(self.env.terminal)
    }

    /// The screen of whoever reads errors and remarks.
    pub fn remarks(&self) -> Option<Screen> {
        self.screen_on(self.env.remarks)
    }

    /// Whether a model reads what is printed: nothing in it may be read as a tag.
    pub fn is_read_by_agent(&self) -> bool {
        let is_agents = match self.flags.looks.form {
            Form::Auto => self.agent().is_some(),
            Form::People => false,
            Form::Agent => true,
        };
        is_agents && !self.flags.json && self.host.is_none()
    }

    fn screen_on(&self, terminal: Option<Terminal>) -> Option<Screen> {
        let is_meant = match self.flags.looks.form {
            Form::Auto => terminal.is_some() && self.agent().is_none(),
            Form::People => true,
            Form::Agent => false,
        };
        if !is_meant || self.flags.json || self.host.is_some() {
            return None;
        }
        let stated = || self.env.var("COLUMNS").and_then(|columns| columns.parse().ok());
        let columns = terminal.map(|it| it.columns).or_else(stated);
        let colour = self.has_colour_on(terminal);
        Some(Screen::new(columns.unwrap_or(COLUMNS), colour, self.now))
    }

    pub fn has_colour(&self) -> bool {
        self.has_colour_on(self.env.terminal)
    }

    /// By what the user said, then by the variables that programs agree on.
    pub fn has_colour_on(&self, terminal: Option<Terminal>) -> bool {
        let is_on = |name: &str| self.env.var(name).is_some_and(|value| value != "0");
        match self.flags.looks.colour {
            Choice::Always => true,
            Choice::Never => false,
            Choice::Auto if self.env.var("NO_COLOR").is_some() => false,
            Choice::Auto if is_on("CLICOLOR_FORCE") => true,
            Choice::Auto => {
                let is_off = self.env.var("CLICOLOR") == Some("0");
                terminal.is_some() && !is_off && self.env.var("TERM") != Some("dumb")
            }
        }
    }

    /// The answer as JSON, as agents read it, or as people do.
    pub fn present<T: Into<Words>>(
        &self,
        io: &mut Io<'_>,
        schema: &str,
        answer: impl Serialize,
        (text, people): (impl FnOnce() -> T, impl FnOnce(&Screen) -> String),
    ) -> Outcome {
        match self.screen() {
            Some(screen) => self.page(&people(&screen), io)?,
            None => return self.plain(io, schema, answer, text),
        }
        Ok(DONE)
    }

    /// The same for an answer without a layout of its own.
    pub fn print<T: Into<Words>>(
        &self,
        io: &mut Io<'_>,
        schema: &str,
        answer: impl Serialize,
        text: impl FnOnce() -> T,
    ) -> Outcome {
        match self.screen() {
            Some(screen) => self.page(&screen.page(&text().into().into_string()), io)?,
            None => return self.plain(io, schema, answer, text),
        }
        Ok(DONE)
    }

    fn plain<T: Into<Words>>(
        &self,
        io: &mut Io<'_>,
        schema: &str,
        answer: impl Serialize,
        text: impl FnOnce() -> T,
    ) -> Outcome {
        let is_agents = self.is_read_by_agent();
        self.verbatim(io, schema, answer, || match text().into() {
            Words::Report(text) if is_agents => AgentText::body(&text).into_string(),
            words => words.into_string(),
        })
    }

    /// For programs, and what people hand to a program as it is.
    pub fn verbatim(
        &self,
        io: &mut Io<'_>,
        schema: &str,
        answer: impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Outcome {
        if self.flags.json {
            io.json(schema, answer)?
        } else {
            io.text(&text())?
        }
        Ok(DONE)
    }

    /// Through the user's pager if it is longer than the terminal.
    pub fn page(&self, text: &str, io: &mut Io<'_>) -> io::Result<()> {
        io.flush()?;
        match self.pager(text).is_some_and(|pager| shown_in(&pager, text, self).is_ok()) {
            true => Ok(()),
            false => io.text(text),
        }
    }

    /// An agent would wait in it for ever.
    fn pager(&self, text: &str) -> Option<String> {
        self.screen()?;
        let rows = self.env.terminal.filter(|_| !self.flags.looks.no_pager)?.rows;
        let pager = self.env.vars.get("PAGER").map_or("less", |it| it.trim());
        let is_wanted = !pager.is_empty() && pager != "cat" && text.lines().count() >= rows;
        is_wanted.then(|| pager.to_owned())
    }
}

/// An error before anything was shown. The pager may have arguments; it is run without a shell.
fn shown_in(pager: &str, text: &str, desk: &Desk<'_>) -> io::Result<()> {
    let mut words = pager.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).stdin(Stdio::piped());
    if desk.env.var("LESS").is_none() {
        // Colours pass, and what fits stays on the screen.
        command.env("LESS", "FRX");
    }
    let mut child = command.spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // Whoever leaves the pager early has read enough.
        let _ = input.write_all(text.as_bytes());
    }
    // It has the terminal already: nothing is printed twice, however it ends.
    let _ = child.wait();
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::files::Files;
    use std::collections::BTreeMap;

    use oldhand_store::disk::RealDisk;
    use oldhand_store::ulid::SystemEntropy;

    use super::*;
    use crate::desk::GlobalFlags;
    use crate::env::Env;
    use crate::looks::Looks;

    /// Whether people read it, and in colour.
    #[track_caller]
    fn check(vars: &[(&str, &str)], is_terminal: bool, looks: Looks, want: (bool, bool)) {
        let vars = vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let env = Env {
            vars: vars.collect::<BTreeMap<_, _>>(),
            current_dir: ".".into(),
            disk: &RealDisk,
            entropy: &SystemEntropy,
            interactive: is_terminal,
            terminal: is_terminal.then_some(Terminal { columns: 100, rows: 30 }),
            remarks: None,
        };
        let flags = GlobalFlags { looks, ..GlobalFlags::default() };
        let now = jiff::Timestamp::UNIX_EPOCH;
        let desk = Desk { env: &env, flags, now, host: None, lasting: None, ground: &Files };
        assert_eq!((desk.screen().is_some(), desk.has_colour()), want);
    }

    #[test]
    fn people_are_at_terminals_and_agents_are_not_people() {
        let auto = Looks::default();
        check(&[], true, auto, (true, true));
        check(&[], false, auto, (false, false));
        check(&[("CLAUDECODE", "1")], true, auto, (false, true));
        check(&[], true, Looks { form: Form::Agent, ..auto }, (false, true));
        check(&[("CLAUDECODE", "1")], false, Looks { form: Form::People, ..auto }, (true, false));
    }

    #[test]
    fn colour_is_where_it_is_wanted() {
        let auto = Looks::default();
        check(&[("NO_COLOR", "1")], true, auto, (true, false));
        check(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true, auto, (true, false));
        check(&[("CLICOLOR_FORCE", "1")], false, auto, (false, true));
        check(&[("CLICOLOR_FORCE", "0")], false, auto, (false, false));
        check(&[("CLICOLOR", "0")], true, auto, (true, false));
        check(&[("TERM", "dumb")], true, auto, (true, false));
        check(&[("NO_COLOR", "1")], true, Looks { colour: Choice::Always, ..auto }, (true, true));
        check(&[], true, Looks { colour: Choice::Never, ..auto }, (true, false));
    }

    #[test]
    fn a_pager_is_for_what_is_longer_than_the_terminal() {
        let env = |pager: Option<&str>, rows| Env {
            vars: pager.map(|it| ("PAGER".to_owned(), it.to_owned())).into_iter().collect(),
            current_dir: ".".into(),
            disk: &RealDisk,
            entropy: &SystemEntropy,
            interactive: true,
            terminal: Some(Terminal { columns: 100, rows }),
            remarks: None,
        };
        let pager = |of: &Env<'_>, no_pager| {
            let looks = Looks { no_pager, ..Looks::default() };
            let flags = GlobalFlags { looks, ..GlobalFlags::default() };
            let now = jiff::Timestamp::UNIX_EPOCH;
            Desk { env: of, flags, now, host: None, lasting: None, ground: &Files }
                .pager("a\nb\nc\n")
        };
        assert_eq!(pager(&env(None, 3), false).as_deref(), Some("less"));
        assert_eq!(pager(&env(Some("more -d"), 3), false).as_deref(), Some("more -d"));
        assert_eq!(pager(&env(None, 4), false), None);
        assert_eq!(pager(&env(Some(""), 3), false), None);
        assert_eq!(pager(&env(Some("cat"), 3), false), None);
        assert_eq!(pager(&env(None, 3), true), None);
        let mut agent = env(None, 3);
        agent.vars.insert("CLAUDECODE".to_owned(), "1".to_owned());
        assert_eq!(pager(&agent, false), None);
    }
}
