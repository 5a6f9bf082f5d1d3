//! Codex's memories: blocks of `MEMORY.md` by task, summaries of sessions, notes.

use oldhand_core::kind::Kind;
use oldhand_judge::guess;
use oldhand_text::strings::{normalise_body, slug};
use serde_json::json;

use super::{Format, Root};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::names::Names;
use crate::page::{Section, outline};
use crate::record::{Foreign, Source};
use crate::{text, topic};

pub(super) const FORMAT: Format = Format { name: "codex", find, read };

const GROUP: &str = "# Task Group:";

fn find(files: &Files) -> Vec<Root> {
    let mut roots: Vec<Root> = Vec::new();
    for file in files.iter() {
        let is_ours = match file.name() {
            "MEMORY.md" => file.text().lines().any(|line| line.starts_with(GROUP)),
            "memory_summary.md" => file.text().lines().next() == Some("v1"),
            _ => false,
        };
        let folder = file.folder();
        if is_ours && !roots.iter().any(|root| root.path == folder) {
            roots.push(Root::of_folder(folder, files, |path| path.ends_with(".md")));
        }
    }
    roots
}

fn read(root: &Root, files: &Files, world: &World<'_>) -> Source {
    let mut source = Source::new("codex", root);
    for file in root.files(files) {
        let key = root.relative(&file.path);
        let text = source.text_of(file);
        let top = key.split('/').next().unwrap_or(key);
        match top {
            "MEMORY.md" => read_groups(&text, file, world, &mut source),
            "memory_summary.md" => source.skip(key, "derived from MEMORY.md"),
            "raw_memories.md" => source.skip(key, "input of the tool"),
            "skills" => source.skip(key, "a skill, not a memory"),
            "rollout_summaries" => read_summary(key, file, &text, world, &mut source),
            _ => {
                let (heading, body) = text::titled(&text);
                let mut record = Foreign::new(key, &file.path, Kind::Reference, &text);
                let title = heading.map_or_else(|| text::guessed_title(&body), text::heading_title);
                record.set_title(&title);
                record.set_main(&body, world.kinds);
                source.take(record);
            }
        }
    }
    source
}

/// One block of `MEMORY.md`, with what its tasks say about all of it.
struct Group<'a> {
    name: String,
    tags: Vec<String>,
    sessions: Vec<String>,
    file: &'a SourceFile,
    world: &'a World<'a>,
}

fn read_groups(text: &str, file: &SourceFile, world: &World<'_>, source: &mut Source) {
    let mut groups: Vec<(&str, Vec<&str>)> = vec![("", Vec::new())];
    for (line, is_plain) in text::marked_lines(text) {
        match line.strip_prefix(GROUP) {
            Some(name) if is_plain => groups.push((name.trim(), Vec::new())),
            _ => groups.last_mut().into_iter().for_each(|group| group.1.push(line)),
        }
    }
    let above = normalise_body(&groups[0].1.join("\n"));
    if !above.is_empty() {
        source.skip("MEMORY.md#", format!("above the first block: {above}"));
    }
    for (name, lines) in &groups[1..] {
        let body = lines.join("\n");
        let applies = lines.iter().find_map(|line| line.strip_prefix("applies_to:"));
        let cwd =
            applies.and_then(|it| it.split("cwd=").nth(1)).and_then(|it| it.split(';').next());
        match cwd.map(str::trim).filter(|cwd| !is_here(cwd, world)) {
            Some(cwd) => source.skip(*name, format!("of another project: {cwd}")),
            None => read_group(name, &body, file, world, source),
        }
    }
}

/// Whether a working directory is this repository or below it.
fn is_here(cwd: &str, world: &World<'_>) -> bool {
    let cwd = cwd.trim_end_matches('/');
    let tail = cwd.strip_prefix('~').unwrap_or(cwd);
    let is_below =
        |path: &str| path == world.worktree || path.starts_with(&format!("{}/", world.worktree));
    let last = cwd.rsplit('/').next().unwrap_or(cwd);
    is_below(cwd)
        || cwd.starts_with('~') && world.worktree.ends_with(tail)
        || cwd == "*"
        || !cwd.starts_with('/') && last == world.project
}

