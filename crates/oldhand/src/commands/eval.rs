//! `oldhand eval`: how well recall answers questions about your own store whose answers you know.

use std::collections::BTreeSet;
use std::path::Path;

use oldhand_app::eval::{
    Asked, EngineReport, Report, clean, parse_questions, spread, unknown_gold,
};
use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_store::index::Embedder;
use serde_json::json;

use super::prelude::*;
use oldhand_desk::evaluate::{Recaller, report_text};
use oldhand_desk::meaning;

/// Unknown ids that are named; the rest is counted.
const NAMED_MAX: usize = 5;
const HINT: &str = "each line is one JSON object; `oldhand eval --help` says more";

/// Nothing in the store is changed.
pub(super) fn run(args: &EvalArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let run_file = args.run.as_ref().map(|file| desk.current_dir().join(file));
    run_file.as_deref().map_or(Ok(()), refuse_missing_folder)?;
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
    for question in &questions {
        let mut answer = recaller.answer(&store, question)?;
        answer.ranking = clean(&answer.ranking, &question.exclude, k);
        asked.push(Asked { question, answers: vec![answer] });
    }
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
    if let Some(warning) = unknown_note(&report.unknown_gold) {
        io.note("warning", &warning);
    }
    desk.print(io, "eval", &report, || report_text(&report))
}

fn unknown_note(unknown: &[String]) -> Option<String> {
    let count = counted(unknown.len(), "gold id was", "gold ids were");
    let some: Vec<&str> = unknown.iter().take(NAMED_MAX).map(String::as_str).collect();
    (!unknown.is_empty()).then(|| format!("{count} not found: `{}`", some.join("`, `")))
}

/// Minutes of asking shall not end in a mistyped folder.
fn refuse_missing_folder(file: &Path) -> Result<(), Fail> {
    match file.parent() {
        Some(folder) if !folder.is_dir() => {
            let message = format!("there is no folder `{}`", folder.display());
            Err(Fail::usage(message, "check what follows `--run`"))
        }
        _ => Ok(()),
    }
}

/// What recall ranked, one line per question, for tools that do their own scoring.
fn write_run(path: &Path, asked: &[Asked<'_>]) -> Result<(), Fail> {
    let line = |asked: &Asked<'_>| {
        let line = json!({"id": asked.question.id, "ranking": asked.answers[0].ranking});
        format!("{line}\n")
    };
    let lines: String = asked.iter().map(line).collect();
    std::fs::write(path, lines).map_err(|error| StoreError::io("write", path, error).into())
}
