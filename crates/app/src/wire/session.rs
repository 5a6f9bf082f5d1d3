//! Answers about sessions: their notes, and the compaction of their conversations.

use oldhand_sessions::compact::{Checked, Compaction, Fact, Group};
use oldhand_sessions::notes::{Item, ItemState, Notes};
use oldhand_text::tokens;

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

    /// Turns that belong together.
    TurnGroup<'a>(group: &'a Group) {
        first_line: usize = group.first_line,
        last_line: usize = group.last_line,
        turns: usize = group.turns,
        lines: &'a [String] = &group.lines,
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
        groups: Option<Vec<TurnGroup<'a>>> = None,
    }

    /// `compact --check`.
    CheckedSummary<'a>(checked: &'a Checked) {
        kept: usize = checked.kept,
        named_as_left_out: usize = checked.dropped,
        missing: Vec<ConversationFact<'a>> =
            checked.missing.iter().map(ConversationFact::of).collect(),
    }
}
