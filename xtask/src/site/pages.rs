//! Which pages the site has, in which order, and where their links lead.

use std::fs;
use std::path::Path;

use crate::failure::Failure;
use crate::tidy::resolve;

pub(super) struct Page {
    /// In the repository: `docs/recall.md`.
    pub(super) source: String,
    /// In the site: `recall.md`.
    pub(super) place: String,
    title: String,
    /// How deep it stands in the table of contents.
    depth: usize,
    /// The heading that it is the first page under.
    part: Option<&'static str>,
}

/// The documents at the root, behind those of `docs`.
const ROOT: &[&str] =
    &["CHANGELOG.md", "SHORTCOMINGS.md", "GLOSSARY.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// `README.md` first, then what `docs/README.md` lists, in its order, with the pages of a folder below its own.
pub(super) fn all(root: &Path) -> Result<Vec<Page>, Failure> {
    let list = fs::read_to_string(root.join("docs/README.md"))?;
    let mut pages = vec![page(root, "README.md", "index.md", 0)?];
    pages.push(page(root, "docs/README.md", "contents.md", 0)?);
    for line in list.lines().filter(|line| line.starts_with("- [")) {
        let Some((_, rest)) = line.split_once("](") else { continue };
        let Some((target, _)) = rest.split_once(')') else { continue };
        let source = format!("docs/{target}");
        let is_format = target.starts_with("formats/");
        let mut listed = page(root, &source, &target.replace("README.md", "index.md"), 0)?;
        if is_format && !pages.iter().any(|it| it.place.starts_with("formats/")) {
            listed.part = Some("Formats");
        }
        if pages.len() == 2 {
            listed.part = Some("Using oldhand");
        }
        pages.push(listed);
        if let Some(folder) = target.strip_suffix("README.md") {
            pages.extend(below(root, folder)?);
        }
    }
    for (number, name) in ROOT.iter().enumerate() {
        let mut listed = page(root, name, &format!("project/{name}"), 0)?;
        listed.part = (number == 0).then_some("The project");
        pages.push(listed);
    }
    let known: Vec<&str> = pages.iter().map(|page| page.source.as_str()).collect();
    for path in super::files(&root.join("docs"), "md")? {
        let source = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if !known.contains(&source.as_str()) {
            return Err(Failure::new(format!(
                "page is not listed in `docs/README.md`: `{source}`"
            )));
        }
    }
    Ok(pages)
}

fn below(root: &Path, folder: &str) -> Result<Vec<Page>, Failure> {
    let mut pages = Vec::new();
    for path in super::files(&root.join("docs").join(folder), "md")? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name != "README.md" {
            let place = format!("{folder}{name}");
            pages.push(page(root, &format!("docs/{place}"), &place, 1)?);
        }
    }
    Ok(pages)
}

fn page(root: &Path, source: &str, place: &str, depth: usize) -> Result<Page, Failure> {
    let text = fs::read_to_string(root.join(source))
        .map_err(|error| Failure::new(format!("could not read `{source}`: {error}")))?;
    let heading = text.lines().find_map(|line| line.strip_prefix("# "));
    let title = heading.ok_or_else(|| Failure::new(format!("page has no title: `{source}`")))?;
    Ok(Page {
        source: source.to_owned(),
        place: place.to_owned(),
        title: title.replace(['`', '[', ']'], ""),
        depth,
        part: None,
    })
}

/// The table of contents, as mdBook reads it.
pub(super) fn contents(pages: &[Page]) -> String {
    let mut text = "# Summary\n\n".to_owned();
    for page in pages {
        if let Some(part) = page.part {
            text += &format!("\n# {part}\n\n");
        }
        text += &format!("{}- [{}]({})\n", "  ".repeat(page.depth), page.title, page.place);
    }
    text
}

/// The text with each link turned: to the place of a page or picture in the site, else to the repository.
pub(super) fn turn_links(
    text: &str,
    source: &str,
    place: &str,
    placed: &dyn Fn(&str) -> Option<String>,
    repository: &str,
) -> String {
    let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let up = "../".repeat(place.matches('/').count());
    let turn = |target: &str| {
        let (file, anchor) = target.split_once('#').map_or((target, ""), |(file, it)| (file, it));
        if file.is_empty() || file.contains("://") || file.starts_with("mailto:") {
            return None;
        }
        let mark = if anchor.is_empty() { "" } else { "#" };
        let mut path = resolve(folder, file)?;
        let page = placed(&path).or_else(|| {
            path = format!("{}/README.md", path.trim_end_matches('/'));
            placed(&path)
        });
        let bare = resolve(folder, file)?;
        Some(match page {
            Some(place) => format!("{up}{place}{mark}{anchor}"),
            None => format!("{repository}/blob/main/{bare}{mark}{anchor}"),
        })
    };
    let mut turned = String::with_capacity(text.len());
    let mut in_code = false;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            in_code = !in_code;
        }
        if in_code {
            turned += line;
            continue;
        }
        let mut pieces = line.split("](");
        turned += pieces.next().unwrap_or_default();
        for piece in pieces {
            turned += "](";
            match piece.split_once(')').and_then(|(target, rest)| Some((turn(target)?, rest))) {
                Some((target, rest)) => turned += &format!("{target}){rest}"),
                None => turned += piece,
            }
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, place: &str, text: &str, want: &str) {
        let placed = |path: &str| match path {
            "docs/recall.md" => Some("recall.md".to_owned()),
            "docs/hosts/README.md" => Some("hosts/index.md".to_owned()),
            _ => None,
        };
        assert_eq!(turn_links(text, source, place, &placed, "https://forge/o"), want);
    }

    #[test]
    fn a_page_is_found_from_the_root() {
        check("README.md", "index.md", "[r](docs/recall.md#floor)", "[r](recall.md#floor)");
    }

    #[test]
    fn a_page_is_found_from_a_folder() {
        check("docs/hosts/a.md", "hosts/a.md", "[r](../recall.md) x", "[r](../recall.md) x");
        check("GLOSSARY.md", "project/GLOSSARY.md", "[h](docs/hosts)", "[h](../hosts/index.md)");
    }

    #[test]
    fn what_the_site_has_not_is_in_the_repository() {
        check(
            "docs/a.md",
            "a.md",
            "[e](../evals/x.md)",
            "[e](https://forge/o/blob/main/evals/x.md)",
        );
    }

    #[test]
    fn code_and_other_sites_stay() {
        check("docs/a.md", "a.md", "```\n[r](recall.md)\n```\n", "```\n[r](recall.md)\n```\n");
        check("docs/a.md", "a.md", "[e](https://e.org)", "[e](https://e.org)");
    }
}
