//! The house: the environment that the server was started in. Each page looks up the store again, so
//! it shows what others have written.

use std::sync::Mutex;

use jiff::Timestamp;
use oldhand_text::time::{ago, format_instant};
use oldhand_ui::house::Answer;
use oldhand_ui::{Frame, House, Moment, Trouble};
use serde_json::Value;

use super::aside::Aside;
use super::shelf::Kept;
use crate::cli::Command;
use crate::served;
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_desk::desks::Desks;
use oldhand_desk::failure::Fail;
use oldhand_desk::printer::Io;

/// Pages of one person about one store.
pub struct Household {
    desks: Box<dyn Desks>,
    flags: GlobalFlags,
    pub(super) kept: Mutex<Kept>,
    pub(super) loading: Mutex<()>,
    pub(super) aside: Aside,
}

impl Household {
    pub fn over(desks: Box<dyn Desks>, flags: GlobalFlags) -> Self {
        let flags = GlobalFlags { json: false, ..flags };
        let (kept, loading) = (Mutex::default(), Mutex::default());
        Self { desks, flags, kept, loading, aside: Aside::default() }
    }

    /// Builds the index where there is none, before anybody waits for a page. What goes wrong here is
    /// said by the pages.
    pub(super) fn prepare(&self) {
        let _ = self.at_desk(|desk| self.cards(desk));
    }

    /// One answer: the settings, the store and the time as they are now.
    pub(super) fn at_desk<T>(&self, job: impl FnOnce(&Desk<'_>) -> Result<T, Fail>) -> Answer<T> {
        self.at_desk_with(self.flags.clone(), job)
    }

    fn at_desk_with<T>(
        &self,
        flags: GlobalFlags,
        job: impl FnOnce(&Desk<'_>) -> Result<T, Fail>,
    ) -> Answer<T> {
        let (mut job, mut done) = (Some(job), None);
        self.desks.at(flags, None, &mut |desk| done = job.take().map(|job| job(desk)));
        done.expect("a desk calls its job before it returns").map_err(trouble)
    }

    /// What a command answers with `--json`, or why it refuses.
    pub(super) fn command_json(&self, command: Command) -> Answer<String> {
        self.command_json_with(command, GlobalFlags::default(), b"")
    }

    /// The same under the conditions of one write, `seen` and `batch`, with what the command reads.
    pub(super) fn command_json_with(
        &self,
        command: Command,
        GlobalFlags { seen, batch, .. }: GlobalFlags,
        input: &[u8],
    ) -> Answer<String> {
        let flags = GlobalFlags { json: true, seen, batch, ..self.flags.clone() };
        let mut out = Vec::new();
        self.at_desk_with(flags, |desk| {
            served::run(command, desk, &mut Io::new(input, &mut out, std::io::sink()))
        })?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }
}

/// A failure in the words and the codes of the commands.
pub(super) fn trouble(fail: Fail) -> Trouble {
    let (_, mut json) = fail.tell(|hint| hint.to_string());
    if let Value::Object(fields) = &mut json {
        fields.insert("schema".to_owned(), "oldhand.error/1".into());
    }
    let text = |key: &str| json[key].as_str().unwrap_or_default().to_owned();
    let problems = json["problems"].as_array().into_iter().flatten().map(|problem| {
        let text = |key: &str| problem[key].as_str().unwrap_or_default().to_owned();
        let (expected, found, fix) = (text("expected"), text("got"), text("fix"));
        let fix = if fix.is_empty() { String::new() } else { format!(" ({fix})") };
        (text("field"), format!("expected {expected}, found {found}{fix}"))
    });
    let problems = problems.collect();
    let (code, message, hint) = (text("code"), text("message"), text("hint"));
    Trouble { code, message, hint, problems, json: Box::new(json) }
}

pub(super) fn moment(at: Timestamp, now: Timestamp) -> Moment {
    Moment { iso: format_instant(at), ago: ago(at, now) }
}

pub(super) fn moment_of_second(second: i64, now: Timestamp) -> Option<Moment> {
    Timestamp::from_second(second).ok().map(|at| moment(at, now))
}

impl House for Household {
    fn frame(&self) -> Answer<Frame> {
        self.aside.stir();
        self.at_desk(|desk| {
            let waiting = self.kept_inbox(desk)?.counts.iter().map(|it| it.count).sum();
            let layout = desk.layout()?;
            let resolved = desk.settled(&layout)?;
            let name = layout.repository.file_name().map(|it| it.to_string_lossy().into_owned());
            let is_own = desk.user_layout().is_ok_and(|own| own.root == layout.root);
            let mut notes = Vec::new();
            if !resolved.trust.is_trusted() {
                notes.push(
                    "You have not accepted this store: its memories are cautions until \
                     `oldhand trust --accept`."
                        .to_owned(),
                );
            }
            Ok(Frame {
                store: match (is_own, name) {
                    (true, _) => "your own store".to_owned(),
                    (false, name) => name.unwrap_or_else(|| layout.root.display().to_string()),
                },
                branch: desk.ground.branch(desk, &layout).filter(|_| !is_own),
                by: desk.by(&resolved),
                waiting,
                notes,
            })
        })
    }

    fn state_of_store(&self) -> String {
        self.at_desk(super::shelf::stamp).unwrap_or_default()
    }
}
