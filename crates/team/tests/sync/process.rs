//! `oldhand-team serve` as a process of its own, as people run it.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::world::{KEY, World};

pub(crate) struct Process {
    command: Command,
    child: Child,
    pub address: String,
}

impl Process {
    pub(crate) fn start(world: &World) -> Self {
        let key = world.folder.path().join("server.key");
        write_key(&key);
        let listen = free_port();
        let mut command = Command::new(env!("CARGO_BIN_EXE_oldhand-team"));
        let socket = world.bed.server.socket().display();
        command.arg("serve").arg("--listen").arg(listen.to_string()).arg("--key-file").arg(&key);
        command.args(["--workers", "0"]).env_clear();
        let database = format!("host={socket} user=oldhand_server dbname=postgres");
        command.env("OLDHAND_TEAM_DATABASE", database);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = spawn(&mut command);
        Self { command, child, address: format!("http://{listen}") }
    }

    /// Without a word, and at once again.
    pub(crate) fn kill_and_restart(&mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("it ends");
        self.child = spawn(&mut self.command);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended is as good as killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns when it says that it serves.
fn spawn(command: &mut Command) -> Child {
    let mut child = command.spawn().expect("the program starts");
    let mut said = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    while !line.starts_with("serving ") {
        line.clear();
        assert!(said.read_line(&mut line).expect("text") > 0, "the server did not start");
    }
    // A pipe that nobody reads fills up.
    std::thread::spawn(move || said.read_to_end(&mut Vec::new()));
    child
}

fn write_key(path: &Path) {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let path: PathBuf = path.to_owned();
    let file =
        std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path);
    file.expect("a file").write_all(KEY.as_bytes()).expect("written");
}

fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound")
}
