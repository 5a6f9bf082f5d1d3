//! The words that tell the type of a lesson, by weight. Data only.

/// Cues of one weight, from 4 (says it) to 1 (hints at it), separated by commas; a `*` stands for
/// the rest of a word.
pub(super) type Cues = &'static [(u32, &'static str)];

/// From the most particular type to the most general: on a tie the particular one wins.
pub(super) const CUES: &[(&str, Cues)] = &[
    ("security_pattern", SECURITY),
    ("performance_tip", PERFORMANCE),
    ("ux_pattern", UX),
    ("test_strategy", TEST),
    ("integration_pattern", INTEGRATION),
    ("agent_rule", AGENT),
    ("architecture_precedent", ARCHITECTURE),
    ("decision_precedent", DECISION),
    ("risk_pattern", RISK),
    ("failure_lesson", FAILURE),
    ("process_improvement", PROCESS),
    ("project_rule", CONVENTION),
];

const SECURITY: Cues = &[
    (4, "security, xss, csrf, ssrf, vulnerab*, cve, cves, path traversal, rce, owasp"),
    (
        3,
        "escape html, owns the record, scripts run, signing key*, brute force, \
         uploaded file*, rotate*, secret*, credential*, password*, api key*, \
         private key*, access token*, injection, sanitiz*, sanitis*, encrypt*, privilege*, \
         attacker*, exploit*, untrusted, access control, user input, allow list, allowlist*, \
         deny list, cookie*, httponly, samesite, jwt*, oauth*, cors, plaintext, \
         plain text password*, redact*, hash passwords, pii, malicious, spoof*, \
         shell command*, sandbox*, csp, bcrypt, argon2, open redirect*",
    ),
    (
        2,
        "authenticat*, authoriz*, authoris*, permission*, tls, certificate*, redirect url*, \
         login*",
    ),
    (1, "signature*, escaping, leak*, token*, validat*, root user, admin*"),
];

const PERFORMANCE: Cues = &[
    (4, "performance"),
    (
        3,
        "of the loop, bulk, run time, precompute*, dominated, halved, reuse the, warm up, \
         time budget, slow*, latency, faster, quicker, throughput, memory leak*, \
         memory usage, n 1 quer*, benchmark*, hot path, hot loop, p95, p99, quadratic, \
         into memory, in memory at once, cloning, speedup, speed up, bottleneck*, \
         round trips, lazy load*, prefetch*, debounce*, connection pool*, o n",
    ),
    (
        2,
        "handshake, doubled, most of the time, took minutes, takes minutes, speed*, cach*, \
         out of memory, oom, profil*, batch*, millisecond*, ms, allocat*, cpu, optimi*, \
         stream*, expensive, pagina*, preload*, memoiz*, concurren*, parallel*, ram, \
         vectoriz*, gzip, bundle size",
    ),
    (1, "index*, full scan, table scan, each iteration, in a loop, twice as long, large file*"),
];

const UX: Cues = &[
    (4, "ux, usability, accessib*, screen reader*, a11y"),
    (
        3,
        "confirm deletion, typing the name, form errors, sticky, small screens, \
         primary action, field level, at a glance, ui, button*, dialog*, modal*, popup*, \
         tooltip*, error message*, keyboard, contrast, layout*, click*, spinner*, font*, \
         form field*, empty state*, menu*, undo, progress bar*, show progress, dropdown*, \
         checkbox*, people expect, users expect, hover*, touch target*, dark mode, \
         tab order, breadcrumb*",
    ),
    (
        2,
        "onboarding, wording, label*, placeholder*, confus*, mobile, colour*, color*, \
         scroll*, toast*, icon*, notification*, discoverab*, intuitive, animation*, \
         viewport, responsive",
    ),
    (1, "user*, people, screen*, page*, visible, hide, hidden, customers"),
];

const TEST: Cues = &[
    (4, "test strategy, testing strategy"),
    (
        3,
        "test that fails, verify against, tests for, test first, output with a golden, \
         copy of production, flak*, fixture*, mock*, assert*, coverage, regression test*, \
         unit test*, integration test*, property test*, e2e, fuzz*, testcontainers, \
         test suite*, random seed, edge case*, test double*, snapshot test*, test data, \
         smoke test*, load test*, failing test, manual test*, reproduc*, mutation test*, \
         pytest, jest, playwright, cypress",
    ),
    (
        2,
        "test*, end to end, snapshot*, golden, stub*, suite, cover the, qa, empty list, \
         fake clock",
    ),
];

const INTEGRATION: Cues = &[
    (
        3,
        "crm, erp, protobuf, both services, their api, their side, other team*, integrat*, \
         webhook*, third party, contract*, merge conflict*, idempoten*, sdk, \
         external service*, wire format, collid*, out of order, stripe, slack, github api, \
         kafka, rabbitmq, s3, grpc, openapi, backward compatib*, backwards compatib*, \
         both sides, frontend expects, backend sends, same file",
    ),
    (
        2,
        "api, apis, endpoint*, upstream, downstream, payload*, rate limit*, serializ*, \
         serialis*, deserializ*, protocol*, compatib*, vendor*, other service*, partner*, \
         frontend, backend, message queue, consumer*, producer*, http, rest api, soap, ftp, \
         proxy, interop*, provider*",
    ),
    (
        1,
        "header*, local time, time zone*, timezone*, schema*, conflict*, client*, retry*, \
         retries, mismatch*, sends, sync, timeout*, event*",
    ),
];

