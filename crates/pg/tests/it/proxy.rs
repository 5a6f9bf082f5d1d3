//! A wire that breaks: it passes on what client and server say, and cuts the connection at the n-th thing that the
//! client says, before or after the server has heard it. Connections after that one are left alone.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The server never hears it.
    Before,
    /// The server hears it, and the client never learns what it said to that.
    After,
}

pub(crate) struct Proxy {
    folder: tempfile::TempDir,
    wire: Arc<Wire>,
}

struct Wire {
    server: PathBuf,
    cut: Cut,
    at: usize,
    said: AtomicUsize,
    was_cut: AtomicBool,
}

/// What clients look for in the folder of a server.
const NAME: &str = ".s.PGSQL.5432";

impl Proxy {
    pub(crate) fn start(server: &Path, cut: Cut, at: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let listener = UnixListener::bind(folder.path().join(NAME)).expect("a socket");
        let (said, was_cut) = (AtomicUsize::new(0), AtomicBool::new(false));
        let wire = Arc::new(Wire { server: server.join(NAME), cut, at, said, was_cut });
        let shared = Arc::clone(&wire);
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let wire = Arc::clone(&shared);
                let Ok(client) = client else { return };
                std::thread::spawn(move || wire.pass(client));
            }
        });
        Self { folder, wire }
    }

    pub(crate) fn socket(&self) -> &Path {
        self.folder.path()
    }

    /// Whether it came to the cut.
    pub(crate) fn stop(self) -> bool {
        self.wire.was_cut.load(Ordering::SeqCst)
    }
}

impl Wire {
    fn pass(&self, mut client: UnixStream) {
        let mut server = UnixStream::connect(&self.server).expect("the server listens");
        let (mut answers, mut to) =
            (server.try_clone().expect("a handle"), client.try_clone().expect("a handle"));
        std::thread::spawn(move || {
            // A side that is gone ends it.
            let _ = std::io::copy(&mut answers, &mut to);
            let _ = to.shutdown(Shutdown::Both);
        });
        let mut bytes = vec![0; 64 * 1024];
        while let Ok(count) = client.read(&mut bytes) {
            if count == 0 {
                break;
            }
            let is_cut = self.said.fetch_add(1, Ordering::SeqCst) == self.at;
            if is_cut {
                self.was_cut.store(true, Ordering::SeqCst);
                // The client's end goes first, so that no answer gets through.
                let _ = client.shutdown(Shutdown::Both);
            }
            let is_heard = !is_cut || self.cut == Cut::After;
            if is_heard && server.write_all(&bytes[..count]).is_err() {
                break;
            }
            if is_cut {
                break;
            }
        }
        // What was said is read to its end by the server before it sees that nobody is there.
        let _ = server.shutdown(Shutdown::Write);
    }
}
