//! The answer of an import.

use crate::transfer::report::{Fate, Item, SourceReport};

answers! {
    /// What became of one record.
    ImportedRecord {
        source: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        #[serde(skip_serializing_if = "String::is_empty")]
        reason: String,
    }

    ImportedSource {
        /// The format and the place.
        from: String,
        records: usize,
    }

    ImportReport(reports: &[SourceReport]) {
        created: Vec<String> = ids(reports, Fate::Created),
        unchanged: Vec<String> = ids(reports, Fate::Unchanged),
        /// What was not taken; the rest was.
        refused: Vec<ImportedRecord> = of(reports, Fate::Refused),
        sources: Vec<ImportedSource> = reports.iter().map(source).collect(),
        updated: Vec<ImportedRecord> = of(reports, Fate::Updated),
        joined: Vec<ImportedRecord> = of(reports, Fate::Joined),
        moved: Vec<ImportedRecord> = of(reports, Fate::Moved),
        diverged: Vec<ImportedRecord> = of(reports, Fate::Diverged),
        held: Vec<ImportedRecord> = of(reports, Fate::Held),
        skipped: Vec<ImportedRecord> = of(reports, Fate::Skipped),
        gone: Vec<ImportedRecord> = of(reports, Fate::Gone),
        notes: Vec<String> = reports.iter().flat_map(|it| it.notes.clone()).collect(),
        /// Commands that set here what was set there.
        settings: Vec<String> = reports.iter().flat_map(|it| it.settings.clone()).collect(),
    }
}

fn items(reports: &[SourceReport], fate: Fate) -> impl Iterator<Item = &Item> {
    reports.iter().flat_map(move |report| report.of(fate))
}

fn ids(reports: &[SourceReport], fate: Fate) -> Vec<String> {
    items(reports, fate).filter_map(|item| item.id.clone()).collect()
}

fn of(reports: &[SourceReport], fate: Fate) -> Vec<ImportedRecord> {
    let record = |item: &Item| ImportedRecord {
        source: item.source.clone(),
        id: item.id.clone(),
        reason: item.reason.clone(),
    };
    items(reports, fate).map(record).collect()
}

fn source(report: &SourceReport) -> ImportedSource {
    ImportedSource { from: report.from.clone(), records: report.records }
}
