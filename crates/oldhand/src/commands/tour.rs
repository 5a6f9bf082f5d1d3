//! `oldhand tour`: the first five minutes, played for real in a scratch repository.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};

use crate::desk::Desk;
use crate::failure::{DONE, Fail, Outcome};
use crate::printer::Io;
use crate::{Env, run as run_command};

const STEPS: &[(&str, &str)] = &[
    ("Make a store in the repository.", "init"),
    (
        "Write something down in your own words.",
        "remember 'We decided to keep money in integer cents, because floats lose pennies'",
    ),
    (
        "Write a constraint with its fields.",
        "add constraint --title 'The SMS gateway takes ten messages a second' --rule 'Never send more than 10 messages per second' --severity high --tags sms,limits",
    ),
    (
        "And how a failure was mended.",
        "add runbook --title 'Resolver crashes after a wheel update' --symptoms 'resolver aborts at start' --steps 'stop the runner' --steps 'empty the wheel cache' --verification 'the banner is printed'",
    ),
    (
        "Ask in other words than it was written: this is what an agent does before it works.",
        "recall 'which number type do prices have'",
    ),
    ("A request that no memory answers gets nothing.", "recall 'rename this variable'"),
    ("See what there is.", "list"),
    ("Look at one.", "show keep-money-in-integer-cents"),
    (
        "Change it; lists only grow, and the history is kept.",
        "update keep-money-in-integer-cents --tags money --consequences 'No floats in the API'",
    ),
    (
        "Ask before you decide: does it clash with what was decided?",
        "check 'represent money as floats'",
    ),
    (
        "What clashes is not written. It waits for a person.",
        "add decision --title 'Floats for money' --decision 'Represent money as floats'",
    ),
    ("A person settles it, by name.", "resolve conflict-floats-for-money --follow --by grace"),
    ("Begin a task: what recall serves in it counts as used.", "task start PAY-12"),
    ("Work as ever.", "recall 'which number type do prices have'"),
    (
        "End it: what was served learns how it went, and earns trust or loses it.",
        "task end --outcome passed",
    ),
    ("Ask about the whole life of a memory.", "why keep-money-in-integer-cents"),
    (
        "Replace a decision by a better one; both stay readable.",
        "supersede keep-money-in-integer-cents --title 'Money is a decimal type' --decision 'Use the decimal crate everywhere' --because 'currencies with three digits'",
    ),
    (
        "From now on recall gives the new one, also for the words of the old one.",
        "recall 'are prices integer cents'",
    ),
    ("Ask what happened to it.", "history keep-money-in-integer-cents"),
    (
        "Secrets are refused before they touch the disk.",
        "remember 'the deploy key is AKIAQ7ZXW2M5NB3VLTKD'",
    ),
    ("Take the last write back.", "undo"),
    ("Check everything.", "doctor"),
];

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let scratch = tempfile::Builder::new().prefix("oldhand-tour-").tempdir()?;
    let repository = scratch.path().join("shop");
    std::fs::create_dir_all(repository.join("src"))?;
    std::fs::write(repository.join("src/pay.rs"), "fn pay() {}\n")?;
    let with_git = git(&repository, &["init", "-q", "-b", "main"]);
    let env = scratch_env(desk.env, scratch.path(), &repository);
    if desk.flags.json {
        let steps: Vec<Value> = STEPS
            .iter()
            .map(|(what, command)| {
                let (code, output) = play(command, &env, desk);
                json!({"what": what, "command": format!("oldhand {command}"), "exit": code, "output": output})
            })
            .collect();
        let mut object = Map::new();
        object.insert("steps".into(), Value::Array(steps));
        io.json("tour", object)?;
        return Ok(DONE);
    }
    io.text("The first five minutes with oldhand, in a scratch repository.\n")?;
    for (number, (what, command)) in STEPS.iter().enumerate() {
        io.text(&format!("\n{}. {what}\n\n$ oldhand {command}\n", number + 1))?;
        // A refusal is part of the tour: its words are what is shown.
        io.text(&play(command, &env, desk).1)?;
    }
    if with_git && git(&repository, &["add", "-A"]) {
        io.text("\nWhat a pull request would show:\n\n$ git status --short\n")?;
        io.text(&git_output(&repository, &["status", "--short"]))?;
    }
    let page = std::fs::read_to_string(repository.join(".oldhand/index.md"))?;
    io.text(&format!("\nAnd what an agent reads first:\n\n$ cat .oldhand/index.md\n{page}"))?;
    io.text(&ending())?;
    scratch.close().map_err(Fail::Io)?;
    Ok(DONE)
}

/// One command in the scratch repository: its exit code, and what it said on both streams.
fn play(command: &str, env: &Env<'_>, desk: &Desk<'_>) -> (u8, String) {
    let mut args: Vec<OsString> = vec!["oldhand".into()];
    args.extend(words(command).into_iter().map(OsString::from));
    let (mut said, mut remarked) = (Vec::new(), Vec::new());
    let code = {
        let mut io = Io {
            stdin: Box::new(std::io::empty()),
            stdout: Box::new(&mut said),
            stderr: Box::new(&mut remarked),
        };
        run_command(args, env, desk.now, &mut io)
    };
    said.extend(remarked);
    (code, String::from_utf8_lossy(&said).into_owned())
}

fn ending() -> String {
    "\nThat was all in a scratch folder, which is gone now. To install:\n\n  \
     cargo install --locked --path crates/oldhand\n\n\
     Then, in a repository of yours:\n\n  oldhand init\n  oldhand remember \"we decided …\"\n  \
     oldhand recall \"what I am about to do\"\n  git add .oldhand && git commit\n"
        .to_owned()
}

/// Nothing of the person's own settings or stores takes part.
fn scratch_env<'a>(env: &'a Env<'a>, home: &Path, repository: &Path) -> Env<'a> {
    let mut vars = BTreeMap::new();
    vars.insert("HOME".to_owned(), home.display().to_string());
    vars.insert("USER".to_owned(), env.var("USER").unwrap_or("you").to_owned());
    Env {
        vars,
        current_dir: repository.to_owned(),
        disk: env.disk,
        entropy: env.entropy,
        interactive: false,
    }
}

fn git(folder: &Path, args: &[&str]) -> bool {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn git_output(folder: &Path, args: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(folder).args(args).stdin(Stdio::null()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

/// Words as a shell would split these simple lines.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
