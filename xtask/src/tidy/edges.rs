//! Who may depend on whom. The lists below are the architecture; cargo only says what is.

use super::Violation;
use crate::workspace::{Dependency, Member, Workspace};

/// What a member may use of the workspace. Any other edge is a violation.
struct Edges {
    name: &'static str,
    normal: &'static [&'static str],
    /// In tests, in addition.
    dev: &'static [&'static str],
}

const EDGES: &[Edges] = &[
    // Each pure crate stands on the ones above it.
    Edges { name: "oldhand-text", normal: &[], dev: &[] },
    Edges { name: "oldhand-transcripts", normal: &["oldhand-text"], dev: &[] },
    Edges { name: "oldhand-core", normal: &["oldhand-text"], dev: &[] },
    // How answers look: it knows no memory.
    Edges { name: "oldhand-screen", normal: &["oldhand-text"], dev: &[] },
    Edges {
        name: "oldhand-judge",
        normal: &["oldhand-core", "oldhand-text", "oldhand-transcripts"],
        dev: &[],
    },
    Edges {
        name: "oldhand-sessions",
        normal: &["oldhand-core", "oldhand-judge", "oldhand-text", "oldhand-transcripts"],
        dev: &[],
    },
    Edges {
        name: "oldhand-hosts",
        normal: &["oldhand-core", "oldhand-text", "oldhand-transcripts"],
        dev: &[],
    },
    // Formats of other tools, as values.
    Edges {
        name: "oldhand-exchange",
        normal: &["oldhand-core", "oldhand-judge", "oldhand-text"],
        // The samples are databases too.
        dev: &["oldhand-sqlite"],
    },
    // Databases of other tools: the only place that knows SQLite.
    Edges { name: "oldhand-sqlite", normal: &["oldhand-exchange"], dev: &[] },
    // Values in, pictures out.
    Edges { name: "oldhand-charts", normal: &["oldhand-text"], dev: &[] },
    // Three versions of a file become one.
    Edges { name: "oldhand-merge", normal: &["oldhand-core", "oldhand-text"], dev: &[] },
    Edges { name: "oldhand-index", normal: &["oldhand-core", "oldhand-text"], dev: &[] },
    // The protocol knows nothing of memories: plain values in and out.
    // A screen knows nothing of memories either.
    Edges { name: "oldhand-tui", normal: &[], dev: &[] },
    Edges { name: "oldhand-mcp", normal: &["oldhand-http"], dev: &[] },
    // What servers share: connections, names, refusals. It knows nothing that is served.
    Edges { name: "oldhand-http", normal: &[], dev: &[] },
    // The pages know neither store nor clock: plain values come through a trait.
    Edges {
        name: "oldhand-ui",
        normal: &["oldhand-charts", "oldhand-http", "oldhand-text"],
        dev: &[],
    },
    // A PostgreSQL as a child: it knows nothing of what is kept there.
    Edges { name: "oldhand-postgres", normal: &[], dev: &[] },
    // The store on PostgreSQL: what the team server stands on, and nothing of the plain program.
    Edges {
        name: "oldhand-pg",
        normal: &[
            "oldhand-core",
            "oldhand-index",
            "oldhand-sessions",
            "oldhand-store",
            "oldhand-text",
        ],
        dev: &["oldhand-app", "oldhand-minilm", "oldhand-postgres", "oldhand-testkit"],
    },
    // The team server: the program's commands over the store on PostgreSQL.
    Edges {
        name: "oldhand-team",
        normal: &[
            "oldhand",
            "oldhand-app",
            "oldhand-core",
            "oldhand-desk",
            "oldhand-http",
            "oldhand-mcp",
            "oldhand-minilm",
            "oldhand-pg",
            "oldhand-postgres",
            "oldhand-store",
            "oldhand-text",
            "oldhand-ui",
        ],
        dev: &["oldhand-testkit"],
    },
    // The model knows nothing of memories: texts in, vectors out.
    Edges { name: "oldhand-minilm", normal: &[], dev: &[] },
    Edges {
        name: "oldhand-store",
        normal: &[
            "oldhand-core",
            "oldhand-index",
            "oldhand-judge",
            "oldhand-sessions",
            "oldhand-text",
            "oldhand-transcripts",
        ],
        dev: &["oldhand-testkit"],
    },
    Edges {
        name: "oldhand-app",
        normal: &[
            "oldhand-core",
            "oldhand-exchange",
            "oldhand-judge",
            "oldhand-sessions",
            "oldhand-store",
            "oldhand-text",
            "oldhand-transcripts",
        ],
        dev: &["oldhand-testkit"],
    },
    Edges {
        name: "oldhand-desk",
        normal: &[
            "oldhand-app",
            "oldhand-core",
            "oldhand-hosts",
            "oldhand-index",
            "oldhand-judge",
            "oldhand-minilm",
            "oldhand-screen",
            "oldhand-sessions",
            "oldhand-store",
            "oldhand-text",
            "oldhand-transcripts",
        ],
        dev: &["oldhand-testkit"],
    },
    Edges {
        name: "oldhand",
        normal: &[
            "oldhand-app",
            "oldhand-charts",
            "oldhand-core",
            "oldhand-desk",
            "oldhand-exchange",
            "oldhand-hosts",
            "oldhand-index",
            "oldhand-judge",
            "oldhand-mcp",
            "oldhand-merge",
            "oldhand-minilm",
            "oldhand-screen",
            "oldhand-sessions",
            "oldhand-sqlite",
            "oldhand-store",
            "oldhand-text",
            "oldhand-transcripts",
            "oldhand-tui",
            "oldhand-ui",
        ],
        dev: &["oldhand-testkit"],
    },
    // Measurements for developers: it reaches into the program, and nothing reaches into it.
    // Measurements for developers, which may look at everything.
    Edges {
        name: "oldhand-devtools",
        normal: &[
            "oldhand",
            "oldhand-app",
            "oldhand-core",
            "oldhand-desk",
            "oldhand-index",
            "oldhand-judge",
            "oldhand-sessions",
            "oldhand-store",
            "oldhand-text",
            "oldhand-transcripts",
        ],
        dev: &[],
    },
    Edges {
        name: "oldhand-testkit",
        normal: &[
            "oldhand-app",
            "oldhand-core",
            "oldhand-postgres",
            "oldhand-sessions",
            "oldhand-store",
            "oldhand-text",
        ],
        dev: &[],
    },
    // The readers of what others wrote, for random input.
    Edges {
        name: "oldhand-fuzz",
        normal: &[
            "oldhand-core",
            "oldhand-hosts",
            "oldhand-index",
            "oldhand-judge",
            "oldhand-mcp",
            "oldhand-text",
            "oldhand-transcripts",
        ],
        dev: &[],
    },
    Edges { name: "xtask", normal: &["oldhand-postgres"], dev: &[] },
];

