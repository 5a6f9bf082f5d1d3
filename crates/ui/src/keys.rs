//! The keys of every page, in a list that `?` opens. The script has the handler.

use maud::{Markup, html};

pub(crate) fn keys() -> Markup {
    let all = [
        ("j k", "next, previous"),
        ("Enter", "open the item's page"),
        ("p", "promote"),
        ("y", "keep: it holds"),
        ("i", "reinstate with other guidance"),
        ("r", "reject"),
        ("s", "supersede"),
        ("a", "archive"),
        ("f b", "on a conflict: follow, keep both"),
        ("e", "edit the fields"),
        ("x", "mark for a decision over several"),
        ("1 – 9", "a reason that was given before"),
        ("Ctrl+Enter", "decide, and go to the next"),
        ("u", "undo the last write"),
        ("/", "search"),
        ("g t, g i, g m …", "go to Today, Inbox, Memories"),
        ("Esc", "one step back"),
    ];
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { "Keys" }
            dl { @for (key, does) in all { dt { kbd { (key) } } dd { (does) } } }
            p { label { input #keys-off type="checkbox"; " Switch single keys off" } }
            form method="dialog" { button type="submit" { "Close" } }
        }
    }
}