const AGENT: Cues = &[
    (4, "subagent*, hallucinat*, coding agent*, ai agent*, agents md, claude md"),
    (
        3,
        "tell the model, the agents, instructions file, agent*, claude, codex, copilot, \
         gemini, gpt*, llm*, prompt*, context window, tool call*, assistant, system prompt, \
         you are done, before you report, compaction",
    ),
    (2, "the model, mcp, yourself, report that you"),
];

const ARCHITECTURE: Cues = &[
    (4, "architectur*, separation of concerns, hexagonal"),
    (
        3,
        "owns its, business rules, controllers, typed result, only through, talks to, \
         rebuilt from, written to the log first, depends only on, god class, layer*, \
         boundar*, coupl*, decoupl*, dependency direction, circular*, microservice*, \
         monolith*, event sourc*, domain model*, source of truth, abstraction*, data flow, \
         data model*, event bus, cqrs, domain object*, may depend on, must not depend on, \
         depends on nothing, call each other, bounded context*, read model*, plugin system, \
         inversion, stateless, aggregate*, separate paths, dependency injection, side effects",
    ),
    (
        2,
        "module*, adapter*, pure, state machine*, repositories, orm, queries go, \
         service layer, facade",
    ),
    (1, "component*, crate, crates, interface*, services, encapsulat*, domain"),
];

const DECISION: Cues = &[
    (4, "decision*"),
    (
        3,
        "postponed, deferred, enough for now, after a long discussion, kept using, decid*, \
         chose*, opted, trade off*, tradeoff*, settled on, went with, going with, ruled out, \
         picked, adr, in favour of, in favor of, agreed on, agreed to, after the spike, \
         we use, we we keep, we dropped, considered, evaluated, we prefer, standardised on, \
         standardized on, switched to, switched from, moved from, we stay with",
    ),
    (2, "choose*, alternative*, rejected, spike, kept, dropped, pros and cons, preferred"),
    (1, "instead of, rather than"),
];

const RISK: Cues = &[
    (4, "risk*, single point, bus factor, blast radius"),
    (
        3,
        "backups, locks it, locks the table, may shut, shut down any, any day, \
         expect surprises, too low, can lock, danger*, fragile, brittle, data loss, \
         irreversib*, underestimat*, worst case, destructive, watch out, beware, \
         no way back, no backup*, dry run, may delete, could delete, can delete, live data, \
         no monitoring, nobody will notice, hard to undo, cannot be undone, cant be undone, \
         production data, unmaintained, end of life, no owner, race condition*",
    ),
    (
        2,
        "could break, might break, may break, likely to, unsafe, careful*, could lose, \
         can lose, may lose, no rollback, unsure, one person, affects every, affects all, \
         legacy, could cause, might cause, may cause, prone to, deprecat*, unpredictab*, \
         downtime",
    ),
    (1, "already sent, silently, unknown*"),
];

const FAILURE: Cues = &[
    (4, "root cause*, went wrong, postmortem"),
    (
        3,
        "assumed, kept restarting, deleted valid, too much and, lost data, silently dropped, \
         regression in, crash*, mistake*, forgot*, died, overwrote, overwritten, abort*, \
         broke, disk was full, hung, stuck, blew up, typo*, off by one, segfault*, \
         stack overflow, wasted, misread, misunderstood, wrongly, accidentally",
    ),
    (
        2,
        "restart*, did nothing, was not, wasnt, surprised us, fail*, broken, bug, bugs, \
         incident*, regress*, panic*, missed, caused, exception*, deadlock*, outage*, \
         corrupt*, did not work, didnt work, without rebasing, timed out, null pointer, \
         stale, ignored, did not notice, nobody noticed, rolled back, halfway, unexpected*, \
         vanished, duplicate*",
    ),
    (1, "error*, missing, wrong*, turned out, should have, shouldve, lost, null, because it was"),
];

const PROCESS: Cues = &[
    (4, "retrospective process, definition of done"),
    (
        3,
        "before the sprint, sprint*, open questions, demo it, demo early, part first, \
         first draft, work in small, workflow*, pull request*, handover*, handoff*, \
         estimat*, checklist*, small steps, communicat*, kickoff, stakeholder*, scope creep, \
         sign off, acceptance criteria, rebase, product owner, clarify, standup*, \
         pair programming, pairing, time box*, timebox*, ask early, before coding, \
         diff small, small commits, code freeze, definition of ready",
    ),
    (
        2,
        "early, changelog, process, review*, pr, prs, deadline*, ci, pipeline*, branch*, \
         earlier, plan, plans, planning, planned, requirement*, before starting, ticket*, \
         rollout, daily, unclear, ask, upfront, up front, automate*, meeting*, prioriti*, \
         one at a time, break down, split",
    ),
    (1, "deploy*, release*, smaller, team*, merge*, documentation"),
];

const CONVENTION: Cues = &[
    (4, "convention*"),
    (
        3,
        "tests live, named after, lower case, upper case, are named, one per file, naming, \
         lint*, guideline*, in this project, in this repo*, camelcase, snake case, \
         commit message*, spelling, code style, live in, lives in, are stored in, \
         is stored in, house style, file name*, copyright",
    ),
    (2, "style, rule*, standard*, prefix*, suffix*, utc, indent*, doc comment*, all public"),
    (1, "format*, always, never, must, every, all, folder*, directory, named, put"),
];
