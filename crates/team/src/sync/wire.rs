//! What client and server say to each other below `/v1/sync`, as JSON. Every request may be repeated: whoever asks
//! again after an answer was lost gets what came of the first.

pub use oldhand_pg::sync::{Change, FileHash, LogPart, Outcome, SyncState};
pub use oldhand_pg::vault::Taken;
use serde::{Deserialize, Serialize};

/// Bytes of texts that a client sends at a time; a single larger one goes alone.
pub const TEXTS_BYTES: usize = 8 * 1024 * 1024;
/// The most bytes of a request.
pub const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;
/// The most texts that are asked for at a time.
pub const TEXTS_MAX: usize = 200;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hashes {
    pub hashes: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    pub texts: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushRequest {
    /// The id in the configuration of the repository.
    pub repository: String,
    /// What the server mirrors now, as far as the client knows.
    pub base: Option<String>,
    pub commit: String,
    /// The commit does not follow from `base`: history was rewritten, and a maintainer says so.
    #[serde(default)]
    pub reset: bool,
    pub files: Vec<FileHash>,
    /// The hashes of the files of the log.
    pub logs: Vec<String>,
    /// Its `config.toml`.
    pub config: String,
    /// What git said about the code: questions and answers.
    pub code: Vec<(String, String)>,
    /// Those that the server lacks and that were not sent before.
    #[serde(default)]
    pub texts: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct PushAnswer {
    pub head: String,
    /// It was there already.
    pub is_there: bool,
    #[serde(flatten)]
    pub taken: Taken,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Changes {
    pub changes: Vec<Change>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcomes {
    pub outcomes: Vec<Outcome>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Files {
    pub revision: i64,
    pub files: Vec<FileHash>,
}

/// What a machine may keep copies of, and where they count.
#[derive(Debug, Serialize, Deserialize)]
pub struct Stores {
    pub stores: Vec<SyncState>,
}

/// Why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    pub schema: String,
    pub code: String,
    pub message: String,
    pub hint: String,
    /// Of a push that came too late: what the server has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// Of a push that lacks texts: their hashes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<String>,
}

/// Codes that a client acts on.
pub const MOVED: &str = "MOVED";
pub const LACKING: &str = "LACKING";
pub const NOT_FOUND: &str = "NOT_FOUND";
