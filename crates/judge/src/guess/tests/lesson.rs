//! R180 as examples: at least five sentences for each type, as people and agents write them.

use std::collections::BTreeSet;

use crate::guess::*;
use oldhand_core::kind::schema::LESSON_TYPES;

const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "failure_lesson",
        &[
            "The deploy failed because the migration was missing from the image",
            "Root cause was an off-by-one in the pagination loop",
            "We forgot to close the file handle, and the worker crashed after an hour",
            "The import broke on Windows line endings; nobody noticed for a week",
            "It turned out the retry swallowed the exception, so the job was lost",
            "We shipped the wrong artifact since the tag was moved",
            "The container kept restarting since the health check pointed at the old port",
            "Our regex matched too much and deleted valid rows",
            "The build passed locally but failed in CI due to a missing env variable",
            "I assumed the list was sorted, it was not",
            "The nightly job died because the disk was full",
            "Upgrading serde broke deserialisation of old records",
            "We merged without rebasing and overwrote the fix",
            "A null in the price column made the importer abort halfway",
        ],
    ),
    (
        "architecture_precedent",
        &[
            "Keep the domain layer free of I/O so that rules can be tested on values",
            "A circular dependency between billing and orders was resolved by a shared module",
            "The event log is the single source of truth, the index is derived",
            "Put vendor code behind an adapter at the module boundary",
            "The monolith was easier to change than the planned microservices",
            "Each service owns its tables, nobody reads them from outside",
            "Keep business rules out of the controllers",
            "The engine talks to storage only through the vault trait",
            "State changes are written to the log first, views are rebuilt from it",
            "Split the god class into a parser module and a renderer module",
            "Repositories return domain objects, never ORM rows",
            "Commands and queries go through separate paths",
            "Only the adapters crate may depend on sqlx",
            "We introduced an event bus so services do not call each other directly",
        ],
    ),
    (
        "decision_precedent",
        &[
            "We decided on SQLite instead of PostgreSQL for the local store",
            "Chose cents as integers over floats for money",
            "We went with cursor pagination; offset was ruled out for large tables",
            "The trade-off between size and readability was settled in favour of readability",
            "We picked jiff and rejected chrono as the alternative",
            "Decided against a plugin API until there are two users of it",
            "We are going with Tailwind, plain CSS was considered too slow to write",
            "Postponed the move to Kubernetes, compose is enough for now",
            "Money is stored as integer cents instead of decimals after a long discussion",
            "We use UUIDv7 as primary key because it sorts by time",
            "Kept REST and dropped GraphQL after the spike",
            "The team agreed on trunk based development",
        ],
    ),
    (
        "security_pattern",
        &[
            "Never log the access token; redact credentials before writing",
            "User input in the SQL filter allowed injection, use bound parameters",
            "The webhook handler must check the signature before it trusts an untrusted body",
            "Run the container with the least privilege it needs",
            "Secrets in the environment leak into crash reports",
            "Escape HTML in comments, otherwise scripts run for other visitors",
            "Do not put the database password into the image",
            "Check that the user owns the record before returning it",
            "Rotate the signing keys every quarter",
            "Rate limit the login endpoint to stop brute force",
            "Uploaded files must be checked for type and size before they are stored",
            "Validate the redirect URL against an allow list",
            "Session cookies need HttpOnly and SameSite",
            "Do not build shell commands from user input",
        ],
    ),
    (
        "performance_tip",
        &[
            "The report was slow because of an N+1 query on customers",
            "Caching the parsed config cut latency from 80 ms to 3 ms",
            "Batch the inserts: one transaction a row was ten times slower",
            "Profile before optimising; the hot loop was in the logger",
            "Allocating a string per token doubled the CPU time",
            "Compile the regex once outside of the loop",
            "Use COPY for bulk loads, inserts were too slow",
            "Reuse the HTTP connection, the handshake took most of the time",
            "The JSON parser dominated the profile, a streaming one halved the run time",
            "Precompute the totals at night",
            "Adding an index on created_at made the query 50x quicker",
            "Avoid cloning the whole tree in each iteration",
            "Stream the file rather than loading it into memory",
        ],
    ),
    (
        "test_strategy",
        &[
            "Freeze the clock in tests, otherwise they are flaky around midnight",
            "A property test found the case that forty unit tests had missed",
            "Use a real database in the integration tests, mocks hid the bug",
            "Snapshot tests with stable ids make review of the output easy",
            "Write the regression test first and see it fail",
            "Every bug gets a test that fails without the fix",
            "Mock the clock, not the scheduler",
            "Check the rollback path by killing the process midway in a test",
            "Compare the output with a golden file",
            "Verify migrations against a copy of production data",
            "Run the suite with a random seed to find order dependence",
            "Cover the empty list and the single element case",
            "Use testcontainers for the repository layer",
        ],
    ),
    (
        "integration_pattern",
        &[
            "The payment API answers 200 with an error in the payload",
            "Webhooks of the vendor come twice, handlers must be idempotent",
            "Agree on the contract with the mobile client before changing an endpoint",
            "Their SDK retries on its own, so our retries multiplied",
            "The upstream service has a rate limit of 10 calls a second",
            "The mail provider drops attachments above 10 MB",
            "Version the API, old clients call it for months",
            "The CRM returns dates in local time, convert them at the edge",
            "Pin the version of the protobuf files that both services share",
            "Their API paginates from one, ours from zero",
            "Stripe sends events out of order",
            "The frontend expects ISO dates while the backend sends epoch seconds",
            "Two workers edited the same router file and their changes collided",
        ],
    ),
    (
        "ux_pattern",
        &[
            "Users did not see the disabled button, explain why it is disabled",
            "Screen readers skip the icon unless it has a label",
            "An error message must say what to do next",
            "The confirmation dialog confused people because both buttons were red",
            "Keep the keyboard focus in the modal while it is open",
            "A disabled button needs a hint why",
            "Confirm deletion by typing the name",
            "Put the destructive action away from the primary button",
            "Form errors belong next to the field",
            "Long tables need a sticky header on small screens",
            "Show progress for anything that takes longer than a second",
            "People expect Escape to close the popup",
            "Do not hide the only way to undo behind a menu",
        ],
    ),
    (
        "process_improvement",
        &[
            "Open the pull request earlier and ask for review of the plan first",
            "Split the work into smaller branches, the big one took a week to review",
            "Write the handover before the session ends",
            "Our estimate ignored the time that the rollout needs",
            "A release checklist would have saved the second rollout",
            "Agree on the interface with the other team before the sprint starts",
            "Review the plan before writing code",
            "Write down open questions and ask them at once",
            "Do the risky part first and demo it early",
            "Keep the changelog with each pull request",
            "Clarify acceptance criteria before coding",
            "Rebase daily to keep the diff small",
            "Ask the product owner when the ticket is unclear",
        ],
    ),
    (
        "risk_pattern",
        &[
            "Dropping the column is irreversible, there is no way back without the backup",
            "Changing the shared config has a large blast radius",
            "Only one person knows the billing job, a bus factor of one",
            "Migrations on the orders table are risky during business hours",
            "The parser is fragile, small changes are likely to break old files",
            "Only Maria can restore the backups",
            "Touching the scheduler is risky without a staging run",
            "A schema change on the users table locks it for minutes",
            "The vendor may shut the old endpoint down any day",
            "Estimates for data migrations are always too low, expect surprises",
            "Changing the tax rounding affects every invoice already sent",
            "Running the cleanup script without a dry run may delete live data",
            "The legacy cron has no monitoring, nobody will notice when it stops",
        ],
    ),
    (
        "project_rule",
        &[
            "Always put migrations into the `db/migrations` folder",
            "Naming convention: events are named in the past tense",
            "In this repo every public function has a doc comment",
            "Commit messages start with the ticket prefix",
            "Never edit generated files by hand",
            "Public functions have doc comments and examples",
            "Use snake_case for column names",
            "Feature flags are named after the ticket",
            "Log lines are lower case without a final period",
            "Tests live next to the module in tests.rs",
            "Use British spelling in user facing text",
            "All timestamps are stored in UTC",
            "Error types live in error.rs of each crate",
        ],
    ),
    (
        "agent_rule",
        &[
            "The agent must read AGENTS.md before it edits anything",
            "Subagents lose the context, give them the file paths in the prompt",
            "Claude tends to rewrite whole files, ask for a minimal diff",
            "The model hallucinates flags of this tool, let it run --help first",
            "Keep large logs out of the context window",
            "The agent should ask before deleting files",
            "Long prompts make Claude forget the first instruction",
            "Agents must not edit files under vendor/",
            "Tell the model which files are generated",
            "Claude should run cargo fmt after each edit",
            "Run the formatter yourself before you report that you are done",
            "The coding agent should not push to main",
        ],
    ),
];

