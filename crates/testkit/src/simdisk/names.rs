//! Which inode every name leads to. It is shared until it is changed, so that keeping the tree of
//! another moment costs nothing. It knows neither contents nor what kind of thing an inode is.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;

pub(super) type Inode = u64;

pub(super) const ROOT: Inode = 0;

/// A name in a directory, taken or free. By inode, so that it moves along with its directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) directory: Inode,
    pub(super) name: OsString,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Names(Arc<BTreeMap<Inode, Arc<BTreeMap<OsString, Inode>>>>);

impl Names {
    pub(super) fn get(&self, place: &Place) -> Option<Inode> {
        self.0.get(&place.directory)?.get(&place.name).copied()
    }

    pub(super) fn set(&mut self, place: &Place, leads_to: Option<Inode>) {
        let directory = Arc::make_mut(&mut self.0).entry(place.directory).or_default();
        let directory = Arc::make_mut(directory);
        match leads_to {
            Some(inode) => directory.insert(place.name.clone(), inode),
            None => directory.remove(&place.name),
        };
    }

    /// The entries of a directory, sorted; none for one that was never written to.
    pub(super) fn entries(&self, directory: Inode) -> impl Iterator<Item = (&OsString, Inode)> {
        self.0.get(&directory).into_iter().flat_map(|names| names.iter()).map(|(n, i)| (n, *i))
    }
}
