//! The types of the answers, by the names of their schemas.

use oldhand_app::wire::{
    architecture, capture, check, import, learn, list, memory, pending, program, recall, review,
    session, setup, work,
};
use oldhand_app::{doctor, fresh, gc, health, history, render, stats, status, sweep, undo};
use oldhand_sessions::anchor::Anchor;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// Every answer by its name. One name can have several: a command answers different questions.
pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    [of_memories(), of_work()].concat()
}

fn of<T: JsonSchema>() -> Value {
    // What is left out of an answer when it is empty is not required.
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

fn of_memories() -> Vec<(&'static str, Value)> {
    vec![
        ("apply", of::<memory::Applied<'_>>()),
        ("check", of::<check::Check<'_>>()),
        ("completions", of::<program::Completions<'_>>()),
        ("config-get", of::<program::SettingValue<'_>>()),
        ("config-list", of::<program::SettingsList<'_>>()),
        ("config-set", of::<program::ChangedSetting<'_>>()),
        ("doctor", of::<doctor::Diagnosis>()),
        ("error", of::<program::ErrorAnswer<'_>>()),
        ("export", of::<program::ExportedFolder>()),
        ("forget", of::<memory::ForgetQuestion<'_>>()),
        ("fresh", of::<fresh::FreshReport>()),
        ("gc", of::<gc::Collected>()),
        ("health", of::<health::Health>()),
        ("history", of::<history::History>()),
        ("import", of::<import::ImportReport>()),
        ("index", of::<list::RegistryPage<'_>>()),
        ("init", of::<setup::MadeStore<'_>>()),
        ("install", of::<setup::InstallAnswer<'_, setup::ChangedHost<'_>>>()),
        ("install-list", of::<setup::InstallAnswer<'_, setup::KnownHost>>()),
        ("list", of::<list::List<'_>>()),
        ("log", of::<program::HookLog<'_>>()),
        ("man", of::<program::ExportedFolder>()),
        ("memory", of::<memory::WholeMemory<'_>>()),
        ("pending", of::<pending::PendingMatter<'_>>()),
        ("pending-list", of::<pending::PendingList<'_>>()),
        ("promote", of::<pending::PromotedMemory<'_>>()),
        ("recall", of::<recall::Recall<'_>>()),
        ("reindex", of::<list::Reindexed<'_>>()),
        ("render", of::<render::Rendered>()),
        ("resolve", of::<pending::ResolvedMatter<'_>>()),
        ("review", of::<review::ReviewList<'_>>()),
        ("review-archive", of::<review::ArchiveReview<'_>>()),
        ("search", of::<list::Search<'_>>()),
        ("stats", of::<stats::StoreNumbers>()),
        ("status", of::<status::StoreStatus>()),
        ("supersede", of::<memory::SupersededMemory<'_>>()),
        ("sweep", of::<sweep::Swept>()),
        ("tour", of::<program::Tour<'_>>()),
        ("trust", of::<program::TrustedStore<'_>>()),
        ("undo", of::<undo::Undone>()),
        ("why-life", of::<recall::LifeStory<'_>>()),
        ("why-served", of::<recall::WhyServed<'_>>()),
        ("written", of::<memory::WrittenMemory<'_>>()),
    ]
}

/// Of sessions, tasks and capture.
fn of_work() -> Vec<(&'static str, Value)> {
    vec![
        ("anchor", of::<Anchor>()),
        ("architecture", of::<architecture::Architecture<'_>>()),
        ("architecture-change", of::<architecture::ArchitectureChange<'_>>()),
        ("architecture-draft", of::<architecture::ArchitectureDraft>()),
        ("architecture-update", of::<architecture::UpdatedArchitecture<'_>>()),
        ("candidate", of::<capture::CategoryCheck<'_>>()),
        ("capture", of::<capture::CapturedSentences<'_>>()),
        ("capture-save", of::<capture::SavedDrafts<'_>>()),
        ("check-task", of::<work::CheckedTask<'_>>()),
        ("compact", of::<session::CompactedConversation<'_>>()),
        ("compact-check", of::<session::CheckedSummary<'_>>()),
        ("handoff", of::<work::HandoffAnswer<'_>>()),
        ("kept", of::<session::KeptNote<'_>>()),
        ("learn", of::<learn::LearnedLessons<'_>>()),
        ("note", of::<session::WrittenNote<'_>>()),
        ("notes", of::<session::SessionNotes<'_>>()),
        ("notes-discard", of::<session::DiscardedNotes<'_>>()),
        ("receipts", of::<setup::ServedReceipts<'_>>()),
        ("resume", of::<session::ResumedWork<'_>>()),
        ("sessions", of::<session::KnownSessions<'_>>()),
        ("summary", of::<work::TaskSummaryAnswer<'_>>()),
        ("task-end", of::<work::EndedTask<'_>>()),
        ("task-show", of::<work::CurrentTask<'_>>()),
        ("task-start", of::<work::StartedTask<'_>>()),
        ("triage", of::<capture::TriageAnswer<'_>>()),
        ("verify", of::<capture::VerifiedDraft<'_>>()),
        ("window", of::<session::WindowAnswer<'_>>()),
    ]
}
