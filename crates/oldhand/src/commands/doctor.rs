//! `oldhand doctor`: checks everything, and never deletes.

use oldhand_app::doctor::Diagnosis;
use oldhand_screen::Screen;
use oldhand_store::port::Finding;

use super::install::driver;
use super::prelude::*;

mod hosts;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let mut progress = desk.progress("checking");
    let mut told = |done, of| progress.at(done, of);
    let looked = desk.work(|engine| Ok(engine.care().doctor(&mut told)?));
    drop(progress);
    let mut diagnosis = match looked {
        Ok(diagnosis) => diagnosis,
        // Invalid settings are a finding here, not a failure.
        Err(Fail::Config(problems)) => Diagnosis {
            findings: problems
                .into_iter()
                .map(|problem| Finding::new("config.toml", problem.to_string(), problem.fix))
                .collect(),
            ..Diagnosis::default()
        },
        Err(other) => return Err(other),
    };
    look_at_merges(desk, &mut diagnosis)?;
    let (answered, findings) = hosts::look(desk);
    diagnosis.hosts = answered;
    diagnosis.findings.extend(findings);
    diagnosis.findings.extend(hosts::look_at_files(desk));
    diagnosis.findings.extend(desk.state_trouble().map(|(folder, what)| {
        let what = format!("nothing of sessions is kept on this machine: {what}");
        let hint = "make the folder writable, or set `XDG_STATE_HOME` to another one";
        Finding::new(&folder.display().to_string(), what, hint)
    }));
    let people = |screen: &Screen| people::doctor(&diagnosis, screen);
    desk.present(io, "doctor", &diagnosis, (|| text(&diagnosis), people))?;
    Ok(if diagnosis.findings.is_empty() { DONE } else { FINDING })
}

/// The attributes of a store name the merge driver; the clone's git should know it.
fn look_at_merges(desk: &Desk<'_>, diagnosis: &mut Diagnosis) -> Result<(), Fail> {
    let layout = desk.layout()?;
    if desk.flags.global {
        return Ok(());
    }
    if driver::is_named(&layout.root, desk) && driver::is_missing(desk) {
        let note = "this clone merges memories by lines: `oldhand install git` sets up the driver";
        diagnosis.notes.push(note.to_owned());
    }
    Ok(())
}

fn text(diagnosis: &Diagnosis) -> String {
    let memories = counted(diagnosis.memories, "memory", "memories");
    let events = counted(diagnosis.events, "event", "events");
    let mut text = format!("looked at {memories} and {events}\n");
    let hosts = diagnosis.hosts.iter().map(|host| format!("the hook for {host} answers"));
    let repaired = diagnosis.repaired.iter().map(|it| format!("repaired: {}", visible_line(it)));
    let notes = diagnosis.notes.iter().map(|it| format!("note: {}", visible_line(it)));
    hosts.chain(repaired).chain(notes).for_each(|line| text.push_str(&format!("{line}\n")));
    for finding in &diagnosis.findings {
        let (path, what) = (visible_line(&finding.path), visible_line(&finding.what));
        text.push_str(&format!("finding: {path}: {what}\n"));
        if !finding.hint.is_empty() {
            text.push_str(&format!("  hint: {}\n", visible_line(&finding.hint)));
        }
    }
    match diagnosis.findings.len() {
        0 => text + "no problems found\n",
        count => text + &format!("{} for you to decide\n", counted(count, "finding", "findings")),
    }
}
