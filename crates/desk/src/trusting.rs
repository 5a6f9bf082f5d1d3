//! Which stores the user stands for, and what this machine has written down about it.

use std::path::{Path, PathBuf};

use oldhand_core::trust::{Known, Record, StoreTrust, Trusted, judge};
use oldhand_store::layout::Layout;
use oldhand_store::provenance::{canonical, identity, origin};
use oldhand_text::hash::ContentHash;
use oldhand_text::time::format_instant;
use serde_json::{Value, json};

use crate::config::Setting;
use crate::config::file::{ConfigFile, replace};
use crate::desk::Desk;
use crate::failure::Fail;

/// CI says with it that what it has checked out was reviewed.
const TRUST_VARIABLE: &str = "OLDHAND_TRUST";
const RECORD_BYTES_MAX: u64 = 64 * 1024;
const RECORDS: [(Record, &str); 2] = [(Record::Made, "made"), (Record::Accepted, "accepted")];

impl Desk<'_> {
    pub fn store_trust(&self, layout: &Layout, user: Option<&ConfigFile>) -> StoreTrust {
        let is_own = self.user_layout().is_ok_and(|own| own.root == layout.root);
        let by_environment =
            matches!(self.env.var(TRUST_VARIABLE), Some("1" | "true" | "yes" | "all"));
        let record = self.trust_record(layout);
        let trusted = user.map(|file| self.trusted(file)).unwrap_or_default();
        // Git's files are only read where they could decide.
        let remote = (!trusted.remotes.is_empty()).then(|| origin(layout)).flatten();
        let folder = canonical(&layout.repository).to_string_lossy().into_owned();
        let remote = remote.as_deref();
        judge(&Known { is_own, by_environment, record, folder: &folder, remote }, &trusted)
    }

    fn trusted(&self, user: &ConfigFile) -> Trusted {
        let list = |key: &str| match user.entries().into_iter().find(|(name, _)| name == key) {
            Some((_, Setting::List(items))) => items,
            _ => Vec::new(),
        };
        let folders = list("trust.folders").iter().map(|it| self.whole_path(it)).collect();
        Trusted { remotes: list("trust.remotes"), folders }
    }

    fn whole_path(&self, folder: &str) -> String {
        let path = match (folder.strip_prefix("~/"), self.env.var("HOME")) {
            (Some(below), Some(home)) => Path::new(home).join(below),
            _ => PathBuf::from(folder),
        };
        canonical(&path).to_string_lossy().into_owned()
    }

    /// One file per repository, whatever its worktrees are called.
    pub fn trust_file(&self, layout: &Layout) -> Result<PathBuf, Fail> {
        let key = ContentHash::of(identity(layout).to_string_lossy().as_bytes()).to_string();
        Ok(self.user_config_path()?.with_file_name("trust").join(&key[..16]))
    }

    fn trust_record(&self, layout: &Layout) -> Option<Record> {
        let known = self.read_trust(layout)?;
        RECORDS.iter().find(|(_, word)| known["why"] == *word).map(|(record, _)| *record)
    }

    /// Half a record is none, and so is one of another repository in the same place: the user is
    /// asked again.
    fn read_trust(&self, layout: &Layout) -> Option<Value> {
        let bytes = self.env.disk.read(&self.trust_file(layout).ok()?, RECORD_BYTES_MAX).ok()?;
        let record: Value = serde_json::from_slice(&bytes).ok()?;
        (record["mark"].as_str() == Some(&mark(&identity(layout)))).then_some(record)
    }

    pub fn record_trust(&self, layout: &Layout, record: Record) -> Result<(), Fail> {
        let word = RECORDS.iter().find(|(known, _)| *known == record).map(|(_, word)| *word);
        self.write_trust(layout, word.unwrap_or_default())
    }

    /// The user knows of it and has not accepted it.
    pub fn record_seen(&self, layout: &Layout) -> Result<(), Fail> {
        self.write_trust(layout, "seen")
    }

    pub fn is_store_seen(&self, layout: &Layout) -> bool {
        self.read_trust(layout).is_some()
    }

    fn write_trust(&self, layout: &Layout, why: &str) -> Result<(), Fail> {
        let record = json!({
            "store": layout.root.to_string_lossy(),
            "why": why,
            "mark": mark(&identity(layout)),
            "at": format_instant(self.now),
            "via": self.via(),
        });
        let text = format!("{record}\n");
        replace(self.env, &self.trust_file(layout)?, text.as_bytes()).map_err(Fail::from)
    }
}

/// What a folder keeps while it is moved about and loses when it is made again.
fn mark(folder: &Path) -> String {
    use std::os::unix::fs::MetadataExt;
    let Ok(meta) = std::fs::metadata(folder) else { return String::new() };
    let born = meta.created().ok().and_then(|it| it.duration_since(std::time::UNIX_EPOCH).ok());
    format!("{}-{}", meta.ino(), born.map_or(0, |it| it.as_nanos()))
}
