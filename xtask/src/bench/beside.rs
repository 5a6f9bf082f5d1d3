//! Two programs beside each other, run in turn: what a change costs those who start the program often. Hooks and
//! `recall` from process start to exit, each program with a store of its own.

use std::fs;
use std::path::Path;

use super::hooks::{ms, prompt, records, tool};
use super::measure::usage_fed;
use super::store::Store;
use crate::failure::Failure;
use crate::process;

const RUNS: usize = 41;
const MEMORIES: usize = 1_000;

pub(super) fn bench(program: &Path, beside: &Path, folder: &Path) -> Result<(), Failure> {
    let stores = [filled(beside, folder, "beside")?, filled(program, folder, "program")?];
    println!(
        "CPU milliseconds of the process, least and median of {RUNS} runs in turn, {MEMORIES} memories"
    );
    let source = "\"hook_event_name\":\"SessionStart\",\"source\":\"startup\"".to_owned();
    let hooks = [
        ("session start", source),
        ("prompt that finds", prompt("how do we validate the invoice payment in Postgres?")),
        ("everyday prompt", prompt("please run the tests and commit this")),
        ("guard, passed", tool("Bash", "\"command\":\"ls -la src\"")),
        ("before an edit", tool("Edit", "\"file_path\":\"src/order/cache.rs\"")),
    ];
    for (name, fields) in &hooks {
        compare(&stores, name, &["hook", "claude-code"], fields)?;
    }
    compare(&stores, "recall", &["recall", "how is the invoice validated in Postgres?"], "")?;
    compare(&stores, "list", &["list", "--limit", "20"], "")?;
    compare(&stores, "--version", &["--version"], "")
}

fn filled(program: &Path, folder: &Path, name: &str) -> Result<Store, Failure> {
    let store = Store::empty(program, folder, name)?;
    fs::write(store.folder.join("records.jsonl"), records(MEMORIES))?;
    process::run(store.command(&["import", "records.jsonl"]))?;
    process::run(store.command(&["reindex"]))?;
    Ok(store)
}

fn compare(stores: &[Store; 2], name: &str, args: &[&str], fields: &str) -> Result<(), Failure> {
    let mut times: [Vec<f64>; 2] = Default::default();
    for number in 0..RUNS {
        for (store, times) in stores.iter().zip(&mut times) {
            let (payload, root) = (store.folder.join("payload.json"), store.folder.display());
            // A session of its own each time: nothing was served in it.
            let text = format!("{{\"session_id\":\"{name}{number}\",\"cwd\":\"{root}\",{fields}}}");
            fs::write(&payload, text)?;
            times.push(ms(usage_fed(&store.command(args), &payload)?.cpu));
        }
    }
    times.iter_mut().for_each(|it| it.sort_by(f64::total_cmp));
    let [before, after] = times.map(|it| (it[0], it[RUNS / 2]));
    println!(
        "  {name:20} {:6.2} / {:6.2}   {:6.2} / {:6.2}   ratio {:.2} / {:.2}",
        before.0,
        before.1,
        after.0,
        after.1,
        after.0 / before.0,
        after.1 / before.1
    );
    Ok(())
}
