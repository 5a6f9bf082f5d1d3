//! `oldhand remember`: the quick way. The kind is guessed, the title is made, and both are said.

use oldhand_app::placement::Placement;
use oldhand_core::draft::Draft;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_judge::guess::{self, Guess};
use oldhand_text::strings::normalise_body;

use super::add::write_new;
use super::prelude::*;
use super::written::{ID, Words};
use crate::fields::ContentFlags;
use oldhand_desk::creating::place;

pub(super) fn run(args: &RememberArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
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
    let guess = guess::kind(&text);
    let kind = match &args.kind {
        Some(kind) => kinds.parse(kind)?,
        None => settle_kind(&guess, kinds, desk, io)?,
    };
    let mut draft = Draft::titled(kind.clone(), &guess::title(&text));
    draft.set_main_text(text, &kinds.spec(&kind));
    args.fields.put_into(&mut draft, &ContentFlags::default(), &kind, kinds)?;
    let mut words = Words::new("remember", "remembered");
    let is_guessed = args.kind.is_none() && kind == guess.kind;
    if is_guessed {
        words.more.push(("why", why(&guess)));
    }
    let placement = place(&draft, &kind, desk, &resolved.settings.write)?;
    // The hints must lead to the same store.
    let global = if placement == Placement::User { " --global" } else { "" };
    words.hint = Some(match is_guessed && !guess.is_sure {
        true => format!(
            "the kind is a weak guess: `oldhand update{global} {ID} --kind {}` makes it another; \
             `oldhand undo{global}` takes it back",
            other_kind(&kind)
        ),
        false => format!(
            "refine it with `oldhand edit{global} <id>` or `oldhand update{global} <id> …`; \
             `oldhand undo{global}` takes it back"
        ),
    });
    write_new(&draft, (origin, placement), desk, io, words)
}

fn why(guess: &Guess) -> String {
    match guess.because.as_str() {
        "" => "a guess: nothing in the text is more specific".to_owned(),
        because => format!("a guess, because of “{because}”; set it yourself with `--kind`"),
    }
}

/// What it could be instead: most of what people write down is decided or binding.
fn other_kind(kind: &Kind) -> Kind {
    if *kind == Kind::Decision { Kind::Constraint } else { Kind::Decision }
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
    let question = format!("which kind is it? {} [{}] ", names.join(", "), guess.kind);
    match io.ask(&question)?.as_str() {
        "" => Ok(guess.kind.clone()),
        said => Ok(kinds.parse(said)?),
    }
}
