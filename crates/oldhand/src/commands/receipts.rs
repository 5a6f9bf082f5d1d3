//! `oldhand receipts`: what was given to whom.

use oldhand_app::sessions::Sessions;
use oldhand_app::wire::setup::ServedReceipts;
use oldhand_text::strings::{shorten, visible_line};
use serde_json::Value;

use crate::cli::ReceiptsArgs;
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::{DONE, Outcome};
use oldhand_desk::printer::Io;

pub(super) fn run(args: &ReceiptsArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.layout()?;
    let newest = desk.sessions().map(|it| it.receipts(args.session.as_deref(), args.limit));
    let newest = newest.unwrap_or_default();
    let answer = ServedReceipts::of(&newest);
    io.answer(desk.flags.json, "receipts", answer, || match newest.as_slice() {
        [] => "no receipts\n".to_owned(),
        newest => newest.iter().map(text_of).collect(),
    })?;
    Ok(DONE)
}

/// The task, or the paths where there was none.
pub(super) fn asked(receipt: &Value) -> String {
    let query = receipt["query"].as_str().unwrap_or_default();
    let paths: Vec<&str> =
        receipt["paths"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    match (query.trim(), paths.as_slice()) {
        ("", []) => "everything".to_owned(),
        ("", paths) => paths.join(", "),
        (query, _) => query.to_owned(),
    }
}

fn text_of(receipt: &Value) -> String {
    let text = |key: &str| receipt[key].as_str().unwrap_or_default();
    let session = match text("session") {
        "" => String::new(),
        session => format!(" session {session}"),
    };
    let mut out = format!(
        "{}{session} level {} ({}), {} of {} tokens\n  for: {}\n",
        text("at"),
        receipt["level"],
        text("method"),
        receipt["tokens"],
        receipt["budget"],
        shorten(&visible_line(&asked(receipt)), 100),
    );
    for one in receipt["served"].as_array().into_iter().flatten() {
        let field = |key: &str| one[key].as_str().unwrap_or_default();
        out.push_str(&format!("  {} ({})\n", field("id"), visible_line(field("reason"))));
    }
    if receipt["served"].as_array().is_none_or(Vec::is_empty) {
        out.push_str("  nothing\n");
    }
    out
}
