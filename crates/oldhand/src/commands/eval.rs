//! `oldhand eval`: how well recall answers questions whose answers are known.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use oldhand_core::memory::Memory;
use oldhand_store::failure::StoreError;
use serde_json::json;

use crate::cli::{BaselineChoice, EvalArgs};
use crate::desk::Desk;
use crate::evaluate::baselines::{Baseline, Corpus, Entry};
use crate::evaluate::real::Real;
use crate::evaluate::report::{Head, Report};
use crate::evaluate::{
    Asked, Place, Wish, ask_set, ask_store, conflicts, prepare, set, triage, twins, unknown_gold,
};
use crate::failure::{DONE, Fail, Outcome};
use crate::format::counted;
use crate::meaning::{self, Kept};
use crate::printer::Io;

/// Unknown ids that are named; the rest is counted.
const NAMED_MAX: usize = 5;

pub(super) fn run(args: &EvalArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if let Some(file) = &args.conflicts {
        return conflicts::run(&desk.current_dir().join(file), desk, io);
    }
    if let Some(file) = &args.twins {
        return twins::run(&desk.current_dir().join(file), desk, io);
    }
    if let (Some(file), Some(folder)) = (&args.triage, &args.transcripts) {
        let here = desk.current_dir();
        return triage::run(&here.join(file), &here.join(folder), desk, io);
    }
    if let Some(file) = &args.run {
        refuse_nowhere(&desk.current_dir().join(file))?;
    }
    match (&args.set, &args.questions) {
        (Some(folder), None) => of_set(args, &desk.current_dir().join(folder), desk, io),
        (None, Some(file)) => of_store(args, &desk.current_dir().join(file), desk, io),
        _ => Err(Fail::usage(
            "an evaluation has one source of questions",
            "name a set's folder, or `--questions FILE` for your own store",
        )),
    }
}

fn of_set(args: &EvalArgs, folder: &Path, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let baselines = baselines(&args.baseline)?;
    let mut set = set::read(folder, &args.gold)?;
    set.questions =
        prepare(set.questions, args.limit.map(|limit| limit as usize), args.k as usize)?;
    let wish = Wish { k: args.k as usize, baselines: &baselines };
    let resolved = desk.resolve(None)?;
    let meaning = Kept::open(meaning::open(resolved.model()), args.vectors.as_deref())?;
    let mut real = Real::new(desk, resolved, meaning.as_embedder(), true);
    real.is_quick = args.quick;
    let asked = ask_set(&set, &wish, &mut real)?;
    meaning.save()?;
    let known: BTreeSet<(&str, &str)> =
        set.documents.iter().map(|it| (it.scope.as_str(), it.id.as_str())).collect();
    let scopes: BTreeSet<&str> = set.documents.iter().map(|it| it.scope.as_str()).collect();
    let head = Head {
        source: set.name.clone(),
        documents: set.documents.len(),
        scopes: scopes.len(),
        k: args.k as usize,
        gold_field: args.gold.clone(),
        unknown_gold: unknown_gold(&set.questions, |question, id| {
            known.contains(&(question.scope.as_str(), id))
        }),
    };
    tell(args, head, &asked, desk, io)
}

/// The store as it is; nothing in it is changed.
fn of_store(args: &EvalArgs, file: &Path, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let baselines = baselines(&args.baseline)?;
    let questions = set::read_questions(file, &args.gold)?;
    let questions = prepare(questions, args.limit.map(|limit| limit as usize), args.k as usize)?;
    let layout = desk.layout()?;
    let root = layout.root.clone();
    let entries = desk.work_in(layout, |engine| {
        let scan = engine.vault.scan()?;
        Ok(scan.stored.iter().filter_map(|stored| entry(&stored.memory)).collect::<Vec<_>>())
    })?;
    let known: BTreeSet<String> = entries.iter().map(|entry| entry.id.clone()).collect();
    let corpus = Corpus::new(entries);
    let place = Place { store: &root, names: &BTreeMap::new(), corpus: &corpus };
    let wish = Wish { k: args.k as usize, baselines: &baselines };
    let resolved = desk.resolve(Some(&desk.layout()?))?;
    let meaning = Kept::open(meaning::open(resolved.model()), None)?;
    let mut real = Real::new(desk, resolved, meaning.as_embedder(), false);
    real.is_quick = args.quick;
    let asked = ask_store(&questions, &place, &wish, &mut real)?;
    let head = Head {
        source: file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned(),
        documents: known.len(),
        scopes: 1,
        k: args.k as usize,
        gold_field: args.gold.clone(),
        unknown_gold: unknown_gold(&questions, |_, id| known.contains(id)),
    };
    tell(args, head, &asked, desk, io)
}

