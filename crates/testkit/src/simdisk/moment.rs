//! The disk at one moment: what the process sees, what of it is durable, and which changes hang
//! between the two. It owns what becomes durable when; it decides nothing about a crash.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::{Component, Path};
use std::sync::Arc;

use nix::errno::Errno;

use super::names::{Inode, Names, Place, ROOT};

/// A change of names, numbered in the order the process made them.
pub(super) type ChangeId = u64;

#[derive(Debug, Clone)]
pub(super) enum Node {
    Directory,
    File(Arc<Vec<u8>>),
    /// Only ever loaded, never followed.
    Symlink {
        len: u64,
    },
}

/// A change of names that is not durable yet: all of its effects survive a crash, or none.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) effects: Vec<(Place, Option<Inode>)>,
    /// It never survives without these, as far as they are still pending. Because every earlier
    /// change of its names is among them, the effects need no source to be looked up: replaying a
    /// set of changes that is closed under this gives a tree in which no move loses anything.
    pub(super) needs: Vec<ChangeId>,
}

#[derive(Debug, Clone)]
pub(super) struct Moment {
    /// Every inode there ever was; one without a name is out of reach.
    pub(super) nodes: Arc<BTreeMap<Inode, Node>>,
    /// As the process sees them.
    pub(super) names: Names,
    /// As they surely are after a crash, before any pending change.
    pub(super) durable: Names,
    pub(super) pending: BTreeMap<ChangeId, Arc<Change>>,
    /// Files with unsynced bytes, and how many of their first bytes are durable.
    pub(super) unsynced: BTreeMap<Inode, usize>,
    /// Inodes that never had a durable name.
    unnamed: BTreeSet<Inode>,
    /// The latest pending change of a name; a number that is no longer pending means nothing.
    latest: BTreeMap<Place, ChangeId>,
    /// Numbers both inodes and changes.
    next: u64,
}

impl Moment {
    pub(super) fn empty() -> Self {
        let nodes = BTreeMap::from([(ROOT, Node::Directory)]);
        Self::settled(Arc::new(nodes), Names::default(), ROOT + 1)
    }

    /// A disk on which everything is durable.
    pub(super) fn settled(nodes: Arc<BTreeMap<Inode, Node>>, names: Names, next: u64) -> Self {
        Self {
            nodes,
            durable: names.clone(),
            names,
            pending: BTreeMap::new(),
            unsynced: BTreeMap::new(),
            unnamed: BTreeSet::new(),
            latest: BTreeMap::new(),
            next,
        }
    }

    /// The first number not yet given to an inode or a change.
    pub(super) fn next_number(&self) -> u64 {
        self.next
    }

    /// The names on the way to a path, the last one taken or free; empty for the root.
    pub(super) fn route(&self, path: &Path) -> io::Result<Vec<Place>> {
        let mut route: Vec<Place> = Vec::new();
        let mut here = Some(ROOT);
        if !path.is_absolute() {
            return Err(ErrorKind::InvalidInput.into());
        }
        for component in path.components() {
            let name = match component {
                Component::RootDir => continue,
                Component::Normal(name) => name.to_owned(),
                _ => return Err(ErrorKind::InvalidInput.into()),
            };
            let directory = here.ok_or(ErrorKind::NotFound)?;
            if !matches!(self.node(directory), Node::Directory) {
                return Err(ErrorKind::NotADirectory.into());
            }
            let place = Place { directory, name };
            here = self.names.get(&place);
            route.push(place);
        }
        Ok(route)
    }

    pub(super) fn node(&self, inode: Inode) -> &Node {
        self.nodes.get(&inode).expect("every inode that has or had a name is kept")
    }

    /// `None` when the name is free in a directory that is there.
    pub(super) fn lookup(&self, path: &Path) -> io::Result<Option<Inode>> {
        Ok(match self.route(path)?.last() {
            Some(place) => self.names.get(place),
            None => Some(ROOT),
        })
    }

    pub(super) fn inode(&self, path: &Path) -> io::Result<Inode> {
        self.lookup(path)?.ok_or_else(|| ErrorKind::NotFound.into())
    }

