//! What every operation does to a moment, and how it fails, as on Linux. It owns nothing but that:
//! what a change of names needs and when it is durable is the moment's business.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nix::errno::Errno;

use super::moment::{Moment, Node};
use super::names::{Inode, Place};

/// What is logged, enough to do it again.
#[derive(Debug, Clone)]
pub(super) enum Operation {
    MakeDir(PathBuf),
    Create(PathBuf, Vec<u8>),
    Append(PathBuf, Vec<u8>),
    SyncFile(PathBuf),
    SyncDir(PathBuf),
    SyncTree(PathBuf),
    Rename(PathBuf, PathBuf),
    RenameNew(PathBuf, PathBuf),
    Exchange(PathBuf, PathBuf),
    Remove(PathBuf),
    RemoveDir(PathBuf),
}

/// The two ends of a move, and what is there.
struct Two {
    from: Vec<Place>,
    to: Vec<Place>,
    first: Inode,
    second: Option<Inode>,
}

impl Moment {
    /// Whether it did something. An operation that fails has changed nothing.
    pub(super) fn apply(&mut self, operation: &Operation) -> io::Result<bool> {
        match operation {
            Operation::MakeDir(path) => return self.make_dir(path),
            Operation::Create(path, bytes) => self.create(path, bytes)?,
            Operation::Append(path, bytes) => self.append(path, bytes)?,
            Operation::SyncFile(path) => {
                let (inode, _) = self.regular(path)?;
                self.unsynced.remove(&inode);
            }
            Operation::SyncDir(path) => {
                let inode = self.inode(path)?;
                // As with the system call, a file may be given in place of a directory.
                self.unsynced.remove(&inode);
                self.settle(|place| place.directory == inode);
            }
            Operation::SyncTree(path) => {
                let below = self.below(self.inode(path)?);
                self.unsynced.retain(|inode, _| !below.contains(inode));
                self.settle(|place| below.contains(&place.directory));
            }
            Operation::Rename(from, to) => return self.rename(self.find_two(from, to)?),
            Operation::RenameNew(from, to) => {
                let two = self.find_two(from, to)?;
                if two.second.is_some() {
                    return Err(ErrorKind::AlreadyExists.into());
                }
                return self.rename(two);
            }
            Operation::Exchange(one, other) => return self.exchange(self.find_two(one, other)?),
            Operation::Remove(path) => self.remove(path)?,
            Operation::RemoveDir(path) => self.remove_dir(path)?,
        }
        Ok(true)
    }

    fn make_dir(&mut self, path: &Path) -> io::Result<bool> {
        match self.lookup(path)?.map(|inode| self.node(inode)) {
            Some(Node::Directory) => Ok(false),
            Some(_) => Err(ErrorKind::AlreadyExists.into()),
            None => self.add(path, Node::Directory).map(|()| true),
        }
    }

    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.add(path, Node::File(Arc::new(bytes.to_vec())))
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let Some(inode) = self.lookup(path)? else {
            return self.create(path, bytes);
        };
        match self.node(inode) {
            Node::Directory => return Err(ErrorKind::IsADirectory.into()),
            Node::Symlink { .. } => return Err(Errno::ELOOP.into()),
            Node::File(_) => {}
        }
        if let Some(Node::File(content)) = Arc::make_mut(&mut self.nodes).get_mut(&inode)
            && !bytes.is_empty()
        {
            self.unsynced.entry(inode).or_insert(content.len());
            Arc::make_mut(content).extend_from_slice(bytes);
        }
        Ok(())
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        if matches!(self.node(self.inode(path)?), Node::Directory) {
            return Err(ErrorKind::IsADirectory.into());
        }
        let place = self.route(path)?.pop().expect("the root is a directory");
        self.change(vec![(place, None)], Vec::new());
        Ok(())
    }

    fn remove_dir(&mut self, path: &Path) -> io::Result<()> {
        let inode = self.inode(path)?;
        if !matches!(self.node(inode), Node::Directory) {
            return Err(ErrorKind::NotADirectory.into());
        }
        if self.names.entries(inode).next().is_some() {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
        let place = self.route(path)?.pop().ok_or(ErrorKind::ResourceBusy)?;
        let needs = self.needs_of_replacing(inode);
        self.change(vec![(place, None)], needs);
        Ok(())
    }

    fn rename(&mut self, two: Two) -> io::Result<bool> {
        if two.second == Some(two.first) {
            return Ok(false);
        }
        if is_in(two.first, &two.to) {
            return Err(ErrorKind::InvalidInput.into());
        }
        let mut needs = self.needs_of_move(two.first, &two.from, &two.to);
        if let Some(replaced) = two.second {
            if is_in(replaced, &two.from) {
                return Err(ErrorKind::DirectoryNotEmpty.into());
            }
            self.check_replacing(two.first, replaced)?;
            needs.extend(self.needs_of_replacing(replaced));
        }
        let effects = vec![(last(two.from), None), (last(two.to), Some(two.first))];
        self.change(effects, needs);
        Ok(true)
    }

    fn exchange(&mut self, two: Two) -> io::Result<bool> {
        let second = two.second.ok_or(ErrorKind::NotFound)?;
        if two.first == second {
            return Ok(false);
        }
        if is_in(two.first, &two.to) || is_in(second, &two.from) {
            return Err(ErrorKind::InvalidInput.into());
        }
        let mut needs = self.needs_of_move(two.first, &two.from, &two.to);
        needs.extend(self.needs_of_move(second, &two.to, &two.from));
        let effects = vec![(last(two.from), Some(second)), (last(two.to), Some(two.first))];
        self.change(effects, needs);
        Ok(true)
    }

    /// The order of the failures is the kernel's: both parents, the root, the source.
    fn find_two(&self, from: &Path, to: &Path) -> io::Result<Two> {
        let (from, to) = (self.route(from)?, self.route(to)?);
        let (Some(source), Some(target)) = (from.last(), to.last()) else {
            return Err(ErrorKind::ResourceBusy.into());
        };
        let first = self.names.get(source).ok_or(ErrorKind::NotFound)?;
        let second = self.names.get(target);
        Ok(Two { from, to, first, second })
    }

    fn check_replacing(&self, inode: Inode, replaced: Inode) -> io::Result<()> {
        match (self.node(inode), self.node(replaced)) {
            (Node::Directory, Node::Directory) => match self.names.entries(replaced).next() {
                Some(_) => Err(ErrorKind::DirectoryNotEmpty.into()),
                None => Ok(()),
            },
            (Node::Directory, _) => Err(ErrorKind::NotADirectory.into()),
            (_, Node::Directory) => Err(ErrorKind::IsADirectory.into()),
            _ => Ok(()),
        }
    }
}

/// Whether the way leads through this directory.
fn is_in(inode: Inode, route: &[Place]) -> bool {
    route.iter().any(|place| place.directory == inode)
}

fn last(mut route: Vec<Place>) -> Place {
    route.pop().expect("the root was turned away before")
}
