//! Which words are taken for one, which exclude each other, and which turn a clause around: tables
//! of coding work. Nothing is compared here.

use std::sync::LazyLock;

use oldhand_text::terms::{self, Form};

/// What a short or other form of a word is taken for.
pub(super) fn plain(stem: &str) -> &str {
    let plain: &[(String, String)] = &PLAIN;
    plain
        .binary_search_by_key(&stem, |(from, _)| from.as_str())
        .map_or(stem, |at| plain[at].1.as_str())
}

/// The group of which a rule names one: who names another says something else. 0 is none.
pub(super) fn group(stem: &str) -> u8 {
    let groups: &[(String, u8)] = &GROUPS;
    groups.binary_search_by_key(&stem, |(word, _)| word.as_str()).map_or(0, |at| groups[at].1)
}

/// What a word does to the clause that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// All of the clause is denied: `services do not share a database`.
    Clause,
    /// What follows is denied: `cookies instead of Redis`.
    Rest,
    /// What follows is denied once something was preferred: `prefer composition over inheritance`.
    RestOfPreference,
    /// A new clause begins.
    New,
}

pub(super) fn turn(stem: &str) -> Option<Turn> {
    let turn = match stem {
        "not" | "no" | "never" | "nor" | "neither" | "none" | "cannot" | "cant" | "dont"
        | "doesnt" | "didnt" | "isnt" | "arent" | "wasnt" | "werent" | "wont" | "shouldnt"
        | "mustnt" | "nobodi" | "noth" | "miss" | "lack" | "disabl" | "forbid" | "forbidden"
        | "deprec" => Turn::Clause,
        "instead" | "rather" | "without" | "unlik" | "avoid" => Turn::Rest,
        "over" => Turn::RestOfPreference,
        "but" | "becaus" | "sinc" | "so" | "while" | "although" | "which" | "if" | "when" => {
            Turn::New
        }
        _ => return None,
    };
    Some(turn)
}

/// Says where something comes from or goes to: who turns the two around says something else.
pub(super) fn directs(stem: &str) -> bool {
    matches!(
        stem,
        "from"
            | "to"
            | "into"
            | "onto"
            | "befor"
            | "after"
            | "over"
            | "than"
            | "with"
            | "by"
            | "replac"
    )
}

pub(super) fn prefers(plain: &str) -> bool {
    matches!(plain, "prefer" | "choos" | "favor")
}

/// What the other forms are taken for: short forms, words for the same deed, numbers in words.
#[rustfmt::skip]
pub(super) const SAME: &[(&str, &[&str])] = &[
    ("again", &["anew"]), ("allow", &["permit"]), ("application", &["app"]),
    ("argument", &["arg"]), ("authentication", &["auth"]), ("build", &["compile"]),
    ("call", &["invoke"]), ("change", &["modify", "edit", "alter"]),
    ("check", &["verify", "validate", "ensure"]), ("choose", &["pick", "select"]),
    ("configuration", &["config", "conf", "setting"]), ("copy", &["duplicate"]),
    ("count", &["number"]), ("create", &["make", "generate", "produce"]), ("database", &["db"]),
    ("day", &["daily"]), ("dependency", &["dep"]), ("development", &["dev"]),
    ("directory", &["dir", "folder"]), ("documentation", &["docs"]),
    ("environment", &["env"]), ("expire", &["expiry"]), ("fail", &["break", "broke", "failure"]),
    ("fast", &["quick", "faster"]), ("fetch", &["retrieve", "obtain"]),
    ("fix", &["mend", "repair", "cure"]), ("forbid", &["ban", "prohibit", "disallow"]),
    ("give", &["provide"]), ("go", &["golang"]), ("group", &["batch", "bulk"]),
    ("happen", &["occur"]), ("information", &["info"]), ("javascript", &["js"]),
    ("kubernetes", &["k8s", "kube"]), ("large", &["big", "huge"]), ("library", &["lib"]),
    ("limit", &["cap", "restrict"]), ("login", &["signin"]), ("mail", &["email"]),
    ("many", &["several", "multiple"]), ("maximum", &["max"]), ("merge", &["combine"]),
    ("message", &["msg"]), ("millisecond", &["ms"]), ("minimum", &["min"]),
    ("mistake", &["accident"]), ("mongodb", &["mongo"]), ("new", &["newest", "latest"]),
    ("often", &["frequently"]), ("old", &["legacy", "outdated"]), ("package", &["pkg"]),
    ("parameter", &["param"]), ("postgresql", &["postgres"]), ("prefer", &["favour"]),
    ("production", &["prod"]), ("reach", &["arrive"]), ("reason", &["cause"]),
    ("reject", &["refuse", "decline"]), ("remove", &["delete", "drop", "erase"]),
    ("replace", &["substitute"]), ("repository", &["repo"]), ("require", &["need", "must"]),
    ("rule", &["policy"]), ("run", &["execute"]), ("second", &["sec"]),
    ("send", &["dispatch", "transmit"]), ("separate", &["split", "isolate"]),
    ("small", &["tiny", "little"]), ("staging", &["stg"]), ("start", &["begin", "launch"]),
    ("store", &["keep", "hold", "save", "persist"]), ("typescript", &["ts"]),
    ("update", &["upgrade"]), ("use", &["utilise", "employ"]), ("variable", &["var"]),
    ("wait", &["hang"]), ("whole", &["entire", "full"]), ("0", &["zero"]), ("1", &["one"]),
    ("2", &["two", "twice"]), ("3", &["three"]), ("4", &["four"]), ("5", &["five"]),
    ("6", &["six"]), ("7", &["seven"]), ("8", &["eight"]), ("9", &["nine"]), ("10", &["ten"]),
    ("11", &["eleven"]), ("12", &["twelve"]), ("15", &["fifteen"]), ("20", &["twenty"]),
    ("30", &["thirty"]), ("40", &["forty"]), ("50", &["fifty"]), ("60", &["sixty"]),
    ("100", &["hundred"]), ("1000", &["thousand"]),
];

