//! A request of `/v1` as a command in a store: carried out once per key, and said as an answer over HTTP.

use std::sync::Arc;
use std::time::Instant;

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use oldhand::Answered;
use oldhand_core::policy::RecallPolicy;
use oldhand_core::recall::places::Places;
use oldhand_desk::desk::GlobalFlags;
use oldhand_desk::desks::Desks;
use oldhand_pg::access::{Access, Attempt};
use oldhand_pg::admin::StoreAccess;
use oldhand_pg::answers::Known;
use oldhand_pg::error::PgError;
use oldhand_store::ulid::{Entropy, SystemEntropy, ulid};
use serde_json::Value;

use crate::answers::Told;
use crate::desks::PgDesks;
use crate::door::Door;
use crate::door::refusal::Refusal;
use crate::ground::{Reach, layout_of};
use crate::rest::{AskedElsewhere, Line};
use crate::visitor::Visitor;
use crate::waiting::mark;

/// A command of a visitor, on its way to a thread that may block.
pub(crate) struct Call {
    pub door: Arc<Door>,
    pub visitor: Arc<Visitor>,
    pub here: StoreAccess,
    pub line: Line,
    pub key: Option<String>,
}

impl Call {
    pub(crate) fn answer(&self) -> Response {
        match &self.key {
            Some(key) => self.once(key),
            None => self.run(None).into_response(),
        }
    }

    /// Whoever repeats a request with a key gets the first answer, and what it writes is written once.
    fn once(&self, key: &str) -> Response {
        let is_uuid = key.len() == 36
            && key.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
            && key.bytes().filter(|byte| *byte == b'-').count() == 4;
        if !is_uuid {
            let message = "`Idempotency-Key`: expected a UUID";
            let hint = "make a new one for each request, and send it again when you repeat it";
            return Told::error(StatusCode::BAD_REQUEST, "USAGE_ERROR", message, hint)
                .into_response();
        }
        let access = Access::new(&self.door.database, self.visitor.caller());
        let known = match access.begin_answer(key, &self.hash()) {
            Ok(known) => known,
            Err(error) => return unavailable(&error),
        };
        match known {
            Known::Answered { status, body } => {
                let status = u16::try_from(status).unwrap_or(500);
                Told { status, json: body }.again()
            }
            Known::Written { .. } => Told::lost().again(),
            Known::Different => {
                let message = "this `Idempotency-Key` was used for another request";
                let hint = "make a new one for each request";
                Told::error(StatusCode::UNPROCESSABLE_ENTITY, "USAGE_ERROR", message, hint)
                    .into_response()
            }
            Known::Open => {
                let run = ulid(jiff::Timestamp::now(), SystemEntropy.next());
                let told = self.run(Some(Attempt { key: key.to_owned(), run }));
                // What may pass is no answer for ever.
                if told.status < 500
                    && let Err(error) = access.end_answer(key, told.status.into(), &told.json)
                {
                    tracing::warn!(error = %error, "an answer was not kept");
                }
                told.into_response()
            }
        }
    }

    /// Of all that is asked for.
    fn hash(&self) -> Vec<u8> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.here.store.to_le_bytes());
        for word in &self.line.words {
            hasher.update(&(word.len() as u64).to_le_bytes()).update(word.as_bytes());
        }
        hasher.update(&self.line.input);
        hasher.finalize().as_bytes().to_vec()
    }

    fn run(&self, attempt: Option<Attempt>) -> Told {
        let desks = PgDesks::new(&self.door.database, &self.visitor, &self.here);
        let desks = PgDesks { attempt, ..desks };
        let (line, elsewhere) = match &self.line.elsewhere {
            Some(asked) => self.ask_elsewhere(asked, &desks),
            None => (self.line.clone(), None),
        };
        let began = Instant::now();
        let answered = run(&desks, &line);
        let metrics = &self.door.metrics;
        if answered.code != 0 {
            let told = Told::of(answered);
            if told.status == StatusCode::PRECONDITION_FAILED {
                metrics.conflicted();
            }
            return told;
        }
        let Ok(mut answer) = serde_json::from_str::<Value>(&answered.json) else {
            return Told::of(answered);
        };
        if line.words.first().is_some_and(|it| it == "recall") {
            metrics.recalled(&answer, began.elapsed());
        }
        let waiting = mark(&mut answer, (&self.door.database, &self.visitor, &self.here));
        let is_changed = elsewhere.is_some() || !waiting.is_empty();
        if let Some(found) = elsewhere {
            // It stands apart, whole, as cautions.
            answer["elsewhere"] = Value::Array(found);
        }
        let json = if is_changed { format!("{answer}\n") } else { answered.json };
        Told::of(Answered { json, ..answered })
    }

    /// What other repositories remember, and the line that asks for what that leaves.
    fn ask_elsewhere(&self, asked: &AskedElsewhere, desks: &PgDesks) -> (Line, Option<Vec<Value>>) {
        let places = asked.limit.unwrap_or_else(|| places_of(desks));
        let mut found = Vec::new();
        let most = Places::Elsewhere.of(places);
        if most > 0 {
            let others = PgDesks { reach: Reach::Elsewhere, ..desks.clone() };
            let answered = run(&others, &self.line.limited(most));
            // A refusal has none, and is met again by the question about the store itself.
            let answer: Value = serde_json::from_str(&answered.json).unwrap_or_default();
            let lists = ["memories", "cautions"].into_iter();
            found.extend(lists.filter_map(|key| answer[key].as_array()).flatten().cloned());
        }
        (self.line.limited(Places::Beside(found.len()).of(places)), Some(found))
    }
}

/// How many memories an answer about the store has.
fn places_of(desks: &PgDesks) -> usize {
    let mut places = RecallPolicy::default().items_max;
    desks.at(GlobalFlags::default(), None, &mut |desk| {
        // Settings that can't be read are an error of the question itself.
        if let Ok(resolved) = desk.ground.settled(desk, &layout_of(&desks.here)) {
            places = resolved.settings.recall.items_max;
        }
    });
    places
}

fn unavailable(error: &PgError) -> Response {
    tracing::error!(error = %error, "a key could not be looked up");
    Refusal::of_database(error).into_response()
}

fn run(desks: &PgDesks, line: &Line) -> Answered {
    let mut answered = None;
    desks.at(GlobalFlags::default(), None, &mut |desk| {
        answered = Some(oldhand::answer(&line.words, &line.input, desk));
    });
    answered.expect("a desk calls its job before it returns")
}
