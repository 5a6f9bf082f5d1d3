//! Which words speak for which kind, and how loudly: 4 names the kind, 3 is hardly said of another,
//! 2 is common in it, 1 is a hint. One word of each group counts. Mostly English.

use oldhand_core::kind::Kind;

type Group = (u32, &'static [&'static str]);

#[rustfmt::skip]
pub(super) const CUES: &[(Kind, &[Group])] = &[
    (Kind::TechDebt, &[
        (4, &["todo", "fixme", "hack", "tech debt", "technical debt", "clean up later", "fix later", "refactor later", "revisit later"]),
        (3, &["for now", "workaround", "temporary", "temporarily", "deferred", "postponed", "until we have time", "stopgap", "quick fix", "should be refactored", "should be rewritten", "should be replaced", "should be removed", "should be split", "needs refactoring", "needs a refactor", "needs cleanup", "needs to be refactored", "needs to be rewritten", "needs to be replaced", "clean up", "clean it up", "cleaned up", "we still need to", "still have to", "not yet", "eventually", "vorläufig", "später", "provisoire", "plus tard", "más adelante"]),
        (2, &["later", "duplicated", "duplicate code", "legacy", "hardcoded", "hard-coded", "brittle", "someday", "untested", "is missing", "are missing", "no tests", "is a mess", "should really", "one day"]),
    ]),
    (Kind::Runbook, &[
        (4, &["^runbook", "^how to", "^steps", "the fix is", "the fix was", "fix it by", "fixed by", "fixed it by", "run the following", "root cause", "^to fix", "^to deploy", "^to release", "^to restart", "^to roll back", "^to rollback", "^to recover", "^to reset", "^to rotate", "^to regenerate", "^to rebuild", "^to reproduce", "^to debug"]),
        (4, &["^if … fails", "^when … fails", "^if … hangs", "^when … hangs", "^if … breaks", "^when … breaks", "^if … crashes", "^when … crashes", "^if … is stuck", "^when … is stuck", "^if … is down", "^when … is down", "^if … times out", "^when … times out", "^if … runs out", "^when … runs out", "^if … stuck", "^when … stuck", "^if … error", "^when … error", "^if … errors", "^when … errors", "^if … red", "^when … red", "^if … full", "^when … full", "^if … slow", "^when … slow", "^if … stops", "^when … stops", "^wenn … fehlschlägt"]),
        (3, &["if it fails", "when it fails", "if that fails", "fails with", "fail with", "to fix", "the issue was", "the problem was", "is solved when", "solved by", "steps", "how to"]),
        (2, &["restart", "then run", "first run", "and then run", "re-run", "rerun", "to deploy", "to release", "clear the cache", "delete the", "wipe", "roll back", "rollback"]),
    ]),
    (Kind::Lesson, &[
        (4, &["^lesson", "^lessons", "lesson learned", "we learned", "i learned", "we learnt", "learned that", "learned the hard way", "turned out", "turns out", "it turned out", "next time", "in hindsight", "retrospective"]),
        (3, &["learned", "learnt", "lesson", "mistake", "should have", "gotcha", "beware", "watch out", "careful", "surprisingly", "bit us", "burned us", "cost us", "took us", "wasted", "never again"]),
    ]),
    (Kind::Decision, &[
        (4, &["we decided", "decided to", "decided that", "decided on", "decided against", "we have decided", "decision", "^adr", "we agreed", "we chose", "i chose", "we have chosen", "we picked", "settled on", "we are going with", "we're going with", "going with", "went with", "go with", "opted for", "wir haben entschieden", "entschieden", "nous avons décidé", "hemos decidido"]),
        (3, &["instead of", "rather than", "over … because", "we will use", "we'll use", "we use", "we are using", "we're using", "chose", "we choose", "we adopt", "we adopted", "adopting", "we introduce", "we introduced", "introducing", "we switch to", "we switched to", "switching to", "we're switching", "we moved to", "we migrate to", "migrating to", "we keep", "we store", "we build", "we deploy", "we ship with", "we support", "we rely on", "we standardize on", "we standardise on", "let's", "lets go", "the architecture is", "architectural", "new dependency", "new technology", "schema change", "contract change", "breaking change", "tradeoff", "trade-off", "in exchange for", "at the cost of"]),
        (2, &["^use", "^adopt", "^keep", "^store", "^switch to", "^replace", "^drop", "^remove", "^make", "^support", "^pin", "^target", "^move", "^put", "by default", "the default", "is used for", "are used for", "is built with", "is written in", "are stored in", "is stored in", "are kept in", "is kept in", "are written in", "use … for", "uses … for", "i want", "we should", "we want"]),
        (1, &["because", "over", "uses", "use", "we will", "we'll", "should"]),
    ]),
    (Kind::Constraint, &[
        (4, &["^constraint", "^rule :", "^requirement", "must not", "mustn't", "must never", "should never", "^never", "we never", "you never", "never ever", "not allowed", "is forbidden", "are forbidden", "forbidden", "prohibited", "under no circumstances", "^do not", "^don't", "^dont", "don't ever", "do not ever", "off limits", "off-limits", "mandatory", "is required", "are required", "the rule is", "no … may", "niemals", "darf nicht", "dürfen nicht", "jamais", "nunca"]),
        (3, &["must", "never", "do not", "can only", "may only", "may not", "shall", "has to", "have to", "at most", "at least", "no more than", "limit", "limited to", "rate limit", "quota", "required", "requires", "^no", "^only", "^avoid", "without approval", "not supported", "isn't supported", "compliance", "gdpr", "sla"]),
        (2, &["cannot", "can't", "don't", "only", "need to", "needs to", "every … needs", "all … need", "minimum", "maximum", "avoid"]),
    ]),
    (Kind::Preference, &[
        (4, &["^preference", "i prefer", "we prefer", "i'd prefer", "i would prefer", "^prefer", "i like", "i'd like", "i don't like", "from now on", "going forward", "^always", "we always", "should always", "always use", "always run", "always ask", "convention", "conventions", "ich bevorzuge", "je préfère", "prefiero"]),
        (3, &["prefer", "style", "always", "whenever", "habit", "naming", "in the future", "ask before", "rule of thumb", "make sure", "stop adding", "keep … short", "be concise", "i hate"]),
        (2, &["^write", "^run", "^format", "^ask", "^commit", "^squash", "^rebase", "^test", "^check", "^add", "^update", "^name", "^indent", "^answer", "^explain", "^review", "^show", "commit messages", "please"]),
        (1, &["consistent", "consistently", "before you", "before every", "before each", "every time"]),
    ]),
    (Kind::Reference, &[
        (4, &["^reference", "is located", "is hosted", "lives in", "lives at", "lives on", "can be found", "is documented", "are documented", "is owned by", "the owner of", "on call", "on-call", "contact", "is called", "stands for", "credentials are in", "password is in"]),
        (3, &["url", "dashboard", "is at", "are at", "runs on port", "listens on", "is reachable", "reachable at", "the docs are", "documentation is", "account", "wiki", "slack channel", "is responsible for", "belongs to", "is in charge"]),
    ]),
];
