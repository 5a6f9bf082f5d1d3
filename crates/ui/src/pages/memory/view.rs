//! How one memory is shown.

use maud::{Markup, html};

use super::Said;
use crate::frame::Scene;
use crate::house::memory::{CodePath, Field, Linked, MemoryView, ServedIn, Verb, Version};
use crate::markdown::markdown;
use crate::parts::{
    command, encoded, memory_link, moment, moment_or_dash, outcome, prose, state, trust,
};

pub(super) fn view(memory: &MemoryView, said: &Said, scene: &Scene) -> Markup {
    html! {
        (outcome(said.said.as_deref()))
        div.eyebrow {
            a href={"/memories?kind=" (encoded(&memory.kind))} { (memory.kind.replace('_', " ")) }
            (state(&memory.state))
        }
        h1 { (memory.title) }
        p.id.mono.muted { (memory.id) }
        div.reading {
            div.text {
                @if let Some(reason) = &memory.state_reason { p.note { (prose(reason)) } }
                h2.hidden { "What it says" }
                (fields_view(&memory.fields))
            }
            aside.about aria-label="Facts" { (facts(memory)) }
        }
        (doing(memory, scene))
        @if memory.life.marks.len() + memory.life.spans.len() > 0 {
            section { h2 { "Life" }
                (oldhand_charts::life::life(&memory.life).figure("What happened to it, and how much it counted"))
                details.table { summary { "In sentences" }
                    ul.plain { @for sentence in &memory.story { li { (prose(sentence)) } } } }
            }
        }
        @if memory.trust_curve.steps.len() > 1 {
            section { h2 { "Trust" }
                (oldhand_charts::trust::trust(&memory.trust_curve).figure("Trust over time; below the bands recall warns, or a person has to look"))
            }
        }
        (links(memory))
        (code(&memory.code))
        (answers(&memory.answers))
        (versions(&memory.versions))
    }
}

pub(crate) fn fields_view(fields: &[Field]) -> Markup {
    html! {
        @for field in fields.iter().filter(|field| !field.text.is_empty()) {
            div.field {
                h3 { (field.label) }
                @if field.is_list {
                    ul.bullets { @for item in field.text.lines() { li { (inline(item)) } } }
                } @else {
                    div.prose { (markdown(&field.text)) }
                }
                @if field.is_cut {
                    p.muted { "Only its beginning is here: " (command("oldhand show <id>")) " prints all of it, "
                        (command("oldhand edit <id>")) " changes it." }
                }
            }
        }
    }
}

/// One item of a list, without the paragraph around it.
fn inline(text: &str) -> Markup {
    let whole = markdown(text).into_string();
    let inner = whole.strip_prefix("<p>").and_then(|it| it.strip_suffix("</p>"));
    match inner.filter(|it| !it.contains("<p>")) {
        Some(inner) => maud::PreEscaped(inner.to_owned()),
        None => maud::PreEscaped(whole),
    }
}

fn facts(memory: &MemoryView) -> Markup {
    html! {
        dl {
            dt { "Trust" } dd { (trust(memory.trust)) }
            @for (name, value) in &memory.facts { dt { (name) } dd { (value) } }
            dt { "Created" } dd { (moment_or_dash(memory.created.as_ref())) }
            dt { "Updated" } dd { (moment_or_dash(memory.updated.as_ref())) }
            @if let Some(review) = &memory.review { dt { "Look again" } dd { (moment(review)) } }
            @if !memory.tags.is_empty() {
                dt { "Tags" }
                dd.tags { @for tag in &memory.tags { a.chip href={"/memories?tag=" (encoded(tag))} { (tag) } } }
            }
            @if !memory.evidence.is_empty() {
                dt { "Evidence" }
                dd { ul.plain { @for one in &memory.evidence { li.mono { (one) } } } }
            }
        }
    }
}

/// What a verb does, its label, its key, and what it asks for.
fn words(name: &str) -> (&'static str, &'static str, Option<&'static str>) {
    match name {
        "promote" => ("Promote", "p", Some("reason")),
        "verify" => ("Still holds", "y", None),
        "archive" => ("Archive", "a", Some("reason")),
        "retire" => ("Retire", "r", Some("reason")),
        "restore" => ("Restore", "b", None),
        "supersede" => ("Supersede", "s", Some("by")),
        _ => ("Do", "", None),
    }
}

fn doing(memory: &MemoryView, scene: &Scene) -> Markup {
    html! {
        section.verbs aria-label="What can be done" {
            (edit_form(&memory.id, &memory.title, &memory.hash, &memory.fields, &scene.form_fields()))
            @for verb in &memory.verbs { (verb_form(verb, memory, scene)) }
        }
    }
}

