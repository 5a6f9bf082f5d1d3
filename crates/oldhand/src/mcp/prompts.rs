//! The three prompts: what a person starts by hand, where a host has no hooks.

use oldhand_core::compact::RULES;
use oldhand_core::content::schema::{FieldSpec, Place};
use oldhand_core::recall::bundle::framed;
use oldhand_core::summary::Summary;
use oldhand_core::text::{shorten, visible_line};
use serde_json::{Map, Value};

use super::MemoryServer;
use super::args::Args;
use crate::commands::resume::Coming;
use crate::desk::Desk;
use crate::failure::Fail;

const TOPIC_CHARS_MAX: usize = 300;

impl MemoryServer {
    pub(super) fn prompt_text(
        &self,
        name: &str,
        said: &Map<String, Value>,
        desk: &Desk<'_>,
    ) -> Result<Option<String>, Fail> {
        Ok(Some(match name {
            "resume" => {
                let task = Args::new(said, &["task"])?.text("task")?;
                let (told, _) =
                    self.where_work_stopped(desk, &Coming { task, ..Coming::default() })?;
                {
                    let next = match task {
                        Some(task) => format!("begin with: {}", topic(task)),
                        None => "go on".to_owned(),
                    };
                    format!(
                        "{told}\nConfirm in two lines where work stopped and what binds, then {next}"
                    )
                }
            }
            "compact" => compact(Args::new(said, &["focus"])?.text("focus")?),
            "review" => {
                Args::new(said, &[])?;
                let waiting = super::review::waiting_text(desk)?;
                format!(
                    "{}\nShow me these one by one. For each, call review with its id, tell me both \
                     sides in your own words, and ask me what to do. You decide nothing yourself: \
                     give me the command to type.",
                    framed(&waiting)
                )
            }
            _ => return Ok(None),
        }))
    }
}

/// What the conversation was, for the session that goes on with it.
fn compact(focus: Option<&str>) -> String {
    let is_section = |field: &&FieldSpec| matches!(field.place, Place::Section { .. });
    let sections = Summary::fields().iter().filter(is_section);
    let fields: Vec<&str> = sections.map(|field| field.name.as_ref()).collect();
    let focus = focus.map(|it| format!("\n- Keep more detail on this topic: {}", topic(it)));
    format!(
        "Put this conversation into a summary for the session that goes on with it. Answer nothing else.\n{RULES}{}\n\
         Then call remember with kind session_summary, a title, and content of these fields, \
         leaving out what has nothing: {}.",
        focus.unwrap_or_default(),
        fields.join(", ")
    )
}

/// A person's own words, in a line.
fn topic(text: &str) -> String {
    shorten(&visible_line(text), TOPIC_CHARS_MAX)
}