/// Core is what everything rebuilds after, and pure: each package here was bought on purpose.
const CORE_PACKAGES: &[&str] = &[
    "any_ascii",
    "blake3",
    "jiff",
    "md-5",
    "rust-stemmers",
    "saphyr-parser",
    "serde",
    "serde_json",
    "thiserror",
    "unicode-normalization",
    "xxhash-rust",
];
const CORE_DEV_PACKAGES: &[&str] = &["expect-test", "proptest"];

pub(super) fn check(workspace: &Workspace) -> Vec<Violation> {
    workspace.members.iter().flat_map(|member| check_member(member, workspace)).collect()
}

fn check_member(member: &Member, workspace: &Workspace) -> Vec<Violation> {
    let manifest = format!("{}/Cargo.toml", member.folder);
    let Some(edges) = EDGES.iter().find(|edges| edges.name == member.name) else {
        let message =
            format!("crate has no row in the dependency edges of tidy: `{}`", member.name);
        return vec![Violation::new(&manifest, 1, message)];
    };
    let is_member = |name: &str| workspace.members.iter().any(|it| it.name == name);
    let (inside, outside): (Vec<_>, Vec<_>) =
        member.dependencies.iter().partition(|it| is_member(&it.name));

    let mut messages = Vec::new();
    for dependency in inside {
        if !is_allowed(dependency, edges.normal, edges.dev) {
            let kind = if dependency.dev { "dev-dependency" } else { "dependency" };
            messages.push(format!("forbidden {kind}: `{}` -> `{}`", member.name, dependency.name));
        }
    }
    if member.name == "oldhand-core" {
        for dependency in outside {
            if !is_allowed(dependency, CORE_PACKAGES, CORE_DEV_PACKAGES) {
                messages.push(format!("package is not on the list of core: `{}`", dependency.name));
            }
        }
    }
    messages.into_iter().map(|message| Violation::new(&manifest, 1, message)).collect()
}

fn is_allowed(dependency: &Dependency, normal: &[&str], dev: &[&str]) -> bool {
    let name = dependency.name.as_str();
    normal.contains(&name) || (dependency.dev && dev.contains(&name))
}

#[cfg(test)]
mod tests;
