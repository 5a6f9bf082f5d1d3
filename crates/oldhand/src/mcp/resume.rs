//! `resume`: where work stopped, what holds, what comes next.

use oldhand_app::sessions::Sessions;
use serde_json::Map;

use super::prelude::*;
use oldhand_desk::resuming::{ResumeRequest, resume_work};

impl MemoryServer {
    pub(super) fn resume(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<ToolAnswer, Fail> {
        let args = Args::of(call)?;
        let paths = args.texts("paths")?;
        let coming =
            ResumeRequest { task: args.text("task")?, paths: &paths, ..ResumeRequest::default() };
        let (text, served) = self.where_work_stopped(desk, &coming)?;
        // Whoever comes back may have forgotten what was said before.
        if let Some(connection) = &call.caller.connection {
            // A store in memory does not fail.
            let _ = self.served.update(connection.as_str(), |state| {
                state.served.forget_context();
                state.served.add(&served);
            });
        }
        let data = AgentData::of(Map::new().into()).with("text", &text);
        Ok(ToolAnswer { text, data })
    }

    /// What is told, and the ids of which the whole text was.
    pub(super) fn where_work_stopped(
        &self,
        desk: &Desk<'_>,
        coming: &ResumeRequest<'_>,
    ) -> Result<(AgentText, Vec<String>), Fail> {
        resume_work(coming, desk, |resume| {
            if resume.is_empty() {
                return Ok((AgentText::ours("nothing is remembered here yet\n"), Vec::new()));
            }
            Ok((resume.to_answer(), resume.served()))
        })
    }
}