#[test]
fn r180_five_sentences_for_each_type() {
    for (want, sentences) in EXAMPLES {
        assert!(sentences.len() >= 5, "{want}");
        for sentence in *sentences {
            let (found, because) = lesson_type(sentence);
            assert_eq!(found, *want, "{sentence}: {because}");
            assert!(!because.is_empty(), "{sentence}");
        }
    }
}

#[test]
fn r179_the_types_are_the_twelve() {
    let known: BTreeSet<&str> = LESSON_TYPES.iter().copied().collect();
    let shown: BTreeSet<&str> = EXAMPLES.iter().map(|(lesson_type, _)| *lesson_type).collect();
    assert_eq!(shown, known);
    assert!(known.contains(UNCLEAR_LESSON));
}

#[test]
fn nothing_telling_is_said_to_be_so() {
    for text in ["", "   ", "blue skies", "ok", "🎉", "新しい"] {
        assert_eq!(lesson_type(text), (UNCLEAR_LESSON, String::new()), "{text}");
    }
}

#[test]
fn ties_go_to_the_particular_type() {
    // `risk` and `decision` weigh the same; the table has the decision first.
    assert_eq!(lesson_type("decision risk").0, "decision_precedent");
    assert_eq!(lesson_type("risk decision").0, "decision_precedent");
}
