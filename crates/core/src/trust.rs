//! Whether the user trusts a store. Anybody may have written the store of a clone: until a person
//! has accepted it, its memories are cautions.

#[derive(Debug, Clone, Default)]
pub struct Known<'k> {
    /// The user's own store, below their home.
    pub is_own: bool,
    /// The environment says so, as CI does.
    pub by_environment: bool,
    /// Why it was accepted on this machine.
    pub record: Option<Record>,
    /// The whole path of the repository, and where it was cloned from.
    pub folder: &'k str,
    pub remote: Option<&'k str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    Made,
    Accepted,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trusted {
    /// `github.com/acme`: that remote, and everything below it.
    pub remotes: Vec<String>,
    /// Whole paths: that folder, and everything below it.
    pub folders: Vec<String>,
}

/// Why a store is trusted, or that it is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreTrust {
    Own,
    Environment,
    Made,
    Accepted,
    Remote(String),
    Folder(String),
    Unknown,
}

impl StoreTrust {
    pub fn is_trusted(&self) -> bool {
        *self != Self::Unknown
    }

    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Environment => "environment",
            Self::Made => "made",
            Self::Accepted => "accepted",
            Self::Remote(_) => "remote",
            Self::Folder(_) => "folder",
            Self::Unknown => "unknown",
        }
    }
}

pub fn judge(known: &Known<'_>, trusted: &Trusted) -> StoreTrust {
    if known.is_own {
        return StoreTrust::Own;
    }
    match known.record {
        Some(Record::Made) => return StoreTrust::Made,
        Some(Record::Accepted) => return StoreTrust::Accepted,
        None if known.by_environment => return StoreTrust::Environment,
        None => {}
    }
    let remote = known.remote.and_then(place_of_remote);
    let named = |names: &[String], place: &str| {
        names.iter().find(|name| is_at_or_below(place, name)).cloned()
    };
    if let Some(name) = remote.and_then(|place| named(&trusted.remotes, &place)) {
        return StoreTrust::Remote(name);
    }
    named(&trusted.folders, known.folder).map_or(StoreTrust::Unknown, StoreTrust::Folder)
}

/// `host/path` of an address in any of the forms that git takes; none for a path of this machine.
pub fn place_of_remote(address: &str) -> Option<String> {
    let address = address.trim();
    let (host, path) = match address.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => rest.split_once('/')?,
        // `git@host:path`; a path before the colon is a folder.
        None => address.split_once(':').filter(|(host, _)| !host.contains('/'))?,
    };
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.split_once(':').map_or(host, |(host, _)| host).to_lowercase();
    let path = path.trim_matches('/').trim_end_matches(".git");
    // A way back up would leave the place that was trusted.
    let is_plain = !host.is_empty() && path.split('/').all(|it| !matches!(it, "" | "." | ".."));
    is_plain.then(|| format!("{host}/{path}"))
}

fn is_at_or_below(place: &str, name: &str) -> bool {
    let name = name.trim_end_matches("/*").trim_end_matches('/');
    let below = || place.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    !name.is_empty() && (place == name || below())
}

#[cfg(test)]
mod tests;
