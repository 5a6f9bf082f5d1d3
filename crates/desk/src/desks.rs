//! Servers answer many times, each time at a new desk: with the settings, the stores and the time as they are then.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use oldhand_store::disk::RealDisk;
use oldhand_store::locate::locate;
use oldhand_store::ulid::SystemEntropy;

use crate::desk::{Desk, GlobalFlags};
use crate::env::Env;
use crate::files::Files;
use crate::lasting::Lasting;

pub trait Desks: Send + Sync {
    /// Calls the job once, at a desk with these flags; `host` as in `Desk`.
    fn at(&self, flags: GlobalFlags, host: Option<String>, job: &mut dyn FnMut(&Desk<'_>));
    /// Whether there is no store, so that clients should be asked for their folders.
    fn wants_folders(&self, _flags: &GlobalFlags) -> bool {
        false
    }
    /// The folder that a client names with a `file:` address, if it has a store.
    fn folder_of(&self, _address: &str) -> Option<PathBuf> {
        None
    }
}

/// At files of this machine, in the environment that the server was started in.
pub struct FileDesks {
    pub vars: BTreeMap<String, String>,
    pub current_dir: PathBuf,
    pub lasting: Lasting,
}

impl FileDesks {
    pub fn of(env: &Env<'_>) -> Self {
        let (vars, current_dir) = (env.vars.clone(), env.current_dir.clone());
        Self { vars, current_dir, lasting: Lasting::default() }
    }

    fn home(&self) -> Option<&Path> {
        self.vars.get("HOME").map(Path::new)
    }
}

impl Desks for FileDesks {
    fn at(&self, flags: GlobalFlags, host: Option<String>, job: &mut dyn FnMut(&Desk<'_>)) {
        let env = Env {
            vars: self.vars.clone(),
            current_dir: self.current_dir.clone(),
            disk: &RealDisk,
            entropy: &SystemEntropy,
            // Nobody can be asked in the terminal.
            interactive: false,
            terminal: None,
            remarks: None,
        };
        let (now, lasting) = (Timestamp::now(), Some(&self.lasting));
        job(&Desk { env: &env, flags, now, host, lasting, ground: &Files });
    }

    fn wants_folders(&self, flags: &GlobalFlags) -> bool {
        flags.directory.is_none()
            && !flags.global
            && self.vars.get("OLDHAND_ROOT").is_none_or(String::is_empty)
            && locate(&self.current_dir, self.home()).layout().is_none()
    }

    fn folder_of(&self, address: &str) -> Option<PathBuf> {
        let path = address.strip_prefix("file://").filter(|path| path.starts_with('/'))?;
        let folder = PathBuf::from(percent_decoded(path)?);
        (folder.is_dir() && locate(&folder, self.home()).layout().is_some()).then_some(folder)
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}
