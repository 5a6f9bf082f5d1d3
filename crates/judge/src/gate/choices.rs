//! Exclusive choices: things of which a project takes one for one purpose.

mod table;

use super::phrases;
use super::words::Word;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Database,
    Cache,
    Language,
    NodePackages,
    PythonPackages,
    JvmBuild,
    BuildTool,
    Bundler,
    MonorepoTool,
    Format,
    ApiStyle,
    WebFrontend,
    WebBackend,
    JsTests,
    PyTests,
    E2eTests,
    JavaTests,
    Ci,
    Queue,
    Auth,
    Money,
    Clock,
    NameStyle,
    MergeStyle,
    RepoLayout,
    Cloud,
    Licence,
    StateStore,
    Ids,
    Infra,
    Orchestration,
    Container,
    JsLog,
    JvmLog,
    Logs,
    Metrics,
    Errors,
    Css,
    JsFormat,
    JsLint,
    PyFormat,
    PyLint,
    PyTypes,
    ApiVersion,
    Paging,
    Migrations,
    Orm,
    SessionStore,
    Compression,
    BlobStore,
    Branching,
    Rollout,
    ReactStyle,
    Search,
    VectorStore,
    LiveUpdates,
    Desktop,
    Mobile,
    Proxy,
    Secrets,
    Docs,
    VersionScheme,
    Vcs,
    CodeHost,
    Hashing,
    TlsLib,
    AsyncRuntime,
    Mail,
    Payment,
    FlagService,
    ErrorStyle,
    RustErrors,
    HttpClientJs,
    HttpClientPy,
    HttpClientRust,
    JsonStyle,
    Quotes,
    LineEnd,
    Encoding,
    Hooks,
    Injection,
    PersistenceStyle,
    Deletion,
    Template,
    Scheduler,
    Cdn,
    Identity,
    Warehouse,
}

impl Group {
    /// Stems that say which choice it is and not for what it is made. Sorted.
    pub(super) fn roles(self) -> &'static [&'static str] {
        ROLES.iter().find(|(group, _)| *group == self).map_or(&[], |(_, roles)| roles)
    }
}

/// A member of a group, where the sentence names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pick {
    pub group: Group,
    pub member: &'static str,
    pub words: std::ops::Range<usize>,
}

pub(super) fn picks_of(words: &[Word]) -> Vec<Pick> {
    phrases::longest(
        words.len(),
        |at| rows_at(words, at).collect(),
        |row, words| Pick { group: row.1, member: row.2, words },
    )
}

/// The rows whose phrase begins at this word, and how many words it has.
fn rows_at(words: &[Word], at: usize) -> impl Iterator<Item = (&'static table::Row, usize)> {
    let first = &words[at];
    let is_proper = first.is_capital && (at > 0 || first.is_all_capitals);
    let prefix = first.text.strip_suffix('s').unwrap_or(&first.text);
    let from = table::ROWS.partition_point(|row| row.0 < prefix);
    table::ROWS[from..]
        .iter()
        .take_while(move |row| row.0.starts_with(prefix))
        .filter(move |row| is_proper || table::PROPER.binary_search(&row.0).is_err())
        .filter_map(move |row| Some((row, matched(row.0, &words[at..])?)))
}

/// How many words the phrase has when they stand here; a plural is listed only where it is spelled
/// in another way.
fn matched(phrase: &str, words: &[Word]) -> Option<usize> {
    let mut length = 0;
    let mut parts = phrase.split(' ').peekable();
    while let Some(part) = parts.next() {
        let word = words.get(length)?.text.as_str();
        let is_same =
            word == part || parts.peek().is_none() && word.strip_suffix('s') == Some(part);
        if !is_same {
            return None;
        }
        length += 1;
    }
    Some(length)
}