fn read_group(name: &str, body: &str, file: &SourceFile, world: &World<'_>, source: &mut Source) {
    let outline = outline(body);
    let tasks = outline.sections.iter().filter(|it| it.heading.starts_with("Task "));
    let (mut tags, mut sessions) = (Vec::new(), Vec::new());
    for task in tasks.clone() {
        let words = below(&task.text, "keywords");
        tags.extend(topic::items(&words).0.iter().flat_map(|item| text::comma_parts(item)));
        let ids = task.text.split("thread_id=").skip(1);
        sessions
            .extend(ids.map(|id| id.split([',', ')', ' ', '\n']).next().unwrap_or(id).to_owned()));
    }
    let group = Group { name: name.to_owned(), tags, sessions, file, world };
    let mut names = Names::default();
    for section in &outline.sections {
        let heading = section.heading.to_lowercase();
        match heading.as_str() {
            "user preferences" => {
                group.items(section, Kind::Preference, "user-preferences", source)
            }
            _ if heading.starts_with("failures") => {
                group.items(section, Kind::Lesson, "failures", source)
            }
            _ if heading.starts_with("task ") => {
                let key = format!("{name}#{}", slug(&section.heading));
                source.skip(key, format!("where the block comes from: {}", section.heading));
            }
            _ => {
                let key = format!("{name}#{}", names.slug(&section.heading));
                let mut record = group.record(key, &section.text);
                record.set_title(&format!("{name}: {}", section.heading));
                record.set_main(&without_task(&section.text), world.kinds);
                let rule =
                    outline.above.split("reuse_rule=").nth(1).and_then(|it| it.lines().next());
                record.set_rest("reuse_rule", json!(rule));
                let about = outline.above.lines().find_map(|line| line.strip_prefix("scope:"));
                record.set_rest("about", json!(about.map(str::trim)));
                source.take(record);
            }
        }
    }
}

/// The text below a level-3 heading.
fn below(text: &str, heading: &str) -> String {
    let lines = text.lines().skip_while(|line| text::heading(line) != Some((3, heading))).skip(1);
    lines.take_while(|line| text::heading(line).is_none()).collect::<Vec<_>>().join("\n")
}

/// `[Task 1]` at the end of a line names where it was learned.
fn without_task(text: &str) -> String {
    let lines = text.lines().map(|line| match line.trim_end().rsplit_once("[Task ") {
        Some((bare, rest)) if rest.ends_with(']') => bare.trim_end(),
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Group<'_> {
    fn record(&self, key: String, raw: &str) -> Foreign {
        let mut record = Foreign::new(key, &self.file.path, Kind::Reference, raw);
        record.add_tags(&self.tags);
        for session in &self.sessions {
            record.add_source(&format!("session:{session}"));
        }
        record
    }

    fn items(&self, section: &Section, kind: Kind, name: &str, source: &mut Source) {
        let (items, others) = topic::items(&section.text);
        let others = Some(others).filter(|it| text::says_nothing(it).is_none());
        for (at, item) in items.iter().chain(&others).enumerate() {
            let item = without_task(item);
            let mut record = self.record(format!("{}#{name}/{}", self.name, at + 1), &item);
            record.set_title(&guess::title(&item));
            if kind == Kind::Lesson {
                record.set_text("lesson_type", "failure_lesson");
            } else {
                record.set_audience("user");
            }
            topic::fill_kind(&mut record, kind.clone(), &item, self.world.kinds);
            source.take(record);
        }
    }
}

/// A summary of one session, below lines such as `thread_id: …`.
fn read_summary(key: &str, file: &SourceFile, text: &str, world: &World<'_>, source: &mut Source) {
    let is_key = |line: &str| line.split_once(": ").is_some_and(|(key, _)| !key.contains(' '));
    let head: Vec<&str> = text.lines().take_while(|line| is_key(line)).collect();
    let front = crate::front::Front::parse(&head.join("\n"));
    let body = text.lines().skip(head.len()).collect::<Vec<_>>().join("\n");
    if let Some(cwd) = front.text("cwd").filter(|cwd| !is_here(cwd, world)) {
        return source.skip(key, format!("of another project: {cwd}"));
    }
    let (heading, body) = text::titled(&body);
    let mut record = Foreign::new(key, &file.path, Kind::SessionSummary, text);
    let title = heading.map_or_else(|| text::guessed_title(&body), text::heading_title);
    record.set_title(&title);
    record.set_text("goal", title);
    record.set_dates(None, front.date("updated_at"), world.now);
    if let Some(id) = front.text("thread_id") {
        record.add_source(&format!("session:{id}"));
    }
    // Paths of the machine stay there.
    record.add_rest(front.rest(&["thread_id", "updated_at", "cwd", "rollout_path"]));
    record.add_section("Notes", &body, world.kinds);
    source.take(record);
}
