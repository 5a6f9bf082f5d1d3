//! Where the conversation of a session is, and where its summary is kept: for `oldhand compact`,
//! `oldhand window` and the hook before a compaction.

use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_sessions::summary::Summary;
use oldhand_store::port::session_state::{CompactionState, SessionState};
use oldhand_text::problem::Problem;

use crate::desk::Desk;
use crate::failure::Fail;
use crate::input::read_text;
use crate::printer::Io;
use crate::session::Session;

pub struct Source<'a> {
    /// A file, or `-`.
    pub path: String,
    pub session: Option<Session<'a>>,
    /// The folder of the project: paths are written below it.
    pub root: String,
}

impl<'a> Source<'a> {
    /// A file that is named belongs to no session unless one is named too.
    pub fn find(given: Option<&str>, session: Option<&str>, desk: &Desk<'a>) -> Result<Self, Fail> {
        let root = desk.worktree().to_string_lossy().into_owned();
        let Some(path) = given else {
            let session = desk.known_session(session)?;
            let heard = session.state().conversation;
            let known = [heard.transcript_path, heard.transcript.path];
            let Some(path) = known.into_iter().find(|path| !path.is_empty()) else {
                let message = format!("no conversation of {} is known", session.label());
                let hint = "name its file, or `-`; hooks know it once the host has called one";
                return Err(Refusal::new(Code::NotFound, message).with_hint(hint).into());
            };
            return Ok(Self { path, session: Some(session), root });
        };
        let path = match path {
            "-" => path.to_owned(),
            path => desk.current_dir().join(path).to_string_lossy().into_owned(),
        };
        let session = session.map(|name| desk.session(Some(name))).transpose()?;
        Ok(Self { path, session, root })
    }

    /// An earlier summary that is continued, and the lines that it holds already: the one that was
    /// named, or the session's own.
    pub fn earlier(
        &self,
        named: Option<&str>,
        lines: usize,
        desk: &Desk<'_>,
        io: &mut Io<'_>,
    ) -> Result<(usize, Option<Summary>), Fail> {
        let Some(file) = named else {
            let seen = self.session.as_ref().map(|it| unseen(it, &it.state(), &self.path, lines));
            return Ok(seen.unwrap_or_default());
        };
        let text = read_text(file, &desk.current_dir(), IMPORT_BYTES_MAX, io)?;
        let summary = Some(Summary::parse(&text)).filter(|it| !it.is_empty()).ok_or_else(|| {
            Problem::new("--earlier", "a summary with the sections of the template", file)
                .with_fix("`oldhand compact` writes one")
        })?;
        Ok((0, Some(summary)))
    }
}

/// How many lines of a conversation the session's summary holds, and that summary. Nothing of
/// another file, of one that was started over, or where the summary itself is gone.
pub fn unseen(
    session: &Session<'_>,
    state: &SessionState,
    path: &str,
    lines: usize,
) -> (usize, Option<Summary>) {
    let known = &state.compaction;
    let is_same = is_same_file(&known.path, path) && known.lines <= lines;
    let summary = session.compacted().filter(|_| is_same && known.lines > 0);
    summary.map_or((0, None), |summary| (known.lines, Some(summary)))
}

pub fn is_same_file(one: &str, other: &str) -> bool {
    let real = |path: &str| std::fs::canonicalize(path).ok();
    one == other || !one.is_empty() && real(one).is_some() && real(one) == real(other)
}

/// Stores a summary of the first `lines` lines. Whoever calls this holds the session's work lock, so
/// that the summary and its count belong together.
pub fn keep(
    session: &Session<'_>,
    summary: &Summary,
    (path, lines): (&str, usize),
) -> Result<(), Fail> {
    session.store.replace_summary(&session.name, &summary.render())?;
    let (path, steps_told) = (path.to_owned(), session.visible_notes().steps_done());
    let kept = CompactionState { path, lines, steps_told, ..Default::default() };
    Ok(session.update_state(|state| state.compaction = kept)?)
}
