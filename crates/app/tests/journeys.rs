//! The journeys over the vault in memory: what every surface gets, without a process or a disk.

use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use oldhand_app::Engine;
use oldhand_app::health::Health;
use oldhand_app::life::MarkKind;
use oldhand_app::pending::{Resolution, pending_name};
use oldhand_app::recall::Request;
use oldhand_app::review::verbs::{Choice, Verb};
use oldhand_app::sessions::Sessions;
use oldhand_app::settings::Settings;
use oldhand_app::written::Action;
use oldhand_core::actor::Via;
use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::event::Verdict;
use oldhand_core::kind::Kind;
use oldhand_core::origin::Origin;
use oldhand_core::pending::Matter;
use oldhand_core::recall::card::Card;
use oldhand_core::refusal::Code;
use oldhand_core::state::State;
use oldhand_store::failure::Failure;
use oldhand_store::memory::MemorySessions;
use oldhand_store::port::Vault;
use oldhand_store::port::index::{Index, Narrow};
use oldhand_store::ulid::Entropy;
use oldhand_testkit::memory_index::MemoryIndex;
use oldhand_testkit::memory_vault::{MemoryCode, MemoryVault};

#[derive(Default)]
struct Counting(AtomicU64);

impl Entropy for Counting {
    fn next(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// One world: a vault, some code, and who asks.
struct World<'a> {
    vault: MemoryVault<'a>,
    code: MemoryCode,
    settings: &'a Settings,
    via: Via,
    now: Timestamp,
}

impl World<'_> {
    /// Finds its neighbours in the index in memory.
    fn with_index<T>(&self, case: impl FnOnce(&Engine<'_>, &MemoryIndex<'_>) -> T) -> T {
        let (kinds, trust) = (&self.settings.kinds, &self.settings.trust);
        let index = MemoryIndex { vault: &self.vault, kinds, trust };
        case(&Engine { nearby: Some(&index), ..self.engine() }, &index)
    }

    fn engine(&self) -> Engine<'_> {
        Engine {
            vault: &self.vault,
            code: &self.code,
            nearby: None,
            above: &[],
            settings: self.settings,
            by: "jane",
            via: &self.via,
            is_person: self.via.is_person(),
            is_preview: false,
            batch: None,
            seen: None,
            now: self.now,
        }
    }
}

