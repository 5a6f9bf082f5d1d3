//! `oldhand add`: a memory of a kind, by flags or as a whole record.

use oldhand_app::create::Written;
use oldhand_app::placement::{Placement, placement};
use oldhand_app::{Done, Engine};
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kind;
use oldhand_core::memory::MemoryId;
use oldhand_core::origin::{Audience, Origin};
use oldhand_core::policy::WritePolicy;
use oldhand_core::scope::Scope;
use oldhand_core::yaml::Yaml;
use oldhand_text::problem::Problem;

use super::written::{Words, tell};
use crate::cli::AddArgs;
use crate::desk::Desk;
use crate::failure::{Fail, Outcome};
use crate::fields::put_content;
use crate::printer::Io;

pub(super) fn run(args: &AddArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let origin = desk.origin(args.fields.origin.as_deref())?;
    let resolved = desk.resolve(desk.layout().ok().as_ref())?;
    let kinds = &resolved.settings.kinds;
    let mut draft = match &args.from {
        Some(source) => crate::input::read_record(source, &desk.current_dir(), kinds, io)?,
        None => Draft::default(),
    };
    if let Some(kind) = &args.kind {
        let kind = kinds.parse(kind)?;
        if let Some(said) = draft.kind.as_ref().filter(|said| **said != kind) {
            let problem =
                Problem::new("category", &format!("`{kind}`, as the command says"), said.as_str());
            return Err(problem.with_fix("leave one of the two out").into());
        }
        draft.kind = Some(kind);
    }
    let Some(kind) = draft.kind.clone() else {
        return Err(Fail::usage(
            "which kind of memory?",
            "say it, as in `oldhand add decision …`, or give it as `category` in the record",
        ));
    };
    if let Some(id) = &args.id {
        oldhand_core::write::refuse_path(id)?;
        draft.id = Some(MemoryId::parse(id)?.to_string());
    }
    args.fields.put_into(&mut draft);
    put_content(&mut draft, &args.content, args.fields.set_values()?, &kind, kinds)?;
    let mut policy = resolved.settings.write.clone();
    policy.decisions_example_only &= !args.into_log;
    let placement = place(&draft, &kind, desk, &policy)?;
    write_new(&draft, (origin, placement), desk, io, Words::new("add", "added"))
}

/// Which store a draft belongs to; `--global` says it outright.
pub(crate) fn place(
    draft: &Draft,
    kind: &Kind,
    desk: &Desk<'_>,
    policy: &WritePolicy,
) -> Result<Placement, Problem> {
    let text = |key: &str| draft.get(key).and_then(Yaml::as_text);
    let scope = text("scope").map(Scope::parse).transpose()?;
    let audience = text("audience").map(Audience::parse).transpose()?;
    let placed = match placement(kind, audience, scope.as_ref(), policy) {
        Placement::SessionNotes => Placement::SessionNotes,
        _ if desk.flags.global => Placement::User,
        other => other,
    };
    Ok(placed.said_by(desk.is_person()?))
}

pub(super) fn write_new(
    draft: &Draft,
    (origin, placement): (Origin, Placement),
    desk: &Desk<'_>,
    io: &mut Io<'_>,
    mut words: Words<'_>,
) -> Outcome {
    if placement == Placement::User {
        let root = desk.user_layout()?.root;
        words.more.push(("store", format!("your own: {}", root.display())));
    }
    create(draft, (origin, placement), desk, |engine, done| tell(engine, desk, io, done, &words))
}

/// Writes a draft where it belongs.
pub(crate) fn create<T>(
    draft: &Draft,
    (origin, placement): (Origin, Placement),
    desk: &Desk<'_>,
    then: impl FnOnce(&Engine<'_>, Done<'_, Written>) -> Result<T, Fail>,
) -> Result<T, Fail> {
    match placement {
        Placement::User => {
            let layout = desk.user_layout()?;
            desk.make_user_store(&layout)?;
            let mut draft = draft.clone();
            draft.set("scope", Yaml::text(Scope::Global.to_string()));
            desk.work_in(layout, |engine| then(engine, engine.create(&draft, origin)?))
        }
        Placement::Confined => create_confined(draft, origin, desk, then),
        Placement::Project => desk.work(|engine| then(engine, engine.create(draft, origin)?)),
        Placement::SessionNotes => {
            desk.work(|engine| then(engine, engine.note_decision(draft, origin)?))
        }
    }
}

/// What an agent says to every project: here alone, or nowhere yet.
fn create_confined<T>(
    draft: &Draft,
    origin: Origin,
    desk: &Desk<'_>,
    then: impl FnOnce(&Engine<'_>, Done<'_, Written>) -> Result<T, Fail>,
) -> Result<T, Fail> {
    let mut draft = draft.clone();
    let (layout, scope) = match desk.project_layout()? {
        Some(layout) => (layout, Scope::Project),
        None => {
            let layout = desk.user_layout()?;
            desk.make_user_store(&layout)?;
            draft.unverified = true;
            (layout, Scope::Global)
        }
    };
    let is_here = scope == Scope::Project;
    draft.set("scope", Yaml::text(scope.to_string()));
    desk.work_in(layout, |engine| {
        let mut done = engine.create(&draft, origin)?;
        let id = &done.answer.memory.id;
        let lift = if is_here {
            format!("it holds in this project alone; a person lifts it with `oldhand update {id} --scope global`")
        } else {
            format!("it waits in the user's own store; a person lifts it with `oldhand promote --global {id}`")
        };
        done.answer.warnings.push(lift);
        then(engine, done)
    })
}
