//! What fits, what is left out and why.

use proptest::prelude::*;

use super::*;
use crate::kind::Kind;
use crate::memory::{Memory, MemoryId};
use crate::origin::Origin;
use crate::policy::TrustPolicy;
use crate::signals::Signals;
use crate::state::State;

fn card(id: &str, origin: Origin) -> Card {
    let mut memory = Memory::new(MemoryId::of_title(id), Kind::Decision, id);
    memory.state = State::Stable;
    memory.origin = origin;
    let signals = Signals::start(1, origin, &TrustPolicy::default());
    Card::of(&memory, &signals, "", 0)
}

fn item(id: &str, tokens: usize) -> Item {
    Item { card: card(id, Origin::User), text: format!("words of {id} alone"), tokens }
}

fn packed(items: &[Item], tokens: usize, count: usize, before: &[&str]) -> Packed {
    let before = before.iter().map(|id| (*id).to_owned()).collect();
    pack(items, &before, Room { tokens, items: count }, &RecallPolicy::default())
}

fn reasons(packed: &Packed) -> Vec<String> {
    packed.dropped.iter().map(|(_, reason)| reason.clone()).collect()
}

/// R21 R144: taken in order until the budget is full; what is too large is left out whole.
#[test]
fn what_does_not_fit_is_left_out_whole_and_gives_way() {
    let items = [item("one", 60), item("two", 50), item("three", 40)];
    let packed = packed(&items, 100, 10, &[]);
    assert_eq!(packed.memories, [0, 2]);
    assert_eq!(packed.used_tokens, 100);
    assert_eq!(reasons(&packed), ["over budget: 50 tokens, 40 left"]);
}

#[test]
fn nothing_is_served_twice_in_a_session() {
    let items = [item("one", 10), item("two", 10)];
    let packed = packed(&items, 100, 10, &["one"]);
    assert_eq!(packed.memories, [1]);
    assert_eq!(reasons(&packed), ["served before in this session"]);
}

#[test]
fn the_same_thing_is_served_once() {
    let mut items = [item("one", 10), item("two", 10), item("three", 10)];
    items[1].text = items[0].text.clone();
    let packed = packed(&items, 100, 10, &[]);
    assert_eq!(packed.memories, [0, 2]);
    assert_eq!(reasons(&packed), ["says the same as `one`"]);
}

#[test]
fn the_number_of_memories_is_limited() {
    let items = [item("one", 10), item("two", 10)];
    assert_eq!(reasons(&packed(&items, 100, 1, &[])), ["below the first 1"]);
}

#[test]
fn little_trust_and_contradictions_are_cautions() {
    let mut items = [item("one", 10), item("two", 10), item("three", 10), item("four", 10)];
    items[0].card.trust = 0.49;
    items[1].card.contradictions = 1;
    items[2].card.state = State::Superseded;
    let packed = packed(&items, 100, 10, &[]);
    assert_eq!((packed.cautions, packed.memories), (vec![0, 1, 2], vec![3]));
}

/// R20 R21 R22: a summary never stands in for a durable memory.
#[test]
fn a_durable_memory_is_served_whole() {
    let served = served_text("# All of it\n".to_owned(), Some("in short"), true);
    assert_eq!(served, "# All of it\n");
}

/// R23: an ephemeral one is served as its summary when it has one.
#[test]
fn an_ephemeral_memory_is_served_as_its_summary() {
    let of = |summary| served_text("# All of it\n".to_owned(), summary, false);
    assert_eq!(of(Some("in short")), "in short\n");
    assert_eq!(of(None), "# All of it\n");
    assert_eq!(of(Some("  ")), "# All of it\n");
}

proptest! {
    /// Every item is served or left out with a reason, the budget holds, and it repeats.
    #[test]
    fn the_budget_holds_and_nothing_is_lost(
        costs in prop::collection::vec(1usize..200, 0..30),
        tokens in 0usize..1000,
        count in 0usize..12,
    ) {
        let items: Vec<Item> =
            costs.iter().enumerate().map(|(at, cost)| item(&format!("n{at}"), *cost)).collect();
        let one = packed(&items, tokens, count, &[]);
        let taken: Vec<usize> = one.memories.iter().chain(&one.cautions).copied().collect();
        prop_assert!(taken.len() <= count);
        prop_assert_eq!(one.used_tokens, taken.iter().map(|at| costs[*at]).sum::<usize>());
        prop_assert!(one.used_tokens <= tokens);
        prop_assert_eq!(taken.len() + one.dropped.len(), items.len());
        let again = packed(&items, tokens, count, &[]);
        prop_assert_eq!(one.memories, again.memories);
    }
}
