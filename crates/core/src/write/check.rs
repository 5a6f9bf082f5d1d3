//! Normal forms and limits of one memory, whoever wrote it.

use crate::content::FieldValue;
use crate::kind::schema::{Place, Shape};
use crate::kind::{Kind, KindSpec, Kinds};
use crate::memory::Memory;
use crate::origin::Origin;
use crate::policy::{
    CONFIDENCE_PERSON_ONLY, DESCRIPTION_CHARS_MAX, LIST_ITEMS_MAX, MEMORY_BYTES_MAX,
    RELATED_TO_MAX, TAG_FALLBACK, TAGS_MAX, TITLE_CHARS_MAX,
};
use crate::scope::is_relative_path;
use crate::state::State;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{normalise_body, normalise_line, normalise_tag, shorten};

/// Brings values into their normal form: single spaces, sorted unique tags, clean lists.
pub fn normalise(memory: &mut Memory) {
    memory.title = normalise_line(&memory.title);
    let lines =
        [&mut memory.description, &mut memory.domain, &mut memory.level, &mut memory.state_reason];
    for line in lines {
        *line = line.take().map(|line| normalise_line(&line)).filter(|line| !line.is_empty());
    }
    memory.tags = memory.tags.iter().map(|tag| normalise_tag(tag)).collect();
    memory.tags.retain(|tag| !tag.is_empty());
    memory.tags.sort();
    memory.tags.dedup();
    if memory.tags.len() > 1 {
        memory.tags.retain(|tag| tag != TAG_FALLBACK);
    }
    if memory.tags.is_empty() {
        memory.tags.push(TAG_FALLBACK.to_owned());
    }
    let lists = [
        &mut memory.aliases,
        &mut memory.evidence,
        &mut memory.sources,
        &mut memory.related_to,
        &mut memory.beside,
        &mut memory.refines,
        &mut memory.supersedes,
        &mut memory.conflicts_with,
        &mut memory.related_files,
        &mut memory.depends_on.code_paths,
        &mut memory.depends_on.decisions,
    ];
    for list in lists {
        normalise_list(list);
    }
    memory.confidence = memory.confidence.map(|confidence| confidence.clamp(0.0, 1.0));
    let instants = [
        &mut memory.created_at,
        &mut memory.updated_at,
        &mut memory.review_after,
        &mut memory.verified_at,
        &mut memory.retired_at,
        &mut memory.archived_at,
    ];
    for instant in instants {
        *instant = instant.map(oldhand_text::time::whole_seconds);
    }
    for (name, value) in memory.content.clone().iter() {
        memory.content.set(name, normalise_value(value.clone()));
    }
}

fn normalise_list(list: &mut Vec<String>) {
    let mut seen = std::collections::BTreeSet::new();
    *list = list
        .iter()
        .map(|item| normalise_line(item.trim_start_matches("./")))
        .filter(|item| !item.is_empty() && seen.insert(item.clone()))
        .collect();
}

fn normalise_value(value: FieldValue) -> FieldValue {
    match value {
        FieldValue::Text(text) => FieldValue::Text(normalise_body(&text)),
        FieldValue::List(items) => {
            let items = items.iter().map(|item| normalise_body(item));
            FieldValue::List(items.filter(|item| !item.is_empty()).collect())
        }
        other => other,
    }
}

/// Everything that is wrong with it, each with its field; nothing when it may be written.
pub fn check(memory: &Memory, kinds: &Kinds) -> Vec<Problem> {
    let spec = kinds.spec(&memory.kind);
    let mut problems = Vec::new();
    check_limits(memory, &mut problems);
    check_tags(memory, &mut problems);
    check_paths(memory, &mut problems);
    check_sources(memory, &mut problems);
    check_confidence(memory, &mut problems);
    check_content(memory, &spec, &mut problems);
    problems
}

/// Required fields that are missing.
pub fn missing<'s>(memory: &Memory, spec: &'s KindSpec) -> Vec<&'s str> {
    let is_missing = |name: &str| memory.content.get(name).is_none();
    let required = spec.fields.iter().filter(|field| field.required);
    required.map(|field| field.name.as_ref()).filter(|name| is_missing(name)).collect()
}

