//! The files that an import reads, within limits. Links are not followed, and nothing is changed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::policy::IMPORT_BYTES_MAX;
use oldhand_exchange::database;
use oldhand_exchange::files::{Content, SourceFile};

use super::super::prelude::*;
use super::places;

/// Files that one import looks at.
const FILES_MAX: usize = 200_000;
const DEPTH_MAX: usize = 16;
/// What shows whether a file is worth reading.
const HEAD_BYTES: u64 = 4096;
/// Files that nobody named are small, or no memories.
const UNNAMED_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Git answers within it, or files keep the time of their last change.
const GIT_WAIT: Duration = Duration::from_secs(20);

pub(super) struct Finder<'d> {
    desk: &'d Desk<'d>,
    repository: PathBuf,
    home: Option<PathBuf>,
    files: Vec<Walked>,
    pub notes: Vec<String>,
}

#[derive(Debug, Clone)]
struct Walked {
    path: PathBuf,
    label: String,
    is_named: bool,
}

impl<'d> Finder<'d> {
    pub(super) fn new(desk: &'d Desk<'d>, repository: PathBuf) -> Self {
        let home = desk.env.var("HOME").map(PathBuf::from);
        Self { desk, repository, home, files: Vec::new(), notes: Vec::new() }
    }

    /// The known places of this repository.
    pub(super) fn look_around(&mut self) -> Result<(), Fail> {
        let more = self.folders_of_records();
        let root = self.repository.clone();
        let mut walked = Vec::new();
        self.walk(&root, "", 0, &mut walked)?;
        let mut folders = Vec::new();
        let (mut found, others): (Vec<Walked>, Vec<Walked>) = walked.into_iter().partition(|one| {
            folders.extend(places::whole_folder(&one.label));
            let is_place = places::is_place(&one.label, &more);
            let sign = || places::signs_of(&one.label).find(|sign| begins_with(&one.path, sign));
            let sign = if is_place { None } else { sign() };
            folders.extend(sign.and_then(|sign| places::whole_tree(&one.label, sign)));
            is_place || sign.is_some()
        });
        let is_below = |one: &Walked| folders.iter().any(|it| one.label.starts_with(it.as_str()));
        found.extend(others.into_iter().filter(is_below));
        self.files.extend(found);
        Ok(())
    }

    /// Pages of Markdown that say this, with their texts.
    pub(super) fn pages_with(&mut self, said: &str) -> Result<Vec<(String, String)>, Fail> {
        let (root, mut walked) = (self.repository.clone(), Vec::new());
        self.walk(&root, "", 0, &mut walked)?;
        walked.retain(|one| one.label.ends_with(".md") || one.label.ends_with(".mdc"));
        let page = |one: Walked| match content(&one) {
            Ok(Content::Bytes(bytes)) => {
                let text = String::from_utf8(bytes).ok().filter(|it| it.contains(said))?;
                Some((one.label, text))
            }
            _ => None,
        };
        Ok(walked.into_iter().filter_map(page).collect())
    }

    /// The known places in the user's home.
    pub(super) fn look_at_home(&mut self) -> Result<(), Fail> {
        for place in places::of_user(self.desk, &self.repository) {
            self.name(&place)?;
        }
        Ok(())
    }

    /// A file or folder that somebody named is read whole. What it is called here never shows where it lies
    /// on this machine.
    pub(super) fn name(&mut self, path: &Path) -> Result<String, Fail> {
        let failed = |error| {
            let message = format!("could not read `{}`: {error}", path.display());
            Fail::usage(message, "name an existing file or folder, or `-` for standard input")
        };
        let path = path.canonicalize().map_err(failed)?;
        let label = self.label(&path);
        let mut walked = Vec::new();
        if path.is_dir() {
            self.walk(&path, &label, 0, &mut walked)?;
        } else {
            walked.push(Walked { path, label: label.clone(), is_named: true });
        }
        self.files.extend(walked.into_iter().map(|it| Walked { is_named: true, ..it }));
        Ok(label)
    }

    /// What a place that is no longer there was called.
    pub(super) fn label_of_missing(&self, path: &Path) -> Option<String> {
        let there = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
        let (above, real) = there?;
        Some(self.label(&real.join(path.strip_prefix(above).ok()?)))
    }

    /// Below the repository, below the home, or by its name with the hidden folder around it.
    fn label(&self, path: &Path) -> String {
        let shown = |below: &Path| below.to_string_lossy().replace('\\', "/");
        let root = self.repository.canonicalize().unwrap_or_else(|_| self.repository.clone());
        if let Ok(below) = path.strip_prefix(&root) {
            return shown(below);
        }
        let home = self.home.as_ref().and_then(|home| home.canonicalize().ok());
        if let Some(below) = home.and_then(|home| path.strip_prefix(home).ok().map(shown)) {
            return format!("~/{below}");
        }
        let parts: Vec<String> =
            path.components().map(|it| it.as_os_str().to_string_lossy().into_owned()).collect();
        let hidden = parts.iter().rposition(|part| part.starts_with('.') && part.len() > 1);
        let from =
            hidden.filter(|at| parts.len() - at <= 4).unwrap_or(parts.len().saturating_sub(1));
        parts[from..].join("/")
    }

