//! Values in, text out.

use jiff::Timestamp;

use crate::{Screen, Tone, ago, bar, sparkline};

fn screen(width: usize, colour: bool) -> Screen {
    Screen::new(width, colour, "2026-11-15T12:00:00Z".parse().unwrap())
}

#[track_caller]
fn check_ago(then: &str, want: &str) {
    let then: Timestamp = then.parse().unwrap();
    assert_eq!(ago(then, screen(80, false).now), want, "{then}");
}

#[test]
fn dates_are_said_as_people_say_them() {
    check_ago("2026-11-15T11:59:30Z", "just now");
    check_ago("2026-11-15T11:59:00Z", "1 minute ago");
    check_ago("2026-11-15T07:00:00Z", "5 hours ago");
    check_ago("2026-11-14T11:00:00Z", "yesterday");
    check_ago("2026-11-10T11:00:00Z", "5 days ago");
    check_ago("2026-11-01T11:00:00Z", "2 weeks ago");
    check_ago("2026-06-01T11:00:00Z", "5 months ago");
    check_ago("2020-06-01T11:00:00Z", "6 years ago");
    check_ago("2026-11-18T13:00:00Z", "in 3 days");
    check_ago("2026-11-16T13:00:00Z", "tomorrow");
}

#[test]
fn numbers_become_pictures() {
    assert_eq!([bar(0.0), bar(0.1), bar(0.6), bar(0.9)], ["▱▱▱▱▱", "▰▱▱▱▱", "▰▰▰▱▱", "▰▰▰▰▱"]);
    assert_eq!([bar(1.0), bar(7.0), bar(f64::NAN)], ["▰▰▰▰▰", "▰▰▰▰▰", "▱▱▱▱▱"]);
    assert_eq!(sparkline(&[0, 1, 4, 8, 100]), "▁▂▂▂█");
    assert_eq!(sparkline(&[0, 0]), "▁▁");
    assert_eq!(sparkline(&[]), "");
}

#[test]
fn no_text_paints_for_itself() {
    let hostile = "red \x1b[31mtext\u{202e} and\nmore";
    for colour in [false, true] {
        let painted = screen(80, colour).paint(Tone::Title, hostile);
        let bare = painted.replace("\x1b[1m", "").replace("\x1b[0m", "");
        assert!(!bare.contains(['\x1b', '\u{202e}', '\n']), "{bare:?}");
        let body = screen(80, colour).body(&format!("# x\n\n{hostile}\n- {hostile}"), 2);
        let bare = body.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "");
        assert!(!bare.contains(['\x1b', '\u{202e}']), "{bare:?}");
    }
}

#[test]
fn a_table_is_as_wide_as_the_terminal_and_breaks_no_word() {
    let words = "never breaks inside of a word however narrow the terminal becomes today";
    let long = "an-id-that-is-longer-than-any-column-could-ever-be-in-a-narrow-terminal";
    for (width, colour) in [(40, false), (40, true), (80, false), (80, true), (120, true)] {
        let screen = screen(width, colour);
        let pair = screen.parts(&[screen.title(long), screen.dim("beside it")]);
        let cell = format!("{}\n{}\n{pair}", screen.title(words), screen.dim(long));
        let text = screen.table(vec![vec!["@1".into(), cell, screen.trust(0.5)]], 1);
        for line in text.lines() {
            assert!(textwrap::core::display_width(line) <= width, "{width}: {line}");
            // What is left open would paint the next cell.
            let (opened, closed) = (line.matches("\x1b[").count(), line.matches("\x1b[0m").count());
            assert_eq!(opened, 2 * closed, "{line:?}");
        }
        let bare: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !colour {
            words.split(' ').for_each(|word| assert!(bare.contains(word), "{word}: {text}"));
        }
    }
}

#[test]
fn markdown_is_wrapped_and_code_is_not() {
    let text = "# Title\n\nA sentence that is\nbroken in the source.\n\n- one\n- two\n\n```sh\nlet   x\n```\n";
    assert_eq!(
        screen(80, false).body(text, 2),
        "  Title\n\n  A sentence that is broken in the source.\n\n  • one\n  • two\n\n  let   x\n"
    );
}

/// R381
#[test]
fn an_error_is_wrapped_beside_its_label() {
    let text =
        "there is no memory `money-in-cents` in this store, nor in your own, nor in any other";
    assert_eq!(
        screen(40, false).remark("error", text),
        "error: there is no memory\n       `money-in-cents` in this store,\n       nor in your own, nor in \
         any other\n"
    );
    let painted = screen(80, true).remark("hint", "type `oldhand list`, or ` alone");
    assert_eq!(painted, "\x1b[36mhint\x1b[0m: type \x1b[36m`oldhand list`\x1b[0m, or ` alone\n");
    let hostile = screen(80, false).remark("note", "a\x1b[31mb\nhint: c\u{202e}");
    assert_eq!(hostile, "note: a<U+001B>[31mb\n→ c<U+202E>\n");
}

/// R383: a text that was laid out for no width.
#[track_caller]
fn check_page(text: &str, want: &str) {
    assert_eq!(screen(40, false).page(text), want);
}

#[test]
fn plain_answers_are_wrapped_where_their_columns_begin() {
    check_page("wrote 3 files\n\nhint: look\n", "wrote 3 files\n\n→ look\n");
    check_page(
        "added: A title\n  why  a guess, because of the words that were said\n",
        "added: A title\n  why  a guess, because of the words\n       that were said\n",
    );
    check_page(
        "- one item that is longer than the line is\n",
        "- one item that is longer than the line\n  is\n",
    );
    check_page("## Heading\nwords\n", "Heading\nwords\n");
    check_page(
        "    + let   x  =  a + b; // however long it is",
        "    + let   x  =  a + b; // however long it is\n",
    );
    let path = "/a/path/that/is/longer/than/the/terminal/is/wide";
    check_page(path, &format!("{path}\n"));
    check_page("  next: restart it\n", "  → restart it\n");
}