/// What recall may serve, as the baselines read it.
fn entry(memory: &Memory) -> Option<Entry> {
    if !memory.state.is_served() {
        return None;
    }
    let mut text = vec![memory.title.clone(), memory.tags.join(" ")];
    text.extend(memory.description.clone());
    text.extend(memory.content.iter().map(|(_, value)| value.plain()));
    text.extend(memory.sections.iter().map(|(heading, text)| format!("{heading}\n{text}")));
    Some(Entry {
        id: memory.id.to_string(),
        text: text.join("\n"),
        at: memory.updated_at.or(memory.created_at).unwrap_or(Timestamp::UNIX_EPOCH),
    })
}

fn baselines(choices: &[BaselineChoice]) -> Result<Vec<Baseline>, Fail> {
    let is_wanted = |choice| choices.contains(&BaselineChoice::All) || choices.contains(&choice);
    if choices.contains(&BaselineChoice::Nothing) && choices.len() > 1 {
        return Err(Fail::usage("`none` stands alone", "say `--baseline none`"));
    }
    Ok(Baseline::ALL
        .into_iter()
        .filter(|baseline| match baseline {
            Baseline::Grep => is_wanted(BaselineChoice::Grep),
            Baseline::Bm25 => is_wanted(BaselineChoice::Bm25),
            Baseline::Recency => is_wanted(BaselineChoice::Recency),
        })
        .collect())
}

fn tell(
    args: &EvalArgs,
    head: Head,
    asked: &[Asked<'_>],
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    if let Some(file) = &args.run {
        write_run(&desk.current_dir().join(file), asked)?;
    }
    if !head.unknown_gold.is_empty() {
        let count = counted(head.unknown_gold.len(), "gold id is", "gold ids are");
        let some: Vec<&str> =
            head.unknown_gold.iter().take(NAMED_MAX).map(String::as_str).collect();
        io.note("warning", &format!("{count} nowhere to be found, as `{}`", some.join("`, `")));
    }
    let names: Vec<&'static str> =
        baselines(&args.baseline)?.into_iter().map(Baseline::name).collect();
    let report = Report::new(head, asked, &names);
    if desk.flags.json {
        io.json("eval", report.to_json())?;
    } else {
        io.text(&report.to_text())?;
    }
    Ok(DONE)
}

/// Minutes of asking shall not end in a mistyped folder.
fn refuse_nowhere(file: &Path) -> Result<(), Fail> {
    match file.parent() {
        Some(folder) if !folder.is_dir() => {
            let message = format!("there is no folder `{}`", folder.display());
            Err(Fail::usage(message, "check what follows `--run`"))
        }
        _ => Ok(()),
    }
}

/// What recall ranked, a line a question, for tools that score by themselves.
fn write_run(path: &Path, asked: &[Asked<'_>]) -> Result<(), Fail> {
    let mut lines = String::new();
    for asked in asked {
        let ranking = asked.answers.first().map(|recalled| recalled.ranking.as_slice());
        let line = json!({"id": asked.question.id, "ranking": ranking.unwrap_or_default()});
        lines.push_str(&format!("{line}\n"));
    }
    std::fs::write(path, lines).map_err(|error| StoreError::io("write", path, error).into())
}
