//! Which memories there are, filtered.

pub use crate::filter::Filter;
use oldhand_store::port::Unreadable;

use crate::context::Memories;
use crate::prelude::*;

#[derive(Debug, Clone)]
pub struct Listing {
    pub stored: Vec<Stored>,
    /// How many match, shown or not.
    pub total: usize,
    pub unreadable: Vec<Unreadable>,
}

impl Memories<'_> {
    /// Newest first, ties by id.
    pub fn list(&self, filter: &Filter) -> Result<Listing> {
        // Whoever wants all reads all.
        if filter.limit == 0 {
            return self.list_all(filter);
        }
        let (listing, is_right) = self.page(filter, false)?;
        if is_right { Ok(listing) } else { Ok(self.page(filter, true)?.0) }
    }

    fn list_all(&self, filter: &Filter) -> Result<Listing> {
        let scan = self.vault.scan()?;
        let mut stored = scan.stored;
        stored.retain(|stored| filter.matches(&stored.memory));
        stored.sort_by(|a, b| {
            let newest = |m: &Memory| m.updated_at.or(m.created_at).map(Timestamp::as_second);
            (newest(&b.memory), &a.memory.id).cmp(&(newest(&a.memory), &b.memory.id))
        });
        Ok(Listing { total: stored.len(), stored, unreadable: scan.unreadable })
    }

    /// The first of the list, and whether their files are as their rows say.
    fn page(&self, filter: &Filter, is_checked: bool) -> Result<(Listing, bool)> {
        let mut rows = self.rows_after(Some(filter), is_checked)?;
        let mut listed = std::mem::take(&mut rows.listed);
        let total = listed.len();
        let order = |a: &Listed, b: &Listed| {
            (b.row.newest(), a.id(), &a.path).cmp(&(a.row.newest(), b.id(), &b.path))
        };
        if filter.limit < total {
            listed.select_nth_unstable_by(filter.limit, order);
            listed.truncate(filter.limit);
        }
        listed.sort_unstable_by(order);
        let (mut stored, mut is_right) = (Vec::new(), true);
        for one in &listed {
            match self.open(&mut rows, one)? {
                Some(found) => {
                    let newest = found.memory.updated_at.or(found.memory.created_at);
                    is_right &= filter.matches(&found.memory)
                        && newest.map(Timestamp::as_second) == one.row.newest();
                    stored.push(found);
                }
                None => is_right = false,
            }
        }
        Ok((Listing { stored, total, unreadable: rows.unreadable }, is_right))
    }
}
