//! A small disk of a test's own, which can really be full: a file system in memory. Where nobody may mount one, the
//! tests that need it are named as ignored.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

pub struct SmallDisk {
    /// Below which it is mounted.
    folder: TempDir,
}

const NAME: &str = "disk";

impl SmallDisk {
    pub fn new(megabytes: u32) -> Option<Self> {
        let disk = Self { folder: tempfile::tempdir().ok()? };
        std::fs::create_dir(disk.path()).ok()?;
        let size = format!("size={megabytes}m,mode=777");
        run("mount", &["-t", "tmpfs", "-o", &size, "tmpfs"], &disk.path()).then_some(disk)
    }

    pub fn is_possible() -> bool {
        cfg!(target_os = "linux") && Self::new(1).is_some()
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join(NAME)
    }

    /// Somebody else writes until nothing more fits.
    pub fn fill(&self) {
        let mut file = File::create(self.filler()).expect("a file");
        for size in [1 << 20, 4096] {
            let block = vec![1; size];
            while file.write_all(&block).is_ok() {}
        }
    }

    pub fn make_room(&self) {
        std::fs::remove_file(self.filler()).expect("it was there");
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // At once: what still uses it loses it when it ends.
        run("umount", &["-l"], &self.path());
    }
}

/// As root, or with `sudo` where it asks for no password.
fn run(program: &str, arguments: &[&str], folder: &Path) -> bool {
    let is_root = run_as(Command::new(program), arguments, folder);
    is_root || {
        let mut command = Command::new("sudo");
        command.arg("-n").arg(program);
        run_as(command, arguments, folder)
    }
}

fn run_as(mut command: Command, arguments: &[&str], folder: &Path) -> bool {
    command.args(arguments).arg(folder).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
