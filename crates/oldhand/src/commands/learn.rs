//! `oldhand learn`: lessons from a retrospective, as candidates.

use oldhand_app::learn::Lessons;
use oldhand_core::policy::RETRO_BYTES_MAX;
use oldhand_judge::retro;
use oldhand_text::time::format_day;
use wire::learn::LearnedLessons;

use super::prelude::*;
use super::work_text;

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
        let done = engine.learning().learn(&lessons)?;
        let learned = acknowledge(engine, io, done, |learned, io| {
            let answer = LearnedLessons::of(&learned, &task, &retrospective.left);
            desk.print(io, "learn", answer, || work_text::lessons(&learned))?;
            Ok(learned)
        })?;
        desk.remark(io, "note", not_taken(&retrospective.left));
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
fn not_taken(left: &[String]) -> impl Iterator<Item = String> {
    let named = left.iter().take(LEFT_MAX).map(|it| format!("not taken: {}", visible_line(it)));
    let more = left.len().saturating_sub(LEFT_MAX);
    let rest = format!("not taken: {more} more; `--json` has all of them");
    named.chain((more > 0).then_some(rest))
}