fn check_limits(memory: &Memory, problems: &mut Vec<Problem>) {
    if memory.title.is_empty() {
        let problem = Problem::new("title", "1 to 120 characters", "");
        problems.push(problem.with_fix("say what it is in one line"));
    }
    let chars = |text: &str| text.chars().count();
    let description = chars(memory.description.as_deref().unwrap_or_default());
    let because = chars(memory.because.as_deref().unwrap_or_default());
    let shorter = format!("shorten it, for example: {}", shorten(&memory.title, 80));
    let fewer = "keep the five that a reader needs most";
    let limits = [
        ("title", chars(&memory.title), TITLE_CHARS_MAX, "characters", shorter.as_str()),
        ("description", description, DESCRIPTION_CHARS_MAX, "characters", ""),
        ("related_to", memory.related_to.len(), RELATED_TO_MAX, "entries", fewer),
        ("beside", memory.beside.len(), LIST_ITEMS_MAX, "entries", ""),
        ("refines", memory.refines.len(), LIST_ITEMS_MAX, "entries", ""),
        ("because", because, DESCRIPTION_CHARS_MAX, "characters", ""),
        ("aliases", memory.aliases.len(), LIST_ITEMS_MAX, "entries", ""),
        ("evidence", memory.evidence.len(), LIST_ITEMS_MAX, "entries", ""),
        ("sources", memory.sources.len(), LIST_ITEMS_MAX, "entries", ""),
        ("related_files", memory.related_files.len(), LIST_ITEMS_MAX, "entries", ""),
    ];
    for (field, count, most, unit, fix) in limits.into_iter().filter(|it| it.1 > it.2) {
        let (expected, found) = (format!("at most {most} {unit}"), format!("{count} {unit}"));
        problems.push(Problem::new(field, &expected, &found).with_fix(fix));
    }
}

fn check_tags(memory: &Memory, problems: &mut Vec<Problem>) {
    let fix = match memory.tags.len() {
        0 => "add `tags: [...]` with a word that people search by",
        1..=TAGS_MAX => return,
        _ => "keep the ones people search by",
    };
    let found = format!("{} tags", memory.tags.len());
    problems.push(Problem::new("tags", "1 to 12 tags", &found).with_fix(fix));
}

fn check_paths(memory: &Memory, problems: &mut Vec<Problem>) {
    let files = memory.related_files.iter().map(|path| ("related_files", path));
    let code = memory.depends_on.code_paths.iter().map(|path| ("depends_on.code_paths", path));
    for (field, path) in files.chain(code).filter(|(_, path)| !is_relative_path(path)) {
        let problem = Problem::new(field, "a path inside the repository", path);
        problems.push(problem.with_fix("write it relative to the repository's root, without `..`"));
    }
}

/// A lesson that nobody stated needs something it was learned from (R183).
fn check_sources(memory: &Memory, problems: &mut Vec<Problem>) {
    if memory.state != State::Candidate || memory.kind != Kind::Lesson {
        return;
    }
    let lists = [("evidence", &memory.evidence), ("sources", &memory.sources)];
    for (field, _) in lists.into_iter().filter(|(_, list)| list.is_empty()) {
        let problem = Problem::new(field, "at least one entry for a candidate", "nothing");
        let fix = "name where it was learned, such as `task:42` or `file:notes.md`";
        problems.push(problem.with_fix(fix));
    }
}

fn check_confidence(memory: &Memory, problems: &mut Vec<Problem>) {
    let Some(confidence) = memory.confidence else { return };
    if confidence >= CONFIDENCE_PERSON_ONLY && memory.origin != Origin::User {
        let expected = "below 0.9 unless a person confirmed it (origin `user`)";
        let problem = Problem::new("confidence", expected, &confidence.to_string());
        problems.push(problem.with_fix("use 0.7 to 0.89"));
    }
}

fn check_content(memory: &Memory, spec: &KindSpec, problems: &mut Vec<Problem>) {
    let says_something = spec.fields.iter().any(|field| {
        field.place != Place::Frontmatter && memory.content.get(&field.name).is_some()
    });
    if !says_something && memory.sections.is_empty() && !spec.fields.iter().any(|f| f.required) {
        let names: Vec<&str> = spec.fields.iter().map(|field| field.name.as_ref()).collect();
        let expected = format!("at least one of `{}`", names.join("`, `"));
        problems.push(Problem::new("content", &expected, "nothing"));
    }
    for field in spec.fields.iter() {
        let name = format!("content.{}", field.name);
        match memory.content.get(&field.name) {
            None if field.required => {
                let fix = format!("say it with `--{}`", field.name.replace('_', "-"));
                let problem = Problem::new(&name, "something to remember", "nothing");
                problems.push(problem.with_fix(fix));
            }
            Some(FieldValue::Text(text)) => match &field.shape {
                Shape::Choice(words) if !words.contains(&text.as_str()) => {
                    problems.push(oldhand_text::word::unknown(&name, words, text));
                }
                _ if text.len() as u64 > MEMORY_BYTES_MAX => {
                    let found = format!("{} bytes", text.len());
                    let problem = Problem::new(&name, "at most 1 MiB in all", &found);
                    problems
                        .push(problem.with_fix("keep the long text in a document and point at it"));
                }
                _ => {}
            },
            Some(FieldValue::List(items)) if items.len() > LIST_ITEMS_MAX => {
                let found = format!("{} items", items.len());
                problems.push(Problem::new(&name, "at most 500 items", &found));
            }
            _ => {}
        }
    }
}
