//! Help in one screen: the everyday commands by group, and all of them where somebody asks.

use oldhand_screen::Screen;

use crate::cli::groups::{GROUPS, Group};

const EVERYDAY_END: &str = "`oldhand` alone shows what waits. `oldhand help --all` shows all commands, \
    `oldhand help <command>` one of them. `oldhand tour` walks through the first five minutes in a \
    scratch repository.";

/// The first screen.
pub(crate) fn everyday(command: &clap::Command, screen: &Screen) -> String {
    let mut out = head(command, screen);
    for group in GROUPS.iter().filter(|group| !group.everyday.is_empty()) {
        out.push_str(&section(group, group.everyday.iter(), command, screen));
    }
    format!("{out}\n{}", screen.wrapped(&screen.dim(EVERYDAY_END), 0))
}

/// Every command, and the flags that all of them have.
pub(crate) fn all(command: &clap::Command, screen: &Screen) -> String {
    let mut out = head(command, screen);
    for group in GROUPS {
        let names = group.everyday.iter().chain(group.more);
        out.push_str(&section(group, names, command, screen));
    }
    out.push_str(&format!("\n{}\n", screen.title("every command has")));
    let flags = command.get_arguments().filter(|arg| arg.is_global_set() && !arg.is_hide_set());
    let rows = flags.map(|arg| {
        let long = arg.get_long().map(|long| format!("--{long}"));
        let short = arg.get_short().map(|short| format!("-{short}"));
        let flag = long.or(short).unwrap_or_default();
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        vec![
            format!("  {}", screen.command(&flag)),
            screen.paint(oldhand_screen::Tone::Plain, &help),
        ]
    });
    out + &screen.table(rows.collect(), 1)
}

fn head(command: &clap::Command, screen: &Screen) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let (name, usage) = (screen.title("oldhand"), screen.command("oldhand [command] [options]"));
    let about = screen.wrapped(&format!("{name}, {}", lower_first(&about)), 0);
    format!("{about}\n{usage}\n")
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn section<'n>(
    group: &Group,
    names: impl Iterator<Item = &'n &'static str>,
    command: &clap::Command,
    screen: &Screen,
) -> String {
    let row = |name: &&str| {
        let about = command.find_subcommand(name).and_then(clap::Command::get_about);
        let about = about.map(ToString::to_string).unwrap_or_default();
        let padded = format!("{name:<12}");
        vec![
            format!("  {}", screen.command(&padded)),
            screen.paint(oldhand_screen::Tone::Plain, &about),
        ]
    };
    format!("\n{}\n{}", screen.title(group.title), screen.table(names.map(row).collect(), 1))
}
