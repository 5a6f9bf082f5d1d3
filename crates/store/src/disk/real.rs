//! The real disk: plain system calls, links never followed, every failure passed on.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, OFlags, RenameFlags, renameat_with};

use super::{DirEntry, Disk, Held, NodeKind, Stat, if_there};

#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

const FOLDER_MODE: u32 = 0o777;
const FILE_MODE: u32 = 0o666;
/// For the user's eyes alone.
const PRIVATE_FOLDER_MODE: u32 = 0o700;
const PRIVATE_FILE_MODE: u32 = 0o600;

const NO_FOLLOW: i32 = OFlags::NOFOLLOW.union(OFlags::CLOEXEC).bits() as i32;
/// A FIFO in place of a memory must not hang the reader.
const NO_WAIT: i32 = NO_FOLLOW | OFlags::NONBLOCK.bits() as i32;

struct HeldFile(#[expect(dead_code, reason = "held for its lock, which goes with it")] File);

impl Held for HeldFile {}

impl Disk for RealDisk {
    fn machine(&self) -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }

    fn read(&self, path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>> {
        let file = open_to_read(path)?;
        let len = file.metadata()?.len();
        if len > limit_bytes {
            return Err(too_large(len, limit_bytes));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0) + 1);
        // The file may grow while it is read; one byte past the limit is enough to know.
        file.take(limit_bytes + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit_bytes {
            return Err(too_large(bytes.len() as u64, limit_bytes));
        }
        Ok(bytes)
    }

    fn read_tail(&self, path: &Path, bytes: u64) -> io::Result<Vec<u8>> {
        let mut file = open_to_read(path)?;
        let len = file.metadata()?.len();
        file.seek(SeekFrom::Start(len.saturating_sub(bytes)))?;
        let mut tail = Vec::new();
        file.take(bytes).read_to_end(&mut tail)?;
        Ok(tail)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            entries.push(DirEntry {
                name,
                path: entry.path(),
                is_directory: entry.file_type()?.is_dir(),
            });
        }
        entries.sort();
        Ok(entries)
    }

    fn odd_names(&self, directory: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(directory)? {
            let name = entry?.file_name();
            if name.to_str().is_none() {
                names.push(name.as_bytes().escape_ascii().to_string());
            }
        }
        names.sort();
        Ok(names)
    }

    fn list_by_age(
        &self,
        directory: &Path,
        is_meant: &dyn Fn(&str) -> bool,
    ) -> io::Result<Vec<DirEntry>> {
        let mut entries = Vec::new();
        for entry in self.list(directory)?.into_iter().filter(|entry| is_meant(&entry.name)) {
            // One that went away meanwhile is as old as can be.
            let changed =
                fs::symlink_metadata(&entry.path).map_or((0, 0), |m| (m.ctime(), m.ctime_nsec()));
            entries.push((changed, entry));
        }
        entries.sort();
        Ok(entries.into_iter().map(|(_, entry)| entry).collect())
    }

    fn list_older(&self, directory: &Path, age: Duration) -> io::Result<Vec<DirEntry>> {
        let is_older = |entry: &DirEntry| {
            let changed = fs::symlink_metadata(&entry.path).and_then(|meta| meta.modified()).ok();
            changed.and_then(|at| at.elapsed().ok()).is_some_and(|found| found > age)
        };
        Ok(self.list(directory)?.into_iter().filter(is_older).collect())
    }

    fn count(&self, directory: &Path, limit: usize) -> io::Result<usize> {
        let entries = if_there(fs::read_dir(directory))?;
        Ok(entries.map_or(0, |entries| entries.take(limit).count()))
    }

    fn stat(&self, path: &Path) -> io::Result<Option<Stat>> {
        let metadata = if_there(fs::symlink_metadata(path))?;
        Ok(metadata.map(|it| Stat { kind: node_kind(&it), len: it.len() }))
    }

    fn make_dir(&self, path: &Path) -> io::Result<()> {
        make_dir(path, FOLDER_MODE)
    }

    fn make_private_dir(&self, path: &Path) -> io::Result<()> {
        make_dir(path, PRIVATE_FOLDER_MODE)
    }

    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        create(path, bytes, FILE_MODE)
    }

    fn create_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        create(path, bytes, PRIVATE_FILE_MODE)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        append(path, bytes, FILE_MODE)
    }

    fn append_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        append(path, bytes, PRIVATE_FILE_MODE)
    }

    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        open_regular(OpenOptions::new().write(true), path)?.set_len(len)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        open_to_read(path)?.sync_all()
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn sync_filesystem(&self, root: &Path) -> io::Result<()> {
        let root = File::open(root)?;
        #[cfg(target_os = "linux")]
        rustix::fs::syncfs(&root)?;
        #[cfg(not(target_os = "linux"))]
        rustix::fs::sync();
        root.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(error) if unsupported(error) => {
                // `link` refuses a taken name on every file system that has hard links.
                fs::hard_link(from, to)?;
                fs::remove_file(from)
            }
            other => Ok(other?),
        }
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
            Err(error) if unsupported(error) => exchange_by_links(one, other),
            result => Ok(result?),
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn lock(&self, path: &Path, wait: Duration) -> io::Result<Box<dyn Held>> {
        let deadline = Instant::now() + wait;
        loop {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let file = open_regular(&mut options, path)?;
            let file = lock_within(file, deadline.saturating_duration_since(Instant::now()))?;
            // Somebody may have removed the file while we waited: then ours locks nothing.
            if is_same_file(&file, path)? {
                return Ok(Box::new(HeldFile(file)));
            }
        }
    }
}

