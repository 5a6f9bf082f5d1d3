//! Reads texts and cuts them into passages as long as a memory. Half of the groups is held out, by a hash of the group's
//! name, so that texts of one repository or program never stand on both sides.

use std::error::Error;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub(crate) struct Passage {
    pub(crate) class: String,
    pub(crate) text: String,
    pub(crate) held_out: bool,
}

/// The sizes of passages in characters, taken in turn.
const SIZES: [usize; 5] = [250, 500, 1000, 2000, 4000];
const CHARACTERS_MIN: usize = 200;
const CHARACTERS_MAX: usize = 4000;

pub(crate) fn read(files: &[PathBuf]) -> Result<Vec<Passage>, Box<dyn Error>> {
    let mut passages = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file)
            .map_err(|error| format!("{error}: {}", file.display()))?;
        if file.extension().is_some_and(|extension| extension == "jsonl") {
            for (number, line) in text.lines().enumerate() {
                let record: Value = serde_json::from_str(line)?;
                let class = record["class"].as_str().map_or_else(|| stem(file), str::to_owned);
                let group =
                    record["group"].as_str().map_or_else(|| number.to_string(), str::to_owned);
                let text = record["text"].as_str().ok_or("a line without a text")?;
                cut(&class, &group, text, &mut passages);
            }
        } else {
            cut("text", &file.display().to_string(), &text, &mut passages);
        }
    }
    Ok(passages)
}

fn stem(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Cuts at line starts.
fn cut(class: &str, group: &str, text: &str, passages: &mut Vec<Passage>) {
    let held_out = hash(&format!("{class}/{group}")) % 2 == 1;
    let mut turn = hash(&text[..text.floor_char_boundary(100)]) as usize;
    let mut current = String::new();
    let mut push = |text: &mut String| {
        let characters = text.trim_matches('\n').chars().count();
        if (CHARACTERS_MIN..=CHARACTERS_MAX).contains(&characters) {
            let text = text.trim_matches('\n').to_owned();
            passages.push(Passage { class: class.to_owned(), text, held_out });
        }
        text.clear();
    };
    for line in text.split_inclusive('\n') {
        if !current.is_empty() && current.len() + line.len() > SIZES[turn % SIZES.len()] {
            push(&mut current);
            turn += 1;
        }
        current.push_str(line);
    }
    push(&mut current);
}

/// FNV-1a, folded: the low bit alone is weak.
fn hash(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 32)) & 0x7fff_ffff
}
