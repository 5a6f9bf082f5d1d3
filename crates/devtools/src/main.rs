//! `oldhand-eval`: how well recall, the conflict gate, likeness and triage do on labelled sets. For
//! developers; `oldhand eval` scores a user's own store.

mod ask;
mod baselines;
mod binary;
mod conflicts;
mod dates;
mod failure;
mod harness;
mod lines;
mod questions;
mod replay;
mod set;
mod store;
#[cfg(test)]
mod tests;
mod triage;
mod twins;
mod vectors;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use jiff::Timestamp;
use oldhand_desk::env::Env;
use oldhand_desk::evaluate::{check_folder, note_unknown, report_text, write_run};
use oldhand_desk::meaning;
use oldhand_desk::printer::Io;
use oldhand_store::disk::RealDisk;
use oldhand_store::index::Embedder;
use oldhand_store::ulid::SystemEntropy;

use ask::Comparison;
use baselines::Baseline;
use failure::Fail;
use harness::Harness;
use replay::Options;
use set::Choice;
use vectors::KeptVectors;

/// Score oldhand on labelled sets
#[derive(Parser)]
#[command(
    name = "oldhand-eval",
    after_help = "Example: oldhand-eval sets/locomo --limit 200 --baseline bm25\n\n\
        A question in `queries.jsonl` is a line `{\"text\": \"…\", \"gold\": [\"use-cents\"]}`; an empty `gold`\n\
        means that nothing answers it. A document in `docs.jsonl` is a line `{\"id\": \"…\", \"text\": \"…\"}`,\n\
        with `scope`, `title`, `kind` and `meta` (`date`, `session`) where they are known."
)]
struct Args {
    /// A set: a folder with `docs.jsonl`, `queries.jsonl` and optionally `abstention.jsonl`, or each
    /// as `.jsonl.gz`; it is asked in a scratch store
    #[arg(value_name = "FOLDER", required_unless_present_any = ["conflicts", "twins", "triage", "embed", "replay"])]
    set: Option<PathBuf>,
    /// Score the conflict gate by pairs of texts that clash or don't
    #[arg(long, value_name = "FILE", conflicts_with = "set")]
    conflicts: Option<PathBuf>,
    /// Score likeness by pairs of memories that say the same or don't
    #[arg(long, value_name = "FILE", conflicts_with_all = ["set", "conflicts"])]
    twins: Option<PathBuf>,
    /// Score triage by labelled sentences of the transcripts in `--transcripts`
    #[arg(long, value_name = "FILE", requires = "transcripts",
          conflicts_with_all = ["set", "conflicts", "twins"])]
    triage: Option<PathBuf>,
    /// Play the transcripts of this folder through the hooks, in a scratch repository
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["set", "conflicts", "twins", "triage"])]
    replay: Option<PathBuf>,
    /// Memories that the repository has before `--replay`: lines with `text` and `kind`
    #[arg(long, value_name = "FILE", requires = "replay")]
    memories: Option<PathBuf>,
    /// What readers would keep of the sessions of `--replay`: plays only these sessions and says what
    /// was reached
    #[arg(long, value_name = "FILE", requires = "replay")]
    labels: Option<PathBuf>,
    /// The part of `--labels` to play
    #[arg(long, value_name = "NAME", default_value = "dev", requires = "labels")]
    split: String,
    /// The transcripts that the labels of `--triage` refer to
    #[arg(long, value_name = "FOLDER", requires = "triage")]
    transcripts: Option<PathBuf>,
    /// Ask at most this many questions, spread evenly
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// The field with the right answers; a question without it uses `gold`
    #[arg(long, value_name = "FIELD", default_value = "gold")]
    gold: String,
    /// What recall is compared with
    #[arg(long, value_enum, value_delimiter = ',', default_value = "all")]
    baseline: Vec<BaselineChoice>,
    /// Write what recall ranked, one JSON object per question
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// Write what each candidate was ranked by, one JSON object per question; with `--conflicts`, what
    /// each pair was judged by
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,
    /// Write the vectors of the texts in this file, one JSON object with a `text` per line
    #[arg(long, value_name = "FILE", conflicts_with = "set")]
    embed: Option<PathBuf>,
    /// Keep the vectors of texts in this file from one run to the next
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,
    /// Ask as hooks do, which can't wait: the most telling words only, and a single look
    #[arg(long)]
    quick: bool,
    /// How many memories to rank per question; the measures look at ten
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    k: u32,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
    /// Override a setting of oldhand
    #[arg(long = "config", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BaselineChoice {
    Grep,
    Bm25,
    Recency,
    All,
    #[value(name = "none")]
    Nothing,
}

