//! Memories: all of them, filtered by links with counts, a page at a time.

use axum::Router;
use axum::extract::Query;
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};

use crate::app::App;
use crate::frame::{Visit, show, twin};
use crate::house::memories::{Memories, MemoriesAsk, MemoryRow};
use crate::parts::{
    command, counted, empty, encoded, memory_path, moment_or_dash, number, outcome, state, trust,
};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/memories", get(page)).route("/memories.json", get(json))
}

async fn page(visit: Visit, Query(ask): Query<MemoriesAsk>) -> Response {
    let asked = ask.clone();
    let title = |_: &Memories| "Memories".to_owned();
    show(visit, title, move |house| house.memories(&asked), move |found, _| view(found, &ask)).await
}

async fn json(visit: Visit, Query(ask): Query<MemoriesAsk>) -> Response {
    twin(visit, move |house| house.memories_json(&ask)).await
}

impl MemoriesAsk {
    fn pairs(&self) -> [(&'static str, Option<&str>); 10] {
        [
            ("q", self.q.as_deref()),
            ("by", self.by.as_deref()),
            ("kind", self.kind.as_deref()),
            ("state", self.state.as_deref()),
            ("scope", self.scope.as_deref()),
            ("tag", self.tag.as_deref()),
            ("origin", self.origin.as_deref()),
            ("path", self.path.as_deref()),
            ("freshness", self.freshness.as_deref()),
            ("sort", self.sort.as_deref()),
        ]
    }

    fn value(&self, name: &str) -> Option<&str> {
        let found = self.pairs().into_iter().find(|(one, _)| *one == name);
        found.and_then(|(_, value)| value).filter(|it| !it.is_empty())
    }

    /// The same list with one thing asked otherwise, from its beginning.
    fn with(&self, name: &str, value: Option<&str>) -> String {
        let others = self.pairs().into_iter().filter(|(one, _)| *one != name);
        let pairs = others.chain([(if name == "after" { "after" } else { name_of(name) }, value)]);
        let set =
            pairs.filter_map(|(name, value)| Some((name, value.filter(|it| !it.is_empty())?)));
        let query: Vec<String> =
            set.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        if query.is_empty() {
            "/memories".to_owned()
        } else {
            format!("/memories?{}", query.join("&"))
        }
    }
}

fn name_of(name: &str) -> &'static str {
    let names = MemoriesAsk::default().pairs().map(|(one, _)| one);
    names.into_iter().find(|one| *one == name).unwrap_or("q")
}

/// Parameter, heading, and whether it is a number.
const COLUMNS: [(&str, &str, bool); 8] = [
    ("state", "State", false),
    ("title", "Title", false),
    ("kind", "Kind", false),
    ("scope", "Scope", false),
    ("trust", "Trust", false),
    ("uses", "Uses", true),
    ("freshness", "Code", false),
    ("updated", "Updated", false),
];

fn view(found: &Memories, ask: &MemoriesAsk) -> Markup {
    html! {
        (outcome(ask.said.as_deref()))
        h1 { "Memories" }
        (looking_for(ask))
        @for note in &found.notes { p.note { (note) } }
        @if found.all == 0 {
            (empty("No memory has been written yet.", html! {
                "Save the first one in your own words: "
                (command("oldhand remember \"we keep money in integer cents\"")) "."
            }))
        } @else {
            div.browse {
                (filters(found, ask))
                div.found {
                    (chosen(found, ask))
                    @if found.rows.is_empty() {
                        (empty("No memory matches.", html! { a href="/memories" { "Show all" } }))
                    } @else {
                        (table(found, ask))
                        (pager(found, ask))
                    }
                }
            }
        }
    }
}

fn looking_for(ask: &MemoriesAsk) -> Markup {
    let is_recall = ask.by.as_deref() == Some("recall");
    html! {
        form.look action="/memories" {
            @for (name, value) in ask.pairs() {
                @if let Some(value) = value.filter(|it| !it.is_empty() && name != "q" && name != "by") {
                    input type="hidden" name=(name) value=(value);
                }
            }
            label.hidden for="q" { "Look for" }
            input #q type="search" name="q" value=[ask.q.as_deref()]
                placeholder="Words of a title, a tag or the text";
            fieldset.switch {
                legend.hidden { "How" }
                label { input type="radio" name="by" value="" checked[!is_recall]; span { "Search" } }
                label { input type="radio" name="by" value="recall" checked[is_recall]; span { "Recall" } }
            }
            button type="submit" { "Find" }
        }
    }
}

