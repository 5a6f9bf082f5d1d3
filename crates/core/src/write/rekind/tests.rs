//! What stays when a memory becomes one of another kind.

use jiff::Timestamp;

use super::*;
use crate::kind::Kinds;
use crate::memory::MemoryId;
use crate::origin::Origin;
use crate::policy::WritePolicy;
use crate::state::State;

fn rekinded(old: &Memory, kind: &Kind) -> Memory {
    let (kinds, policy) = (Kinds::default(), WritePolicy::default());
    let now = Timestamp::from_second(1_000_000_000).unwrap();
    let writer = Writer { kinds: &kinds, policy: &policy, origin: Origin::User, now };
    rekind(old, kind, &Draft::default(), writer).unwrap()
}

#[test]
fn nothing_that_it_says_is_lost() {
    let mut old = Memory::new(MemoryId::of_title("Use Redis"), Kind::Decision, "Use Redis");
    old.state = State::Stable;
    old.tags = vec!["cache".to_owned()];
    old.content.set("decision", FieldValue::Text("Caches are in Redis".to_owned()));
    old.content.set("status", FieldValue::Text("accepted".to_owned()));
    old.content.set("rationale", FieldValue::Text("It is there anyway".to_owned()));
    let new = rekinded(&old, &Kind::Constraint);
    assert_eq!((new.id.as_str(), new.state), ("use-redis", State::Stable));
    assert_eq!(new.content.text("rule"), Some("Caches are in Redis"));
    assert_eq!(new.sections, [("Rationale".to_owned(), "It is there anyway".to_owned())]);
    let change = new.changes.last().unwrap();
    assert_eq!(change.field.as_deref(), Some("type"));
    assert_eq!(change.old_value.as_deref(), Some("decision"));
    let steps = rekinded(&old, &Kind::Runbook);
    assert_eq!(steps.kind, Kind::Runbook);
    let said: String = steps.content.iter().map(|(_, value)| value.plain()).collect();
    assert!(said.contains("Caches are in Redis"), "{said}");
}
