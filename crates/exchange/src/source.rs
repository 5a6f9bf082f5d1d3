//! What a reader hands back, and the files that it was given.

use oldhand_core::policy::MEMORY_BYTES_MAX;

use crate::files::{Content, Files, SourceFile};
use crate::formats::Root;
use crate::page::Read;
use crate::record::{Foreign, Passed, Source};
use crate::text;

impl Source {
    pub fn new(format: &str, root: &Root) -> Self {
        Self { from: format!("{format}:{}", root.path), ..Self::default() }
    }

    pub fn skip(&mut self, source: impl Into<String>, reason: impl Into<String>) {
        self.skipped.push(Passed { source: source.into(), reason: reason.into() });
    }

    pub fn refuse(&mut self, source: impl Into<String>, reason: impl Into<String>) {
        self.refused.push(Passed { source: source.into(), reason: reason.into() });
    }

    /// One more record, if it says something and is not too large. Without a key it is known by its words.
    pub fn take(&mut self, mut record: Foreign) {
        if record.key.trim().is_empty() {
            record.key.clone_from(&record.hash);
        }
        let said = |text: &str| !text.trim().is_empty();
        let has_words = record.draft.content.iter().any(|(_, value)| !value.is_empty())
            || record.draft.sections.iter().any(|(_, text)| said(text));
        if !has_words {
            self.skip(record.key, "says nothing");
        } else if record.texts().map(|text| text.len() as u64).sum::<u64>() > MEMORY_BYTES_MAX {
            self.refuse(record.key, "larger than 1 MiB");
        } else {
            record.key = self.keys.key(&record.key);
            self.records.push(record);
        }
    }

    pub fn take_all(&mut self, read: Read) {
        self.skipped.extend(read.skipped);
        for record in read.records {
            self.take(record);
        }
    }
}

impl Root {
    /// A file that is a source of its own.
    pub fn of_file(file: &SourceFile) -> Self {
        Self { path: file.path.clone(), files: vec![file.path.clone()] }
    }

    /// A folder, and of its files those that fit, by their paths below it.
    pub fn of_folder(folder: &str, files: &Files, fits: impl Fn(&str) -> bool) -> Self {
        let below = files.below(folder).map(|file| file.path.as_str());
        let path = if folder.is_empty() { "." } else { folder };
        let ours = below.filter(|path| fits(below_folder(path, folder)));
        Self { path: path.to_owned(), files: ours.map(str::to_owned).collect() }
    }

    /// The path of a file below this root.
    pub fn relative<'p>(&self, path: &'p str) -> &'p str {
        if self.path == path {
            path.rsplit('/').next().unwrap_or(path)
        } else {
            below_folder(path, &self.path)
        }
    }

    pub fn files<'f>(&'f self, files: &'f Files) -> impl Iterator<Item = &'f SourceFile> {
        self.files.iter().filter_map(|path| files.get(path))
    }
}

/// A path without its folder; the whole path where it is in none, or in another one.
fn below_folder<'p>(path: &'p str, folder: &str) -> &'p str {
    path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

impl SourceFile {
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The folder that it is in; the empty one at the top.
    pub fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    pub fn bytes(&self) -> &[u8] {
        if let Content::Bytes(bytes) = &self.content { bytes } else { &[] }
    }

    pub fn text(&self) -> String {
        text::decode(self.bytes()).text
    }
}