fn filters(found: &Memories, ask: &MemoriesAsk) -> Markup {
    html! {
        aside #filters.facets aria-label="Filters" {
            @for facet in found.facets.iter().filter(|it| !it.values.is_empty()) {
                @let chosen = ask.value(facet.name);
                details open[facet.values.len() <= 12 || chosen.is_some()] {
                    summary { (facet_title(facet.name)) }
                    ul {
                        @for (value, count) in &facet.values {
                            @let is_chosen = chosen == Some(value.as_str());
                            li {
                                a href=(ask.with(facet.name, (!is_chosen).then_some(value)))
                                    aria-current=[is_chosen.then_some("true")] {
                                    span.value {
                                        @if facet.name == "state" { (state(value)) }
                                        @else { (value.replace('_', " ")) }
                                    }
                                    span.n { (number(*count as u64)) }
                                }
                            }
                        }
                    }
                    @if facet.more > 0 {
                        p.muted { (number(facet.more as u64)) " more" }
                    }
                }
            }
        }
    }
}

fn facet_title(name: &str) -> &'static str {
    match name {
        "kind" => "Kind",
        "state" => "State",
        "scope" => "Scope",
        "tag" => "Tag",
        "origin" => "Origin",
        "path" => "Path",
        _ => "Code",
    }
}

fn chosen(found: &Memories, ask: &MemoriesAsk) -> Markup {
    let names = ["q", "kind", "state", "scope", "tag", "origin", "path", "freshness"];
    html! {
        div.chosen {
            span.total {
                (counted(found.total, "memory", "memories"))
                @if found.total < found.all { span.muted { " of " (number(found.all as u64)) } }
            }
            a.to-filters href="#filters" { "Filters" }
            @for name in names {
                @if let Some(value) = ask.value(name) {
                    a.chip href=(ask.with(name, None)) title="Remove this filter" {
                        span.muted { (name) } " " (value.replace('_', " ")) span.x aria-hidden="true" { "×" }
                    }
                }
            }
        }
    }
}

fn table(found: &Memories, ask: &MemoriesAsk) -> Markup {
    let sort = ask.sort.as_deref().unwrap_or("-updated");
    let is_searched = found.rows.iter().any(|row| row.place.is_some());
    html! {
        table.memories {
            thead { tr {
                @for (name, heading, is_number) in COLUMNS {
                    @let down = sort == format!("-{name}");
                    @let up = sort == name;
                    @let next = if down { name.to_owned() } else { format!("-{name}") };
                    th scope="col" class={"c-" (name) @if is_number { " n" }}
                        aria-sort=[if up { Some("ascending") } else { down.then_some("descending") }] {
                        a href=(ask.with("sort", Some(&next))) {
                            // The column is as narrow as its marks.
                            @if name == "state" { span.hidden { (heading) } span aria-hidden="true" { "◐" } } @else { (heading) }
                            span.way aria-hidden="true" { @if up { "↑" } @else if down { "↓" } } }
                    }
                }
            } }
            tbody {
                @for row in &found.rows { (row_view(row, is_searched)) }
            }
        }
    }
}

fn row_view(row: &MemoryRow, is_searched: bool) -> Markup {
    html! {
        tr {
            td.c-state title=(row.state.replace('_', " ")) { (state(&row.state)) }
            td.c-title {
                a href=(memory_path(&row.id)) title=(row.id) { (row.title) }
                @if is_searched {
                    @if let Some(place) = &row.place { span.place { (place) } }
                }
            }
            td.c-kind { (row.kind.replace('_', " ")) }
            td.c-scope { (row.scope) }
            td.c-trust { (trust(row.trust)) }
            td.c-uses.n { @if row.uses == 0 { span.muted { "–" } } @else { (row.uses) } }
            td.c-freshness {
                @if let Some(verdict) = &row.freshness { span class={"v-" (verdict)} { (verdict) } }
                @else { span.muted { "–" } }
            }
            td.c-updated { (moment_or_dash(row.updated.as_ref())) }
        }
    }
}

fn pager(found: &Memories, ask: &MemoriesAsk) -> Markup {
    let last = found.first + found.rows.len();
    html! {
        nav.pager aria-label="More of the list" {
            span.muted { (number(found.first as u64 + 1)) "–" (number(last as u64)) " of "
                (number(found.total as u64)) }
            @if found.first > 0 { a href=(ask.with("after", None)) { "First page" } }
            @if let Some(row) = found.rows.last().filter(|_| found.has_more) {
                a rel="next" href=(ask.with("after", Some(&row.id))) { "Next page" }
            }
        }
    }
}