fn make_dir(path: &Path, mode: u32) -> io::Result<()> {
    match fs::DirBuilder::new().mode(mode).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            match RealDisk.stat(path)?.map(|stat| stat.kind) {
                Some(NodeKind::Directory) => Ok(()),
                _ => Err(error),
            }
        }
        other => other,
    }
}

fn create(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(mode).custom_flags(NO_FOLLOW);
    options.open(path)?.write_all(bytes)
}

fn append(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true).create(true).mode(mode);
    open_regular(&mut options, path)?.write_all(bytes)
}

/// Waits in the kernel's queue, which is fair, instead of polling, which is not. The waiting thread
/// of a caller that gave up lets go as soon as it gets the lock.
fn lock_within(file: File, wait: Duration) -> io::Result<File> {
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new().name("lock".to_owned()).spawn(move || {
        let locked = file.lock().map(|()| file);
        // The receiver is gone after a timeout: the file is dropped here, and its lock with it.
        let _ = sender.send(locked);
    })?;
    receiver.recv_timeout(wait).unwrap_or_else(|_| Err(io::ErrorKind::WouldBlock.into()))
}

fn is_same_file(file: &File, path: &Path) -> io::Result<bool> {
    let ours = file.metadata()?;
    let there = if_there(fs::symlink_metadata(path))?;
    Ok(there.is_some_and(|it| it.dev() == ours.dev() && it.ino() == ours.ino()))
}

fn open_to_read(path: &Path) -> io::Result<File> {
    open_regular(OpenOptions::new().read(true), path).map_err(name_symlink)
}

fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.custom_flags(NO_WAIT).open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
}

/// "Too many levels of symbolic links" is what the kernel says about a link that is not followed.
fn name_symlink(error: io::Error) -> io::Error {
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        let why = "it is a symbolic link, which is never followed";
        return io::Error::new(io::ErrorKind::InvalidInput, why);
    }
    error
}

fn node_kind(metadata: &fs::Metadata) -> NodeKind {
    match metadata.file_type() {
        kind if kind.is_file() => NodeKind::File,
        kind if kind.is_dir() => NodeKind::Directory,
        kind if kind.is_symlink() => NodeKind::Symlink,
        _ => NodeKind::Other,
    }
}

fn unsupported(error: rustix::io::Errno) -> bool {
    use rustix::io::Errno;
    [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP].contains(&error)
}

/// For file systems without an exchange: the replaced file stays reachable by a second name first.
fn exchange_by_links(one: &Path, other: &Path) -> io::Result<()> {
    let aside = one.with_extension("swap");
    fs::hard_link(other, &aside)?;
    fs::rename(one, other)?;
    fs::rename(&aside, one)
}

fn too_large(found: u64, limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("{found} bytes, at most {limit} are read"))
}