fn verb_form(verb: &Verb, memory: &MemoryView, scene: &Scene) -> Markup {
    let (label, key, asks) = words(verb.name);
    let form = |inner: Markup| {
        html! {
            form.stack method="post" action={"/do/" (verb.name)} {
                (scene.form_fields())
                input type="hidden" name="id" value=(memory.id);
                input type="hidden" name="if_match" value=(memory.hash);
                (inner)
            }
        }
    };
    html! {
        @match (&verb.refused, asks) {
            (Some(why), _) => button type="button" disabled title=(why) {
                (label) span.hidden { ": " (why) }
            },
            (None, None) => (form(html! { button type="submit" data-key=(key) { (label) } })),
            (None, Some(asks)) => details.verb data-key=(key) {
                summary.button { (label) }
                (form(html! {
                    @if asks == "by" {
                        label for={"by-" (verb.name)} { "The memory that takes its place" }
                        input id={"by-" (verb.name)} name="by" required placeholder="its id";
                    }
                    label for={"why-" (verb.name)} { "Why" }
                    textarea id={"why-" (verb.name)} name="reason" rows="2" required[asks == "reason"] {}
                    div { button.primary type="submit" { (label) } }
                }))
            },
        }
    }
}

/// The fields of a memory, to be changed.
pub(crate) fn edit_form(
    id: &str,
    title: &str,
    hash: &str,
    fields: &[Field],
    hidden: &Markup,
) -> Markup {
    html! {
        details.verb.edit data-key="e" {
            summary.button { "Edit" }
            form.stack method="post" action="/do/update" {
                (hidden)
                input type="hidden" name="id" value=(id);
                input type="hidden" name="if_match" value=(hash);
                label for="edit-title" { "Title" }
                input #edit-title name="field-title" value=(title);
                @for field in fields.iter().filter(|field| !field.name.is_empty()) {
                    @let name = format!("{}-{}", if field.is_list { "list" } else { "field" }, field.name);
                    label for={"edit-" (name)} { (field.label)
                        @if field.is_list { span.muted { ", one per line" } } }
                    textarea id={"edit-" (name)} name=(name) rows=(field.text.lines().count().clamp(2, 12)) {
                        "\n" (field.text)
                    }
                }
                label for="edit-note" { "What changed, for its history" }
                input #edit-note name="reason";
                div { button.primary type="submit" { "Save" } }
            }
        }
    }
}

fn links(memory: &MemoryView) -> Markup {
    let linked: &[Linked] = &memory.linked;
    html! {
        @if !linked.is_empty() {
            section { h2 { "Links" }
                @if memory.links.nodes.len() > 1 {
                    div.from-end { (oldhand_charts::links::links(&memory.links).figure("What it superseded, rests on and conflicts with")) }
                } @else {
                    ul.rows { @for one in linked {
                        li { span.muted { (one.relation) } " " (memory_link(&one.memory)) " " (state(&one.state)) }
                    } }
                }
            }
        }
    }
}

fn code(paths: &[CodePath]) -> Markup {
    html! {
        @if !paths.is_empty() {
            section { h2 { "Code it rests on" }
                table.narrow {
                    thead { tr { th scope="col" { "Path" } th scope="col" { "Verdict" } th scope="col" { "Since it was checked" } } }
                    tbody { @for one in paths {
                        tr {
                            td.mono { a href={"/memories?path=" (encoded(&one.path))} { (one.path) } }
                            td { span class={"v-" (one.verdict)} { (one.verdict) } }
                            td.muted { (prose(&one.reason)) }
                        }
                    } }
                }
            }
        }
    }
}

fn answers(answers: &[ServedIn]) -> Markup {
    html! {
        section { h2 { "Answers it was in" }
            @if answers.is_empty() {
                p.muted { "No answer on this machine has had it. " (command("oldhand why <id> \"…\""))
                    " says what recall thinks of it." }
            } @else {
                table.narrow {
                    thead { tr { th scope="col" { "When" } th scope="col" { "Question" } th scope="col" { "What came of it" } } }
                    tbody { @for one in answers {
                        tr {
                            td.muted { (moment(&one.at)) }
                            td { (one.query) }
                            td { @if one.is_served { "served" } @else { span.muted { "left out" } }
                                @if !one.reason.is_empty() { span.muted { ", " (prose(&one.reason)) } } }
                        }
                    } }
                }
            }
        }
    }
}

fn versions(versions: &[Version]) -> Markup {
    html! {
        @if !versions.is_empty() {
            section { h2 { "Versions" }
                @for one in versions {
                    details.version {
                        summary { span.when.muted { (moment(&one.at)) } span { (prose(&one.what)) } span.muted { "by " (one.by) } }
                        @match &one.diff {
                            Some(lines) => pre.diff { @for line in lines {
                                span class=(sign_class(line.sign)) { (line.sign) " " (line.text) "\n" }
                            } },
                            None => p.muted { "One of its two texts is no longer kept on this machine." },
                        }
                    }
                }
            }
        }
    }
}

fn sign_class(sign: char) -> &'static str {
    match sign {
        '+' => "added",
        '-' => "removed",
        _ => "same",
    }
}
