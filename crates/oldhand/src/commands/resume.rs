//! `oldhand resume`: what binds, where work stopped, what comes next, within a few hundred tokens.

use wire::session::ResumedWork;

use super::prelude::*;
use oldhand_desk::resuming::{ResumeRequest, resume_work};
use oldhand_screen::Screen;

pub(super) fn run(args: &ResumeArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if args.task.as_deref().is_some_and(|task| task.trim().is_empty()) {
        let hint = "say it in a few words, for example `--task \"round the total\"`";
        return Err(Fail::usage("`--task` is empty", hint));
    }
    let request = ResumeRequest {
        session: args.session.as_deref(),
        task: args.task.as_deref(),
        paths: &args.path,
        onboard: args.onboard,
    };
    resume_work(&request, desk, |resume| {
        let text = || resume.to_text();
        desk.keep_list(resume.told().iter().map(String::as_str));
        let people = |screen: &Screen| people::resume(resume, screen);
        let outcome = desk.present(io, "resume", ResumedWork::of(resume), (text, people))?;
        io.flush()?;
        Ok(outcome)
    })
}