    pub(super) fn regular(&self, path: &Path) -> io::Result<(Inode, &Arc<Vec<u8>>)> {
        let inode = self.inode(path)?;
        match self.node(inode) {
            Node::File(bytes) => Ok((inode, bytes)),
            Node::Directory => Err(ErrorKind::InvalidInput.into()),
            Node::Symlink { .. } => Err(Errno::ELOOP.into()),
        }
    }

    /// The inode itself and everything that is reached through it.
    pub(super) fn below(&self, top: Inode) -> BTreeSet<Inode> {
        let mut found = BTreeSet::from([top]);
        let mut open = vec![top];
        while let Some(directory) = open.pop() {
            for (_, inode) in self.names.entries(directory) {
                found.insert(inode);
                open.push(inode);
            }
        }
        found
    }

    /// A new inode under a free name.
    pub(super) fn add(&mut self, path: &Path, node: Node) -> io::Result<()> {
        let mut route = self.route(path)?;
        let place = route.pop().ok_or(ErrorKind::AlreadyExists)?;
        if self.names.get(&place).is_some() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let inode = self.number();
        if matches!(&node, Node::File(bytes) if !bytes.is_empty()) {
            self.unsynced.insert(inode, 0);
        }
        Arc::make_mut(&mut self.nodes).insert(inode, node);
        self.unnamed.insert(inode);
        self.change(vec![(place, Some(inode))], Vec::new());
        Ok(())
    }

    /// What was moved out of a directory must be out before the directory can go.
    pub(super) fn needs_of_replacing(&self, replaced: Inode) -> Vec<ChangeId> {
        if !matches!(self.node(replaced), Node::Directory) {
            return Vec::new();
        }
        let is_inside =
            |change: &Change| change.effects.iter().any(|(at, _)| at.directory == replaced);
        self.pending.iter().filter(|(_, change)| is_inside(change)).map(|(id, _)| *id).collect()
    }

    /// What must survive with a move, besides the earlier changes of the same names.
    pub(super) fn needs_of_move(
        &self,
        inode: Inode,
        from: &[Place],
        to: &[Place],
    ) -> Vec<ChangeId> {
        let parent = |route: &[Place]| route.last().map(|place| place.directory);
        if parent(from) == parent(to) {
            return Vec::new();
        }
        // A journal never moves a durable file into a directory that it then forgets. Any directory
        // may hold a durable file. A file without a durable name yet may well be lost together with
        // its new directory.
        if self.unnamed.contains(&inode) && !matches!(self.node(inode), Node::Directory) {
            return Vec::new();
        }
        to.iter().filter_map(|place| self.latest.get(place)).copied().collect()
    }

    /// Shown at once, durable later; it never survives without the `extra` ones either.
    pub(super) fn change(&mut self, effects: Vec<(Place, Option<Inode>)>, extra: Vec<ChangeId>) {
        let id = self.number();
        let mut needs = extra;
        for (place, leads_to) in &effects {
            self.names.set(place, *leads_to);
            needs.extend(self.latest.insert(place.clone(), id));
        }
        self.pending.insert(id, Arc::new(Change { effects, needs }));
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// Makes durable every pending change with an effect on such a place, and what it needs.
    pub(super) fn settle(&mut self, is_synced: impl Fn(&Place) -> bool) {
        let settled = closed(&self.pending, |change| {
            change.effects.iter().any(|(place, _)| is_synced(place))
        });
        for id in settled {
            let change = self.pending.remove(&id).expect("only pending changes are settled");
            for (place, leads_to) in &change.effects {
                self.durable.set(place, *leads_to);
                if let Some(inode) = leads_to {
                    self.unnamed.remove(inode);
                }
            }
        }
        if self.pending.is_empty() {
            self.latest.clear();
        }
    }
}

/// The wanted changes and, transitively, all that they need.
pub(super) fn closed(
    pending: &BTreeMap<ChangeId, Arc<Change>>,
    mut is_wanted: impl FnMut(&Change) -> bool,
) -> BTreeSet<ChangeId> {
    let mut kept = BTreeSet::new();
    // A change only needs earlier ones, so that one pass from the latest is enough.
    for (id, change) in pending.iter().rev() {
        if is_wanted(change) || kept.contains(id) {
            kept.insert(*id);
            kept.extend(change.needs.iter().filter(|need| pending.contains_key(need)));
        }
    }
    kept
}
