//! `oldhand eval`: how well recall answers questions about your own store whose answers you know.

use std::collections::BTreeSet;
use std::path::Path;

use oldhand_app::eval::{
    Asked, EngineReport, Report, clean, parse_questions, spread, unknown_gold,
};
use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_screen::Screen;
use oldhand_store::index::Embedder;

use super::prelude::*;
use oldhand_desk::evaluate::{Recaller, check_folder, note_unknown, report_text, write_run};
use oldhand_desk::meaning;

const HINT: &str = "each line is one JSON object; `oldhand eval --help` says more";

/// Changes nothing in the store.
pub(super) fn run(args: &EvalArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let run_file = args.run.as_ref().map(|file| desk.current_dir().join(file));
    run_file
        .as_deref()
        .map_or(Ok(()), check_folder)
        .map_err(|message| Fail::usage(message, "check what follows `--run`"))?;
    let text = read_text(&args.questions, &desk.current_dir(), IMPORT_BYTES_MAX, io)?;
    let refused =
        |why: String| Fail::usage(format!("could not read `{}` {why}", args.questions), HINT);
    let k = args.k as usize;
    let limit = args.limit.map(|limit| limit as usize);
    let questions = spread(parse_questions(&text).map_err(refused)?, limit, k);
    if questions.is_empty() {
        return Err(Fail::usage("there are no questions", HINT));
    }
    let layout = desk.layout()?;
    let store = layout.root.clone();
    let resolved = desk.resolve(Some(&layout))?;
    let known: BTreeSet<String> = desk.work_in(layout, |engine| {
        let scan = engine.vault.scan()?;
        let served = scan.stored.iter().filter(|stored| stored.memory.state.is_served());
        Ok(served.map(|stored| stored.memory.id.to_string()).collect())
    })?;
    let meaning = meaning::open(resolved.model());
    let mut recaller = Recaller {
        desk,
        resolved: &resolved,
        meaning: meaning.as_ref().map(|it| it as &dyn Embedder),
        is_quick: args.quick,
        is_scratch: false,
        ready: BTreeSet::new(),
    };
    let mut asked = Vec::new();
    let mut progress = desk.progress("asking");
    for (at, question) in questions.iter().enumerate() {
        progress.at(at, questions.len());
        let (mut answer, _) = recaller.answer(&store, question)?;
        answer.ranking = clean(&answer.ranking, &question.exclude, k);
        asked.push(Asked { question, answers: vec![answer] });
    }
    drop(progress);
    if let Some(file) = run_file {
        write_run(&file, &asked)?;
    }
    let source = Path::new(&args.questions);
    let report = Report {
        source: source.file_name().unwrap_or(source.as_os_str()).to_string_lossy().into_owned(),
        documents: known.len(),
        scopes: 1,
        k,
        gold_field: "gold".to_owned(),
        unknown_gold: unknown_gold(&questions, |_, id| known.contains(id)),
        engines: EngineReport::all(&asked, &[]),
    };
    note_unknown(&report.unknown_gold, io);
    let people = |screen: &Screen| people::evaluation(&report, screen);
    desk.present(io, "eval", &report, (|| report_text(&report), people))
}
