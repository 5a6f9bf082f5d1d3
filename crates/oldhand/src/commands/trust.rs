//! `oldhand trust`: shows what the store of a clone contains, and lets its user accept it.

use oldhand_core::actor::Via;
use oldhand_core::trust::{Record, StoreTrust, place_of_remote};
use oldhand_store::layout::Layout;
use oldhand_store::port::Vault;
use oldhand_store::provenance::origin;
use wire::program::TrustedStore;

use super::prelude::*;
use oldhand_desk::config::Resolved;
use oldhand_desk::config::file::ConfigFile;
use oldhand_desk::config::reach::Reach;

/// How many memories are named whose claims the log doesn't support.
const UNRECORDED_SHOWN: usize = 5;
/// The most files of a kind that are counted.
const COUNTED_MAX: usize = 100_000;

pub(super) fn run(args: &TrustArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let layout = desk.layout()?;
    let resolved = desk.resolve(Some(&layout))?;
    if args.revoke {
        refuse_machine(desk, "only a person accepts a store")?;
        desk.record_seen(&layout)?;
        return tell(&layout, &desk.resolve(Some(&layout))?.trust, desk, io);
    }
    if !args.accept && !desk.flags.json {
        let report = report(&layout, &resolved, desk)?;
        io.text(&desk.screen().map_or_else(|| report.clone(), |screen| screen.page(&report)))?;
    }
    let is_asked = !resolved.trust.is_trusted() && desk.env.interactive;
    if !(args.accept || is_asked && io.confirm("accept it? [y/N] ")?) {
        return if desk.flags.json { tell(&layout, &resolved.trust, desk, io) } else { Ok(DONE) };
    }
    refuse_machine(desk, "only a person accepts a store")?;
    desk.record_trust(&layout, Record::Accepted)?;
    tell(&layout, &desk.resolve(Some(&layout))?.trust, desk, io)
}

/// An agent, which the store could influence, may not decide about it.
pub(super) fn refuse_machine(desk: &Desk<'_>, message: &str) -> Result<(), Fail> {
    // A CI job is set up by people, and only has the settings that they give it.
    if desk.is_person()? || desk.via() == Via::Ci {
        return Ok(());
    }
    let hint = "nothing was changed; ask a person to run this command in a terminal of their own";
    Err(Refusal::new(Code::State, message).with_hint(hint).into())
}

fn tell(layout: &Layout, trust: &StoreTrust, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let store = layout.root.display().to_string();
    let (verb, title) = (&*sentence(trust), store.clone());
    let answer = TrustedStore { store, trusted: trust.is_trusted(), reason: trust.as_str() };
    Deed { verb, title, ..Deed::default() }.tell(("trust", &answer), desk, io)
}

fn sentence(trust: &StoreTrust) -> String {
    match trust {
        StoreTrust::Own => "your own store".to_owned(),
        StoreTrust::Made => "trusted, you made it".to_owned(),
        StoreTrust::Accepted => "trusted, you accepted it".to_owned(),
        StoreTrust::Environment => "trusted, `OLDHAND_TRUST` says so".to_owned(),
        StoreTrust::Remote(name) => format!("trusted, `trust.remotes` names `{name}`"),
        StoreTrust::Folder(name) => format!("trusted, `trust.folders` names `{name}`"),
        StoreTrust::Unknown => "not accepted".to_owned(),
    }
}

fn report(layout: &Layout, resolved: &Resolved, desk: &Desk<'_>) -> Result<String, Fail> {
    let place = origin(layout).and_then(|address| place_of_remote(&address));
    let unrecorded = desk.read(|reading| {
        Ok(reading.engine.memories().unrecorded(reading.index, UNRECORDED_SHOWN)?)
    })?;
    let facts = facts(&[
        ("memories", memories(layout, resolved, desk)?),
        ("unrecorded", visible_line(&unrecorded.join(", "))),
        ("settings", visible_line(&settings(layout, desk)?.join(", "))),
        ("cloned from", place.as_deref().map(visible_line).unwrap_or_default()),
    ]);
    let mut text = format!("{}: {}\n{facts}", sentence(&resolved.trust), layout.root.display());
    if resolved.trust.is_trusted() {
        return Ok(text);
    }
    text.push_str("until you accept it, its memories are cautions and its settings are not used\n");
    if !desk.env.interactive {
        text.push_str("hint: `oldhand trust --accept` accepts it");
        if let Some((above, _)) = place.as_deref().and_then(|it| it.rsplit_once('/')) {
            let set = format!("oldhand config set --user trust.remotes {}", visible_line(above));
            text.push_str(&format!("; `{set}` accepts all from there"));
        }
        text.push('\n');
    }
    Ok(text)
}

/// The number of files of each kind.
fn memories(layout: &Layout, resolved: &Resolved, desk: &Desk<'_>) -> Result<String, Fail> {
    let vault = desk.vault(layout.clone(), resolved)?;
    let mut each = Vec::new();
    let mut all = 0;
    for spec in resolved.settings.kinds.iter() {
        let count = vault.count_files(&spec.folder, COUNTED_MAX)?;
        all += count;
        if count > 0 {
            each.push(format!("{} {count}", visible_line(spec.kind.as_str())));
        }
    }
    Ok(match all {
        0 => "none".to_owned(),
        _ => format!("{all} ({})", each.join(", ")),
    })
}

/// The settings in its configuration.
fn settings(layout: &Layout, desk: &Desk<'_>) -> Result<Vec<String>, Fail> {
    let file = ConfigFile::read(desk.env.disk, &layout.config())?;
    let said = file.entries().into_iter().filter(|(name, _)| name != "format");
    Ok(said.map(|(name, value)| format!("{name} = {value}")).collect())
}

/// Prints a note once for a store that is new on this machine.
pub(super) fn note_new_store(command: &Command, desk: &Desk<'_>, io: &mut Io<'_>) {
    let is_about_it = matches!(
        command,
        Command::Trust(_)
            | Command::Init
            | Command::Hook { .. }
            | Command::Mcp(_)
            | Command::Serve(_)
            | Command::Sync(_)
            | Command::Completions { .. }
            | Command::Tour
            | Command::Help { .. }
            | Command::Config(_)
    );
    if is_about_it || desk.flags.global {
        return;
    }
    // The command itself reports what is wrong with the store.
    let Ok(layout) = desk.layout() else { return };
    if desk.is_store_seen(&layout) {
        return;
    }
    let Ok(resolved) = desk.resolve(Some(&layout)) else { return };
    if resolved.trust.is_trusted() || desk.record_seen(&layout).is_err() {
        return;
    }
    let memories = memories(&layout, &resolved, desk).unwrap_or_default();
    let settings = counted(settings(&layout, desk).map_or(0, |it| it.len()), "setting", "settings");
    io.note(
        "note",
        &format!(
            "the store of this repository is new to you: memories {memories}, {settings}; it is used \
             with caution until you accept it with `oldhand trust`"
        ),
    );
}

/// Refuses a key that only your own configuration may set.
pub(super) fn refuse_persons_key(key: &str) -> Result<(), Problem> {
    if Reach::of(key) != Reach::Person {
        return Ok(());
    }
    Err(Problem::new(key, "a place in your own configuration", "the store's")
        .with_fix(format!("set it with `oldhand config set --user {key} …`")))
}
