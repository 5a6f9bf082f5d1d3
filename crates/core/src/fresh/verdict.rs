//! A verdict for each path, and the worst of them for the memory.

use serde::Serialize;

use super::{Given, PathAnswer, PathQuestion, Questions, Verdict, Warning, is_same_id};
use crate::memory::Memory;
use oldhand_text::strings::visible_line;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct PathVerdict {
    pub path: String,
    pub verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits: Option<u32>,
    pub uncommitted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_to: Option<String>,
    /// For people, with the path in it.
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: Verdict,
    pub paths: Vec<PathVerdict>,
    pub warnings: Vec<Warning>,
}

/// Judges a memory in `file`; `given.paths` are the answers to its own questions.
pub fn judge(
    memory: &Memory,
    file: &str,
    questions: &Questions,
    given: Option<&Given>,
) -> Judgement {
    let asked = match questions {
        Questions::None(_) => return bare(Verdict::Unbound, Vec::new()),
        Questions::Undated => return bare(Verdict::Unknown, vec![Warning::undated(memory, file)]),
        Questions::Ask(asked) => asked,
    };
    let head = given.and_then(|given| given.head.as_deref());
    let verified = memory.verified_commit.as_ref().zip(head);
    let verified_here = verified.is_some_and(|(verified, head)| is_same_id(verified, head));
    let judge = |(at, question): (usize, &PathQuestion)| {
        let answer = given.and_then(|given| given.paths.get(at)?.as_ref());
        judge_path(question, answer, verified_here)
    };
    let paths: Vec<PathVerdict> = asked.iter().enumerate().map(judge).collect();
    // Exactly one for each path that is not as it was (R36).
    let warning = |path: &PathVerdict| match path.verdict {
        Verdict::Drifted => Some(Warning::changed(memory, file, path)),
        Verdict::Moved | Verdict::Orphaned => Some(Warning::absent(memory, file, path)),
        Verdict::Unbound | Verdict::Fresh | Verdict::Unknown => None,
    };
    let warnings = paths.iter().filter_map(warning).collect();
    let verdict = paths.iter().map(|path| path.verdict).max().unwrap_or(Verdict::Unbound);
    Judgement { verdict, paths, warnings }
}

fn bare(verdict: Verdict, warnings: Vec<Warning>) -> Judgement {
    Judgement { verdict, paths: Vec::new(), warnings }
}

fn judge_path(
    question: &PathQuestion,
    answer: Option<&PathAnswer>,
    verified_here: bool,
) -> PathVerdict {
    let path = visible_line(&question.path);
    let Some(answer) = answer else {
        return verdict_of(question, Verdict::Unknown, format!("`{path}` was not checked"));
    };
    if !answer.exists {
        return absent(question, answer, &path);
    }
    let is_seen = |id: &Option<String>| Some(is_same_id(question.seen.as_ref()?, id.as_ref()?));
    let (content, committed) = (is_seen(&answer.content), is_seen(&answer.committed));
    if content == Some(true) && committed == Some(true) {
        return verdict_of(question, Verdict::Fresh, format!("`{path}` is as it was recorded"));
    }
    // What was not committed when the memory was written is no change to it.
    let uncommitted = answer.uncommitted && content != Some(true);
    if verified_here && !uncommitted {
        return verdict_of(question, Verdict::Fresh, format!("`{path}` is as it was verified"));
    }
    // Another branch, or a history that was rewritten: no commit since, and not the same.
    let differs = content == Some(false)
        || (answer.content.is_none() && !answer.uncommitted && committed == Some(false));
    let changes = changes(answer.commits, uncommitted, differs);
    if !changes.is_empty() {
        return PathVerdict {
            commits: answer.commits,
            uncommitted,
            ..verdict_of(question, Verdict::Drifted, format!("`{path}` {changes}"))
        };
    }
    let (verdict, why) = match answer {
        _ if content == Some(true) => (Verdict::Fresh, "is as it was recorded"),
        PathAnswer { committed: None, .. } => (Verdict::Unknown, "is not tracked by git"),
        PathAnswer { cut_off: true, .. } => (Verdict::Unknown, "has a history that is cut off"),
        PathAnswer { commits: None, .. } => (Verdict::Unknown, "has commits that were not counted"),
        _ => (Verdict::Fresh, "has no commits since"),
    };
    PathVerdict {
        commits: answer.commits,
        ..verdict_of(question, verdict, format!("`{path}` {why}"))
    }
}

/// What happened to a path; empty for nothing.
fn changes(commits: Option<u32>, uncommitted: bool, differs: bool) -> String {
    let counted = match commits {
        Some(1) => "changed in 1 commit since".to_owned(),
        Some(count) if count > 1 => format!("changed in {count} commits since"),
        None if differs && !uncommitted => "changed since, commits not counted".to_owned(),
        _ if differs && !uncommitted => "is not what was recorded".to_owned(),
        _ => String::new(),
    };
    match (counted.is_empty(), uncommitted) {
        (true, true) => "has uncommitted changes".to_owned(),
        (false, true) => format!("{counted} and has uncommitted changes"),
        _ => counted,
    }
}

fn absent(question: &PathQuestion, answer: &PathAnswer, path: &str) -> PathVerdict {
    let short = |commit: &str| commit.chars().take(super::SEEN_DIGITS).collect::<String>();
    let renamed_to = answer.gone.as_ref().and_then(|gone| gone.renamed_to.clone());
    let how = match (&answer.gone, &renamed_to) {
        (Some(gone), Some(to)) => {
            format!(", renamed to `{}` in {}", visible_line(to), short(&gone.commit))
        }
        (Some(gone), None) => format!(", deleted in {}", short(&gone.commit)),
        _ if answer.committed.is_some() => ", deleted but not committed".to_owned(),
        _ => String::new(),
    };
    let verdict = if renamed_to.is_some() { Verdict::Moved } else { Verdict::Orphaned };
    PathVerdict { renamed_to, ..verdict_of(question, verdict, format!("`{path}` not found{how}")) }
}

fn verdict_of(question: &PathQuestion, verdict: Verdict, reason: String) -> PathVerdict {
    PathVerdict { path: question.path.clone(), verdict, reason, ..PathVerdict::default() }
}
