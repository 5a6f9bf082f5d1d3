//! What a module says about itself: the first sentence of its documentation.

use super::ABOUT_CHARS_MAX;
use super::tree::{Module, Tree};
use crate::manifest;
use oldhand_text::sentence;
use oldhand_text::strings::{normalise_line, shorten};

/// Where the sentence is looked for, the best place first. `*` is the module's own name.
const PLACES: &str = "src/lib.rs lib.rs mod.rs ../*.rs src/main.rs main.rs __init__.py __main__.py \
    main.py doc.go *.go package-info.java package.json Cargo.toml pyproject.toml index.ts index.js \
    index.tsx src/index.ts src/index.js README.md readme.md README";
const PLACES_MAX: usize = 6;

pub fn places(module: &Module, tree: &Tree) -> Vec<String> {
    let (module, names) = (module.path.as_str(), module.names.as_slice());
    let (parent, name) = module.rsplit_once('/').unwrap_or(("", module));
    let below = |folder: &str, file: &str| match folder {
        "" | "." => file.to_owned(),
        folder => format!("{folder}/{file}"),
    };
    let place = |place: &str| match place.strip_prefix("../") {
        Some(beside) => below(parent, &beside.replace('*', name)),
        None => below(module, &place.replace('*', name)),
    };
    let all = PLACES.split_ascii_whitespace().map(place);
    let mut places: Vec<String> = all.filter(|it| tree.has_file(it)).take(PLACES_MAX).collect();
    // What is one file is about what that file is about.
    if let [only] = names {
        places.push(below(module, only));
    }
    places
}

pub fn about(file: &str, text: &str) -> Option<String> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let found = match (name, extension) {
        ("package.json", _) | (_, "toml") => manifest::description(name, text),
        (_, "rs") => comment(text, "//!", "//!"),
        (_, "py") => docstring(text),
        // Behind `Package pay`, which begins the comment.
        (_, "go") => comment(text, "// Package ", "//")
            .and_then(|said| said.splitn(3, ' ').nth(2).map(str::to_owned)),
        (_, "java" | "ts" | "tsx" | "js") => block_comment(text),
        _ => first_paragraph(text),
    };
    sentence(&found?)
}

/// The first paragraph of the comment that begins with a text, its lines with a mark.
fn comment(text: &str, start: &str, mark: &str) -> Option<String> {
    let lines = text.lines().map(str::trim_start).skip_while(|line| !line.starts_with(start));
    paragraph(lines.map_while(|line| line.strip_prefix(mark)).map(str::trim))
}

/// The lines up to the first blank one, titles left out.
fn paragraph<'t>(lines: impl Iterator<Item = &'t str>) -> Option<String> {
    let is_title = |line: &&str| line.is_empty() || line.starts_with('#');
    let said: Vec<&str> = lines.skip_while(is_title).take_while(|line| !is_title(line)).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn docstring(text: &str) -> Option<String> {
    let is_before = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let start = text.lines().find(|line| !is_before(line))?;
    let quote =
        ["\"\"\"", "'''"].into_iter().find(|quote| start.trim_start().starts_with(quote))?;
    let inner = text.split_once(quote)?.1;
    let inner = inner.split(quote).next().unwrap_or(inner);
    paragraph(inner.lines().map(str::trim))
}

fn block_comment(text: &str) -> Option<String> {
    let start = text.find("/**")?;
    // Further down it is about something in the module.
    if text[..start].lines().any(|line| !line.trim().is_empty() && !line.starts_with("//")) {
        return None;
    }
    let inner = text[start + 3..].split("*/").next()?;
    paragraph(inner.lines().map(|line| line.trim().trim_start_matches('*').trim()))
        .filter(|said| !said.starts_with('@'))
}

/// The first paragraph of a page that is text: no title, badge, quote, list or markup.
fn first_paragraph(text: &str) -> Option<String> {
    let is_markup = |line: &str| {
        line.starts_with(['#', '!', '<', '>', '=', '-', '|', '`', '*']) || line.starts_with("[![")
    };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut paragraphs = lines.split(|line| line.is_empty());
    let said = paragraphs.find(|it| it.first().is_some_and(|first| !is_markup(first)))?;
    Some(unlinked(&said.join(" ")))
}

/// `[name](address)` is `name`.
fn unlinked(text: &str) -> String {
    let link = |text| -> Option<(&str, &str, &str)> {
        let (before, link) = str::split_once(text, '[')?;
        let (name, after) = link.split_once("](")?;
        Some((before, name, after.split_once(')')?.1))
    };
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, name, after)) = link(rest) {
        out.extend([before, name]);
        rest = after;
    }
    out + rest
}

fn sentence(text: &str) -> Option<String> {
    let line = normalise_line(text);
    let said = sentence::first(&line).trim_end_matches(['.', ':', ';']).trim();
    let said = shorten(said, ABOUT_CHARS_MAX);
    // A map with a secret would be refused as a whole.
    let is_fine =
        said.chars().any(char::is_alphabetic) && oldhand_text::secrets::scan(&said).is_empty();
    is_fine.then_some(said)
}
