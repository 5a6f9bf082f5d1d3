//! `oldhand why`: why a memory was served, or was not, and how it came to its state.

use oldhand_app::recall::Request;
use oldhand_app::sessions::Sessions;
use serde_json::json;
use wire::recall::{LifeStory, Mention, WhyServed};

use super::prelude::*;
use super::recall::weighed;
use super::receipts::asked;
use crate::cli::WhyArgs;
use oldhand_desk::reading::Reading;

/// Receipts that are searched for the memory.
const RECEIPTS: usize = 1_000;
/// Answers that are told.
const MENTIONS: usize = 5;

pub(super) fn run(args: &WhyArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let memory = reading.engine.get(&args.name)?.memory;
        let question = args.question.join(" ");
        if question.trim().is_empty() && args.path.is_empty() {
            return by_receipts(memory.id.as_str(), reading, desk, io);
        }
        let request = Request { text: question, paths: args.path.clone(), ..Request::default() };
        let recalled = reading.recall(&request)?;
        let explained = recalled.explain(memory.id.as_str());
        desk.print(io, "why", &WhyServed::of(&explained, &recalled), || {
            let mut text = format!("{}: {}\n", memory.id, explained.why);
            text.push_str(&facts(&[
                ("state", memory.state.to_string()),
                ("place", explained.rank.map(|rank| rank.to_string()).unwrap_or_default()),
            ]));
            for step in &recalled.bundle.steps {
                text.push_str(&format!("  {}\n", step.line()));
            }
            if explained.scored.is_some() {
                text.push('\n');
                text.push_str(&weighed(explained.scored.iter()));
            }
            text
        })?;
        Ok(DONE)
    })
}

/// Without a question: its whole life, and when it was last given to somebody.
fn by_receipts(id: &str, reading: &Reading<'_>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let receipts = reading.sessions.as_ref().map(|it| it.receipts(None, RECEIPTS));
    let receipts = receipts.unwrap_or_default();
    let mentions = receipts.iter().filter_map(|it| Mention::of(it, id)).take(MENTIONS);
    let mentions: Vec<Mention> = mentions.collect();
    let story = reading.engine.story(id)?;
    desk.print(io, "why", &LifeStory::of(&story, &mentions), || {
        let mut text = format!("{id}: {}\n", visible_line(&story.stored.memory.title));
        for sentence in &story.sentences {
            text.push_str(&format!("  {sentence}\n"));
        }
        text.push_str(match mentions.is_empty() {
            true => "  No answer on this machine had to do with it.\n",
            false => "answers on this machine:\n",
        });
        for one in &mentions {
            let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            text.push_str(&format!("  {} {}: {}\n", word(&one.at), one.what, word(&one.reason)));
            let what = asked(&json!({"query": one.query, "paths": one.paths}));
            text.push_str(&format!("    for: {}\n", visible_line(&what)));
        }
        text
    })?;
    Ok(DONE)
}
