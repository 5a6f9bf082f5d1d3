//! What a person saw last in this terminal, so that `@1` means its first line.

use oldhand_app::sessions::Sessions;
use oldhand_store::port::session::LastList;
use oldhand_text::time::{days_between, format_instant, parse_instant};

use crate::desk::Desk;

/// The mark of a place in the last list.
pub const PLACE: char = '@';
const PLACES_MAX: usize = 500;

impl Desk<'_> {
    /// Best effort: without it only `@1` is missing.
    pub fn keep_list<'i>(&self, ids: impl Iterator<Item = &'i str>) {
        let (Some(sessions), Some(_)) = (self.sessions(), self.screen()) else { return };
        let ids = ids.take(PLACES_MAX).map(str::to_owned).collect();
        let list = LastList { at: format_instant(self.now), ids };
        let _ = sessions.update_record(|record| {
            record.lists.retain(|_, list| self.is_recent(list));
            record.lists.insert(self.place(), list);
        });
    }

    /// What `@1` stands for.
    pub fn listed(&self, name: &str) -> Option<String> {
        let at: usize = name.strip_prefix(PLACE)?.parse().ok()?;
        let mut lists = self.sessions()?.record().ok()?.lists;
        let list = lists.remove(&self.place()).filter(|list| self.is_recent(list))?;
        list.ids.into_iter().nth(at.checked_sub(1)?)
    }

    /// A list of yesterday is forgotten, here and by whoever saw it.
    fn is_recent(&self, list: &LastList) -> bool {
        parse_instant(&list.at).is_some_and(|at| days_between(at, self.now) < 1)
    }

    /// This worktree in this terminal: two windows have two lists.
    fn place(&self) -> String {
        format!("{} {}", self.worktree().display(), terminal())
    }
}

/// The device, and when it was made, because the next window gets the device of one that was closed. The
/// process session would not do: a terminal that was handed into a container has none there.
fn terminal() -> String {
    let streams = [rustix::stdio::stdin(), rustix::stdio::stdout(), rustix::stdio::stderr()];
    let device = streams.into_iter().find(|it| rustix::termios::isatty(it));
    device.and_then(|it| rustix::fs::fstat(it).ok()).map_or_else(String::new, |it| {
        format!("{} {}.{}", it.st_rdev, it.st_ctime, it.st_ctime_nsec)
    })
}