    fn walk(
        &mut self,
        folder: &Path,
        label: &str,
        depth: usize,
        files: &mut Vec<Walked>,
    ) -> Result<(), Fail> {
        if depth > DEPTH_MAX {
            self.notes
                .push(format!("`{label}` is deeper than {DEPTH_MAX} folders: not looked into"));
            return Ok(());
        }
        // A folder that can't be opened is no reason to read nothing.
        let Ok(entries) = std::fs::read_dir(folder) else {
            self.notes.push(format!("`{label}` could not be opened"));
            return Ok(());
        };
        let mut entries: Vec<std::fs::DirEntry> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let Ok(kind) = entry.file_type() else { continue };
            let below = if label.is_empty() { name.clone() } else { format!("{label}/{name}") };
            if kind.is_dir() && !places::is_passed(&name) {
                self.walk(&entry.path(), &below, depth + 1, files)?;
            } else if kind.is_file() {
                if self.files.len() + files.len() >= FILES_MAX {
                    let message = format!("there are more than {FILES_MAX} files");
                    return Err(Fail::usage(message, "name the folders that hold memories"));
                }
                files.push(Walked { path: entry.path(), label: below, is_named: false });
            }
        }
        Ok(())
    }

    /// Where this repository says that its decision records are.
    fn folders_of_records(&self) -> Vec<String> {
        let read = |name: &str| std::fs::read_to_string(self.repository.join(name)).ok();
        let adr_dir = read(".adr-dir").map(|text| text.trim().to_owned());
        let log4brains = read(".log4brains.yml").into_iter().flat_map(|text| {
            let lines = text.lines().map(|line| line.trim_start_matches([' ', '-']).to_owned());
            let folders = lines.filter_map(|line| {
                Some(line.strip_prefix("adrFolder:")?.trim().trim_matches(['"', '\'']).to_owned())
            });
            folders.collect::<Vec<String>>()
        });
        let tidy = |it: String| it.trim_start_matches("./").trim_matches('/').to_owned();
        let folders = adr_dir.into_iter().chain(log4brains).map(tidy);
        folders.filter(|folder| !folder.is_empty()).collect()
    }

    /// Reads what was found, each file once, with the day on which git first saw it.
    pub(super) fn read(&mut self) -> Vec<SourceFile> {
        let mut walked = std::mem::take(&mut self.files);
        let mut seen = std::collections::BTreeSet::new();
        walked.retain(|one| seen.insert(one.path.clone()));
        let labels: Vec<&str> = walked
            .iter()
            .map(|one| one.label.as_str())
            .filter(|it| !it.starts_with("~/"))
            .collect();
        let dates = self.first_seen(&labels);
        let mut files = Vec::with_capacity(walked.len());
        for one in &walked {
            match content(one) {
                Ok(content) => {
                    let dated = dates.get(&one.label).copied().or_else(|| changed_at(&one.path));
                    files.push(SourceFile { path: one.label.clone(), content, dated });
                }
                Err(why) => self.notes.push(format!("`{}` was not read: {why}", one.label)),
            }
        }
        files
    }

    fn first_seen(&self, labels: &[&str]) -> BTreeMap<String, Timestamp> {
        if labels.is_empty() {
            return BTreeMap::new();
        }
        let history = oldhand_store::history::GitHistory {
            root: self.repository.clone(),
            search_path: self.desk.env.var("PATH").map(Into::into),
            cache: None,
        };
        history.first_seen(labels, GIT_WAIT)
    }
}

/// Whether anything is left at the place of a source, as it was called when it was read.
pub(super) fn is_there(place: &str, repository: &Path, desk: &Desk<'_>) -> bool {
    let path = match (place.strip_prefix("~/"), desk.env.var("HOME")) {
        (Some(below), Some(home)) => PathBuf::from(home).join(below),
        _ => repository.join(place),
    };
    match std::fs::read_dir(&path) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => path.metadata().is_ok_and(|it| it.len() > 0),
    }
}

fn changed_at(path: &Path) -> Option<Timestamp> {
    let changed = path.metadata().ok()?.modified().ok()?;
    Timestamp::try_from(changed).ok()
}

fn head_of(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    Some(head)
}

fn begins_with(path: &Path, sign: &str) -> bool {
    let head = head_of(path).unwrap_or_default();
    String::from_utf8_lossy(&head).contains(sign)
}

fn content(one: &Walked) -> Result<Content, String> {
    let head = head_of(&one.path).unwrap_or_default();
    if head.starts_with(database::MAGIC) {
        return tables(&one.path, &one.label);
    }
    let limit = if one.is_named { IMPORT_BYTES_MAX } else { UNNAMED_BYTES_MAX };
    let file = File::open(&one.path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > limit {
        return Err(format!("it has more than {limit} bytes"));
    }
    Ok(Content::Bytes(bytes))
}

#[cfg(feature = "sqlite")]
fn tables(path: &Path, _label: &str) -> Result<Content, String> {
    oldhand_sqlite::read(path).map(Content::Tables).map_err(|error| error.to_string())
}

#[cfg(not(feature = "sqlite"))]
fn tables(_path: &Path, label: &str) -> Result<Content, String> {
    Err(database::advice_without_reader(label))
}
