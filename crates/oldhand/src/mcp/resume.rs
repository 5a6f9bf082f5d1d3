//! `resume`: where work stopped, what binds, what comes next.

use oldhand_mcp::{Answer, Call};
use serde_json::json;

use super::MemoryServer;
use super::args::Args;
use crate::commands::resume::{Coming, come};
use crate::desk::Desk;
use crate::failure::Fail;

impl MemoryServer {
    pub(super) fn resume(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<Answer, Fail> {
        let args = Args::new(&call.arguments, &["task", "paths"])?;
        let paths = args.texts("paths")?;
        let coming = Coming { task: args.text("task")?, paths: &paths, ..Coming::default() };
        let (text, served) = self.where_work_stopped(desk, &coming)?;
        // Whoever comes back may have forgotten what was said before.
        let connection = call.caller.connection.as_deref();
        self.served.forget(connection);
        self.served.add(connection, served.into_iter());
        let structured = json!({"text": text});
        Ok(Answer { text, structured })
    }

    /// What is told, and the ids of which the whole text was.
    pub(super) fn where_work_stopped(
        &self,
        desk: &Desk<'_>,
        coming: &Coming<'_>,
    ) -> Result<(String, Vec<String>), Fail> {
        let mut told = (String::new(), Vec::new());
        come(coming, desk, |resume| {
            told = if resume.is_empty() {
                ("nothing is remembered here yet\n".to_owned(), Vec::new())
            } else {
                (resume.to_answer(), resume.served())
            };
            Ok(())
        })?;
        Ok(told)
    }
}
