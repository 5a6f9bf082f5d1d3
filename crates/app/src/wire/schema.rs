//! The JSON schemas of the answers.

use schemars::{JsonSchema, schema_for};
use serde_json::Value;

use super::{check, list, memory, pending, program, recall, review};
use crate::{doctor, fresh, gc, health, history, render, stats, sweep, transfer, undo};

/// Every answer by its name. One name can have several: a command answers different questions.
pub fn schemas() -> Vec<(&'static str, Value)> {
    fn of<T: JsonSchema>() -> Value {
        schema_for!(T).to_value()
    }
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
        ("import", of::<transfer::Imported>()),
        ("index", of::<list::RegistryPage<'_>>()),
        ("list", of::<list::List<'_>>()),
        ("log", of::<program::HookLog<'_>>()),
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
