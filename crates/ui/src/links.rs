//! The links on the left: every page that answers.

/// A link on the left.
pub(crate) struct Link {
    pub(crate) path: &'static str,
    pub(crate) label: &'static str,
    /// Pages that belong to it begin so.
    pub(crate) below: &'static str,
    /// Behind `g`.
    pub(crate) key: &'static str,
}

pub(crate) const NAVIGATION: &[Link] = &[
    Link { path: "/", label: "Today", below: "", key: "t" },
    Link { path: "/review", label: "Inbox", below: "", key: "i" },
    Link { path: "/memories", label: "Memories", below: "/m/", key: "m" },
    Link { path: "/ask", label: "Ask", below: "", key: "a" },
    Link { path: "/sessions", label: "Sessions", below: "/s/", key: "s" },
    Link { path: "/code", label: "Code", below: "", key: "c" },
    Link { path: "/learning", label: "Learning", below: "", key: "l" },
    Link { path: "/conflicts", label: "Conflicts", below: "", key: "x" },
    Link { path: "/store", label: "Store", below: "", key: "o" },
];