/// What every measurement needs.
pub(crate) struct Bench<'a> {
    pub harness: Harness<'a>,
    pub json: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut io = Io::real();
    let outcome = run(&args, &mut io).and_then(|()| Ok(io.flush()?));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(fail) => {
            io.note("error", &fail.message);
            if !fail.hint.is_empty() {
                io.note("hint", &fail.hint);
            }
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args, io: &mut Io<'_>) -> Result<(), Fail> {
    let vars = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let env = Env {
        vars: vars.collect(),
        current_dir: std::env::current_dir()?,
        disk: &RealDisk,
        entropy: &SystemEntropy,
        interactive: false,
        terminal: None,
        remarks: None,
    };
    if let Some(folder) = &args.replay {
        let [memories, run] = [&args.memories, &args.run].map(Option::as_deref);
        let labels = args.labels.as_deref().map(|file| (file, args.split.as_str()));
        let settings = &args.overrides;
        return replay::run(folder, &Options { memories, run, labels, settings }, io);
    }
    let harness = Harness::new(&env, Timestamp::now(), args.overrides.clone())
        .map_err(|why| Fail::new(why, "check what follows `--config`"))?;
    let bench = Bench { harness, json: args.json };
    if let Some(file) = &args.conflicts {
        return conflicts::run(file, args.features.as_deref(), &bench, io);
    }
    if let Some(file) = &args.embed {
        return vectors::print(file, bench.harness.model(), io);
    }
    if let Some(file) = &args.twins {
        return twins::run(file, &bench, io);
    }
    match (&args.triage, &args.transcripts, &args.set) {
        (Some(file), Some(folder), _) => triage::run(file, folder, &bench, io),
        (_, _, Some(folder)) => of_set(args, folder, &bench, io),
        _ => Err(Fail::new("there is nothing to score", "name the folder of a set")),
    }
}

fn of_set(args: &Args, folder: &Path, bench: &Bench<'_>, io: &mut Io<'_>) -> Result<(), Fail> {
    args.run
        .as_deref()
        .map_or(Ok(()), check_folder)
        .map_err(|message| Fail::new(message, "check what follows `--run`"))?;
    let baselines = baselines(&args.baseline)?;
    let k = args.k as usize;
    let limit = args.limit.map(|limit| limit as usize);
    let set = set::read(folder, &Choice { gold_field: &args.gold, limit, k })?;
    let features = RefCell::new(Vec::new());
    let wanted = args.features.as_ref().map(|_| &features);
    let comparison = Comparison { k, baselines: &baselines, features: wanted };

    let meaning = meaning::open(bench.harness.model());
    let kept = match (&meaning, &args.vectors) {
        (Ok(meaning), Some(path)) => Some(KeptVectors::open(meaning, path)?),
        _ => None,
    };
    let embedder: Result<&dyn Embedder, &String> = match &kept {
        Some(kept) => Ok(kept),
        None => meaning.as_ref().map(|it| it as &dyn Embedder),
    };
    let mut recaller = bench.harness.recaller(embedder, args.quick);
    let asked = ask::ask_set(&set, &comparison, &mut |store, question| {
        let recalled = recaller.answer(store, question);
        let (answer, recalled) = recalled.map_err(|fail| Fail::new(fail.message(), ""))?;
        Ok((answer, Some(recalled)))
    })?;
    if let Some(kept) = &kept {
        kept.save()?;
    }
    if let Some(file) = &args.features {
        let lines = features.take().into_iter().map(|line| format!("{line}\n"));
        std::fs::write(file, lines.collect::<String>())?;
    }
    if let Some(file) = &args.run {
        write_run(file, &asked)?;
    }
    let report = ask::report(&set, &args.gold, &comparison, &asked);
    note_unknown(&report.unknown_gold, io);
    if bench.json {
        io.json("eval", &report)?;
    } else {
        io.text(&report_text(&report))?;
    }
    Ok(())
}

fn baselines(choices: &[BaselineChoice]) -> Result<Vec<Baseline>, Fail> {
    let is_wanted = |choice| choices.contains(&BaselineChoice::All) || choices.contains(&choice);
    if choices.contains(&BaselineChoice::Nothing) && choices.len() > 1 {
        return Err(Fail::new("`none` excludes other baselines", "say `--baseline none`"));
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
