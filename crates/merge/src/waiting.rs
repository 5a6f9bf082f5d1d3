//! What waits for a person: the request that was there first stays, with the approvals of both.

use oldhand_core::pending::{Matter, Pending};

use crate::page::Page;
use crate::three::Pair;
use crate::{Merged, Three};

/// `None` for a file that is no request.
pub(crate) fn merge(texts: Three<&str>, pages: Pair<&Page<'_>>) -> Option<Merged> {
    pages.try_map(|page| page.key("pending"))?;
    let read = |text| {
        // The name is written into every request.
        let stem = Page::parse(text)?.name().to_owned();
        Pending::parse(&stem, text).ok()
    };
    let both = texts.pair().try_map(read)?;
    let ours_first = (both.ours.at, texts.ours) <= (both.theirs.at, texts.theirs);
    let (text, mut first, second) = match ours_first {
        true => (texts.ours, both.ours, both.theirs),
        false => (texts.theirs, both.theirs, both.ours),
    };
    if let (Matter::Approval { votes, to, .. }, Matter::Approval { votes: more, to: also, .. }) =
        (&mut first.matter, &second.matter)
        && to == also
    {
        let is_new = |name: &str| !votes.iter().any(|vote| vote.by == name);
        let new: Vec<_> = more.iter().filter(|vote| is_new(&vote.by)).cloned().collect();
        if new.is_empty() {
            return Some(Merged::clean(text));
        }
        votes.extend(new);
        votes.sort_by(|a, b| (a.at, &a.by).cmp(&(b.at, &b.by)));
        return Some(Merged::clean(&first.render()));
    }
    let note = format!("{}: asked twice: the earlier request, by {}, was kept", first.id, first.by);
    Some(Merged { notes: vec![note], ..Merged::clean(text) })
}
