//! The commands by group, as help shows them. Every command is in exactly one.

/// Commands that belong together.
pub(crate) struct Group {
    pub title: &'static str,
    /// What `oldhand help` shows: at most twelve in all groups.
    pub everyday: &'static [&'static str],
    /// What only `oldhand help --all` shows.
    pub more: &'static [&'static str],
}

pub(crate) const GROUPS: &[Group] = &[
    Group {
        title: "start",
        everyday: &["init", "install", "status"],
        more: &[
            "tour",
            "import",
            "export",
            "trust",
            "config",
            "doctor",
            "reindex",
            "uninstall",
            "plugin",
            "completions",
            "man",
            "help",
        ],
    },
    Group {
        title: "remember and recall",
        everyday: &["remember", "recall", "search", "list", "show"],
        more: &[
            "add",
            "update",
            "edit",
            "index",
            "learn",
            "capture",
            "render",
            "architecture",
            "undo",
        ],
    },
    Group {
        title: "judge",
        everyday: &["check", "review"],
        more: &[
            "pending",
            "resolve",
            "promote",
            "verify",
            "fresh",
            "supersede",
            "retire",
            "forget",
            "restore",
            "archive",
            "unarchive",
            "sweep",
            "gc",
        ],
    },
    Group {
        title: "look",
        everyday: &["ui", "why"],
        more: &["history", "health", "stats", "receipts", "log", "eval"],
    },
    Group {
        title: "work across sessions",
        everyday: &[],
        more: &[
            "resume",
            "task",
            "apply",
            "note",
            "notes",
            "anchor",
            "summary",
            "handoff",
            "check-task",
            "window",
            "compact",
        ],
    },
    Group {
        title: "for programs",
        everyday: &[],
        more: &["hook", "mcp", "serve", "sync", "merge-file"],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// R320
    #[test]
    fn every_command_is_in_exactly_one_group() {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let named = GROUPS.iter().flat_map(|group| group.everyday.iter().chain(group.more));
        named.for_each(|name| *seen.entry(name).or_default() += 1);
        let command = crate::command();
        let known = command.get_subcommands().map(|sub| (sub.get_name(), 1));
        assert_eq!(seen, known.collect::<BTreeMap<_, _>>());
    }

    #[test]
    fn help_fits_a_screen() {
        let everyday = GROUPS.iter().map(|group| group.everyday.len()).sum::<usize>();
        let groups = GROUPS.iter().filter(|group| !group.everyday.is_empty()).count();
        assert!(everyday <= 12 && groups <= 4, "{everyday} commands in {groups} groups");
    }
}
