//! How the inbox is shown: the queue, the item, its context, and the bar of decisions.

use maud::{Markup, html};

use super::Tried;
use crate::frame::Scene;
use crate::house::inbox::{Inbox, InboxAsk, Item, PendingItem, QueueRow, Sides};
use crate::house::memory::{MemoryView, Verb};
use crate::pages::memory::{edit_form, fields_view};
use crate::pages::today::{cause_title, cause_words};
use crate::parts::{
    command, counted, empty, encoded, mark, memory_link, memory_path, moment, number, outcome_at,
    prose, state, trust, undo_path, unread,
};

pub(super) fn view(inbox: &Inbox, ask: &InboxAsk, tried: &Tried, scene: &Scene) -> Markup {
    html! {
        div data-part="said" {
            (outcome_at(ask.said.as_deref(), &undo_path(&here(ask, None), ask.of.as_deref().unwrap_or_default())))
        }
        (unread(&inbox.unread))
        @if inbox.rows.is_empty() && inbox.causes.is_empty() {
            h1 { "Inbox" }
            (empty("Nothing waits for a decision.", html! {
                "Hooks capture what people decide; " (command("oldhand install claude-code"))
                " sets them up. A proposal that contradicts a decision also comes here."
            }))
        } @else {
            div.inbox.opened[ask.at.is_some()] {
                (queue(inbox, ask, tried))
                div.item data-part="item" {
                    p.back { a href=(here(ask, None)) data-back { "← All items" } }
                    @match &inbox.item {
                        Some(item) => (item_view(item, scene)),
                        None if inbox.rows.is_empty() && ask.at.is_none() => (empty("Nothing that waits fits these filters.", html! {
                            a href="/review" { "Show everything that waits" }
                        })),
                        None => (empty("This item no longer waits.", html! {
                            a href=(here(ask, None)) { "Show the first one" }
                        })),
                    }
                }
                aside.context data-part="context" aria-label="Context" {
                    @if let Some(item) = &inbox.item { (context(item)) }
                }
                div.foot {
                    (several(ask, tried, scene))
                    div data-part="bar" {
                        @if let Some(item) = &inbox.item { (bar(item, inbox, ask, scene)) }
                    }
                }
            }
        }
    }
}

/// The inbox with another item, and the same filters.
fn here(ask: &InboxAsk, at: Option<&str>) -> String {
    let pairs = [
        ("cause", ask.cause.as_deref()),
        ("kind", ask.kind.as_deref()),
        ("role", ask.role.as_deref()),
        ("origin", ask.origin.as_deref()),
        ("session", ask.session.as_deref()),
        ("at", at),
    ];
    let set =
        pairs.into_iter().filter_map(|(name, it)| Some((name, it.filter(|it| !it.is_empty())?)));
    let query: Vec<String> = set.map(|(name, it)| format!("{name}={}", encoded(it))).collect();
    if query.is_empty() { "/review".to_owned() } else { format!("/review?{}", query.join("&")) }
}

fn queue(inbox: &Inbox, ask: &InboxAsk, tried: &Tried) -> Markup {
    let waiting: usize = inbox.causes.iter().map(|(_, count)| count).sum();
    let current = inbox.item.as_ref().map(|item| item.key.as_str());
    html! {
        div.queue {
            h1 data-part="waiting" { "Inbox" span.muted { " " (number(waiting as u64)) } }
            form.filters action="/review" {
                // Links lead to these; a choice among the others keeps them.
                @for (name, kept) in [("cause", &ask.cause), ("session", &ask.session)] {
                    @if let Some(kept) = kept { input type="hidden" name=(name) value=(kept); }
                }
                (choice("role", "Reviewer", &inbox.roles, ask.role.as_deref()))
                (choice("kind", "Kind", &inbox.kinds, ask.kind.as_deref()))
                (choice("origin", "Origin", &inbox.origins, ask.origin.as_deref()))
                button.quiet type="submit" { "Filter" }
            }
            @if here(ask, None) != "/review" {
                p { a href="/review" { "Show everything that waits" } }
            }
            @for (cause, count) in &inbox.causes {
                @let rows: Vec<&QueueRow> = inbox.rows.iter().filter(|row| row.cause == *cause).collect();
                @if !rows.is_empty() {
                    div.group {
                        h2 data-part={"cause-" (cause)} title=(cause_words(cause)) {
                            a href=(here(&InboxAsk { cause: Some(cause.clone()), ..ask.clone() }, None)) {
                                (cause_title(cause, *count))
                            }
                            span.muted { (number(*count as u64)) }
                        }
                        ol { @for row in rows { (row_view(row, current, ask, tried)) } }
                    }
                }
            }
            @if inbox.more > 0 {
                p.muted { (counted(inbox.more, "more item", "more items")) " behind these." }
            }
        }
    }
}

/// Decisions that need nothing but a reason.
const OVER_SEVERAL: [&str; 4] = ["promote", "keep", "reject", "archive"];