fn in_world(via: Via, case: impl FnOnce(&World<'_>)) {
    let (settings, entropy) = (Settings::default(), Counting::default());
    let now: Timestamp = "2026-11-17T09:00:00Z".parse().expect("an instant");
    let vault = MemoryVault::new(&settings.kinds, &entropy, now);
    case(&World { vault, code: MemoryCode::default(), settings: &settings, via, now });
}

fn decision(title: &str, text: &str) -> Draft {
    let mut draft = Draft::titled(Kind::Decision, title);
    draft.set_content("decision", FieldValue::Text(text.to_owned()));
    draft.set_content("rationale", FieldValue::List(vec!["it is exact".to_owned()]));
    draft
}

fn refused(failure: Failure) -> Code {
    match failure {
        Failure::Refused(refusal) => refusal.code,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn a_decision_of_a_person_is_written_found_and_logged() {
    in_world(Via::Terminal, |world| {
        let engine = world.engine();
        let draft = decision("Use cents", "We keep money in integer cents");
        let written = engine.writing().create(&draft, Origin::User).unwrap().answer;
        assert_eq!((written.action, written.memory.state), (Action::Created, State::Stable));
        assert_eq!(written.path, "decisions/use-cents.md");
        assert_eq!(engine.get("use-cents").unwrap().memory.title, "Use cents");
        let events = world.vault.events_of("use-cents").unwrap();
        assert_eq!(events.len(), 1);
        assert_eq!((events[0].by.as_str(), &events[0].via), ("jane", &Via::Terminal));
    });
}

#[test]
fn the_same_words_twice_are_one_memory() {
    in_world(Via::Terminal, |world| {
        let engine = world.engine();
        let draft = decision("Use cents", "We keep money in integer cents");
        drop(engine.writing().create(&draft, Origin::User).unwrap());
        let again = engine.writing().create(&draft, Origin::User).unwrap().answer;
        assert_ne!(again.action, Action::Created);
        assert_eq!(world.vault.ids().unwrap(), ["use-cents"]);
    });
}

#[test]
fn the_gate_stops_a_clash_and_keeps_the_proposal() {
    in_world(Via::Terminal, |world| {
        let engine = world.engine();
        let first = decision("Store amounts in cents", "We always store amounts as integer cents");
        drop(engine.writing().create(&first, Origin::User).unwrap());
        let clash = decision("Amounts are floats", "We never store amounts as integer cents");
        let stopped = engine.writing().create(&clash, Origin::User).err();
        let Some(Failure::Stopped(stop)) = stopped else { panic!("not stopped: {stopped:?}") };
        assert_eq!(engine.gate().pending_list().unwrap().0.len(), 1);
        assert!(world.vault.pending().unwrap().iter().all(Result::is_ok));
        assert!(engine.look_up("amounts-are-floats").unwrap().is_none());
        assert!(!stop.pending.id.as_str().is_empty());
    });
}

/// More decisions than are all read: what is near a proposal is asked of the index.
fn fill_beyond_reading(vault: &MemoryVault<'_>) {
    for number in 0..250 {
        let text = format!(
            "---\nid: part-{number}\ntype: decision\ntitle: Part {number}\nstatus: accepted\n\
             state: archived\nscope: project\norigin: user\ncreated_at: 2026-11-01T09:00:00Z\n---\n\n\
             ## Decision\nPart {number} ships in box {number}\n\n## Rationale\n- it fits\n"
        );
        vault.put(&format!("decisions/part-{number}.md"), &text);
    }
}

#[test]
fn recall_serves_what_fits_and_nothing_else() {
    in_world(Via::Terminal, |world| {
        world.with_index(|engine, index| {
            let cents = decision("Use cents", "We keep money in integer cents");
            drop(engine.writing().create(&cents, Origin::User).unwrap());
            let queue = decision("One queue", "Each worker takes jobs from one queue");
            drop(engine.writing().create(&queue, Origin::User).unwrap());
            let ask = |text: &str| {
                let request = Request { text: text.to_owned(), ..Request::default() };
                let recalled = engine.memories().recall_by_intent(index, &request).unwrap();
                let served = recalled.bundle.memories.into_iter().map(|entry| entry.card.id);
                served.collect::<Vec<_>>()
            };
            assert_eq!(ask("money in integer cents"), ["use-cents"]);
            assert_eq!(ask("jobs of the worker queue"), ["one-queue"]);
            assert!(ask("which kubernetes cluster runs staging?").is_empty());
        });
    });
}

#[test]
fn in_a_large_store_the_index_finds_the_twin_and_the_clash() {
    in_world(Via::Terminal, |world| {
        world.with_index(|engine, index| {
            fill_beyond_reading(&world.vault);
            let cents =
                decision("Store amounts in cents", "We always store amounts as integer cents");
            drop(engine.writing().create(&cents, Origin::User).unwrap());
            let again = engine.writing().create(&cents, Origin::User).unwrap().answer;
            assert_ne!(again.action, Action::Created);
            assert_eq!(again.memory.id.as_str(), "store-amounts-in-cents");
            let clash = decision("Amounts are floats", "We never store amounts as integer cents");
            let stopped = engine.writing().create(&clash, Origin::User).err();
            let Some(Failure::Stopped(stop)) = stopped else { panic!("not stopped: {stopped:?}") };
            let rivals = stop.pending.headline();
            assert!(rivals.contains("store-amounts-in-cents"), "{rivals}");
            let request = Request { text: "amounts in cents".to_owned(), ..Request::default() };
            let recalled = engine.memories().recall_by_intent(index, &request).unwrap();
            assert_eq!(recalled.bundle.memories[0].card.id, "store-amounts-in-cents");
        });
    });
}

#[test]
fn a_memory_is_found_by_its_alias() {
    in_world(Via::Terminal, |world| {
        world.with_index(|engine, _| {
            let text = "---\nid: iso-dates\nkind: reference\naliases: [ADR-7]\n---\n# Dates\n";
            world.vault.put("reference/iso-dates.md", text);
            assert_eq!(engine.get("adr-7").unwrap().memory.id.as_str(), "iso-dates");
            assert!(engine.look_up("adr-8").unwrap().is_none());
        });
    });
}

#[test]
fn an_agent_does_not_take_a_decision_out_of_force() {
    in_world(Via::Terminal, |person| {
        let draft = decision("Use cents", "We keep money in integer cents");
        drop(person.engine().writing().create(&draft, Origin::User).unwrap());
        let via = Via::Mcp("client".to_owned());
        let agent = Engine { via: &via, is_person: false, ..person.engine() };
        let failure = agent.life().retire("use-cents", "no longer").err().expect("refused");
        assert_eq!(refused(failure), Code::State);
        assert_eq!(agent.get("use-cents").unwrap().memory.state, State::Stable);
    });
}

#[test]
fn undo_takes_the_last_write_back() {
    in_world(Via::Terminal, |world| {
        let engine = world.engine();
        let draft = decision("Use cents", "We keep money in integer cents");
        drop(engine.writing().create(&draft, Origin::User).unwrap());
        drop(engine.trail().undo().unwrap());
        assert!(engine.look_up("use-cents").unwrap().is_none());
        assert_eq!(world.vault.events_of("use-cents").unwrap().len(), 2);
    });
}

#[test]
fn a_secret_is_not_stored_under_any_field() {
    in_world(Via::Terminal, |world| {
        let secret = format!("AKIA{}", "Z7QWERTYUIOPASDF");
        let draft = decision("Deploy key", &format!("we use {secret} for the bucket"));
        let failure = world.engine().writing().create(&draft, Origin::User).err().expect("refused");
        assert_eq!(refused(failure), Code::Secret);
        let engine = Engine { by: &secret, ..world.engine() };
        let draft = decision("Use cents", "We keep money in integer cents");
        assert_eq!(
            refused(engine.writing().create(&draft, Origin::User).err().unwrap()),
            Code::Secret
        );
        assert!(world.vault.scan().unwrap().stored.is_empty());
        assert!(world.vault.events().unwrap().is_empty());
    });
}

/// Files of a repository, by their paths alone.
fn with_code(world: &World<'_>, paths: &[&str]) -> MemoryCode {
    let mut code = MemoryCode { files: world.code.files.clone() };
    code.files.extend(paths.iter().map(|path| ((*path).to_owned(), String::new())));
    code
}

/// R357
#[test]
fn a_life_is_a_line_with_states_marks_and_trust() {
    in_world(Via::Terminal, |world| {
        let engine = world.engine();
        let draft = decision("Use cents", "We keep money in integer cents");
        drop(engine.writing().create(&draft, Origin::User).unwrap());
        drop(engine.life().retire("use-cents", "no longer").unwrap());
        let life = engine.trail().life_line("use-cents").unwrap();
        let states: Vec<State> = life.states.iter().map(|it| it.state).collect();
        assert_eq!(states, [State::Stable, State::Retired]);
        assert_eq!(life.marks[0].what, MarkKind::Created);
        let trust = engine.trail().story("use-cents").unwrap().signals.trust;
        assert_eq!(life.trust.last().map(|it| it.trust), Some(trust));
        assert!(life.successor.is_none());
    });
}

/// R357
#[test]
fn a_neighbourhood_has_what_is_named_and_what_names_it() {
    in_world(Via::Terminal, |world| {
        world.with_index(|engine, index| {
            let put = |id: &str, front: &str| {
                let text = format!("---\nid: {id}\ntype: decision\n{front}\n---\n# About {id}\n");
                world.vault.put(&format!("decisions/{id}.md"), &text);
            };
            put("old", "state: superseded\nsuperseded_by: mid");
            put("mid", "supersedes: [old]\ndepends_on: { decisions: [ground] }");
            put("ground", "aliases: [ADR-1]");
            put("above", "depends_on: { decisions: [mid] }\nconflicts_with: [ground]");
            put("far", "related_to: [above]");
            put("further", "related_to: [far]");
            let around = engine.memories().around(index, "mid").unwrap();
            let links: Vec<String> = around
                .links
                .iter()
                .map(|it| format!("{} {} {}", it.from, it.link, it.to))
                .collect();
            assert_eq!(
                links,
                [
                    "above rests on mid",
                    "above conflicts with ground",
                    "above is related to far",
                    "mid supersedes old",
                    "mid rests on ground",
                ]
            );
            // Three steps away.
            assert!(around.memories.iter().all(|it| it.id != "further"));
            assert_eq!((around.memories.len(), around.more), (5, 0));
        });
    });
}

/// R358
#[test]
fn a_map_counts_files_and_memories_by_folder() {
    in_world(Via::Terminal, |world| {
        let code = with_code(world, &["src/pay/a.rs", "src/pay/b.rs", "src/main.rs", "docs/x.md"]);
        world.with_index(|engine, index| {
            let engine = Engine { code: &code, ..*engine };
            let put = |id: &str, path: &str| {
                let text = format!(
                    "---\nid: {id}\ntype: decision\nstate: stable\nrelated_files: [{path}]\n---\n# {id}\n"
                );
                world.vault.put(&format!("decisions/{id}.md"), &text);
            };
            put("cents", "src/pay/a.rs");
            put("lost", "gone/old.rs");
            let cards = index.cards(&Narrow::default()).unwrap();
            let cards: Vec<Card> = cards.into_iter().map(|it| it.card).collect();
            let map = engine.memories().map(&cards, "").unwrap();
            let folders: Vec<(&str, usize, usize)> =
                map.folders.iter().map(|it| (it.path.as_str(), it.files, it.memories)).collect();
            assert_eq!(folders, [("docs", 1, 0), ("gone", 1, 1), ("src", 3, 1)]);
            let inner: Vec<(&str, usize)> =
                map.folders[2].folders.iter().map(|it| (it.name.as_str(), it.files)).collect();
            assert_eq!(inner, [("(files)", 1), ("pay", 2)]);
            let below = engine.memories().map(&cards, "src/pay/").unwrap();
            assert_eq!((below.files, below.memories.len()), (2, 1));
            assert_eq!(below.memories[0].id, "cents");
        });
    });
}

/// R363
#[test]
fn a_settled_conflict_is_told_with_both_sides() {
    in_world(Via::Terminal, |world| {
        let engine = world.engine();
        let first = decision("Store amounts in cents", "We always store amounts as integer cents");
        drop(engine.writing().create(&first, Origin::User).unwrap());
        let clash = decision("Amounts are floats", "We never store amounts as integer cents");
        assert!(engine.writing().create(&clash, Origin::User).is_err());
        assert!(engine.gate().settled_conflicts(10).unwrap().is_empty());
        let waiting = engine.gate().pending_list().unwrap().0.remove(0).id.to_string();
        drop(engine.gate().resolve(&waiting, Resolution::Follow, "cents are exact").unwrap());
        let settled = engine.gate().settled_conflicts(10).unwrap();
        let [one] = settled.as_slice() else { panic!("{settled:?}") };
        assert_eq!((one.outcome.as_str(), one.reason.as_str()), ("follow", "cents are exact"));
        let Some(Matter::Conflict { title, against, .. }) =
            one.pending.as_ref().map(|it| &it.matter)
        else {
            panic!("{one:?}")
        };
        assert_eq!((title.as_str(), against.len()), ("Amounts are floats", 1));
    });
}

#[test]
fn what_is_offered_is_what_the_decision_would_do() {
    in_world(Via::Terminal, |world| {
        let engine = world.engine();
        let draft = decision("Store amounts in cents", "We always store amounts as integer cents");
        drop(engine.writing().create(&draft, Origin::User).unwrap());
        drop(engine.upkeep().request_review("store-amounts-in-cents", "is it so?").unwrap());
        let before = world.vault.events().unwrap().len();

        let mut inbox = engine.upkeep().inbox().unwrap();
        let item = engine.upkeep().item(&mut inbox, 0).unwrap().unwrap();
        let offers = engine.upkeep().offers(&item).unwrap();
        for offer in &offers {
            let more = offer.verb.question().map(|_| "store-amounts-in-cents");
            let (name, reason) = (item.stored.memory.id.as_str(), "seen");
            let choice = Choice { name, verb: offer.verb, reason, more };
            let real = engine.preview().upkeep().choose(&choice);
            // Whether the successor is a good one is only known when it is named.
            if offer.verb != Verb::Decide(Verdict::Supersede) {
                assert_eq!(offer.would.is_ok(), real.is_ok(), "{:?}", offer.verb);
            }
        }
        let open: Vec<char> =
            offers.iter().filter(|it| it.would.is_ok()).map(|it| it.verb.key()).collect();
        assert_eq!(open, ['i', 'r', 's', 'a'], "{offers:?}");
        assert_eq!(world.vault.events().unwrap().len(), before, "a dry run writes nothing");
    });
}

/// R346: compared inside the lock.
#[test]
fn a_decision_over_what_has_changed_since_it_was_shown_is_refused() {
    in_world(Via::Terminal, |world| {
        let engine = world.engine();
        let first = decision("Store amounts in cents", "We always store amounts as integer cents");
        drop(engine.writing().create(&first, Origin::User).unwrap());
        let clash = decision("Amounts are floats", "We never store amounts as integer cents");
        let _ = engine.writing().create(&clash, Origin::User).err();
        let (pending, raw) = engine.gate().get_pending("conflict-amounts-are-floats").unwrap();

        let offers = engine.upkeep().offers_on(&pending).unwrap();
        assert!(offers.iter().all(|offer| offer.would.is_ok()), "{offers:?}");
        let verb = Verb::Settle(Resolution::KeepBoth);
        let (hash, other) = (raw.hash.to_string(), "0".repeat(64));
        let (name, reason) = (pending.id.as_str(), "different currencies");
        let shown = pending_name(name);
        let choose = |seen: &str| {
            let engine = Engine { seen: Some((&shown, seen)), ..engine };
            let done = engine.upkeep().choose(&Choice { name, verb, reason, more: None });
            done.map(|done| done.answer.sentence()).map_err(refused)
        };
        assert_eq!(choose(&other), Err(Code::Occ));
        assert_eq!(engine.gate().pending_list().unwrap().0.len(), 1, "nothing was settled");
        assert_eq!(choose(&hash), Ok("both hold".to_owned()));
        assert_eq!(choose(&hash), Err(Code::NotFound), "it no longer waits");
        assert_eq!(engine.upkeep().reasons_for(verb).unwrap(), ["different currencies"]);
    });
}

#[test]
fn health_is_noted_once_a_day() {
    let sessions = MemorySessions::default();
    let note = |at: &str| sessions.note_health(&Health::default(), at.parse().unwrap()).unwrap();
    note("2026-11-17T08:00:00Z");
    note("2026-11-17T20:00:00Z");
    note("2026-11-18T08:00:00Z");
    let days = sessions.health_lines();
    let days: Vec<&str> = days.iter().filter_map(|line| line["at"].as_str()).collect();
    assert_eq!(days, ["2026-11-17T08:00:00Z", "2026-11-18T08:00:00Z"]);
}
