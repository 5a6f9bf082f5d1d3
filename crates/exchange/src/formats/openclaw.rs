//! The workspace of OpenClaw: `MEMORY.md`, a page about the user, notes by day.

use oldhand_core::kind::Kind;
use oldhand_core::scope::Scope;
use oldhand_text::time::format_day;

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::guide;
use crate::page::Page;
use crate::record::{Foreign, Source};
use crate::{text, topic};

pub(super) const FORMAT: Format = Format { name: "openclaw", find, read };

/// Pages that make the agent what it is.
const ROLES: &[&str] = &["SOUL.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md", "DREAMS.md"];

fn find(files: &Files) -> Vec<Root> {
    let mut roots = Vec::new();
    for index in files.iter().filter(|file| file.name() == "MEMORY.md") {
        let is_ours = |path: &str| {
            matches!(path, "MEMORY.md" | "USER.md")
                || ROLES.contains(&path)
                || day_of(path).is_some()
        };
        let root = Root::of_folder(index.folder(), files, is_ours);
        let has = |fits: fn(&str) -> bool| root.files.iter().any(|path| fits(root.relative(path)));
        if has(|path| path == "SOUL.md") || has(|path| day_of(path).is_some()) {
            roots.push(root);
        }
    }
    roots
}

/// The day of `memory/2026-05-01-slug.md`.
fn day_of(path: &str) -> Option<jiff::Timestamp> {
    let name = path.strip_prefix("memory/")?.strip_suffix(".md")?;
    let is_flat = !name.contains('/');
    text::date(name.get(..10).filter(|_| is_flat)?)
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("openclaw", root);
    for file in root.files(files) {
        let key = root.relative(&file.path);
        let text = source.text_of(file);
        if ROLES.contains(&key) {
            source.skip(key, "the agent's role, not a memory");
        } else if key == "MEMORY.md" {
            let page = Page { path: key, text: &text, scope: Scope::Project };
            source.take_all(guide::read(&page, world));
        } else if let Some(day) = day_of(key) {
            source.take(notes_of(key, file, &text, day, world));
        } else {
            let (heading, body) = text::titled(&text);
            let mut record = Foreign::new(key, &file.path, Kind::Preference, &text);
            record.set_title(&heading.map_or_else(|| key.to_owned(), text::heading_title));
            topic::fill_kind(&mut record, Kind::Preference, &body, world.kinds);
            record.set_audience("user");
            record.make_personal();
            source.take(record);
        }
    }
    source
}

fn notes_of(
    key: &str,
    file: &SourceFile,
    text: &str,
    day: jiff::Timestamp,
    world: &World<'_>,
) -> Foreign {
    let mut record = Foreign::new(key, &file.path, Kind::SessionSummary, text);
    let (heading, body) = text::titled(text);
    record.set_title(&format!("Notes of {}", format_day(day)));
    record.set_dates(Some(day), None, world.now);
    let goal = heading.map(text::heading_title).filter(|it| text::date(it).is_none());
    record.set_text("goal", goal.unwrap_or_else(|| format!("Notes of {}", format_day(day))));
    record.add_section("Notes", &body, world.kinds);
    record
}
