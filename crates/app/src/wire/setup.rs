//! Answers of commands that set oldhand up.

use serde_json::Value;

answers! {
    /// `init`.
    MadeStore<'a>(root: &'a str, created: &'a [String]) {
        root: &'a str = root,
        /// Files and folders that were not there.
        created: &'a [String] = created,
    }

    /// `plugin`.
    WrittenPlugin<'a>(folder: &'a str, files: Vec<&'a str>) {
        folder: &'a str = folder,
        files: Vec<&'a str> = files,
    }

    /// `receipts`, newest first, each as it was written.
    ServedReceipts<'a>(receipts: &'a [Value]) {
        receipts: &'a [Value] = receipts,
    }
}
