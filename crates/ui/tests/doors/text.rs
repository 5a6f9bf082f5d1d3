//! Text of others is shown, and never is a part of the page.

use crate::client::{Ask, enter};
use crate::fake::{FakeHouse, start_with};

const PAGES: [&str; 12] = [
    "/",
    "/memories?q=%22%3E%3Cb%3E",
    "/m/a",
    "/review",
    "/undo",
    "/x%22%3E",
    "/ask?q=%22%3E%3Cb%3E",
    "/sessions",
    "/code?path=%22%3E%3Cb%3E",
    "/learning",
    "/conflicts",
    "/store",
];

/// R345
#[test]
fn markup_in_any_field_is_text() {
    for payload in [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)",
        "</textarea><svg onload=alert(1)>",
        "[x](javascript:alert(1)) ![y](http://evil.example/a.png)",
        "<!--<style>*{}</style>-->",
    ] {
        let server = start_with(FakeHouse { text: payload.to_owned(), ..FakeHouse::default() });
        let inside = enter(&server);
        for path in PAGES {
            let body = Ask::get(&server, path).by(&inside).send(&server).body;
            for wrong in [
                "<script>",
                "<img",
                "<svg onload",
                "<style",
                "href=\"javascript",
                "<b>",
                "\" onmouse",
            ] {
                assert!(!body.contains(wrong), "{path} with {payload}: {wrong}");
            }
        }
    }
}

#[test]
fn hidden_characters_are_seen() {
    let text = "pay\u{202E}load\u{200B}".to_owned();
    let server = start_with(FakeHouse { text, ..FakeHouse::default() });
    let inside = enter(&server);
    for path in ["/", "/memories", "/m/a", "/review"] {
        let body = Ask::get(&server, path).by(&inside).send(&server).body;
        assert!(!body.contains('\u{202E}') && !body.contains('\u{200B}'), "{path}");
        assert!(body.contains("pay&lt;U+202E&gt;load&lt;U+200B&gt;"), "{path}");
    }
}
