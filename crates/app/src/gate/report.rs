//! A proposal as people and agents bring it, and what they are told about it.

use oldhand_core::kind::Kinds;
use oldhand_text::word::words;

use super::{Judged, Proposal, said};
use crate::prelude::*;
use crate::record::parse_record;

words! {
    CheckVerdict, "verdict" {
        Clear = "clear",
        Conflict = "conflict",
        /// Both may hold, or not: whoever writes it must say.
        Judge = "judge",
        /// Nothing clashes, but not everything could be read.
        Unknown = "unknown",
    }
}

impl Proposal {
    /// A text or a record. A record says more than its text: its title, its decision, its domain
    /// and its paths. `is_file` if a whole record is expected.
    pub fn of_input(text: &str, is_file: bool, kinds: &Kinds) -> Result<Self> {
        let looks_like_record =
            text.trim_start().starts_with(['{', '-', '#']) || text.contains("\n## ");
        let draft = match parse_record(text, kinds) {
            Ok(draft) if looks_like_record => draft,
            Err(refusal) if is_file && looks_like_record => return Err(refusal.into()),
            _ => return Ok(Self::of_text(text)),
        };
        let kind = draft.kind.clone().unwrap_or(Kind::Decision);
        let title = draft.title().unwrap_or_default().to_owned();
        let mut memory = Memory::new(MemoryId::of_title(&title), kind, &title);
        draft.apply_to(&mut memory)?;
        let mut proposal = Self::of_memory(&memory);
        // A draft is in no store: a memory of the same name is one that it must agree with.
        proposal.except.clone_from(&memory.supersedes);
        if proposal.statement.is_empty() {
            let (domain, paths) = (proposal.domain, proposal.paths);
            return Ok(Self { domain, paths, ..Self::of_text(text) });
        }
        Ok(proposal)
    }
}

impl Judged {
    pub fn verdict(&self) -> CheckVerdict {
        if !self.conflicts.is_empty() {
            CheckVerdict::Conflict
        } else if !self.questions.is_empty() {
            CheckVerdict::Judge
        } else if !self.unreadable.is_empty() {
            CheckVerdict::Unknown
        } else {
            CheckVerdict::Clear
        }
    }

    pub fn ways_on(&self) -> String {
        let Some(first) = self.conflicts.first() else { return String::new() };
        format!(
            "follow what was decided, or reverse it with a reason:\n  \
             oldhand supersede {} --title \"…\" --because \"…\"\n\
             a write that clashes waits in `pending/`, where a person may also let both hold\n",
            first.memory.id
        )
    }

    pub fn report(&self, proposal: &Proposal, ways_on: &str) -> String {
        let mut out = self.head(proposal);
        for conflict in &self.conflicts {
            let memory = &conflict.memory;
            let (date, title) = (conflict.date(), visible_line(&memory.title));
            out.push_str(&format!("\n{date}  {title} ({})\n", memory.id));
            out.push_str(&format!("  decided   {}\n", visible_line(&conflict.clash.theirs)));
            out.push_str(&format!("  proposed  {}\n", visible_line(&conflict.clash.ours)));
            out.push_str(&format!("  why       {}\n", visible_line(&conflict.why())));
        }
        if !self.conflicts.is_empty() {
            out.push_str(&format!("\n{ways_on}"));
        }
        for question in self.questions.iter().filter(|_| self.conflicts.is_empty()) {
            let memory = &question.memory;
            out.push_str(&format!("\n{} ({})\n", visible_line(&memory.title), memory.id));
            out.push_str(&format!("  decided   {}\n", visible_line(&said(memory))));
            out.push_str(&format!("  proposed  {}\n", visible_line(&proposal.text)));
            out.push_str(&format!("  why       {}\n", visible_line(&question.why())));
        }
        if self.verdict() == CheckVerdict::Judge {
            out.push_str(
                "\na write must say how it stands to each: beside, refines, or replaces it\n",
            );
        }
        let is_asked = |memory: &&Memory| self.questions.iter().all(|it| it.memory.id != memory.id);
        for memory in self.related.iter().filter(is_asked) {
            out.push_str(&format!("related: {} ({})\n", visible_line(&memory.title), memory.id));
        }
        for memory in &self.earlier {
            let day = memory.archived_at.or(memory.updated_at).map(format_day).unwrap_or_default();
            let why = memory.state_reason.as_deref().unwrap_or("no reason was given");
            let (title, why) = (visible_line(&memory.title), visible_line(why));
            let (id, state) = (&memory.id, memory.state);
            out.push_str(&format!("earlier: {title} ({id}), {state} {day}: {why}\n"));
        }
        out
    }

    /// The verdict, and what it is about.
    pub fn head(&self, proposal: &Proposal) -> String {
        let verdict = self.verdict();
        if matches!(verdict, CheckVerdict::Conflict | CheckVerdict::Judge) {
            return format!("{}: {}\n", verdict.as_str(), visible_line(&proposal.title));
        }
        let what = counted(self.compared, "decision or constraint", "decisions and constraints");
        let domain = match self.in_domain {
            0 => String::new(),
            count => format!(", {count} of the same domain"),
        };
        format!("{}: compared with {what}{domain}\n", verdict.as_str())
    }

    pub fn notes(&self) -> impl Iterator<Item = String> {
        let note = |path| format!("`{path}` can't be read: what it says was not compared");
        self.unreadable.iter().map(note)
    }
}
