//! `oldhand add`: a memory of a kind, by flags or as a whole record; `oldhand remember`: the quick way,
//! which guesses the kind and the title, and says so.

use oldhand_app::placement::Placement;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::memory::MemoryId;
use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_judge::guess::{self, Guess};
use oldhand_text::strings::normalise_body;

use super::prelude::*;
use super::written::{ID, Words, tell};
use crate::fields::{ContentFlags, StandingFlags};
use oldhand_desk::creating::{create, place};
use oldhand_desk::input::read_draft;
use oldhand_desk::meaning::sentence_vector;

pub(super) fn add(args: &AddArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let origin = desk.origin(args.fields.origin.as_deref())?;
    let resolved = desk.resolve(desk.layout().ok().as_ref())?;
    let kinds = &resolved.settings.kinds;
    let mut draft = read_draft(args.from.as_ref(), &desk.current_dir(), kinds, io)?;
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
    args.fields.put_into(&mut draft, &args.content, &kind, kinds)?;
    args.standing.put_into(&mut draft);
    let mut policy = resolved.settings.write.clone();
    policy.decisions_example_only &= !args.into_log;
    let placement = place(&draft, &kind, desk, &policy)?;
    write_new(&draft, (origin, placement), desk, io, Words::new("add", "added"))
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
    let mut draft = draft.clone();
    loop {
        let outcome = create(&draft, (origin, placement), desk, |engine, done| {
            tell(engine, desk, io, done, &words)
        });
        match outcome {
            Err(Fail::Refused(refusal))
                if refusal.code == Code::Judge && desk.env.interactive && !desk.flags.json =>
            {
                ask_standing(refusal, &mut draft, io)?;
            }
            other => return other,
        }
    }
}

/// A person at a terminal is asked how the draft stands to each memory that it may exclude.
fn ask_standing(refusal: Refusal, draft: &mut Draft, io: &mut Io<'_>) -> Result<(), Fail> {
    io.note("judge", &refusal.message);
    let said = |key| draft.get(key).and_then(|it| it.as_texts()).unwrap_or_default();
    let mut standing =
        StandingFlags { beside: said("beside"), refines: said("refines"), because: None };
    for problem in &refusal.problems {
        let id = &problem.found;
        let question = format!("both hold (b), it refines `{id}` (r), or leave it (enter)? ");
        match io.line(&question)?.unwrap_or_default().trim() {
            "b" => standing.beside.push(id.clone()),
            "r" => standing.refines.push(id.clone()),
            _ => return Err(Fail::Refused(refusal)),
        }
    }
    standing.because = io.line("why? ")?.filter(|why| !why.trim().is_empty());
    if standing.because.is_none() {
        return Err(Fail::Refused(refusal));
    }
    standing.put_into(draft);
    Ok(())
}

pub(super) fn remember(args: &RememberArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let text = match args.text.as_slice() {
        [only] if only == "-" => {
            oldhand_desk::input::read_text("-", &desk.current_dir(), 4 * MEMORY_BYTES_MAX, io)?
        }
        words => words.join(" "),
    };
    let text = normalise_body(&text);
    if text.is_empty() {
        return Err(Problem::new("text", "something to remember", "nothing")
            .with_fix("say it: `oldhand remember \"we decided …\"`")
            .into());
    }
    let origin = desk.origin(args.fields.origin.as_deref())?;
    let resolved = desk.resolve(desk.layout().ok().as_ref())?;
    let kinds = &resolved.settings.kinds;
    let guess = guess::kind(&text, sentence_vector(resolved.model(), &text).as_deref());
    let kind = match &args.kind {
        Some(kind) => kinds.parse(kind)?,
        None => settle_kind(&guess, kinds, desk, io)?,
    };
    let mut draft = Draft::titled(kind.clone(), &guess::title(&text));
    draft.set_main_text(text, &kinds.spec(&kind));
    args.fields.put_into(&mut draft, &ContentFlags::default(), &kind, kinds)?;
    args.standing.put_into(&mut draft);
    let mut words = Words::new("remember", "remembered");
    let is_guessed = args.kind.is_none() && kind == guess.kind;
    if is_guessed {
        words.more.push(("why", why_guessed(&guess)));
    }
    let placement = place(&draft, &kind, desk, &resolved.settings.write)?;
    // The hints must lead to the same store.
    let global = if placement == Placement::User { " --global" } else { "" };
    // Most of what people write down is decided or binding.
    let other = if kind == Kind::Decision { Kind::Constraint } else { Kind::Decision };
    words.hint = Some(match is_guessed && !guess.is_sure {
        true => format!(
            "the kind is a weak guess: `oldhand update{global} {ID} --kind {other}` makes it another; \
             `oldhand undo{global}` takes it back"
        ),
        false => format!(
            "refine it with `oldhand edit{global} <id>` or `oldhand update{global} <id> …`; \
             `oldhand undo{global}` takes it back"
        ),
    });
    write_new(&draft, (origin, placement), desk, io, words)
}

fn why_guessed(guess: &Guess) -> String {
    match guess.because.as_str() {
        "" => "a guess: nothing in the text is more specific".to_owned(),
        because => format!("a guess, because of “{because}”; set it yourself with `--kind`"),
    }
}

/// A weak guess is a question where somebody can be asked.
fn settle_kind(
    guess: &Guess,
    kinds: &Kinds,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Result<Kind, Fail> {
    if guess.is_sure || desk.flags.json || !desk.env.interactive {
        return Ok(guess.kind.clone());
    }
    let names: Vec<&str> = kinds.iter().map(|spec| spec.kind.as_str()).collect();
    let names = format!("which kind is it? {}\n", names.join(", "));
    io.text(&desk.screen().map_or(names.clone(), |screen| screen.wrapped(names.trim_end(), 0)))?;
    let mut slip = String::new();
    loop {
        let said = io.line(&format!("kind [{}]: ", guess.kind))?;
        match said.map(|said| (kinds.parse(&said), said)) {
            Some((Ok(kind), _)) => return Ok(kind),
            // Whoever mistypes keeps their sentence; who then leaves has written nothing.
            None if !slip.is_empty() => return Ok(kinds.parse(&slip)?),
            Some((Err(_), said)) if !said.is_empty() => {
                io.note("note", &format!("there is no kind `{}`", visible_line(&said)));
                slip = said;
            }
            _ => return Ok(guess.kind.clone()),
        }
    }
}
