//! Where the repository is and what its last commit is, read from `.git` itself: a child would cost
//! more than all the rest of a check that finds nothing new.

use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// A reference file, or the list of packed ones of a very large repository.
const REF_BYTES_MAX: u64 = 4 * 1024;
const PACKED_BYTES_MAX: u64 = 32 * 1024 * 1024;
const CONFIG_BYTES_MAX: u64 = 1024 * 1024;

pub(crate) struct Checkout {
    pub toplevel: PathBuf,
    /// From the top level to the repository of the store: empty, or with a slash at its end.
    prefix: String,
    pub(crate) git_dir: PathBuf,
    /// What all worktrees share.
    pub(crate) common_dir: PathBuf,
}

impl Checkout {
    pub(crate) fn find(root: &Path) -> Option<Self> {
        root.ancestors().find_map(|folder| Self::at(folder, root))
    }

    /// The checkout whose top level is this folder; `root` lies in it.
    pub(crate) fn at(folder: &Path, root: &Path) -> Option<Self> {
        let git_dir = git_dir_in(folder)?;
        let common_dir = match read_text(&git_dir.join("commondir"), REF_BYTES_MAX) {
            Some(text) => git_dir.join(text.trim()),
            None => git_dir.clone(),
        };
        let below = root.strip_prefix(folder).ok()?.to_str()?;
        let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
        Some(Self { toplevel: folder.to_owned(), prefix, git_dir, common_dir })
    }

    /// A path as git names it, the root being empty; none for one that leads out.
    pub(super) fn spot(&self, path: &str) -> Option<String> {
        let mut parts: Vec<&str> = Vec::new();
        for component in Path::new(path).components() {
            match component {
                Component::Normal(part) => parts.push(part.to_str()?),
                Component::CurDir => {}
                _ => return None,
            }
        }
        let joined = format!("{}{}", self.prefix, parts.join("/"));
        Some(joined.trim_end_matches('/').to_owned())
    }

    /// A path of git as the memories name them; one beside the store's repository stays as it is.
    pub(super) fn told(&self, spot: &str) -> String {
        spot.strip_prefix(&self.prefix).unwrap_or(spot).to_owned()
    }

    /// The last commit; none before the first, or where it is kept in a way that only git reads.
    pub(crate) fn head(&self) -> Option<String> {
        let text = read_text(&self.git_dir.join("HEAD"), REF_BYTES_MAX)?;
        let id = match text.trim().strip_prefix("ref:") {
            Some(name) => self.reference(name.trim())?,
            None => text,
        };
        Some(id.trim().to_owned()).filter(|id| is_id(id))
    }

    /// The branch that is checked out; none for a single commit.
    pub(crate) fn branch(&self) -> Option<String> {
        let text = read_text(&self.git_dir.join("HEAD"), REF_BYTES_MAX)?;
        Some(text.trim().strip_prefix("ref:")?.trim().to_owned())
    }

    /// Whether git's index has this path, from the top level. Its length stands before it. An index
    /// with compressed paths (version 4) is not understood: then nobody is told.
    pub(crate) fn tracks(&self, path: &str) -> bool {
        let Ok(file) = std::fs::File::open(self.git_dir.join("index")) else { return false };
        let mut bytes = Vec::new();
        let is_read = file.take(PACKED_BYTES_MAX).read_to_end(&mut bytes).is_ok();
        let Ok(len) = u8::try_from(path.len()) else { return false };
        let wanted = [&[len], path.as_bytes(), b"\0"].concat();
        is_read && bytes.windows(wanted.len()).any(|found| found == wanted)
    }

    fn reference(&self, name: &str) -> Option<String> {
        let is_plain = name.starts_with("refs/")
            && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_plain || self.common_dir.join("reftable").is_dir() {
            return None;
        }
        let folders = [&self.git_dir, &self.common_dir];
        let loose = folders.iter().find_map(|it| read_text(&it.join(name), REF_BYTES_MAX));
        loose.or_else(|| {
            let packed = read_text(&self.common_dir.join("packed-refs"), PACKED_BYTES_MAX)?;
            let lines = packed.lines().filter_map(|line| line.split_once(' '));
            lines.into_iter().find(|(_, found)| *found == name).map(|(id, _)| id.to_owned())
        })
    }

    /// The commits at which a shallow clone ends.
    pub(super) fn boundary(&self) -> Vec<String> {
        let text = read_text(&self.common_dir.join("shallow"), PACKED_BYTES_MAX);
        text.unwrap_or_default().lines().map(|line| line.trim().to_owned()).collect()
    }

    pub(crate) fn config(&self) -> Option<String> {
        read_text(&self.common_dir.join("config"), CONFIG_BYTES_MAX)
    }

    /// Whether the repository's own configuration could name a filter: asking git costs a child.
    pub(super) fn may_have_filters(&self) -> bool {
        let files = [self.common_dir.join("config"), self.git_dir.join("config.worktree")];
        files.iter().filter(|file| file.exists()).any(|file| {
            read_text(file, CONFIG_BYTES_MAX).is_none_or(|text| {
                let text = text.to_ascii_lowercase();
                text.contains("filter") || text.contains("include")
            })
        })
    }
}

/// A folder, or the file that a worktree or a submodule has instead.
fn git_dir_in(folder: &Path) -> Option<PathBuf> {
    let dot_git = folder.join(".git");
    let metadata = dot_git.metadata().ok()?;
    if metadata.is_dir() {
        return dot_git.join("HEAD").symlink_metadata().is_ok().then_some(dot_git);
    }
    let text = read_text(&dot_git, REF_BYTES_MAX)?;
    let target = folder.join(text.strip_prefix("gitdir:")?.trim());
    target.is_dir().then_some(target)
}

fn read_text(path: &Path, limit_bytes: u64) -> Option<String> {
    let mut text = String::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(limit_bytes + 1).read_to_string(&mut text).ok()?;
    (text.len() as u64 <= limit_bytes).then_some(text)
}

pub(super) fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
