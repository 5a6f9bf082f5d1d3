//! What a power cut leaves of a moment. It owns the choice among the states that the durability
//! model allows; what is pending and what a change needs is the moment's business.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::moment::{ChangeId, Moment, Node, closed};

/// How likely a change survives, in percent; one of them holds for a whole crash, so that states
/// close to both extremes come up as often as mixed ones.
const CHANCES: [u64; 3] = [10, 50, 90];

impl Moment {
    /// Nothing unsynced survived.
    pub(super) fn dropping_all(&self) -> Self {
        self.survivor(&BTreeSet::new(), |bytes, synced| bytes[..synced].to_vec())
    }

    /// Everything survived.
    pub(super) fn keeping_all(&self) -> Self {
        self.survivor(&self.pending.keys().copied().collect(), |bytes, _| bytes.to_vec())
    }

    /// One of all the states, the same for the same seed.
    pub(super) fn crashed(&self, seed: u64) -> Self {
        let mut random = Random(seed);
        // Names and contents reach the disk on their own: a kept name with lost bytes is the
        // classic accident and must not be rare.
        let of_names = CHANCES[random.below(CHANCES.len())];
        let of_bytes = CHANCES[random.below(CHANCES.len())];
        let kept = self.choose(of_names, &mut random);
        self.survivor(&kept, |bytes, synced| {
            if random.percent(of_bytes) {
                return bytes.to_vec();
            }
            unsynced_form(bytes, synced, &mut random)
        })
    }

    /// A set of pending changes that leaves out nothing it needs.
    fn choose(&self, percent: u64, random: &mut Random) -> BTreeSet<ChangeId> {
        // In a long chain of changes the first way ends up near the end, the second near the start.
        if random.percent(50) {
            return closed(&self.pending, |_| random.percent(percent));
        }
        let mut kept = BTreeSet::new();
        for (id, change) in &self.pending {
            let mut needs = change.needs.iter().filter(|need| self.pending.contains_key(need));
            if random.percent(percent) && needs.all(|need| kept.contains(need)) {
                kept.insert(*id);
            }
        }
        kept
    }

    fn survivor(
        &self,
        kept: &BTreeSet<ChangeId>,
        mut form: impl FnMut(&[u8], usize) -> Vec<u8>,
    ) -> Self {
        let mut names = self.durable.clone();
        for id in kept {
            let change = self.pending.get(id).expect("the kept changes are chosen from these");
            for (place, leads_to) in &change.effects {
                names.set(place, *leads_to);
            }
        }
        let mut nodes = Arc::clone(&self.nodes);
        if !self.unsynced.is_empty() {
            let nodes = Arc::make_mut(&mut nodes);
            for (inode, synced) in &self.unsynced {
                if let Some(Node::File(bytes)) = nodes.get_mut(inode) {
                    *bytes = Arc::new(form(bytes, *synced));
                }
            }
        }
        Self::settled(nodes, names, self.next_number())
    }
}

/// Less than everything after the first `synced` bytes: cut off at once, cut off anywhere, or of
/// the right length with an end that was never written.
fn unsynced_form(bytes: &[u8], synced: usize, random: &mut Random) -> Vec<u8> {
    let cut = synced + random.below(bytes.len() - synced);
    match random.below(4) {
        0 => bytes[..synced].to_vec(),
        1 => bytes[..cut].to_vec(),
        2 => torn(bytes, cut, 0),
        _ => torn(bytes, cut, 0xFF),
    }
}

fn torn(bytes: &[u8], cut: usize, filler: u8) -> Vec<u8> {
    let mut torn = bytes.to_vec();
    torn[cut..].fill(filler);
    torn
}

/// splitmix64, which spreads well even from the seeds 0, 1, 2...
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Of 0 up to, not including, `end`, which is not zero.
    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("it is less than a usize")
    }

    fn percent(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}