/// One of each is chosen: places, switches, days, and technologies that do the same job. A word is
/// in one group alone.
#[rustfmt::skip]
pub(super) const EITHER: &[&[&str]] = &[
    &["staging", "production", "development", "preview", "local"], &["sandbox", "live"],
    &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    &["january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december"],
    &["enable", "disable"], &["allow", "forbid"], &["accept", "reject"],
    &["public", "private", "internal"], &["add", "remove"], &["always", "never"],
    &["tabs", "spaces"], &["single", "double", "triple"], &["light", "dark"],
    &["minimum", "maximum"], &["first", "last"], &["before", "after"],
    &["increase", "decrease", "raise", "lower"], &["sync", "async", "synchronous", "asynchronous"],
    &["mutable", "immutable"], &["optional", "mandatory", "required"], &["encrypted", "plain"],
    &["client", "server"], &["stable", "nightly", "beta"], &["online", "offline"],
    &["manual", "automatic"], &["import", "export"], &["upload", "download"], &["read", "write"],
    &["request", "response"], &["primary", "replica", "secondary"], &["horizontal", "vertical"],
    &["british", "american"],
    &["german", "french", "dutch", "spanish", "italian", "japanese", "chinese", "english", "portuguese"],
    &["windows", "linux", "macos"], &["ios", "android"],
    &["postgresql", "mysql", "mariadb", "sqlite", "mongodb", "oracle", "cockroachdb", "dynamodb", "cassandra"],
    &["redis", "memcached", "valkey"], &["kafka", "rabbitmq", "sqs", "nats", "pulsar"],
    &["npm", "pnpm", "yarn", "bun", "deno"], &["react", "vue", "svelte", "angular", "solid"],
    &["rest", "graphql", "grpc", "trpc", "soap"], &["github", "gitlab", "bitbucket", "gitea"],
    &["aws", "azure", "gcp"], &["terraform", "pulumi", "cloudformation", "ansible"],
    &["rust", "go", "python", "java", "kotlin", "ruby", "php", "typescript", "javascript", "swift", "scala", "elixir"],
    &["jest", "vitest", "mocha", "pytest", "unittest", "cypress", "playwright"],
    &["webpack", "vite", "rollup", "esbuild", "parcel"], &["docker", "podman"],
    &["cookie", "header"], &["prettier", "eslint", "biome", "black", "ruff"],
    &["django", "flask", "fastapi", "rails", "laravel", "express"],
    &["elasticsearch", "opensearch", "solr", "typesense", "meilisearch"],
    &["jenkins", "circleci", "travis"], &["json", "yaml", "toml", "xml"],
    &["iptables", "nftables", "ipvs"], &["rebase", "squash"], &["monolith", "microservice"],
    &["float", "integer", "decimal"], &["grep", "ripgrep"], &["unit", "integration"],
    &["canary", "rolling"], &["cpu", "memory", "disk"], &["ascending", "descending"],
    &["left", "right"], &["hot", "cold"], &["inside", "outside"], &["eager", "lazy"],
    &["strict", "loose"], &["up", "down"], &["open", "closed"], &["blocking", "nonblocking"],
    &["hour", "day", "week", "month", "year"],
];

/// From stem to stem, sorted.
static PLAIN: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let mut forms = Vec::from_iter(
        SAME.iter()
            .flat_map(|(word, forms)| forms.iter().map(|form| (stem_of(form), stem_of(word)))),
    );
    forms.sort_unstable();
    forms
});

/// From stem to group, sorted.
static GROUPS: LazyLock<Vec<(String, u8)>> = LazyLock::new(|| {
    let mut words = Vec::from_iter(
        EITHER
            .iter()
            .zip(1..)
            .flat_map(|(words, group)| words.iter().map(move |word| (stem_of(word), group))),
    );
    words.sort_unstable();
    words
});

pub(super) fn stem_of(word: &str) -> String {
    let mut stem = String::new();
    terms::each_term(word, &mut |term, form, _| {
        if form == Form::Stem && stem.is_empty() {
            term.clone_into(&mut stem);
        }
    });
    stem
}
