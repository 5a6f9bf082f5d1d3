//! `oldhand resume`: what binds, where work stopped, what comes next, within a few hundred tokens.

use oldhand_app::recall::Request;
use oldhand_sessions::resume::{Mode, Resume};

use crate::cli::ResumeArgs;
use crate::desk::Desk;
use crate::failure::{DONE, Fail, Outcome};
use crate::hook::state::{self, SessionState};
use crate::printer::Io;
use crate::receipt::Receipt;
use crate::resuming::Comer;
use crate::session::Session;

pub(super) fn run(args: &ResumeArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if args.task.as_deref().is_some_and(|task| task.trim().is_empty()) {
        let hint = "say it in a few words, for example `--task \"round the total\"`";
        return Err(Fail::usage("`--task` is empty", hint));
    }
    let coming = Coming {
        session: args.session.as_deref(),
        task: args.task.as_deref(),
        paths: &args.path,
        onboard: args.onboard,
    };
    come(&coming, desk, |resume| {
        if desk.flags.json {
            io.json("resume", resume.to_json())?;
        } else {
            io.text(&resume.to_text())?;
        }
        Ok(io.flush()?)
    })?;
    Ok(DONE)
}

/// Somebody who wants to know where work stopped.
#[derive(Default)]
pub(crate) struct Coming<'c> {
    pub session: Option<&'c str>,
    pub task: Option<&'c str>,
    pub paths: &'c [String],
    pub onboard: bool,
}

/// Tells it, and only then writes down that it was told.
pub(crate) fn come(
    coming: &Coming<'_>,
    desk: &Desk<'_>,
    tell: impl FnOnce(&Resume) -> Result<(), Fail>,
) -> Result<(), Fail> {
    // Without a home there is no session to be known.
    let session = match desk.known_session(coming.session) {
        Ok(session) => Some(session),
        Err(fail) if coming.session.is_some() => return Err(fail),
        Err(_) => None,
    };
    let own = match &session {
        Some(session) => SessionState { session: session.name.clone(), ..session.state() },
        None => SessionState::default(),
    };
    let layout = desk.layout()?;
    let folder = desk.state_folder(&layout);
    let comer = Comer {
        now: desk.now,
        folder: folder.as_deref(),
        worktree: desk.worktree().to_string_lossy().into_owned(),
        repository: &layout.repository,
        own: &own,
        is_own_shell: session.as_ref().is_some_and(|it| it.is_own),
        is_own_store: desk.flags.global,
    };
    desk.read(|reading| {
        let mut start = comer.start(reading)?;
        if coming.onboard {
            start.mode = Mode::Onboarding;
        }
        let objective = session.as_ref().map(|it| it.visible_notes().objective).unwrap_or_default();
        start.task = request(coming, &objective);
        let (resume, found) = reading.engine.resume(reading.index, &start)?;
        tell(&resume)?;
        if let (Some(bundle), Some(receipts)) = (&found, &reading.receipts) {
            // The answer is worth as much without it.
            let _ = receipts.leave(&Receipt {
                at: desk.now,
                session: session.as_ref().map(|it| it.name.as_str()),
                task: desk.current_task(coming.session).as_deref(),
                by: reading.engine.by,
                query: coming.task.unwrap_or_default(),
                paths: coming.paths,
                bundle,
            });
        }
        // Where nothing was told, nothing was confirmed.
        if !resume.is_empty() {
            comer.enter();
        }
        if let (Some(session), Some(folder)) = (session.filter(|it| !it.is_own), &folder) {
            mark_served(&session, folder, &resume.served());
        }
        Ok(())
    })
}

/// The task that was named, or what the session's anchor says it is for.
fn request(coming: &Coming<'_>, objective: &str) -> Option<Request> {
    let text = coming.task.unwrap_or(objective).to_owned();
    let has_task = !text.is_empty() || !coming.paths.is_empty();
    has_task.then(|| Request { text, paths: coming.paths.to_vec(), ..Request::default() })
}

/// So that hooks don't tell it again. Best effort: told twice is no harm.
pub(crate) fn mark_served(session: &Session, folder: &std::path::Path, ids: &[String]) {
    let _ = state::update(folder, &session.name, "", |state| state.serve(ids));
}
