//! Ask: recall as an agent would get it, explained. It leaves no receipt.

use std::io;

use oldhand_app::eval::parse_questions;
use oldhand_app::recall::{Recalled, Request};
use oldhand_app::wire::recall::{EXPLAINED_MAX, Recall, WhyServed};
use oldhand_charts::budget::{Answer as Bar, Budget};
use oldhand_core::recall::bundle::Entry;
use oldhand_core::state::State;
use oldhand_core::write;
use oldhand_store::port::index::Semantic;
use oldhand_text::problem::Problem;
use oldhand_ui::house::ask::{AskPage, Asked, Question, ServedAnswer, Weighed, Why};
use oldhand_ui::house::{Answer, Named};
use serde_json::json;

use super::house::Household;
use super::values::json_text;
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;

/// Below the store, so that it is shared like the memories it asks for.
const QUESTIONS_FILE: &str = "questions.jsonl";
const QUESTIONS_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// A longer task is a file, not a task.
const QUESTION_CHARS_MAX: usize = 20_000;

impl AskPage for Household {
    fn ask(&self, ask: &Question) -> Answer<Asked> {
        self.at_desk(|desk| {
            let cards = self.cards(desk)?;
            let memories = cards.all.iter().filter(|it| it.state.is_served()).count();
            let kept = kept_questions(desk)?;
            if ask.is_empty() {
                return Ok(Asked { told: None, kept, memories, meaning: None });
            }
            let recalled = self.recall(desk, ask)?;
            let meaning = match recalled.semantic {
                // Candidates need no vectors, and are not served.
                Semantic::Partial { embedded, of } => {
                    let all = cards.all.iter().filter(|it| it.state != State::Candidate).count();
                    Some((all.saturating_sub(of - embedded), all))
                }
                Semantic::Whole | Semantic::Off { .. } => None,
            };
            let mut told = told(&recalled);
            if !ask.why.trim().is_empty() {
                told.why = Some(why(desk, ask, &recalled)?);
            }
            Ok(Asked { told: Some(told), kept, memories, meaning })
        })
    }

    fn ask_json(&self, ask: &Question) -> Answer<String> {
        self.at_desk(|desk| {
            let recalled = self.recall(desk, ask)?;
            if ask.why.trim().is_empty() {
                let answer = Recall::of(&recalled.bundle, Some(&recalled.ranked));
                return json_text("recall", answer);
            }
            let id = desk.work(|engine| Ok(engine.get(&ask.why)?.memory.id))?;
            let explained = recalled.explain(id.as_str());
            json_text("why", WhyServed::of(&explained, &recalled))
        })
    }

    fn keep_question(&self, text: &str, right: &[String]) -> Answer<String> {
        self.at_desk(|desk| {
            let text = text.trim();
            if text.is_empty() {
                return Err(Problem::new("q", "a question", "nothing").into());
            }
            // It is stored and committed like a memory.
            write::refuse_secret("q", text)?;
            for id in right {
                desk.work(|engine| Ok(engine.get(id)?))?;
            }
            let layout = desk.layout()?;
            let line = json!({ "text": text, "gold": right }).to_string() + "\n";
            let path = layout.root.join(QUESTIONS_FILE);
            let disk = desk.env.disk;
            let len = disk.stat(&path)?.map_or(0, |stat| stat.len);
            if len + line.len() as u64 > QUESTIONS_BYTES_MAX {
                let hint = "move it away: the next question begins another";
                return Err(Fail::usage(format!("`{QUESTIONS_FILE}` is full"), hint));
            }
            disk.append(&path, line.as_bytes())?;
            Ok(match right {
                [] => "kept: silence is the right answer".to_owned(),
                right => format!("kept: `{}` is the right answer", right.join("`, `")),
            })
        })
    }
}

/// How many questions there are, and the file as it can be typed.
fn kept_questions(desk: &Desk<'_>) -> Result<(usize, String), Fail> {
    let layout = desk.layout()?;
    let path = layout.root.join(QUESTIONS_FILE);
    let shown = path.strip_prefix(&layout.repository).unwrap_or(&path).display().to_string();
    let count = match desk.env.disk.read(&path, QUESTIONS_BYTES_MAX) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let hint = "fix the line, or move the file away";
            let refused = |why| Fail::usage(format!("could not read `{shown}` {why}"), hint);
            parse_questions(&text).map_err(refused)?.len()
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(error.into()),
    };
    Ok((count, shown))
}