/// The roles of each group.
#[rustfmt::skip]
const ROLES: &[(Group, &[&str])] = &[
    (Group::Database, &["data", "databas", "datastor", "main", "persist", "persistent", "primari", "relat", "sql", "storag", "store"]),
    (Group::Cache, &["cach", "layer", "store"]),
    (Group::Language, &["code", "implement", "languag", "new", "program", "write", "written"]),
    (Group::NodePackages, &["depend", "manag", "packag"]),
    (Group::PythonPackages, &["depend", "manag", "packag", "python"]),
    (Group::JvmBuild, &["build", "java", "system", "tool"]),
    (Group::BuildTool, &["build", "system", "tool"]),
    (Group::Bundler, &["build", "bundl", "bundler"]),
    (Group::MonorepoTool, &["manag", "monorepo", "packag"]),
    (Group::Format, &["encod", "file", "format", "serial", "written"]),
    (Group::ApiStyle, &["api", "endpoint", "expos", "interfac", "protocol", "style"]),
    (Group::WebFrontend, &["end", "framework", "front", "frontend", "librari", "ui"]),
    (Group::WebBackend, &["framework", "http", "server", "web"]),
    (Group::JsTests, &["framework", "runner", "test", "unit"]),
    (Group::PyTests, &["framework", "runner", "test", "unit"]),
    (Group::E2eTests, &["browser", "e2e", "end", "framework", "runner", "test", "to"]),
    (Group::JavaTests, &["framework", "test", "unit"]),
    (Group::Ci, &["build", "cd", "ci", "continu", "integr", "pipelin", "system"]),
    (Group::Queue, &["broker", "bus", "event", "job", "messag", "queue", "stream"]),
    (Group::Auth, &["auth", "authent", "login", "method"]),
    (Group::Money, &["number", "repres", "store"]),
    (Group::Clock, &["store", "time", "timezon", "zone"]),
    (Group::NameStyle, &["case", "convent", "name", "style"]),
    (Group::MergeStyle, &["merg", "strategi", "style"]),
    (Group::RepoLayout, &["repo", "repositori"]),
    (Group::Cloud, &["cloud", "deploy", "host", "provid", "run"]),
    (Group::Licence, &["licenc", "licens", "publish", "releas"]),
    (Group::StateStore, &["librari"]),
    (Group::Ids, &["id", "identifi"]),
    (Group::Infra, &["code", "iac", "infrastructur", "provis"]),
    (Group::Orchestration, &["contain", "deploy", "orchestr", "run", "workload"]),
    (Group::Container, &["contain", "imag"]),
    (Group::JsLog, &["librari", "log", "logger"]),
    (Group::JvmLog, &["librari", "log", "logger"]),
    (Group::Logs, &["log"]),
    (Group::Metrics, &["metric", "monitor"]),
    (Group::Errors, &["error", "report", "track"]),
    (Group::Css, &["css", "style"]),
    (Group::JsFormat, &["code", "format", "formatt"]),
    (Group::JsLint, &["lint", "linter"]),
    (Group::PyFormat, &["code", "format", "formatt", "python"]),
    (Group::PyLint, &["lint", "linter", "python"]),
    (Group::PyTypes, &["check", "checker", "python", "type"]),
    (Group::ApiVersion, &["version"]),
    (Group::Paging, &["page", "pagin"]),
    (Group::Migrations, &["databas", "migrat", "schema"]),
    (Group::Orm, &["access", "databas", "orm", "persist", "queri"]),
    (Group::SessionStore, &["kept", "session", "store"]),
    (Group::Compression, &["compress"]),
    (Group::BlobStore, &["file", "storag", "store"]),
    (Group::Branching, &["branch", "develop", "model", "strategi"]),
    (Group::Rollout, &["deploy", "releas", "rollout", "strategi"]),
    (Group::ReactStyle, &["compon"]),
    (Group::Search, &["engin", "full", "search", "text"]),
    (Group::VectorStore, &["databas", "embed", "store", "vector"]),
    (Group::LiveUpdates, &["live", "real", "time", "updat"]),
    (Group::Desktop, &["applic", "desktop", "framework"]),
    (Group::Mobile, &["applic", "framework", "mobil"]),
    (Group::Proxy, &["balanc", "load", "proxi", "revers"]),
    (Group::Secrets, &["secret", "store"]),
    (Group::Docs, &["doc", "document", "site"]),
    (Group::VersionScheme, &["releas", "scheme", "version"]),
    (Group::Vcs, &["control", "version"]),
    (Group::CodeHost, &["code", "host", "repositori"]),
    (Group::Hashing, &["hash"]),
    (Group::TlsLib, &["ssl", "tls"]),
    (Group::AsyncRuntime, &["async", "runtim"]),
    (Group::Mail, &["mail", "provid", "send"]),
    (Group::Payment, &["payment", "provid"]),
    (Group::FlagService, &["featur", "flag"]),
    (Group::ErrorStyle, &["error", "handl"]),
    (Group::RustErrors, &["error"]),
    (Group::HttpClientJs, &["client", "http"]),
    (Group::HttpClientPy, &["client", "http"]),
    (Group::HttpClientRust, &["client", "http"]),
    (Group::JsonStyle, &["enum"]),
    (Group::Quotes, &["quot", "string"]),
    (Group::LineEnd, &["end", "line"]),
    (Group::Encoding, &["encod", "file", "text"]),
    (Group::Hooks, &["git", "hook"]),
    (Group::Injection, &["depend", "inject"]),
    (Group::PersistenceStyle, &["store"]),
    (Group::Deletion, &["delet"]),
    (Group::Template, &["engin", "templat"]),
    (Group::Scheduler, &["job", "schedul", "workflow"]),
    (Group::Cdn, &["cdn"]),
    (Group::Identity, &["ident", "login", "provid"]),
    (Group::Warehouse, &["data", "warehous"]),
];

#[cfg(test)]
#[test]
fn the_tables_are_sorted() {
    assert!(table::ROWS.is_sorted_by_key(|row| row.0));
    assert!(table::PROPER.is_sorted());
    assert!(ROLES.iter().all(|(_, roles)| roles.is_sorted()));
}
