//! Answers of commands that set oldhand up.

use serde_json::Value;

#[cfg(feature = "schema")]
use super::recall::RecallReceipt;

use crate::prelude::*;

answers! {
    /// `init`.
    MadeStore<'a>(root: &'a str, created: &'a [String]) {
        root: &'a str = root,
        /// Files and folders that were not there.
        created: &'a [String] = created,
    }

    /// One agent whose files `install` or `uninstall` changes.
    ChangedHost<'a> {
        name: &'a str,
        title: &'a str,
        files: Vec<ChangedFile<'a>>,
        /// What a person does next.
        next: &'a [String],
    }

    ChangedFile<'a> {
        path: &'a str,
        /// `create`, `edit` or `delete`.
        change: &'a str,
        what: String,
        backup: Option<&'a str>,
    }

    /// `install --list`: one agent.
    KnownHost {
        name: &'static str,
        title: &'static str,
        found: bool,
        installed: bool,
        #[cfg_attr(feature = "schema", schemars(with = "Option<Value>"))]
        problem: Option<Problem>,
    }

    /// `plugin`.
    WrittenPlugin<'a>(folder: &'a str, files: Vec<&'a str>) {
        folder: &'a str = folder,
        files: Vec<&'a str> = files,
    }

    /// `receipts`, newest first, each as it was written.
    ServedReceipts<'a>(receipts: &'a [Value]) {
        #[cfg_attr(feature = "schema", schemars(with = "Vec<RecallReceipt<'a>>"))]
        receipts: &'a [Value] = receipts,
    }
}

/// `install` and `uninstall`; a list of the known agents has no `dry_run`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InstallAnswer<'a, T> {
    pub action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
    pub hosts: Vec<T>,
}