impl Household {
    /// As fast as it can be with what is embedded; the rest follows behind the answer.
    pub(super) fn recall(&self, desk: &Desk<'_>, ask: &Question) -> Result<Recalled, Fail> {
        let recalled = recall(desk, ask)?;
        if matches!(recalled.semantic, Semantic::Partial { .. }) {
            self.aside.lack_vectors();
        }
        Ok(recalled)
    }
}

fn recall(desk: &Desk<'_>, ask: &Question) -> Result<Recalled, Fail> {
    let budget_tokens = match ask.budget.trim() {
        "" => None,
        text => Some(text.parse().map_err(|_| {
            Problem::new("budget", "a number of tokens", text)
                .with_fix("leave it empty for the default")
        })?),
    };
    if ask.q.chars().count() > QUESTION_CHARS_MAX {
        let found = format!("{} characters", ask.q.chars().count());
        return Err(
            Problem::new("q", &format!("at most {QUESTION_CHARS_MAX} characters"), &found).into()
        );
    }
    let request = Request {
        text: ask.q.clone(),
        paths: ask.paths(),
        pointers_only: ask.level == "index",
        budget_tokens,
        ..Request::default()
    };
    desk.read(|reading| reading.recall(&request))
}

fn told(recalled: &Recalled) -> ServedAnswer {
    let bundle = &recalled.bundle;
    let is_served =
        |id: &str| bundle.memories.iter().chain(&bundle.cautions).any(|it| it.card.id == id);
    let weighed = recalled.ranked.iter().take(EXPLAINED_MAX).map(|it| {
        let parts = &it.parts;
        let card = &it.candidate.card;
        Weighed {
            memory: Named { id: card.id.clone(), title: card.title.clone() },
            is_relevant: it.is_relevant,
            is_served: is_served(&card.id),
            score: it.score,
            parts: [
                parts.lexical,
                parts.names,
                parts.dense,
                parts.recency,
                parts.trust,
                parts.proximity,
            ]
            .map(|part| part + 0.0),
            confidence: it.confidence,
        }
    });
    let mut weighed: Vec<Weighed> = weighed.collect();
    // What passed the floor stands above it, whatever its score is.
    weighed.sort_by_key(|it| !it.is_relevant);
    ServedAnswer {
        text: bundle.to_text().into_string(),
        tokens: bundle.used_tokens,
        budget: bundle.budget_tokens,
        served: bundle.memories.len() + bundle.cautions.len(),
        steps: bundle.steps.iter().map(|it| it.line()).collect(),
        picture: picture(recalled),
        weighed,
        left_out: bundle
            .dropped
            .iter()
            .map(|it| (Named { id: it.id.clone(), title: it.title.clone() }, it.reason.clone()))
            .collect(),
        why: None,
    }
}

/// Where the tokens go: what binds, what else is known, what is to be weighed, and the rest around.
fn picture(recalled: &Recalled) -> Budget {
    let bundle = &recalled.bundle;
    let binds = |it: &&Entry| it.card.has_constraints || it.card.kind == "constraint";
    let sum =
        |entries: &mut dyn Iterator<Item = &Entry>| entries.map(|it| it.tokens as u64).sum::<u64>();
    let constraints = sum(&mut bundle.memories.iter().filter(binds));
    let others = sum(&mut bundle.memories.iter().filter(|it| !binds(it)));
    let cautions = sum(&mut bundle.cautions.iter());
    let around = (bundle.used_tokens as u64).saturating_sub(constraints + others + cautions);
    let tokens = |id: &str| {
        let found = recalled.ranked.iter().find(|it| it.candidate.card.id == id);
        found.map_or(0, |it| u64::from(it.candidate.card.tokens))
    };
    let left_out = bundle.dropped.iter().filter(|it| it.fits).map(|it| tokens(&it.id)).sum();
    Budget {
        parts: ["constraints", "memories", "cautions", "around"].map(str::to_owned).to_vec(),
        answers: vec![Bar {
            label: "this answer".to_owned(),
            href: String::new(),
            parts: vec![constraints, others, cautions, around],
            budget: bundle.budget_tokens as u64,
            left_out,
        }],
    }
}

fn why(desk: &Desk<'_>, ask: &Question, recalled: &Recalled) -> Result<Why, Fail> {
    let memory = desk.work(|engine| Ok(engine.get(ask.why.trim())?.memory))?;
    let explained = recalled.explain(memory.id.as_str());
    let state = match memory.state {
        state if state.is_served() || state == State::Superseded => String::new(),
        state => format!(" (it is {state})"),
    };
    Ok(Why {
        memory: Named { id: memory.id.to_string(), title: memory.title },
        is_served: explained.is_served,
        why: explained.why + &state,
        rank: explained.rank,
    })
}
