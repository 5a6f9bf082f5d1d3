//! `remember`: a new memory, a change of one, or a note of this session. The same twin, gate and
//! limits as for every writer; what an agent says is an agent's word.

use oldhand_app::placement::{Placement, placement};
use oldhand_app::update::UpdateRequest;
use oldhand_app::wire::agent::{NotedLine, RememberedMemory};
use oldhand_app::written::Written;
use oldhand_app::{Done, Engine};
use oldhand_core::codec::json::content_of;
use oldhand_core::draft::Draft;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::origin::Origin;
use oldhand_core::scope::Scope;
use oldhand_core::yaml::Yaml;
use oldhand_judge::guess;
use oldhand_sessions::notes::{NoteKind, What, checked};
use oldhand_text::strings::normalise_body;

use super::prelude::*;
use oldhand_desk::creating::{create, place};
use oldhand_desk::desk::below;
use oldhand_desk::meaning::sentence_vector;

/// The tier of memories that git is asked about.
const CODE_TIER: u8 = 2;
/// How a note may begin. One that does not say is left to do: to look at it again does no harm.
const NOTE_SORTS: &[(&str, NoteKind)] = &[
    ("done:", NoteKind::Done),
    ("remaining:", NoteKind::Remaining),
    ("todo:", NoteKind::Remaining),
    ("next:", NoteKind::Remaining),
    ("error:", NoteKind::Error),
    ("question:", NoteKind::Question),
];

