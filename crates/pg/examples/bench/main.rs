//! What the team server costs beside what it stands on: `cargo xtask bench team [PART] [--largest N] [--seconds N] [--exact]`.
//! Texts and vectors are made up. Each thing is measured in turn with its reference, in CPU time of processes, and the
//! least of several runs counts, because machines are noisy. Numbers, not verdicts.
#![expect(clippy::print_stdout, reason = "a developer's tool talks to the terminal")]

use std::path::PathBuf;
use std::process::ExitCode;

use crate::house::House;

mod crowd;
mod fill;
mod gauge;
mod house;
mod imports;
mod local;
mod recall;
mod replay;
mod rows;
mod texts;
mod writes;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const PARTS: [&str; 5] = ["recall", "writes", "imports", "agents", "tenants"];

/// Prints the texts and questions, for other programs.
const TEXTS: &str = "texts";

struct Options {
    part: String,
    /// Memories in the largest database.
    largest: u64,
    seconds: u64,
    /// Without vector indexes, whose making takes longer than all the rest.
    is_exact: bool,
    /// Where `oldhand` and `oldhand-team` are.
    programs: PathBuf,
}

fn options() -> Outcome<Options> {
    let example = std::env::current_exe()?;
    let programs = example.ancestors().nth(2).ok_or("a program has a folder")?.to_owned();
    let (part, largest, seconds, is_exact) = (String::new(), 200_000, 60, false);
    let mut options = Options { part, largest, seconds, is_exact, programs };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || -> Outcome<u64> {
            let text = arguments.next().unwrap_or_default();
            Ok(text.parse().map_err(|_| format!("`{argument} {text}`: expected a number"))?)
        };
        match argument.as_str() {
            "--largest" => options.largest = number()?,
            "--exact" => options.is_exact = true,
            "--seconds" => options.seconds = number()?,
            part if PARTS.contains(&part) || part == TEXTS => options.part = part.to_owned(),
            other => return Err(format!("`{other}`: expected one of {PARTS:?}").into()),
        }
    }
    Ok(options)
}

fn run() -> Outcome<()> {
    let options = options()?;
    let is_asked = |part: &str| options.part.is_empty() || options.part == part;
    if options.part == TEXTS {
        for number in 0..options.largest {
            println!("{}", serde_json::json!({ "text": texts::text(number) }));
        }
        for number in 0..40 {
            println!("{}", serde_json::json!({ "question": texts::question(number) }));
        }
    }
    for part in PARTS.into_iter().filter(|part| is_asked(part)) {
        let mut house = House::open(&options.programs)?;
        println!("\n{part}");
        match part {
            "recall" => recall::bench(&house, options.largest, options.is_exact)?,
            "writes" => writes::bench(&house)?,
            "imports" => imports::bench(&house)?,
            "agents" => crowd::agents(&house, options.seconds)?,
            _ => crowd::tenants(&mut house)?,
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
