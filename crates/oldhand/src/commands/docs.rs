//! Completions for shells, and the generated pages of the documentation.

use clap::CommandFactory;
use clap_complete::Shell;
use oldhand_core::kind::Kinds;
use wire::program::Completions;

use super::prelude::*;
use oldhand_desk::config::keys::{Key, keys, variable};

pub(super) fn completions(shell: Shell, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "oldhand", &mut script);
    let script = String::from_utf8_lossy(&script);
    let answer = Completions { shell: shell.to_string(), script: &script };
    desk.print(io, "completions", &answer, || script.to_string())
}

pub(super) fn page(page: DocsPage, io: &mut Io<'_>) -> Outcome {
    let text = match page {
        DocsPage::Cli => cli_page(),
        DocsPage::Config => config_page(),
    };
    io.text(&text)?;
    Ok(DONE)
}

fn cli_page() -> String {
    let mut out = String::from(
        "# Commands\n\nMade from the program by `cargo xtask docs`. Every command takes `--json`, `-C DIR`, \
         `--global`, `--by NAME` and `--config KEY=VALUE`.\n",
    );
    let mut command = Cli::command().term_width(100);
    command.build();
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        // The global flags are named once, above.
        let own =
            sub.clone().mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg });
        let help = own.term_width(100).render_help().to_string();
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        out.push_str(&format!(
            "\n## {}\n\n```text\n{}\n```\n",
            sub.get_name(),
            help.join("\n").trim_end()
        ));
    }
    out
}

fn config_page() -> String {
    let mut out = String::from(
        "# Configuration\n\nMade from the program by `cargo xtask docs`.\n\n\
         Settings come, weakest first, from the defaults below, `$XDG_CONFIG_HOME/oldhand/config.toml`, the \
         store's `config.toml`, environment variables and `--config key=value`. `oldhand config list` shows \
         each value and where it comes from. An unknown key is an error. Settings are data: none of a store's \
         names a command, an address or a path outside of it. A store's file can't switch on what you have not, \
         and sets neither `trust.*`, `user.*` nor the models of capture: those are yours, with \
         `oldhand config set --user`. Until you accept a store (`oldhand trust`) only its `format` and `kinds.*` \
         are used.\n\n\
         | key | default | allowed | meaning | variable |\n|---|---|---|---|---|\n",
    );
    let all = keys(&Kinds::default());
    let families = grouped(all.iter().map(|key| (family(&key.name).0, key)));
    for (name, keys) in &families {
        let (expected, meaning) = (keys[0].expected(), &keys[0].meaning);
        let variable = variable(name);
        let defaults = defaults(keys);
        out.push_str(&format!(
            "| `{name}` | {defaults} | {expected} | {meaning} | `{variable}` |\n"
        ));
    }
    out.push_str(
        "\nA kind of your own is declared by its table:\n\n```toml\n[kinds.contact]\nfolder = \"contacts\"\n\
         description = \"whom to ask about what\"\nsections = [\"Role\", \"Reach\"]\n```\n",
    );
    out
}

/// The name under which a key is documented, and the kind or type of lesson that it is for: one row
/// for `reviewers.<kind>`, not one for each.
fn family(name: &str) -> (String, Option<&str>) {
    for table in ["reviewers.", "capture.threshold.", "capture.model."] {
        if let Some(kind) = name.strip_prefix(table) {
            return (format!("{table}<kind>"), Some(kind));
        }
    }
    match name.split('.').collect::<Vec<_>>().as_slice() {
        ["kinds", kind, key] => (format!("kinds.<kind>.{key}"), Some(kind)),
        _ => (name.to_owned(), None),
    }
}

/// The default, or each default with its kinds where they differ.
fn defaults(keys: &[&Key]) -> String {
    let groups = grouped(
        keys.iter().map(|key| (key.default.to_string(), family(&key.name).1.unwrap_or_default())),
    );
    let cell = |text: &str| if text.is_empty() { String::new() } else { format!("`{text}`") };
    match groups.as_slice() {
        [(default, _)] => cell(default),
        groups => {
            let named = groups.iter().filter(|(default, _)| !default.is_empty());
            let named =
                named.map(|(default, kinds)| format!("{}: {}", cell(default), kinds.join(", ")));
            named.collect::<Vec<_>>().join("; ")
        }
    }
}

/// Groups items by name, in order of first appearance.
fn grouped<T>(items: impl Iterator<Item = (String, T)>) -> Vec<(String, Vec<T>)> {
    let mut groups: Vec<(String, Vec<T>)> = Vec::new();
    for (name, item) in items {
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, items)) => items.push(item),
            None => groups.push((name, vec![item])),
        }
    }
    groups
}
