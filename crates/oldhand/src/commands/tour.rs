//! `oldhand tour`: the first five minutes, played for real in a scratch repository.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use oldhand_text::command_line::commands;
use wire::program::{Tour, TourStep};

use super::prelude::*;
use crate::{Env, Terminal, run as run_command, usage};

/// Each step: what it shows, then the command.
const STEPS: &str = include_str!("tour.txt");

const ENDING: &str = "
That was all in a scratch folder, which is gone now. To install:

  cargo install --locked --path crates/oldhand

Then, in a repository of yours:

  oldhand init
  oldhand remember \"we decided …\"
  oldhand recall \"what I am about to do\"
  git add .oldhand && git commit
";

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let scratch = tempfile::Builder::new().prefix("oldhand-tour-").tempdir()?;
    let repository = scratch.path().join("shop");
    std::fs::create_dir_all(repository.join("src"))?;
    std::fs::write(repository.join("src/pay.rs"), "fn pay() {}\n")?;
    let with_git = git(&repository, &["init", "-q", "-b", "main"]);
    let env = scratch_env(desk, scratch.path(), &repository);
    if !desk.flags.json {
        io.text("The first five minutes with oldhand, in a scratch repository.\n")?;
    }
    let steps = STEPS.split("\n\n").filter_map(|step| step.trim().split_once("\n$ "));
    // A refusal is part of the tour.
    let mut played = steps.map(|(what, command)| {
        let (exit, output) = play(command, &env, desk);
        TourStep { what, command, exit, output }
    });
    if desk.flags.json {
        io.json("tour", Tour { steps: played.collect() })?;
        return Ok(DONE);
    }
    let screen = usage::screen(desk);
    let mut tell = |what: &str, command: &str, output: &str| {
        let (what, command) = (screen.title(what), screen.command(command));
        io.text(&format!("\n{what}\n\n$ {command}\n{output}"))
    };
    for (number, step) in (1..).zip(&mut played) {
        tell(&format!("{number}. {}", step.what), step.command, &step.output)?;
    }
    if with_git.is_some() && git(&repository, &["add", "-A"]).is_some() {
        let status = git(&repository, &["status", "--short"]).unwrap_or_default();
        tell("What a pull request would show:", "git status --short", &status)?;
    }
    let page = std::fs::read_to_string(repository.join(".oldhand/index.md"))?;
    tell("And what an agent reads first:", "cat .oldhand/index.md", &page)?;
    io.text(ENDING)?;
    scratch.close().map_err(Fail::Io)?;
    Ok(DONE)
}

/// Runs a command in the scratch repository; returns its exit code and the output of both streams.
fn play(command: &str, env: &Env<'_>, desk: &Desk<'_>) -> (u8, String) {
    let words = commands(command).into_iter().flat_map(|command| command.words);
    let args: Vec<OsString> = words.map(OsString::from).collect();
    let (mut said, mut remarked) = (Vec::new(), Vec::new());
    let code = {
        let mut io = Io::new(std::io::empty(), &mut said, &mut remarked);
        run_command(args, env, desk.now, &mut io)
    };
    said.extend(remarked);
    (code, String::from_utf8_lossy(&said).into_owned())
}

/// An environment without the user's own settings and stores, in which answers look as they do here.
fn scratch_env<'a>(desk: &Desk<'a>, home: &Path, repository: &Path) -> Env<'a> {
    let (env, screen) = (desk.env, desk.screen());
    let home = home.display().to_string();
    let has_colour = screen.is_some_and(|it| it.colour);
    let colour = if has_colour { "CLICOLOR_FORCE" } else { "NO_COLOR" };
    let vars = [("HOME", &*home), ("USER", env.var("USER").unwrap_or("you")), (colour, "1")];
    // No pager comes in between.
    let terminal = screen.map(|it| Terminal { columns: it.width, rows: usize::MAX });
    Env {
        vars: vars.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        current_dir: repository.to_owned(),
        disk: env.disk,
        entropy: env.entropy,
        interactive: false,
        terminal,
        remarks: terminal,
    }
}

/// The output of git, if it succeeds.
fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    let output = git.arg("-C").arg(folder).args(args).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