impl MemoryServer {
    pub(super) fn remember(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<ToolAnswer, Fail> {
        let args = Args::of(call)?;
        let text = args.text("text")?.map(normalise_body);
        if args.text("kind")?.is_some_and(|kind| kind.eq_ignore_ascii_case("note")) {
            return note(&text.unwrap_or_default(), desk);
        }
        match args.text("id")? {
            Some(id) => change(id, text, &args, desk),
            None => self.keep(text, &args, desk),
        }
    }

    fn keep(
        &self,
        text: Option<String>,
        args: &Args<'_>,
        desk: &Desk<'_>,
    ) -> Result<ToolAnswer, Fail> {
        let resolved = desk.resolve(desk.layout().ok().as_ref())?;
        let kinds = &resolved.settings.kinds;
        let mut is_weak = false;
        let kind = match (args.text("kind")?, &text) {
            (Some(kind), _) => named_kind(kind, kinds)?,
            (None, Some(text)) => {
                let meaning = sentence_vector(resolved.model(), text);
                let guess = guess::kind(text, meaning.as_deref());
                is_weak = !guess.is_sure;
                guess.kind
            }
            (None, None) => {
                return Err(Problem::new("text", "something to remember", "nothing")
                    .with_fix("say it in `text`, or give `kind`, `title` and `content`")
                    .into());
            }
        };
        let title = args.text("title")?.map(str::to_owned);
        let title = title.or_else(|| text.as_deref().map(guess::title)).ok_or_else(|| {
            Problem::new("title", "what it is called, in a line", "nothing")
                .with_fix("call again with `title`")
        })?;
        let mut draft = Draft::titled(kind.clone(), &title);
        put_fields(&mut draft, args, desk)?;
        put_words(&mut draft, text, args, (&kind, kinds))?;
        let origin = if args.flag("external")? { Origin::External } else { Origin::Agent };
        let has_no_project = self.has_no_project(desk);
        let placement = if has_no_project {
            let scope = args.text("scope")?.map(Scope::parse).transpose()?;
            placement(&kind, None, scope.as_ref(), &resolved.settings.write).said_by(false)
        } else {
            place(&draft, &kind, desk, &resolved.settings.write)?
        };
        if has_no_project && placement != Placement::Confined {
            let hint = "make one with `oldhand init` in the project, or remember it with `scope` \
                        of global, in the user's own store";
            return Err(Fail::usage("there is no store in this project", hint));
        }
        create(&draft, (origin, placement), desk, |engine, done| {
            let mut told = answer(engine, done);
            if is_weak {
                told.text.add(
                    "hint: `{}` is a weak guess; say `kind` next time, and \
                     `oldhand update <id> --kind <kind>` changes this one\n",
                    &[AgentText::line(kind.as_str())],
                );
            }
            Ok(told)
        })
    }

    /// There is no store in this project: the user's own answers, or none.
    fn has_no_project(&self, desk: &Desk<'_>) -> bool {
        (desk.flags.global && !self.flags.global) || super::has_no_store(desk)
    }
}

/// What was said, and nothing else; lists grow, so that nothing is lost.
fn change(
    id: &str,
    text: Option<String>,
    args: &Args<'_>,
    desk: &Desk<'_>,
) -> Result<ToolAnswer, Fail> {
    if args.flag("external")? {
        let fix = "remember it as a memory of its own, without `id`";
        return Err(Problem::new("external", "nothing beside `id`", "true").with_fix(fix).into());
    }
    desk.work_on(id, |engine| {
        let kinds = &engine.settings.kinds;
        let kind = engine.get(id)?.memory.kind;
        if let Some(said) = args.text("kind")?
            && named_kind(said, kinds)? != kind
        {
            return Err(Problem::new("kind", &format!("`{kind}`, which `{id}` is"), said)
                .with_fix("leave `kind` out")
                .into());
        }
        let mut draft = Draft::default();
        if let Some(title) = args.text("title")? {
            draft.set("title", Yaml::text(title.to_owned()));
        }
        put_fields(&mut draft, args, desk)?;
        put_words(&mut draft, text, args, (&kind, kinds))?;
        if draft == Draft::default() {
            return Err(Problem::new("text", "what to change", "nothing")
                .with_fix("call again with `text`, `content`, `title`, `tags` or `paths`")
                .into());
        }
        let request = UpdateRequest {
            name: id,
            draft: &draft,
            grow: true,
            summary: None,
            kind: None,
            if_match: None,
        };
        Ok(answer(engine, engine.writing().update(&request)?))
    })
}

/// Under the name that the field has here.
fn named_kind(said: &str, kinds: &Kinds) -> Result<Kind, Problem> {
    kinds.parse(said).map_err(|problem| {
        let fix = match problem.fix.starts_with("did you mean") {
            true => problem.fix,
            false => "say one of these; `note` is a line for this session alone".to_owned(),
        };
        Problem { field: "kind".to_owned(), fix, ..problem }
    })
}

fn put_fields(draft: &mut Draft, args: &Args<'_>, desk: &Desk<'_>) -> Result<(), Problem> {
    for key in ["domain", "scope", "because"] {
        if let Some(value) = args.text(key)? {
            draft.set(key, Yaml::text(value.to_owned()));
        }
    }
    for key in ["tags", "beside", "refines"] {
        let values = args.texts(key)?;
        if !values.is_empty() {
            draft.set(key, Yaml::list(&values));
        }
    }
    let paths = args.texts("paths")?;
    if !paths.is_empty() {
        let layout = desk.layout().ok();
        // Agents know files by their absolute path.
        let relative = |path: String| match &layout {
            Some(layout) if path.starts_with('/') => below(&layout.repository, path.as_ref())
                .ok_or_else(|| {
                    Problem::new("paths", "paths inside of the project", &path).with_fix(
                        "write it from the project's folder on, for example `src/main.rs`",
                    )
                }),
            _ => Ok(path),
        };
        let paths = paths.into_iter().map(relative).collect::<Result<Vec<_>, _>>()?;
        let paths = ("code_paths".to_owned(), Yaml::list(&paths));
        draft.set("depends_on", Yaml::Map(vec![paths]));
        // What depends on code is compared with it when it is recalled.
        draft.set("refresh_tier", Yaml::literal(CODE_TIER));
    }
    Ok(())
}

/// The text is what the kind is mainly about; fields that are named say the rest.
fn put_words(
    draft: &mut Draft,
    text: Option<String>,
    args: &Args<'_>,
    (kind, kinds): (&Kind, &Kinds),
) -> Result<(), Problem> {
    if let Some(text) = text {
        draft.set_main_text(text, &kinds.spec(kind));
    }
    if let Some(content) = args.object("content")? {
        for (name, value) in content_of(&content, &kinds.spec(kind))? {
            draft.set_content(&name, value);
        }
    }
    Ok(())
}

fn answer(engine: &Engine<'_>, done: Done<'_, Written>) -> ToolAnswer {
    let (written, notes) = settled(engine, done);
    let memory = &written.memory;
    let action = written.action.as_str();
    let mut text =
        format!("{action}: {} ({}, {}, {})\n", memory.id, memory.kind, memory.state, written.path);
    for one in &written.related {
        text.push_str(&format!("related: {} ({})\n", one.title.replace('\n', " "), one.id));
    }
    for warning in &written.warnings {
        text.push_str(&format!("warning: {}\n", warning.replace('\n', " ")));
    }
    let mut text = AgentText::lines(&text);
    text.push(&notes_text(&notes));
    ToolAnswer::of(text, &RememberedMemory::of(&written))
}

/// A line about the work, which the next session finds where this one stopped.
fn note(text: &str, desk: &Desk<'_>) -> Result<ToolAnswer, Fail> {
    let lower = text.to_lowercase();
    let sort = NOTE_SORTS.iter().find(|(word, _)| lower.starts_with(word));
    let (kind, text) = match sort {
        Some((word, kind)) => (*kind, text.get(word.len()..).unwrap_or_default()),
        None => (NoteKind::Remaining, text),
    };
    let text = checked("text", text)?;
    let session = desk.session(None)?;
    let what = What::Note { kind, text, outcome: String::new() };
    let notes = session.append(desk.now, vec![what])?;
    let number = notes.items.last().map(|item| item.number).unwrap_or_default();
    let told = format!("noted: {} {number} of {}\n", kind.as_str(), session.label());
    Ok(ToolAnswer::of(AgentText::lines(&told), &NotedLine::of(number, kind.as_str())))
}
