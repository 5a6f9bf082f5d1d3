//! Likeness is symmetric, 1 for the same and 0 for another kind, and small differences that matter
//! keep two memories apart.

use proptest::prelude::*;

use oldhand_text::term_set::TermSet;

use super::*;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::Kind;
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::policy::TWIN_FLOOR;

#[track_caller]
fn check(one: &str, other: &str, want: std::ops::RangeInclusive<f64>) {
    let (one, other) = (TermSet::of(one), TermSet::of(other));
    let found = one.likeness(&other);
    assert!(want.contains(&found), "{found}");
    assert!((found - other.likeness(&one)).abs() < f64::EPSILON);
}

#[test]
fn the_same_words_are_alike_in_any_order() {
    check("Money is stored in cents", "cents: stored money", 1.0..=1.0);
}

#[test]
fn other_words_are_not() {
    check("money in cents", "retry with jitter", 0.0..=0.0);
    check("", "", 0.0..=0.0);
    check("money in cents", "money in euros", 0.2..=0.5);
}

/// What two records may have in common without being one.
const AROUND: &str = "The team agreed on it after the last incident; a reviewer points at this page \
    when a change looks different, and exceptions are written into the ticket.";

fn decision(title: &str, text: &str) -> Profile {
    Profile::of_text(&Kind::Decision, title, text)
}

#[track_caller]
fn check_apart(one: &str, other: &str) {
    let texts = |text: &str| {
        [
            decision(text, ""),
            decision(text, AROUND),
            decision("How we work", &format!("{text}. {AROUND}")),
            decision("How we work", &format!("{AROUND} {text}.")),
            decision("How we work", &format!("{AROUND} {AROUND} {AROUND} {text}.")),
        ]
    };
    for (at, (ours, theirs)) in texts(one).iter().zip(&texts(other)).enumerate() {
        for meaning in [None, Some(0.9), Some(0.99)] {
            let found = likeness(ours, theirs, meaning);
            assert!(found < TWIN_FLOOR, "{one} | {other}: {found} by {meaning:?}, form {at}");
        }
    }
}

#[test]
fn one_difference_that_matters_keeps_two_apart() {
    let pairs = [
        ("Use 2 spaces", "Use 4 spaces"),
        ("Use two spaces", "Use four spaces"),
        ("Keep backups for 30 days", "Keep backups for 90 days"),
        ("Wait 30 seconds for the lock", "Wait 30 minutes for the lock"),
        ("Build with Rust 1.75", "Build with Rust 1.80"),
        ("Pin openssl to v3.0.2", "Pin openssl to v1.1.1"),
        ("Deploy to staging by hand", "Deploy to production by hand"),
        ("Run the seed script in dev", "Run the seed script in prod"),
        ("Enable query logging", "Disable query logging"),
        ("Allow force pushes", "Forbid force pushes"),
        ("Cache the answers of the tax service", "Do not cache the answers of the tax service"),
        ("Retry failed payments", "Never retry failed payments"),
        ("Services share one schema", "Services don't share one schema"),
        ("Log the request body", "Log everything without the request body"),
        ("Store sessions in Redis", "Store sessions in PostgreSQL"),
        ("Store sessions in redis", "Store sessions in postgres"),
        ("We monitor with Datadog", "We monitor with Honeycomb"),
        ("Use npm, not pnpm", "Use pnpm, not npm"),
        ("Use npm instead of yarn", "Use yarn instead of npm"),
        ("Prefer composition over inheritance", "Prefer inheritance over composition"),
        ("Migrate from MySQL to PostgreSQL", "Migrate from PostgreSQL to MySQL"),
        ("Set `max_connections` by hand", "Set `shared_buffers` by hand"),
        ("Call `retryAll` at the start", "Call `retryNone` at the start"),
        ("Generated code is in src/gen/", "Generated code is in build/out/"),
        ("Ask in #payments first", "Ask in #platform first"),
        ("Releases are cut on Monday", "Releases are cut on Thursday"),
        ("Screens use the dark theme", "Screens use the light theme"),
        ("Answer in German", "Answer in French"),
        ("The gateway owns rate limits", "The mesh owns rate limits"),
        ("Owner of billing is the payments team", "Owner of search is the payments team"),
    ];
    for (one, other) in pairs {
        check_apart(one, other);
    }
}

#[track_caller]
fn check_twins(one: (&str, &str), other: (&str, &str), cosine: f64) {
    let (one, other) = (decision(one.0, one.1), decision(other.0, other.1));
    let found = likeness(&one, &other, Some(cosine));
    assert!(found >= TWIN_FLOOR, "{found}");
}

#[test]
fn said_again_in_other_words_is_a_twin() {
    check_twins(
        ("Encrypt backups with age", "Backups are encrypted with age before they leave the host."),
        ("Backups are encrypted by age", "Before a backup leaves its host we encrypt it with age."),
        0.9,
    );
    check_twins(
        (
            "Postgres for the ledger",
            "The ledger is kept in Postgres 16, as entries need transactions.",
        ),
        (
            "Ledger in PostgreSQL",
            "Entries of the ledger need transactions: PostgreSQL 16 stores them.",
        ),
        0.9,
    );
    check_twins(
        ("Wait five minutes before a rollback", "A rollback in prod begins after five minutes."),
        ("Rollback after 5 minutes", "Before a rollback in production 5 minutes are waited."),
        0.9,
    );
}

