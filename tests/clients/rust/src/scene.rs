//! What a day needs around it: a repository with a store, a server, and a place where nobody's own
//! settings are seen.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::said::Wrong;

/// More memories than one page holds.
pub(crate) const SEEDED: usize = 90;
/// How their ids begin.
pub(crate) const SEED: &str = "seeded-fact-";
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Scene {
    binary: PathBuf,
    scratch: tempfile::TempDir,
    server: Option<Child>,
}

impl Scene {
    pub(crate) fn new(binary: &Path) -> Result<Self, Wrong> {
        let binary = fs::canonicalize(binary)
            .map_err(|error| Wrong(format!("no program `{}`: {error}", binary.display())))?;
        let scratch = tempfile::Builder::new().prefix("day-").tempdir()?;
        let scene = Self { binary, scratch, server: None };
        fs::create_dir(scene.home())?;
        fs::create_dir(scene.folder())?;
        scene.run("git".as_ref(), &["init", "--quiet"])?;
        scene.cli(&["init"])?;
        scene.seed()?;
        Ok(scene)
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.scratch.path().join("project")
    }

    fn home(&self) -> PathBuf {
        self.scratch.path().join("home")
    }

    /// The program in the repository, with nothing of the one who runs this around it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.bare(&self.binary, arguments)
    }

    fn bare(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder()).env_clear().env("HOME", self.home());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }

    pub(crate) fn cli(&self, arguments: &[&str]) -> Result<String, Wrong> {
        self.run(&self.binary, arguments)
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Result<String, Wrong> {
        let done = self.bare(program, arguments).stdin(Stdio::null()).output()?;
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        if done.status.success() {
            return Ok(said);
        }
        let complaint = String::from_utf8_lossy(&done.stderr);
        let what = format!("`{} {}`", program.display(), arguments.join(" "));
        Err(Wrong(format!("{what} ended with {}\n{said}{complaint}", done.status)))
    }

    fn seed(&self) -> Result<(), Wrong> {
        let folder = self.scratch.path().join("seeds");
        fs::create_dir(&folder)?;
        for number in 0..SEEDED {
            let text = format!(
                "---\nid: {SEED}{number}\ntype: reference\ntitle: Seeded fact {number}\n\
                 state: stable\nscope: project\ntags: [seeded]\norigin: user\n\
                 created_at: 2026-01-01T12:00:00Z\nupdated_at: 2026-01-01T12:00:00Z\n---\n\n\
                 Part {number} of the machine is painted in colour {number}.\n"
            );
            fs::write(folder.join(format!("{SEED}{number}.md")), text)?;
        }
        self.cli(&["import", &folder.to_string_lossy()])?;
        self.cli(&["doctor"]).map(|_| ())
    }

    /// Starts the server over HTTP and gives its address and its token.
    pub(crate) fn serve(&mut self) -> Result<(String, String), Wrong> {
        let token_file = self.scratch.path().join("token");
        let mut command = self.command(&["mcp", "--http", "127.0.0.1:0", "--token-file"]);
        command.arg(&token_file).stdin(Stdio::null()).stderr(Stdio::piped());
        let server = self.server.insert(command.spawn()?);
        let complaints = server.stderr.take().ok_or_else(|| Wrong("no pipe".to_owned()))?;
        let (tell, told) = mpsc::channel();
        // A pipe that nobody reads fills up, and then the server waits: this reads to the end.
        std::thread::spawn(move || {
            for line in BufReader::new(complaints).lines().map_while(Result::ok) {
                if let Some(address) = line.strip_prefix("serving: ") {
                    // Whoever waited may have given up.
                    let _ = tell.send(address.trim().to_owned());
                }
            }
        });
        let address = told
            .recv_timeout(PATIENCE)
            .map_err(|_| Wrong("the server said no address".to_owned()))?;
        Ok((address, fs::read_to_string(token_file)?.trim().to_owned()))
    }

    /// Every event of the store, as it was written.
    pub(crate) fn events(&self) -> Result<Vec<serde_json::Value>, Wrong> {
        let mut events = Vec::new();
        for file in fs::read_dir(self.folder().join(".oldhand/events"))? {
            for line in fs::read_to_string(file?.path())?.lines() {
                events.push(serde_json::from_str(line).map_err(|error| Wrong(error.to_string()))?);
            }
        }
        Ok(events)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if let Some(server) = &mut self.server {
            // One that has ended already is as good.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}
