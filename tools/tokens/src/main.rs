//! Measures the token estimate of the product against real tokenizers, and fits its weights. For development only:
//! the product carries no tokenizer.

mod corpus;
mod fit;
mod table;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use corpus::Passage;

const USAGE: &str = "usage: oldhand-tokens measure|fit|count FILE...
  measure  print the error table over the held-out half
  fit      print weights fitted on the other half
  count    print what each tokenizer and the estimate count in each whole file
  FILE     .jsonl with lines {\"class\", \"group\", \"text\"}, or any text";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().ok_or(USAGE)?;
    let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if files.is_empty() {
        return Err(USAGE.into());
    }
    match command.as_str() {
        "measure" => table::print(&half(corpus::read(&files)?, true)),
        "fit" => fit::print(&half(corpus::read(&files)?, false)),
        "count" => {
            for file in &files {
                let text = std::fs::read_to_string(file)?;
                let (o200k, cl100k) = table::true_counts(&text);
                let estimate = oldhand_text::tokens::count(&text);
                println!("o200k {o200k}, cl100k {cl100k}, estimate {estimate}: {}", file.display());
            }
        }
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

fn half(passages: Vec<Passage>, held_out: bool) -> Vec<Passage> {
    passages.into_iter().filter(|passage| passage.held_out == held_out).collect()
}
