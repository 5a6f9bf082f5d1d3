//! A page as trees of elements, for the script that exchanges its parts in place. The trees come from
//! the page itself, so there is one place for markup, and the script never parses HTML.

use serde_json::{Map, Value, json};

/// Marks an element that is exchanged, with a name that is unique on its page.
const PART: &str = "data-part";

/// What a part may have. Anything else is a mistake of ours, and is not sent.
const TAGS: &str = "a article aside blockquote br button circle code dd del details div dl dt em form h1 h2 h3 h4 h5 \
                    hr input kbd label li mark ol option p path pre rect section select span strong summary svg \
                    table tbody td textarea th thead time tr ul";
const ATTRIBUTES: &str = "action autocomplete checked class cx cy d datetime disabled for form formaction height hidden \
                          href id method name open placeholder r rel required role rows rx selected start tabindex \
                          target title type value viewBox width x y";
const VOID: &str = "br hr input link meta";

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|it| it == word)
}

/// The marked elements of a page by name: a text as a string, an element as its tag, its attributes
/// and its children. None for a page that is not written as ours are.
pub(crate) fn parts(page: &str) -> Option<Map<String, Value>> {
    let mut parts = Map::new();
    // Only what is in a part is kept.
    let mut open: Vec<(&str, Option<Vec<Value>>)> = Vec::new();
    let mut rest = page;
    while !rest.is_empty() {
        let Some(behind) = rest.strip_prefix('<') else {
            let end = rest.find('<').unwrap_or(rest.len());
            if let Some((_, Some(node))) = open.last_mut() {
                node.push(unescaped(&rest[..end]).into());
            }
            rest = &rest[end..];
            continue;
        };
        let (tag, after) = behind.split_once('>')?;
        rest = after;
        if tag.starts_with('!') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            let (opened, node) = open.pop()?;
            if opened != name {
                return None;
            }
            close(node, &mut open, &mut parts);
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let is_inside = open.last().is_some_and(|(_, node)| node.is_some());
        let node = match is_inside || attributes.contains(PART) {
            true => Some(element(name, attributes)?),
            false => None,
        };
        if has(VOID, name) {
            close(node, &mut open, &mut parts);
            continue;
        }
        // As browsers read it: this line break is no part of the text.
        if has("pre textarea", name) {
            rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
        open.push((name, node));
    }
    open.is_empty().then_some(parts)
}

fn close(
    node: Option<Vec<Value>>,
    open: &mut [(&str, Option<Vec<Value>>)],
    parts: &mut Map<String, Value>,
) {
    let Some(node) = node.map(Value::Array) else { return };
    if let Some(name) = node[1][PART].as_str() {
        parts.insert(name.to_owned(), node.clone());
    }
    if let Some((_, Some(around))) = open.last_mut() {
        around.push(node);
    }
}

fn element(name: &str, attributes: &str) -> Option<Vec<Value>> {
    let mut known = Map::new();
    let mut rest = attributes.trim_start();
    while !rest.is_empty() {
        let (name, behind) = rest.split_at(rest.find(['=', ' ']).unwrap_or(rest.len()));
        let (value, behind) = match behind.strip_prefix("=\"") {
            Some(quoted) => quoted.split_once('"')?,
            None => ("", behind),
        };
        let is_ours = name.starts_with("data-") || name.starts_with("aria-");
        if !is_ours && !has(ATTRIBUTES, name) {
            return None;
        }
        known.insert(name.to_owned(), unescaped(value).into());
        rest = behind.trim_start();
    }
    // The script holds no address of elsewhere, so the language of pictures is named here.
    let tag = if name == "svg" { "svg http://www.w3.org/2000/svg" } else { name };
    has(TAGS, name).then(|| vec![json!(tag), known.into()])
}

/// What maud escapes.
fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use maud::{Markup, html};
    use serde_json::json;

    use super::parts;

    /// R365
    #[test]
    fn a_part_becomes_a_tree() {
        let page = html! {
            (maud::DOCTYPE)
            html { body {
                header style="x" { "not a part" }
                main { p data-part="one" title={"a \"b\" <c>"} { "x " b-c {} } }
            } }
        };
        assert_eq!(parts(&page.into_string()), None, "an unknown element in a part");
        let page = html! {
            header { "not a part" }
            div #box.wide data-part="one" title={"a \"b\" <c>"} {
                "x & " strong { "y" } input type="checkbox" checked; br;
                textarea { "\n" "  kept\n" }
                p data-part="two" { "<i>" }
            }
        };
        let two = json!(["p", { "data-part": "two" }, "<i>"]);
        let one = json!([
            "div",
            { "class": "wide", "data-part": "one", "id": "box", "title": "a \"b\" <c>" },
            "x & ",
            ["strong", {}, "y"],
            ["input", { "type": "checkbox", "checked": "" }],
            ["br", {}],
            ["textarea", {}, "  kept\n"],
            two
        ]);
        let found = parts(&page.into_string()).map(serde_json::Value::Object);
        assert_eq!(found, Some(json!({ "one": one, "two": two })));
    }

    #[track_caller]
    fn is_refused(page: &Markup) {
        assert_eq!(parts(&page.0), None, "{}", page.0);
    }

    /// R365: what could run, load or style something is never sent, whatever a view writes.
    #[test]
    fn only_known_elements_are_sent() {
        is_refused(&html! { div data-part="x" { script {} } });
        is_refused(&html! { div data-part="x" { iframe {} } });
        is_refused(&html! { div data-part="x" { a onclick="x" {} } });
        is_refused(&html! { div data-part="x" style="x" {} });
        is_refused(&html! { div data-part="x" { object data="x" {} } });
        is_refused(&maud::PreEscaped("<div data-part=\"x\"><p></div>".to_owned()));
        is_refused(&maud::PreEscaped("<div data-part=\"x\">".to_owned()));
    }
}
