//! `oldhand learn`: lessons from a retrospective, as candidates.

use oldhand_app::learn::Lessons;
use oldhand_app::wire::learn::LearnedLessons;
use oldhand_core::policy::RETRO_BYTES_MAX;
use oldhand_core::refusal::Refusal;
use oldhand_judge::retro;
use oldhand_text::strings::visible_line;
use oldhand_text::time::format_day;

use super::work_text;
use crate::cli::LearnArgs;
use oldhand_desk::desk::{Desk, acknowledge};
use oldhand_desk::failure::{DONE, FINDING, Outcome};
use oldhand_desk::input::read_text;
use oldhand_desk::printer::Io;

/// Sentences that are named one by one.
const LEFT_MAX: usize = 20;

pub(super) fn run(args: &LearnArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let text = read_text(&args.source, &desk.current_dir(), RETRO_BYTES_MAX as u64, io)?;
    let retrospective = retro::parse(&text).map_err(Refusal::invalid)?;
    let task = args.task.clone().or_else(|| retrospective.task.clone());
    let task = task
        .or_else(|| desk.current_task(None))
        .unwrap_or_else(|| format!("retro-{}", format_day(desk.now)));
    let source = match args.source.as_str() {
        "-" => format!("retrospective:{task}"),
        file => format!("file:{file}"),
    };
    desk.work(|engine| {
        let lessons = Lessons {
            retrospective: &retrospective,
            task: &task,
            source: &source,
            evidence: &args.evidence,
        };
        let done = engine.learn(&lessons)?;
        let learned = acknowledge(engine, io, done, |learned, io| {
            let answer = LearnedLessons::of(learned, &task, &retrospective.left);
            io.answer(desk.flags.json, "learn", answer, || work_text::lessons(learned))
        })?;
        if !desk.flags.json {
            tell_left(&retrospective.left, io);
        }
        if learned.is_empty() && !retrospective.signals.is_empty() {
            io.note("note", &format!("no lesson in it yet; what it says of `{task}` is recorded"));
            return Ok(DONE);
        }
        if learned.is_empty() {
            io.note("note", "no lesson was found in it");
            io.note(
                "hint",
                "give `memory_candidates` as JSON, bullets below a heading such as `## Lessons`, or \
                 sentences such as `next time …`",
            );
            return Ok(FINDING);
        }
        Ok(DONE)
    })
}

/// What is in no lesson is named, so that nobody thinks it was learned.
fn tell_left(left: &[String], io: &mut Io<'_>) {
    for sentence in left.iter().take(LEFT_MAX) {
        io.note("note", &format!("not taken: {}", visible_line(sentence)));
    }
    if left.len() > LEFT_MAX {
        let more = left.len() - LEFT_MAX;
        io.note("note", &format!("not taken: {more} more; `--json` has all of them"));
    }
}
