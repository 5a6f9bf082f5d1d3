//! The journeys of the program run over PostgreSQL as they are: the gate, twins, reviews and recall decide the same
//! (R401).

use jiff::Timestamp;
use oldhand_app::Engine;
use oldhand_app::recall::Request;
use oldhand_app::settings::Settings;
use oldhand_app::written::Action;
use oldhand_core::actor::Via;
use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kind;
use oldhand_core::origin::Origin;
use oldhand_core::state::State;
use oldhand_pg::access::Access;
use oldhand_pg::index::PgNearby;
use oldhand_pg::vault::PgVault;
use oldhand_store::failure::Failure;
use oldhand_store::port::Vault;
use oldhand_testkit::memory_vault::MemoryCode;
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::bed::Bed;

pub(crate) const TESTS: &[Test] = &[
    ("journeys::a_decision_is_written_merged_and_recalled", decisions),
    ("journeys::the_gate_stops_a_clash_in_a_large_store", clashes),
];

fn decision(title: &str, text: &str) -> Draft {
    let mut draft = Draft::titled(Kind::Decision, title);
    draft.set_content("decision", FieldValue::Text(text.to_owned()));
    draft.set_content("rationale", FieldValue::List(vec!["it is exact".to_owned()]));
    draft
}

/// An engine of one request, with the index of the same request.
fn with_engine(bed: &Bed, store: i32, case: impl FnOnce(&Engine<'_>, &PgVault<'_>)) {
    let settings = Settings::default();
    let now: Timestamp = "2026-11-17T09:00:00Z".parse().expect("an instant");
    let access = Access::new(&bed.database, bed.caller(&[store]));
    let vault = PgVault { now, ..bed.vault(&access, store) };
    let nearby = PgNearby::new(bed.index(&access, store), None);
    let code = MemoryCode::default();
    let engine = Engine {
        vault: &vault,
        code: &code,
        nearby: Some(&nearby),
        above: &[],
        settings: &settings,
        by: "jane",
        via: &Via::Terminal,
        is_person: true,
        is_preview: false,
        seen: None,
        batch: None,
        now,
    };
    case(&engine, &vault);
}

fn recalled(bed: &Bed, engine: &Engine<'_>, vault: &PgVault<'_>, text: &str) -> Vec<String> {
    let index = bed.index(vault.access, vault.store);
    let request = Request { text: text.to_owned(), ..Request::default() };
    let recalled = engine.memories().recall_by_intent(&index, &request).expect("recalled");
    recalled.bundle.memories.into_iter().map(|entry| entry.card.id).collect()
}

fn decisions(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store();
    let cents = decision("Use cents", "We keep money in integer cents");
    with_engine(&bed, store, |engine, vault| {
        let written = engine.writing().create(&cents, Origin::User).expect("written").answer;
        assert_eq!((written.action, written.memory.state), (Action::Created, State::Stable));
        let queue = decision("One queue", "Each worker takes jobs from one queue");
        drop(engine.writing().create(&queue, Origin::User).expect("written"));
        assert_eq!(recalled(&bed, engine, vault, "money in integer cents"), ["use-cents"]);
    });
    bed.worker(None).run_all().expect("the worker runs");
    with_engine(&bed, store, |engine, vault| {
        let again = engine.writing().create(&cents, Origin::User).expect("merged").answer;
        assert_ne!(again.action, Action::Created, "the same words are one memory");
        assert_eq!(recalled(&bed, engine, vault, "jobs of the worker queue"), ["one-queue"]);
        assert!(recalled(&bed, engine, vault, "which kubernetes cluster runs staging?").is_empty());
        let events = vault.events_of("use-cents").expect("readable");
        assert_eq!((events[0].by.as_str(), &events[0].via), ("jane", &Via::Terminal));
        assert_eq!(vault.ids().expect("readable"), ["one-queue", "use-cents"]);
    });
}

fn clashes(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store();
    // More decisions than are all read: what is near a proposal is asked of the index.
    for number in 0..250 {
        let text = format!(
            "---\nid: part-{number}\ntype: decision\ntitle: Part {number}\nstatus: accepted\n\
             state: archived\nscope: project\norigin: user\ncreated_at: 2026-11-01T09:00:00Z\n---\n\n\
             ## Decision\nPart {number} ships in box {number}\n\n## Rationale\n- it fits\n"
        );
        bed.put(store, &format!("decisions/part-{number}.md"), &text);
    }
    bed.worker(None).run_all().expect("the worker runs");
    with_engine(&bed, store, |engine, vault| {
        let cents = decision("Store amounts in cents", "We always store amounts as integer cents");
        drop(engine.writing().create(&cents, Origin::User).expect("written"));
        let clash = decision("Amounts are floats", "We never store amounts as integer cents");
        let stopped = engine.writing().create(&clash, Origin::User).err();
        let Some(Failure::Stopped(stop)) = stopped else { panic!("not stopped: {stopped:?}") };
        assert!(stop.pending.headline().contains("store-amounts-in-cents"));
        assert_eq!(vault.pending().expect("readable").len(), 1);
        assert!(engine.look_up("amounts-are-floats").expect("readable").is_none());
    });
}
