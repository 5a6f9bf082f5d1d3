//! The style sheet and the script, from the binary. Their names hold a hash of what is in them, so
//! that a browser keeps them exactly as long as they are right.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;

/// The parts of the style sheet: the frame, the pages, and what charts need.
const STYLES: [&str; 3] = [
    include_str!("../assets/style.css"),
    include_str!("../assets/pages.css"),
    oldhand_charts::STYLE,
];
static STYLE: LazyLock<String> = LazyLock::new(|| slim(&STYLES.concat()));
static SCRIPT: LazyLock<String> =
    LazyLock::new(|| without_comments(include_str!("../assets/script.js")));

pub(crate) static STYLE_PATH: LazyLock<String> = LazyLock::new(|| named("style", &STYLE, "css"));
pub(crate) static ICON_PATH: LazyLock<String> = LazyLock::new(|| named("icon", ICON, "svg"));
pub(crate) static SCRIPT_PATH: LazyLock<String> = LazyLock::new(|| named("script", &SCRIPT, "js"));

/// A memory that counts: the mark of the state `canonical`.
const ICON: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="3.6" fill="#1d6b3a"/><circle cx="8" cy="8" r="6.4" fill="none" stroke="#1d6b3a" stroke-width="1.8"/></svg>"##;

/// What colours are called in the browser: nobody else reads these names.
const NAMES: [(&str, &str); 14] = [
    ("--ink", "--i"),
    ("--line", "--n"),
    ("--link", "--l"),
    ("--muted", "--m"),
    ("--paper", "--p"),
    ("--wash", "--h"),
    ("--edge", "--e"),
    ("--good", "--g"),
    ("--watch", "--w"),
    ("--bad", "--b"),
    ("--review", "--r"),
    ("--rule", "--u"),
    ("--mono", "--o"),
    ("--on-link", "--k"),
];

/// Without comments and the spaces that only people need.
fn slim(style: &str) -> String {
    let mut text = String::with_capacity(style.len());
    let mut rest = style;
    while let Some((before, behind)) = rest.split_once("/*") {
        text.push_str(before);
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    text.push_str(rest);
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = [(" { ", "{"), ("; }", "}"), (" }", "}"), ("} ", "}"), ("; ", ";"), (": ", ":")];
    let pairs = pairs.into_iter().chain([(", ", ","), (" > ", ">"), (" + ", "+")]);
    let names = NAMES.iter().map(|(name, short)| (*name, *short));
    pairs.chain(names).fold(words.join(" "), |text, (long, short)| text.replace(long, short))
}

/// Without indentation, and without lines that only people read.
fn without_comments(script: &str) -> String {
    let lines = script.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn named(name: &str, text: &str, ending: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("/{name}-{:016x}.{ending}", hasher.finish())
}

/// What a page needs before anybody is let in.
pub(crate) fn is_one(path: &str) -> bool {
    [&*STYLE_PATH, &*ICON_PATH, &*SCRIPT_PATH].into_iter().any(|it| it == path)
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route(&STYLE_PATH, get(|| async { file("text/css; charset=utf-8", &STYLE) }))
        .route(&ICON_PATH, get(|| async { file("image/svg+xml", ICON) }))
        .route(&SCRIPT_PATH, get(|| async { file("text/javascript; charset=utf-8", &SCRIPT) }))
}

fn file(kind: &'static str, text: &'static str) -> Response {
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    let kept = HeaderValue::from_static("private, max-age=31536000, immutable");
    headers.insert(CACHE_CONTROL, kept);
    response
}

#[cfg(test)]
mod tests {
    use super::{SCRIPT, STYLE};

    #[test]
    fn both_stay_small() {
        assert!(STYLE.len() <= 16 * 1024, "{}", STYLE.len());
        assert!(SCRIPT.len() <= 12 * 1024, "{}", SCRIPT.len());
    }

    #[test]
    fn the_script_never_parses_html_and_asks_nobody_else() {
        let forbidden = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
            ".style",
            "http:",
            "https:",
            "setAttribute(\"on",
            "srcdoc",
            "javascript:",
        ];
        for word in forbidden {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
