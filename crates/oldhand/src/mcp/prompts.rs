//! The three prompts: what a person starts by hand, where a host has no hooks.

use oldhand_core::kind::schema::{FieldSpec, Place};
use oldhand_core::recall::bundle::{Source, framed};
use oldhand_sessions::compact::RULES;
use oldhand_sessions::summary::Summary;
use serde_json::{Map, Value};

use super::prelude::*;
use oldhand_desk::resuming::ResumeRequest;

const TOPIC_CHARS_MAX: usize = 300;

impl MemoryServer {
    pub(super) fn prompt_text(
        &self,
        name: &str,
        said: &Map<String, Value>,
        desk: &Desk<'_>,
    ) -> Result<Option<AgentText>, Fail> {
        Ok(Some(match name {
            "resume" => {
                let task = Args::new(said, &["task"])?.text("task")?;
                let (told, _) = self.where_work_stopped(
                    desk,
                    &ResumeRequest { task, ..ResumeRequest::default() },
                )?;
                let next = match task {
                    Some(task) => AgentText::of("begin with: {}", &[topic(task)]),
                    None => AgentText::ours("go on"),
                };
                AgentText::of(
                    "{}\nConfirm in two lines where work stopped and which constraints hold, then {}",
                    &[told, next],
                )
            }
            "compact" => compact(Args::new(said, &["focus"])?.text("focus")?),
            "review" => {
                Args::new(said, &[])?;
                let waiting = desk.work(super::review::waiting)?.text;
                AgentText::of(
                    "{}\nShow me these one by one. For each, call review with its id, tell me both \
                     sides in your own words, and ask me what to do. You decide nothing yourself: \
                     give me the command to type.",
                    &[framed(&waiting, Source::default())],
                )
            }
            _ => return Ok(None),
        }))
    }
}

fn compact(focus: Option<&str>) -> AgentText {
    let is_section = |field: &&FieldSpec| matches!(field.place, Place::Section { .. });
    let sections = Summary::fields().iter().filter(is_section);
    let fields: Vec<AgentText> = sections.map(|field| AgentText::line(&field.name)).collect();
    let focus =
        focus.map(|it| AgentText::of("\n- Keep more detail on this topic: {}", &[topic(it)]));
    AgentText::of(
        "Put this conversation into a summary for the session that goes on with it. Answer nothing else.\n{}{}\n\
         Then call remember with kind session_summary, a title, and content of these fields, \
         leaving out what has nothing: {}.",
        &[AgentText::ours(RULES), focus.unwrap_or_default(), AgentText::join(&fields, ", ")],
    )
}

fn topic(text: &str) -> AgentText {
    AgentText::line_of(text, TOPIC_CHARS_MAX)
}