/// One decision over everything that is marked; the style sheet shows it instead of the other form
/// once something is.
fn several(ask: &InboxAsk, tried: &Tried, scene: &Scene) -> Markup {
    html! {
        form #several.decide method="post" action="/do/several" aria-label="Decide what is marked" {
            input type="hidden" name="token" value=(scene.form_token);
            input type="hidden" name="back" value=(here(ask, ask.at.as_deref()));
            (no_default())
            label for="reason-several" { "Your reason, for everything that is marked" }
            div.reasons {}
            textarea #reason-several name="reason" rows="2" required placeholder="Why?" { (tried.reason) }
            div.line { @for verb in OVER_SEVERAL { (verb_button("decision", verb, None)) } }
        }
    }
}

fn choice(name: &str, label: &str, values: &[String], chosen: Option<&str>) -> Markup {
    html! {
        @if values.len() > 1 {
            label.hidden for={"f-" (name)} { (label) }
            select id={"f-" (name)} name=(name) {
                option value="" { (label) ": all" }
                @for value in values {
                    option value=(value) selected[chosen == Some(value)] { (value.replace('_', " ")) }
                }
            }
        }
    }
}

fn row_view(row: &QueueRow, current: Option<&str>, ask: &InboxAsk, tried: &Tried) -> Markup {
    let refused = tried.refused.get(&row.key);
    let is_here = current == Some(row.key.as_str());
    html! {
        li.here[is_here] data-part={"row-" (row.key)} {
            @if let Some(hash) = &row.hash {
                input type="checkbox" form="several" name={"mark-" (row.key)} value=(hash)
                    checked[refused.is_some()] aria-label={"Mark " (row.title)};
            }
            a href=(here(ask, Some(&row.key))) data-row aria-current=[is_here.then_some("true")] {
                (mark(&row.state))
                span.title { (row.title) }
                span.more {
                    (row.kind.replace('_', " "))
                    @if let Some(since) = &row.since { " · " (moment(since)) }
                    @if let Some(it) = row.trust { " · trust " (format!("{it:.2}")) }
                    @if !row.role.is_empty() { " · " (row.role) }
                }
            }
            @if let Some(why) = refused { p.told.bad { (prose(why)) } }
        }
    }
}

fn item_view(item: &Item, scene: &Scene) -> Markup {
    html! {
        @match (&item.pending, &item.memory) {
            (Some(pending), _) => (pending_view(pending)),
            (None, Some(memory)) => (memory_view(item, memory, scene)),
            (None, None) => {},
        }
    }
}

fn memory_view(item: &Item, memory: &MemoryView, scene: &Scene) -> Markup {
    html! {
        div.eyebrow {
            span { (cause_title(&item.cause, 1)) }
            @if let Some(since) = &item.since { span { (moment(since)) } }
            span { "reviewed by " (item.role) }
        }
        h2.title tabindex="-1" { a href=(memory_path(&memory.id)) data-key="Enter" { (memory.title) } }
        div.eyebrow {
            span { (memory.kind.replace('_', " ")) }
            (state(&memory.state))
            (trust(memory.trust))
        }
        @if let Some(reason) = &memory.state_reason { p.note { (prose(reason)) } }
        (fields_view(&memory.fields))
        @if !memory.evidence.is_empty() {
            h3 { "Evidence" }
            ul.plain { @for one in &memory.evidence { li.mono { (one) } } }
        }
        @if !item.failed.is_empty() {
            h3 { "Where it did not help" }
            ul.rows { @for (at, note) in &item.failed { li { span.muted { (moment(at)) } " " (note) } } }
        }
        (edit_form(&memory.id, &memory.title, &memory.hash, &memory.fields, &scene.form_fields()))
    }
}

fn pending_view(pending: &PendingItem) -> Markup {
    html! {
        div.eyebrow {
            span { @if pending.is_conflict { "Conflict" } @else { "Approval" } }
            span { "proposed " (moment(&pending.at)) " by " (pending.by) }
        }
        h2.title tabindex="-1" { (pending.title) }
        @for sides in &pending.sides { (sides_view(sides)) }
        @if !pending.is_conflict {
            p { (memory_link(&pending.memory)) " shall become " strong { (pending.to) } ". "
                @if !pending.reason.is_empty() { span.muted { (pending.reason) } } }
            h3 { "Who has agreed" }
            ul.rows { @for (by, role, at) in &pending.votes {
                li { (by) @if !role.is_empty() { span.muted { " as " (role) } } " " span.muted { (moment(at)) } }
            } }
        }
        @if !pending.proposal.is_empty() {
            details.table { summary { "The whole proposal" } (fields_view(&pending.proposal)) }
        }
    }
}

fn sides_view(sides: &Sides) -> Markup {
    html! {
        div.sides {
            div {
                p.label { "Decided" @if !sides.date.is_empty() { ", " (sides.date) } }
                p.statement { (marked(&sides.theirs)) }
                p { (memory_link(&sides.decided)) }
            }
            div {
                p.label { "Proposed" }
                p.statement { (marked(&sides.ours)) }
            }
        }
        p.muted { (prose(&sides.why)) }
    }
}

fn marked(pieces: &[(String, bool)]) -> Markup {
    html! {
        @for (text, clashes) in pieces { @if *clashes { mark { (text) } } @else { (text) } }
    }
}

