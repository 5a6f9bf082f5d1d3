//! What holds for every page, for the tests of each: text of others stays text, and nothing is
//! styled or scripted inline.

use maud::Markup;

use crate::frame::Scene;
use crate::house::Frame;

pub(crate) const HOSTILE: &str =
    "\"'><script>alert(1)</script><img src=x onerror=alert(1)></textarea></title><svg onload=x>";

pub(crate) fn scene() -> Scene {
    let (form_token, here) = ("token".to_owned(), "/here".to_owned());
    Scene { frame: Frame::default(), form_token, here, state: String::new() }
}

#[track_caller]
pub(crate) fn check(page: &Markup) -> String {
    let page = page.0.clone();
    for odd in ["<script", "<img", "<svg onload", "</title><svg", " style=", "javascript:"] {
        assert!(!page.contains(odd), "{odd}: {page}");
    }
    assert_eq!(page.matches("<h1").count(), 1, "{page}");
    // An attribute never ends early.
    assert!(!page.contains("\"'>"), "{page}");
    page
}

/// What a person reads.
pub(crate) fn text(page: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for character in page.chars() {
        match character {
            '<' => is_tag = true,
            '>' => is_tag = false,
            character if !is_tag => text.push(character),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
