//! Answers about sessions: their notes, and the compaction of their conversations.

use oldhand_core::fresh::Warning;
use oldhand_sessions::compact::{Checked, Compaction, Fact, Group};
use oldhand_sessions::notes::{Item, ItemState, Notes};
use oldhand_sessions::resume::{Confirmation, InForce, Piece, Resume, Stage};
use oldhand_sessions::window::{Tier, Window};
use oldhand_text::tokens;

use super::recall::{DroppedMemory, TokenBudget};
use crate::written::Written;

answers! {
    /// One note.
    NoteItem<'a>(item: &'a Item) {
        number: usize = item.number,
        kind: &'static str = item.kind.as_str(),
        text: &'a str = &item.text,
        outcome: &'a str = &item.outcome,
        is_open: bool = item.is_open(),
        is_dropped: bool = item.standing == ItemState::Dropped,
        is_step: bool = item.is_step,
        at: &'a str = &item.at,
    }

    /// `note`: the note that was written or changed.
    WrittenNote<'a>(session: &'a str, item: Option<&'a Item>, notes: &Notes) {
        session: &'a str = session,
        note: Option<NoteItem<'a>> = item.map(NoteItem::of),
        open: usize = notes.open(),
    }

    /// `notes`.
    SessionNotes<'a>(session: &'a str, notes: &'a Notes) {
        session: &'a str = session,
        objective: &'a str = &notes.objective,
        notes: Vec<NoteItem<'a>> = notes.items.iter().map(NoteItem::of).collect(),
        open: usize = notes.open(),
        reviewed_at: &'a str = &notes.reviewed_at,
    }

    /// `notes --all`: one session that this machine knows.
    KnownSession {
        session: String,
        host: String,
        seen_at: String,
        goal: String,
        notes: usize,
        open: usize,
    }

    KnownSessions<'a>(sessions: &'a [KnownSession]) {
        sessions: &'a [KnownSession] = sessions,
    }

    /// `notes keep`.
    KeptNote<'a>(written: &'a Written) {
        action: &'static str = written.action.as_str(),
        id: &'a str = written.memory.id.as_str(),
        state: &'static str = written.memory.state.as_str(),
    }

    /// `notes discard`.
    DiscardedNotes<'a>(session: &'a str, discarded: usize) {
        session: &'a str = session,
        discarded: usize = discarded,
    }

    /// Something in a conversation that a summary must keep.
    ConversationFact<'a>(fact: &'a Fact) {
        sort: &'static str = fact.sort.as_str(),
        text: &'a str = &fact.text,
        line: usize = fact.line,
        tokens: usize = tokens::count(&fact.text),
    }

    /// `compact`.
    CompactedConversation<'a>(compaction: &'a Compaction, budget: usize) {
        summary: String = compaction.summary.render(),
        before_tokens: usize = compaction.before_tokens,
        after_tokens: usize = compaction.after_tokens,
        budget: usize = budget,
        left_out: Vec<ConversationFact<'a>> =
            compaction.left_out.iter().map(ConversationFact::of).collect(),
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt: Option<String> = None,
        #[serde(skip_serializing_if = "Option::is_none")]
        groups: Option<&'a [Group]> = None,
    }

    /// `compact --check`.
    CheckedSummary<'a>(checked: &'a Checked) {
        kept: usize = checked.kept,
        named_as_left_out: usize = checked.dropped,
        missing: Vec<ConversationFact<'a>> =
            checked.missing.iter().map(ConversationFact::of).collect(),
    }

    /// `resume`.
    ResumedWork<'a>(resume: &'a Resume) {
        mode: &'static str = resume.mode.as_str(),
        project: &'a str = &resume.project,
        overview: &'a str = &resume.overview,
        waiting: Vec<&'a str> = resume.waiting.iter().map(|line| &**line).collect(),
        stages: Vec<LoadedStage<'a>> = resume.stages.iter().map(LoadedStage::of).collect(),
        not_loaded: Vec<SkippedStage> =
            resume.skipped.iter().map(|(stage, reason)| SkippedStage { stage, reason }).collect(),
        left_out: Vec<DroppedMemory<'a>> = resume.left_out().map(DroppedMemory::of).collect(),
        in_force: Vec<InForceCount> =
            resume.in_force.iter().map(|it| InForceCount::of(it, resume)).collect(),
        unanswered: &'a [&'static str] = &resume.unanswered,
        confirmation: &'a Confirmation = &resume.confirmation,
        budget: TokenBudget =
            TokenBudget { limit: resume.limit(), used: resume.to_text().tokens() },
    }

    /// What a stage of `resume` loaded within its limit.
    LoadedStage<'a>(stage: &'a Stage) {
        stage: &'static str = stage.name,
        limit: usize = stage.limit,
        used: usize = stage.used(),
        notes: &'a str = &stage.trail,
        memories: Vec<LoadedMemory<'a>> = stage.pieces.iter().map(LoadedMemory::of).collect(),
        found: &'a str = &stage.found,
        warnings: Vec<String> = stage.warnings().iter().map(Warning::line).collect(),
    }

    LoadedMemory<'a>(piece: &'a Piece) {
        id: &'a str = piece.id(),
        r#type: &'a str = &piece.wanted.entry.card.kind,
        title: &'a str = &piece.wanted.entry.card.title,
        state: &'a str = piece.wanted.entry.card.told_standing().0,
        origin: &'a str = piece.wanted.entry.card.told_standing().1,
        trust: f64 = piece.wanted.entry.card.trust,
        reason: &'a str = &piece.wanted.entry.reason,
        freshness: &'a str = &piece.wanted.entry.freshness,
        /// `whole`, `part`, `title` or `pointer`.
        form: &'static str = piece.form.as_str(),
        /// Empty where only the title or the id is shown.
        text: &'a str = if piece.form.is_text() { &piece.text } else { "" },
        /// `own` for a memory of the user's own store, else the name of a team's or organisation's.
        #[serde(skip_serializing_if = "Option::is_none")]
        store: Option<&'a str> = piece.wanted.entry.card.store(),
    }

    SkippedStage {
        stage: &'static str,
        reason: &'static str,
    }

    /// How much of a kind that binds is in force, and how much of that is not shown.
    InForceCount(kind: &InForce, resume: &Resume) {
        r#type: &'static str = kind.kind,
        count: usize = kind.count,
        not_shown: usize = kind.not_shown(resume),
    }

    /// `window`.
    WindowAnswer<'a>(window: &'a Window) {
        tokens: usize = window.tokens(),
        limit: usize = window.limit(),
        long_term: &'a Tier = &window.long_term,
        summary: &'a Tier = &window.summary,
        raw: RawTier<'a> = RawTier { tier: &window.raw, turns: window.turns },
    }

    /// The newest turns as they are.
    RawTier<'a> {
        #[serde(flatten)]
        tier: &'a Tier,
        turns: usize,
    }
}