fn lesson(lesson_type: &str, title: &str) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title(title), Kind::Lesson, title);
    memory.content.set("lesson_type", FieldValue::Text(lesson_type.to_owned()));
    memory.content.set("summary", FieldValue::Text("The pipe hid the exit code".to_owned()));
    memory
}

#[test]
fn kinds_and_types_of_lessons_are_never_mixed_r194() {
    let profile = |lesson_type| Profile::of_memory(&lesson(lesson_type, "Use pipefail in scripts"));
    let (failure, rule) = (profile("failure_lesson"), profile("agent_rule"));
    let same = |one: &Profile, other: &Profile| likeness(one, other, Some(1.0));
    assert!((same(&failure, &failure) - 1.0).abs() < f64::EPSILON);
    assert!(same(&failure, &rule) == 0.0);
    let text =
        Profile::of_text(&Kind::Lesson, "Use pipefail in scripts", "The pipe hid the exit code");
    assert!((same(&failure, &text) - 1.0).abs() < f64::EPSILON, "any type will do");
    assert!(same(&rule, &text.with_lesson_type("failure_lesson")) == 0.0);
    let debt =
        Profile::of_text(&Kind::TechDebt, "Use pipefail in scripts", "The pipe hid the exit code");
    assert!(same(&failure, &debt) == 0.0);
}

/// Whatever became of a memory, it is found by what it says (R193); its reasons, its files and its
/// history are not what it says.
#[test]
fn a_memory_is_compared_by_what_it_says_r193() {
    let mut memory = Memory::new(MemoryId::of_title("a"), Kind::Decision, "Use Redis for queues");
    memory.content.set("decision", FieldValue::Text("Queues are in Redis".to_owned()));
    let mut other = memory.clone();
    other.state = oldhand_core::state::State::Retired;
    other.tags = vec!["queue".to_owned()];
    other.content.set("context", FieldValue::Text("SQS was too slow in March".to_owned()));
    let found = likeness(&Profile::of_memory(&memory), &Profile::of_memory(&other), None);
    assert!((found - 1.0).abs() < f64::EPSILON, "{found}");
    other.content.set("decision", FieldValue::Text("Queues are in RabbitMQ".to_owned()));
    let found = likeness(&Profile::of_memory(&memory), &Profile::of_memory(&other), None);
    assert!(found < TWIN_FLOOR, "{found}");
}

#[test]
fn few_words_are_not_found_in_every_long_text() {
    let short = decision("Short answers", "");
    let long = decision("Support desk", &format!("Short tickets get answers first. {AROUND}"));
    assert!(likeness(&short, &long, None) < TWIN_FLOOR);
    assert!(likeness(&decision("", ""), &decision("", ""), Some(1.0)) == 0.0);
}

/// Texts of words that clash, deny, name and count.
fn said() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z]{1,8}",
        "[A-Z][a-z]{2,6}",
        "[0-9]{1,3}",
        proptest::sample::select(vec![
            "not",
            "never",
            "instead",
            "over",
            "prefer",
            "staging",
            "production",
            "`a_b`",
            "v1.2",
            "src/a.rs",
            "enable",
            "disable",
            ",",
            ".",
            "Redis",
            "the",
            "`",
            "日本語",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(word, 0..90).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn likeness_is_symmetric_and_within_its_range(
        (one, other) in ((said(), said()), (said(), said())),
        shared in said(),
        meaning in proptest::option::of(-1.0..=1.0f64),
    ) {
        let profile = |(title, text): &(String, String)| decision(title, &format!("{text} {shared}"));
        let (one, other) = (profile(&one), profile(&other));
        let found = likeness(&one, &other, meaning);
        prop_assert!((0.0..=1.0).contains(&found));
        prop_assert!(found.to_bits() == likeness(&other, &one, meaning).to_bits());
    }

    #[test]
    fn the_same_text_is_the_same(title in said(), text in said()) {
        let profile = decision(&title, &text);
        let want = if profile.words.is_empty() { 0.0 } else { 1.0 };
        prop_assert!((likeness(&profile, &profile.clone(), None) - want).abs() < f64::EPSILON);
    }
}

#[test]
fn exchanged_numbers_are_other_numbers() {
    let of = |text: &str| Profile::of_text(&Kind::Reference, text, text);
    for (one, other) in [
        ("Fact 3 of worker 5 is true", "Fact 5 of worker 3 is true"),
        ("Fact 7 of worker 7 is true", "Fact 7 of worker 3 is true"),
    ] {
        let alike = likeness(&of(one), &of(other), Some(0.99));
        assert!(alike < TWIN_FLOOR, "{one} / {other}: {alike}");
    }
}
