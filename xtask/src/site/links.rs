//! Whether every link of the built site leads somewhere: the page is there, and the place on it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// How many links were followed.
pub(super) fn check(book: &Path) -> Result<usize, Failure> {
    let mut marks: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    let mut links: Vec<(PathBuf, String)> = Vec::new();
    for page in super::files(book, "html")? {
        // It is all pages once more, for printing; the other two belong to the tool.
        if ["print.html", "404.html", "toc.html"].iter().any(|name| page.ends_with(name)) {
            continue;
        }
        let text = fs::read_to_string(&page)?;
        marks.insert(page.clone(), values(&text, " id=\"").map(str::to_owned).collect());
        let targets = values(&text, " href=\"").chain(values(&text, " src=\""));
        links.extend(targets.map(|target| (page.clone(), target.replace("&amp;", "&"))));
    }
    let mut wrong = Vec::new();
    let mut followed = 0;
    for (page, target) in links {
        if target.contains("://") || target.starts_with("mailto:") || target.starts_with("data:") {
            continue;
        }
        followed += 1;
        let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
        let at = if file.is_empty() { page.clone() } else { beside(&page, file) };
        let has_mark = || marks.get(&at).is_none_or(|marks| marks.contains(anchor));
        if !at.exists() || !(anchor.is_empty() || has_mark()) {
            let page = page.strip_prefix(book).unwrap_or(&page).display();
            wrong.push(format!("{page}: `{target}`"));
        }
    }
    wrong.sort();
    wrong.dedup();
    if wrong.is_empty() {
        return Ok(followed);
    }
    Err(Failure::new(format!("links of the site lead nowhere:\n{}", wrong.join("\n"))))
}

/// What stands behind `start` up to the next quotation mark, each time.
fn values<'t>(text: &'t str, start: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(start).skip(1).filter_map(|rest| rest.split('"').next())
}

fn beside(page: &Path, file: &str) -> PathBuf {
    let mut at = page.parent().unwrap_or(page).to_owned();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = at.pop(),
            part => at.push(part),
        }
    }
    if at.is_dir() { at.join("index.html") } else { at }
}
