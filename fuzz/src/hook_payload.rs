//! Any JSON as what a host tells a hook. Nothing may panic, a known event is understood in every dialect, and every
//! answer is one line of JSON or nothing.

use oldhand_hosts::answer::{Answer, context_chars_max, takes_context};
use oldhand_hosts::dialect::Dialect;
use oldhand_hosts::payload::{self, Event, Payload};
use oldhand_text::agent_text::AgentText;
use serde_json::Value;

pub fn hook_payload(bytes: &[u8]) {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    for dialect in Dialect::ALL {
        if let Ok(payload) = payload::read(dialect, value.clone(), None) {
            answers(dialect, &payload);
        }
        for event in Event::all() {
            let read = payload::read(dialect, value.clone(), Some(event.as_str()));
            assert_eq!(read.is_ok(), value.is_object(), "{event:?}");
        }
    }
}

fn answers(dialect: Dialect, payload: &Payload) {
    assert_eq!(payload.dialect, dialect);
    assert!(context_chars_max(dialect) > 0);
    let text = AgentText::body(&payload.prompt);
    let all = [
        Answer::Silence,
        Answer::Context(text.clone()),
        Answer::Allow(text.clone()),
        Answer::Deny(text.clone()),
        Answer::GoOn(text),
    ];
    for answer in all {
        let is_context = matches!(answer, Answer::Context(_));
        let taken = answer.as_taken(dialect, payload.event);
        if is_context {
            assert_eq!(taken != Answer::Silence, takes_context(dialect, payload.event));
        }
        let rendered = taken.render(dialect, &payload.event_name);
        if let Some(line) = rendered.strip_suffix('\n') {
            assert!(!line.contains('\n'), "{line:?}");
            let value: Value = serde_json::from_str(line).expect("one object");
            assert!(value.is_object(), "{line:?}");
        } else {
            assert_eq!(rendered, "");
        }
    }
}
