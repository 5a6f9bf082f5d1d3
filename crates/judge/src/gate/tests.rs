//! What clashes and what does not, as tables. R94: every proposal is compared with what exists; R51:
//! what contradicts is never accepted silently; R95: the report names both sentences and the reason.

use super::*;
use oldhand_core::content::{Alternative, FieldValue};
use oldhand_core::kind::Kind;
use oldhand_core::memory::{Memory, MemoryId};

/// What is wrong with a row of a table; all rows are looked at before a test fails.
fn wrong(proposal: &str, existing: &str, want: Option<Why>) -> Option<String> {
    let (ours, theirs) = (Statement::of_text(proposal), Statement::of_text(existing));
    let found = judge(&ours, &theirs, None);
    let why = found.first().map(|clash| clash.why);
    (why != want).then(|| format!("{proposal} / {existing}: {why:?}, not {want:?}"))
}

#[track_caller]
fn clash(why: Why, pairs: &[(&str, &str)]) {
    let wrong: Vec<String> =
        pairs.iter().filter_map(|(ours, theirs)| wrong(ours, theirs, Some(why))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// In both directions: whether two texts can hold together does not depend on which came first.
#[track_caller]
fn clear(pairs: &[(&str, &str)]) {
    let both = pairs.iter().flat_map(|(a, b)| [wrong(a, b, None), wrong(b, a, None)]);
    let wrong: Vec<String> = both.flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn decision(title: &str, text: &str, rejected: &[(&str, &str)]) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title(title), Kind::Decision, title);
    memory.content.set("decision", FieldValue::Text(text.to_owned()));
    let options = rejected.iter().map(|(option, why)| Alternative::new(option, why)).collect();
    memory.content.set("alternatives", FieldValue::Alternatives(options));
    memory
}

#[test]
fn r51_one_affirms_what_the_other_denies() {
    clash(
        Why::Negation,
        &[
            (
                "Put the API key of the geocoder into the mobile app",
                "API keys must never be put into the mobile app or the web bundle",
            ),
            (
                "Allow wildcard imports in Python test modules",
                "Wildcard imports are banned in all Python modules",
            ),
            ("Commit the generated files", "Never commit generated files"),
            (
                "Retry failed payments automatically",
                "Failed payments must not be retried automatically",
            ),
            ("Public functions need no doc comment", "Every public function needs a doc comment"),
            ("Ship the CLI without telemetry", "Ship the CLI with telemetry"),
            ("Feature branches may be force pushed", "Force pushing feature branches is forbidden"),
            ("Skip code review for documentation", "Documentation must go through code review"),
            ("Disable strict mode", "Enable strict mode"),
            ("Keep the old endpoints", "Remove the old endpoints"),
            (
                "Session tokens can be kept in localStorage",
                "Keep session tokens out of localStorage",
            ),
        ],
    );
}

#[test]
fn two_denials_and_double_negation_agree() {
    clear(&[
        ("Do not commit generated files", "Never commit generated files"),
        ("Generated code must not be committed", "Never commit generated files"),
        ("Stop logging request bodies", "We don't log request bodies"),
        ("Ban eval in the front end", "Never use eval in the front end"),
        ("Remove wildcard imports", "Wildcard imports are banned"),
        ("Don't disable strict mode", "Enable strict mode"),
        (
            "Don't skip code review, not even for documentation",
            "Documentation must go through code review",
        ),
        ("Disable force pushes on feature branches", "Force pushing feature branches is forbidden"),
        (
            "Unit tests use recorded responses instead of the network",
            "No network calls in unit tests",
        ),
        ("Prefer composition over inheritance", "Avoid inheritance"),
    ]);
}

#[test]
fn a_denial_of_something_else_is_none() {
    clear(&[
        ("Never commit generated files", "Commit the lock file of the CLI"),
        ("Integration tests may use the network", "Unit tests must not use the network"),
        ("Don't use mocks in the repository tests", "Mock the clock in scheduler tests"),
        ("Never delete customer records", "Delete temporary files after each run"),
        ("Card numbers are shown masked", "Card numbers must not be stored"),
        ("Feature branches may be force pushed", "Never force push to main"),
        ("Deploy hotfixes on Fridays", "No deploys on Fridays except hotfixes"),
        ("Render the root component first", "No root"),
        (
            "Events are mutable until they are published",
            "Events can't be changed after they were published",
        ),
    ]);
}

#[test]
fn r51_a_forbidden_thing_is_proposed() {
    clash(
        Why::Forbidden,
        &[
            ("Unit tests fetch their fixtures over HTTP", "Unit tests must not make network calls"),
            ("Log the request body of failed calls", "We don't log request bodies"),
            (
                "The import job calls the billing API from inside the database transaction",
                "No remote API calls inside a database transaction",
            ),
        ],
    );
}

#[test]
fn opposites_on_one_subject() {
    clash(
        Why::Antonym,
        &[
            ("Event handlers run synchronously", "Event handlers run asynchronously"),
            ("Use optimistic locking for inventory", "Use pessimistic locking for inventory"),
            ("Split the backend into microservices", "The backend stays a monolith"),
            (
                "The server pushes configuration to the clients",
                "Clients pull configuration from the server",
            ),
            ("Make the artifact bucket public", "The artifact bucket stays private"),
            ("Indent source files with tabs", "Indent source files with spaces"),
            ("The email field is required at sign-up", "The email field is optional at sign-up"),
            ("Validate input after authorization", "Validate input before authorization"),
            ("Domain events are mutable", "Domain events are immutable"),
            ("Statins increase the risk of stroke", "Statins reduce the risk of stroke"),
        ],
    );
    clear(&[
        ("The email field is required at sign-up", "The phone field is optional at sign-up"),
        ("Use optimistic locking for wiki pages", "Use pessimistic locking for seat reservations"),
        ("Make the docs bucket public", "The backup bucket stays private"),
        ("The bucket with artifacts is not public", "The artifact bucket stays private"),
        (
            "Unit tests run before the merge, end-to-end tests after it",
            "Unit tests run before every merge",
        ),
        ("Remove the old login page", "Keep the old invoices"),
    ]);
}

#[test]
fn exclusive_choices_for_one_purpose() {
    clash(
        Why::Choice,
        &[
            ("Represent money as floats", "Represent money as integer cents, not floats"),
            ("Use MySQL", "Use PostgreSQL"),
            ("Use MySQL as primary database", "Use PostgreSQL as the primary database"),
            ("Write the new agent in Go", "The agent is written in Rust"),
            ("Represent money as floating point numbers", "Represent money as integer cents"),
            ("Store timestamps in local time", "Store all timestamps in UTC"),
            ("JSON keys are camelCase", "Use snake_case for JSON keys"),
            ("Merge pull requests with a merge commit", "Squash pull requests when merging"),
            ("Each service lives in its own repository", "All services live in one monorepo"),
            ("Expose the partner API with GraphQL", "The partner API is REST"),
            ("CI runs on GitLab CI", "We use GitHub Actions for CI"),
            ("Publish the SDK under GPL-3.0", "The SDK is licensed under MIT"),
            ("Host production on Azure", "Production runs on AWS"),
        ],
    );
}

#[test]
fn choices_outside_of_the_lexicon() {
    clash(
        Why::Choice,
        &[
            ("Use Frobnik for report rendering", "Use Wibblepdf for report rendering"),
            ("Pin tool versions with asdf", "Pin tool versions with mise"),
            ("Store sessions in signed cookies", "Store sessions in Redis"),
        ],
    );
    clear(&[
        ("Use OpenAPI for the partner API", "Use OAuth2 for the partner API"),
        ("Use Redis locks for the checkout", "Use feature toggles for the checkout"),
        ("Use a spell checker in CI", "We use GitHub Actions for CI"),
    ]);
}

#[test]
fn choices_for_other_purposes_stand_together() {
    clear(&[
        ("Use PostgreSQL for orders", "Use SQLite for the CLI's cache"),
        ("Use MySQL for the legacy shop", "Use PostgreSQL as the primary database of billing"),
        ("PostgreSQL with Redis as cache", "Use PostgreSQL for persistence"),
        ("Use Redis for caching", "Use PostgreSQL as the primary database"),
        ("Use SQLite in unit tests", "Use PostgreSQL in production"),
        ("Use Kafka for events and RabbitMQ for jobs", "Kafka carries the domain events"),
        ("Add a GraphQL endpoint beside REST", "The public API is REST"),
        (
            "Use Python for the build scripts of the Rust workspace",
            "The backend is written in Rust",
        ),
        ("Use Go for the Kubernetes operator", "Use TypeScript for the browser extension"),
        ("Display dates in the user's local time", "Store all timestamps in UTC"),
        ("Use MongoDB for the product catalogue", "Use PostgreSQL in production"),
        ("Use integer cents for prices", "Use floats for geo coordinates"),
        ("We chose Kafka over RabbitMQ for the event bus", "Kafka is our event bus"),
        ("Use pnpm instead of npm", "The web app uses pnpm as its package manager"),
    ]);
}

#[test]
fn amounts_of_one_quantity() {
    clash(
        Why::Number,
        &[
            ("The HTTP timeout is 60 s", "The HTTP timeout is 30 seconds"),
            ("Retry at most 10 times", "Retry at most 3 times"),
            ("Require at least 60 % test coverage", "Test coverage must be at least 80 %"),
            (
                "The minimum supported Rust version is 1.91",
                "The minimum supported Rust version is 1.75",
            ),
            ("Use Node 18", "Use Node 22"),
            ("Functions may have up to 200 lines", "Functions have no more than 70 lines"),
            ("Cache product pages for 5 minutes", "Cache product pages for an hour"),
        ],
    );
    clear(&[
        ("Access tokens live for 900 seconds", "Access tokens expire after 15 minutes"),
        ("Access tokens expire after 15 minutes", "Refresh tokens expire after 30 days"),
        ("Logs are kept for one month", "Keep logs for 30 days"),
        ("Retry three times", "Retry at most 3 times"),
        ("Lines must not be longer than 100 characters", "Maximum line length: 100 characters"),
        ("Coverage of the payment module must be at least 95 %", "Coverage must be at least 80 %"),
        ("Run the tests on Node 20 and Node 22", "Run the tests on Node 22"),
        ("Date: 2024-05-01", "Date: 2023-11-12"),
        ("Uploads of avatars are limited to 2 MB", "Uploads of documents are limited to 50 MB"),
    ]);
}

#[test]
fn what_is_given_up_was_decided() {
    clash(
        Why::Reversal,
        &[
            ("The worker no longer acknowledges messages", "The worker acknowledges messages"),
            ("Stop sending weekly digest mails", "Send a weekly digest mail to every user"),
            ("Migrate from Jenkins to GitHub Actions", "Builds run on Jenkins"),
            ("Stop using Lerna", "Lerna manages our packages"),
            ("Drop support for Internet Explorer 11", "The web app supports Internet Explorer 11"),
            ("Replace the cron jobs with a workflow engine", "Nightly work runs as cron jobs"),
            ("We no longer support 32-bit builds", "Releases contain 32-bit builds for Windows"),
        ],
    );
    clear(&[
        ("Do not replace Kafka", "Kafka is our event bus"),
        ("We will not migrate away from PostgreSQL", "Use PostgreSQL as the primary database"),
        ("Remove unused CSS", "Style components with CSS modules"),
        (
            "Unit tests use recorded responses instead of the network",
            "The HTTP timeout is 30 seconds",
        ),
    ]);
}

#[test]
fn r51_a_rejected_option_comes_back() {
    let store = decision(
        "PostgreSQL for the order store",
        "The order store is PostgreSQL.",
        &[("MySQL", "no DDL")],
    );
    let check = |proposal: &str, want: bool| {
        let found = judge(&Statement::of_text(proposal), &Statement::of_memory(&store), None);
        assert_eq!(
            found.iter().any(|clash| clash.why == Why::Rejected),
            want,
            "{proposal}: {found:?}"
        );
    };
    check("Use MySQL for the order store", true);
    check("Use MySQL", true);
    check("Use PostgreSQL rather than MySQL", false);
    check("Do not use MySQL for the order store", false);
    check("The marketing site's CMS needs MySQL", false);
    // The proposal turned it down as well.
    let same = decision(
        "Keep PostgreSQL",
        "We stay with PostgreSQL for the order store.",
        &[("MySQL", "no DDL")],
    );
    assert_eq!(judge(&Statement::of_memory(&same), &Statement::of_memory(&store), None), []);
}

#[test]
fn reasons_and_consequences_claim_nothing() {
    let mut memory = decision("Session store", "Sessions are kept in Redis.", &[]);
    memory.content.set("context", FieldValue::Text("Never commit generated files.".to_owned()));
    memory.content.set("rationale", FieldValue::List(vec!["Use MySQL for orders".to_owned()]));
    let statement = Statement::of_memory(&memory);
    let check =
        |text: &str| assert_eq!(judge(&Statement::of_text(text), &statement, None), [], "{text}");
    check("Commit the generated files");
    check("Use PostgreSQL for orders");
    check("Context: sessions are not kept in Redis. Decision: use axum for the gateway");
}

#[test]
fn whole_documents_with_one_title() {
    let record = |title: &str, text: &str| {
        Statement::of_text(&format!("# {title}\n\n## Decision\n\n{text}\n"))
    };
    let check = |ours: &Statement, theirs: &Statement, want: Option<Why>| {
        let found = judge(ours, theirs, None);
        assert_eq!(found.first().map(|clash| clash.why), want, "{found:?}");
    };
    let first = record("User physical location", "The client sends a postal address.");
    let second = record("User location", "The client sends coordinates.");
    check(&second, &first, Some(Why::SameMatter));
    check(&first, &first.clone(), None);
    check(
        &record("Compliance suites 2022", "Use A."),
        &record("Compliance suites 2023", "Use B."),
        None,
    );
    check(&record("Context", "Use A."), &record("Context", "Use B."), None);
    let third = record("Coordinates", "Send them. This replaces User physical location.");
    check(&third, &first, Some(Why::Supersedes));
}

#[test]
fn near_vectors_lift_and_far_ones_lower() {
    let (ours, theirs) = (Statement::of_text("Use MySQL"), Statement::of_text("Use PostgreSQL"));
    let score = |meaning| judge(&ours, &theirs, meaning).first().map_or(0.0, |clash| clash.score);
    assert!(score(Some(0.9)) > score(None));
    assert!(score(Some(0.1)) < score(None));
}

#[test]
fn r95_the_report_names_both_sides_and_the_reason() {
    let proposal = Statement::of_text("Rename the module. Use MySQL as primary database.");
    let existing = Statement::of_text("Use PostgreSQL as the primary database");
    let found = judge(&proposal, &existing, None);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].ours, "Use MySQL as primary database");
    assert_eq!(found[0].theirs, "Use PostgreSQL as the primary database");
    assert_eq!(found[0].sentence(), "`mysql` is chosen where `postgresql` was chosen before");
    assert_eq!(found[0].why.as_str(), "choice");
}

#[test]
fn the_same_and_the_empty_never_clash() {
    for text in [
        "Never commit generated files",
        "Use MySQL",
        "The timeout is 30 s",
        "",
        "...",
        "the of and",
    ] {
        clear(&[(text, text)]);
    }
    assert!(Statement::of_text("  \n ").is_empty());
    assert!(Statement::of_text("it is what it is").is_empty());
    assert!(!Statement::of_text("Use MySQL").is_empty());
}

#[test]
fn odd_texts_are_read_without_harm() {
    let long = "never use x, ".repeat(4000);
    let wide =
        "\u{1F980}\u{301}'s no \u{2019}t 1.2.3.4.5 99999999999999999999999 % ]( ](x".to_owned();
    for text in [
        long.as_str(),
        wide.as_str(),
        "# \n## Decision\n```\n- ",
        "a: b: c:",
        ":",
        "'s",
        "no",
        "without",
    ] {
        let statement = Statement::of_text(text);
        assert_eq!(
            judge(&statement, &statement.clone(), Some(f64::NAN)),
            judge(&statement, &statement, Some(f64::NAN))
        );
    }
}