/// The label and the key of a decision.
fn words(name: &str) -> (&'static str, &'static str) {
    match name {
        "promote" => ("Promote", "p"),
        "keep" => ("Keep", "y"),
        "reinstate" => ("Reinstate", "i"),
        "reject" => ("Reject", "r"),
        "supersede" => ("Supersede", "s"),
        "archive" => ("Archive", "a"),
        "follow" => ("Follow what was decided", "f"),
        "keep_both" => ("Keep both", "b"),
        _ => ("Decide", ""),
    }
}

/// Enter in a field decides nothing: a form whose first button is disabled is not sent by it.
fn no_default() -> Markup {
    html! { button type="submit" disabled hidden {} }
}

/// `field` is what the form calls the decision; an approval is a promotion of its own.
fn verb_button(field: &str, verb: &str, refused: Option<&str>) -> Markup {
    let (label, key) = words(verb);
    html! {
        button type="submit" name=(field) value=(verb) data-verb data-key=(key)
            formaction=[(field == "approve").then_some("/do/promote")]
            disabled[refused.is_some()] title=[refused] {
            (label) " " kbd { (key) }
        }
    }
}

fn bar(item: &Item, inbox: &Inbox, ask: &InboxAsk, scene: &Scene) -> Markup {
    let at = inbox.rows.iter().position(|row| row.key == item.key);
    let others = at.and_then(|at| {
        inbox.rows.get(at + 1).or(at.checked_sub(1).and_then(|it| inbox.rows.get(it)))
    });
    let next = here(ask, others.map(|row| row.key.as_str()));
    let known = serde_json::to_string(&inbox.reasons).unwrap_or_default();
    let (action, field) = match item.pending {
        Some(_) => ("/do/resolve", "resolution"),
        None => ("/do/review", "decision"),
    };
    let refused: Vec<&Verb> = item.verbs.iter().filter(|verb| verb.refused.is_some()).collect();
    html! {
        form #decide.decide method="post" action=(action) aria-label="Decide" {
            (scene.form_fields())
            (no_default())
            input type="hidden" name="next" value=(next);
            @if let Some(pending) = &item.pending {
                input type="hidden" name="pending" value=(pending.name);
                input type="hidden" name="if_match" value=(pending.hash);
                // Who approves promotes the memory; who does not drops the request.
                @if !pending.is_conflict { input type="hidden" name="id" value=(pending.memory.id); }
            }
            @if let Some(memory) = &item.memory {
                input type="hidden" name="id" value=(memory.id);
                input type="hidden" name="if_match" value=(memory.hash);
            }
            @if item.verbs.iter().any(|it| it.name == "supersede" && it.refused.is_none()) && item.pending.is_none() {
                div data-for="supersede reinstate" {
                    label for="more" { "The successor's id, or the new guidance" }
                    input #more name="more";
                }
            }
            label for="reason" { "Your reason" }
            div.reasons data-known=(known) {}
            textarea #reason name="reason" rows="2" placeholder="Why?" {}
            div.line {
                @for verb in &item.verbs {
                    @let field = if item.pending.is_some() && verb.name == "promote" { "approve" } else { field };
                    (verb_button(field, verb.name, verb.refused.as_deref()))
                }
            }
            @if !refused.is_empty() {
                details.refused { summary { (counted(refused.len(), "decision is", "decisions are")) " not possible now" }
                    ul.plain { @for verb in refused {
                        li { strong { (words(verb.name).0) } ": " (prose(verb.refused.as_deref().unwrap_or_default())) }
                    } }
                }
            }
        }
    }
}

fn context(item: &Item) -> Markup {
    let memory = item.memory.as_ref();
    html! {
        @if !item.near.is_empty() {
            h3 { "Near it" }
            ul.near { @for near in &item.near {
                li { (mark(&near.state)) span { (memory_link(&near.memory)) }
                    @if let Some(likeness) = near.likeness { span.n.muted title="likeness" { (format!("{:.0} %", likeness * 100.0)) } } }
            } }
        }
        @if let Some(memory) = memory {
            @if !memory.code.is_empty() {
                h3 { "Code" }
                ul.plain { @for one in &memory.code {
                    li { span.mono { (one.path) } " " span class={"v-" (one.verdict)} { (one.verdict) }
                        span.muted { " " (prose(&one.reason)) } }
                } }
            }
            @if !item.commits.is_empty() {
                h3 { "Last commits" }
                ul.plain { @for one in &item.commits {
                    li { code { (one.id) } " " (one.subject)
                        span.muted { " " (one.by) @if let Some(at) = &one.at { ", " (moment(at)) } } }
                } }
            }
            @if !memory.linked.is_empty() {
                h3 { "Links" }
                ul.plain { @for one in &memory.linked { li { span.muted { (one.relation) } " " (memory_link(&one.memory)) } } }
            }
            h3 { "History" }
            ul.plain.story { @for sentence in &memory.story { li { (prose(sentence)) } } }
        }
        @if item.pending.as_ref().is_some_and(|it| it.is_conflict) {
            p.muted { "Following keeps what was decided and drops the proposal. Superseding puts the proposal in its place." }
        }
    }
}
