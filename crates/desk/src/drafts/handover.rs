//! What the agent at hand is given to draft from: an excerpt for each category, and the data that
//! says where they are. Transcripts are data: what they say is quoted and never followed.

use std::borrow::Cow;
use std::collections::BTreeMap;

use oldhand_app::settings::Settings;
use oldhand_app::wire::capture::rounded;
use oldhand_core::kind::Kind;
use oldhand_core::policy::CapturePolicy;
use oldhand_judge::capture::context::{context_file, lines_of};
use oldhand_judge::capture::triage::Hit;
use oldhand_sessions::conversation::Working;
use oldhand_store::port::session_state::SessionState;
use oldhand_store::session::FileSessions;
use oldhand_text::agent_text::{AgentData, AgentText};
use oldhand_text::secrets;
use oldhand_transcripts::Turn;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::failure::Fail;

const PATH_CHARS_MAX: usize = 4096;
const SUMMARY_HEAD_LINES: usize = 80;
const SUMMARY_TAIL_LINES: usize = 200;

pub struct Asked<'a> {
    pub settings: &'a Settings,
    pub turns: &'a [Turn],
    pub hits: &'a [Hit],
    pub working: &'a Working,
    pub is_summary_due: bool,
}

pub struct Handed {
    pub reason: AgentText,
    pub categories: Vec<String>,
}

/// R237: by activity, and once in a session.
pub fn is_summary_due(settings: &Settings, state: &SessionState) -> bool {
    let spec = settings.kinds.spec(&Kind::SessionSummary);
    spec.enabled
        && spec.auto_capture
        && state.capture.handed_over == 0
        && state.working.activity() >= settings.capture.threshold(&Kind::SessionSummary)
}

/// `None` when there is nothing to draft.
pub fn write(
    sessions: &FileSessions<'_>,
    session: &str,
    asked: &Asked<'_>,
) -> Result<Option<Handed>, Fail> {
    let mut groups: BTreeMap<Kind, Vec<&Hit>> = BTreeMap::new();
    for hit in asked.hits {
        groups.entry(hit.kind.clone()).or_default().push(hit);
    }
    if groups.is_empty() && !asked.is_summary_due {
        return Ok(None);
    }
    let staging = sessions.staging(session)?;
    for stale in staging.drafts()? {
        staging.remove(&stale);
    }
    // A key stands on many lines: a turn is looked at as a whole, then each line by itself.
    let mut spoken = lines_of(asked.turns.iter().map(|turn| (turn, clean(&turn.text))));
    spoken.lines = spoken.lines.into_iter().map(without_secrets).collect();
    let lines = &spoken.lines;
    let start = |text: &str| text.chars().take(40).collect::<String>();
    let matches = |(kind, hits): (Kind, Vec<&Hit>)| {
        let score = hits.iter().map(|hit| hit.score).fold(0.0, f64::max);
        let at = hits.iter().filter_map(|hit| spoken.line_of(hit.turn, &start(&hit.text)));
        (kind, score, at.collect::<Vec<usize>>())
    };
    let mut wanted: Vec<(Kind, f64, Vec<usize>)> = groups.into_iter().map(matches).collect();
    if asked.is_summary_due {
        let end = lines.len().saturating_sub(SUMMARY_TAIL_LINES);
        let ends = (0..lines.len().min(SUMMARY_HEAD_LINES)).chain(end..lines.len());
        wanted.push((Kind::SessionSummary, asked.working.activity(), ends.collect()));
    }
    let entry = |(kind, score, matches): (Kind, f64, Vec<usize>)| {
        let description = asked.settings.kinds.spec(&kind).told.clone();
        let text = context_file(&kind, score, &description, lines, &matches);
        let path = staging.write(&format!("context-{kind}.txt"), &text).ok();
        let context_file = path.map(|path| path.display().to_string());
        let (category, score) = (kind.to_string(), rounded(score));
        CategoryEntry { category, score, description, context_file }
    };
    let categories: Vec<CategoryEntry> = wanted.into_iter().map(entry).collect();
    let name = |it: &CategoryEntry| format!("{} ({:.2})", it.category, it.score);
    let names: Vec<String> = categories.iter().map(name).collect();
    let data = json!({
        "categories": categories,
        "parallel": parallel(&asked.settings.capture),
        "staging_dir": staging.folder.display().to_string(),
        "session": session,
    });
    staging.write("triage-data.json", &format!("{data:#}\n"))?;
    let told: Vec<AgentText> = names.iter().map(|name| AgentText::line(name)).collect();
    let reason = AgentText::of(
        "This session said things that are worth remembering: {}. The skill `oldhand-save` drafts them from the excerpts named below and saves them with `oldhand capture save --staging {}`; after that the session is done.\n<triage_data>\n{}\n</triage_data>",
        &[
            AgentText::join(&told, ", "),
            AgentText::line_of(&staging.folder.to_string_lossy(), PATH_CHARS_MAX),
            AgentData::of(data).to_text(),
        ],
    );
    Ok(Some(Handed { reason, categories: names }))
}

/// One category of the data. A file that can't be written leaves it without one: it is skipped then
/// (R244).
#[derive(Serialize)]
struct CategoryEntry {
    category: String,
    score: f64,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_file: Option<String>,
}

/// R239, R240: whether drafts are made at the same time, and by which model.
fn parallel(capture: &CapturePolicy) -> Value {
    let kinds = CapturePolicy::THRESHOLDS.iter().map(|(kind, _)| kind);
    let models: Map<String, Value> =
        kinds.map(|kind| (kind.to_string(), json!(capture.model(kind)))).collect();
    json!({
        "enabled": capture.parallel,
        "default_model": capture.default_model,
        "category_models": models,
    })
}

fn clean(text: &str) -> Cow<'_, str> {
    let findings = secrets::scan(text);
    match findings.iter().find(|finding| finding.rule.starts_with("private")) {
        Some(finding) => Cow::Owned(format!("[withheld: {}]", finding.rule)),
        None => Cow::Borrowed(text),
    }
}

/// Nothing that is a secret touches the disk, the staging area included.
pub fn without_secrets(line: String) -> String {
    match secrets::scan(&line).first() {
        None => line,
        Some(finding) => format!("[withheld: {}]", finding.rule),
    }
}
