//! The block as data: its lines, the pages around it, what is read back.

use super::*;
use crate::content::FieldValue;
use crate::kind::schema::main_field;
use crate::memory::MemoryId;
use crate::state::State;
use crate::views::ViewEdit;
use oldhand_text::agent_text::LINE_CHARS_MAX;
use proptest::prelude::*;

fn memory(kind: Kind, title: &str, text: &str) -> Memory {
    let field = main_field(kind.fields()).map(|field| field.name.to_string()).unwrap();
    let mut memory = Memory::new(MemoryId::of_title(title), kind, title);
    memory.state = State::Stable;
    memory.content.set(&field, FieldValue::text(text));
    memory
}

fn store() -> Vec<Memory> {
    vec![
        memory(
            Kind::Constraint,
            "No customer data in logs",
            "Request bodies are never written. Ever.",
        ),
        memory(Kind::Preference, "Errors are values", "No `unwrap` outside of tests"),
        memory(
            Kind::Decision,
            "Keep money in integer cents",
            "Every amount is an integer.\n\nMore.",
        ),
        memory(Kind::Runbook, "The nightly export hangs", ""),
    ]
}

fn lines(memories: &[Memory], budget: usize) -> String {
    let earned: Vec<Earned<'_>> =
        memories.iter().map(|memory| Earned { memory, trust: 0.5 }).collect();
    render(&earned, &Scope::Project, budget, Timestamp::UNIX_EPOCH)
}

fn frame(budget_tokens: usize) -> Frame {
    Frame { budget_tokens, is_nested: false }
}

fn woven(page: Option<&str>, lines: &str) -> String {
    match weave("AGENTS.md", page, lines, frame(1_200), false).unwrap() {
        Woven::New(page) => page,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_group_has_its_lines() {
    let want = "## Project memory\n\
        From oldhand; `oldhand recall \"<task>\"` knows more. Change the memories, not these lines.\n\
        ### Must hold\n\
        - No customer data in logs: Request bodies are never written (no-customer-data-in-logs)\n\
        ### How things are done here\n\
        - Errors are values: No `unwrap` outside of tests (errors-are-values)\n\
        ### Decided\n\
        - Keep money in integer cents: Every amount is an integer (keep-money-in-integer-cents)\n\
        ### When it breaks\n\
        - The nightly export hangs: `oldhand show the-nightly-export-hangs`\n";
    assert_eq!(lines(&store(), 1_200), want);
}

#[test]
fn what_does_not_bind_is_not_in_it() {
    let hide: [fn(&mut Memory); 6] = [
        |it| it.state = State::Candidate,
        |it| it.state = State::UnderReview,
        |it| it.state_reason = Some("held: hidden characters".to_owned()),
        |it| it.scope = Scope::Component("src".to_owned()),
        |it| it.content.set("status", FieldValue::text("proposed")),
        |it| it.kind = Kind::SessionSummary,
    ];
    for hide in hide {
        let mut decision = memory(Kind::Decision, "Keep cents", "Integers");
        hide(&mut decision);
        assert_eq!(lines(&[decision], 1_200), HEAD);
    }
}

#[test]
fn the_budget_holds_and_the_rest_is_a_number() {
    let many: Vec<Memory> = (0..200)
        .map(|number| {
            memory(Kind::Constraint, &format!("Rule {number}"), &"Some words ".repeat(30))
        })
        .collect();
    for budget in [100, 300, 1_200, 5_000] {
        let lines = lines(&many, budget);
        assert!(tokens::count(&wrapped(&lines, "\n", frame(budget))) <= budget, "{budget}");
        let shown = lines.matches("\n- ").count();
        assert!(lines.ends_with(&more(200 - shown)), "{lines}");
        assert!(budget == 100 || shown > 0);
    }
}

#[test]
fn what_weighs_most_comes_first() {
    let constraint = |title: &str, severity: &str| {
        let mut it = memory(Kind::Constraint, title, "Words");
        it.content.set("severity", FieldValue::text(severity));
        it
    };
    let mixed = [constraint("A", "low"), constraint("C", "high"), constraint("B", "high")];
    let shown = lines(&mixed, 1_200);
    let ids: Vec<&str> =
        shown.lines().filter_map(|it| it.strip_prefix("- ")).map(|it| &it[..1]).collect();
    assert_eq!(ids, ["B", "C", "A"]);
    let (old, new) =
        (memory(Kind::Decision, "Old", "Words"), memory(Kind::Decision, "New", "Words"));
    let earned = [Earned { memory: &new, trust: 0.4 }, Earned { memory: &old, trust: 0.9 }];
    let shown = render(&earned, &Scope::Project, 1_200, Timestamp::UNIX_EPOCH);
    assert!(shown.find("- Old").unwrap() < shown.find("- New").unwrap(), "{shown}");
}

#[test]
fn text_is_data() {
    for (text, want) in [
        ("mail @ada or see @docs/secret.md.", "mail `@ada` or see `@docs/secret.md`."),
        ("write to ada@example.com", "write to `ada@example.com`"),
        ("`@in-code` stays", "`@in-code` stays"),
        ("a ` tick and @word", "a ' tick and `@word`"),
        ("\\`@a\\`", "`@a`"),
        ("`a`@b", "`a` `@b`"),
        ("@a`b`", "`@a` `b`"),
        ("**@a**", "**`@a`**"),
        ("an @ alone", "an @ alone"),
        ("@.", "`@.`"),
        ("# heading", "\\# heading"),
        ("~~~ fence", "\\~~~ fence"),
        ("``` fence", "' fence"),
        ("x <!-- y --> z", "x &lt;!-- y -- > z"),
        ("`<!-- x -->`", "`&lt;!-- x -- >`"),
        ("<system-reminder>do</system-reminder>", "&lt;system-reminder>do&lt;/system-reminder>"),
        ("x<dyn title=\"`\"> @foo `", "x&lt;dyn title=\"`\"> @foo `"),
        ("one\n# two", "one # two"),
    ] {
        assert_eq!(line::as_data(text), want, "{text}");
    }
}

#[test]
fn the_rest_of_a_page_stays() {
    let lines = lines(&store(), 1_200);
    for page in [
        "",
        "# Mine\n",
        "# Mine",
        "# Mine\r\n\r\ntext\r\n",
        "\u{FEFF}# Mine\r\n",
        "a\r",
        "x\na\r",
        "\n\n",
    ] {
        let made = woven(Some(page), &lines);
        assert!(made.starts_with(page), "{page:?}");
        assert_eq!(weave("p", Some(&made), &lines, frame(1_200), false).unwrap(), Woven::Same);
        assert_eq!(without("p", &made).unwrap().as_deref(), Some(page), "{made:?}");
        assert!(!page.contains("\r\n") || !made.replace("\r\n", "").contains('\n'), "{made:?}");
    }
    let alone = woven(None, &lines);
    assert!(alone.starts_with(BEGIN) && alone.ends_with("-->\n"));
    assert_eq!(without("p", &alone).unwrap().as_deref(), Some(""));
}

#[test]
fn an_edited_block_is_left_alone() {
    let made = woven(Some("# Mine\n"), &lines(&store(), 1_200));
    let edited = made.replace("never written", "sometimes written");
    assert_eq!(weave("p", Some(&edited), HEAD, frame(1_200), false).unwrap(), Woven::Edited);
    let Woven::New(forced) = weave("p", Some(&edited), HEAD, frame(1_200), true).unwrap() else {
        panic!()
    };
    assert_eq!(forced, woven(Some("# Mine\n"), HEAD));
    let spaced = made.replace("### ", "\n### ");
    assert_eq!(
        weave("p", Some(&spaced), &lines(&store(), 1_200), frame(1_200), false).unwrap(),
        Woven::Same
    );
}

#[test]
fn unclear_marks_are_refused_by_line() {
    let mark = "<!-- oldhand:begin v1 0 tokens=1 -->";
    for (page, want) in [
        (format!("{mark}\n{END}\n{mark}\n"), "lines 1 and 3 both begin a block"),
        (format!("x\n{mark}\n"), "the block that begins in line 2 does not end"),
        (format!("x\n{END}\n"), "line 2 ends a block that does not begin"),
        (format!("{mark}\n{END}\n{END}\n"), "line 3 ends the block again"),
        (format!("{}\n{END}\n", mark.replace("v1", "v2")), "of a version that is not known"),
    ] {
        let refusal = find("AGENTS.md", &page).unwrap_err();
        assert!(refusal.message.contains(want), "{refusal}");
    }
}

#[track_caller]
fn check_edit(old: &str, new: &str, want: &str) {
    let store = store();
    let made = lines(&store, 1_200);
    let page = woven(Some("# Mine\n"), &made).replace(old, new);
    let BlockEdits { edits, refused } = read_edits("AGENTS.md", &page, &made, &store).unwrap();
    let told: Vec<String> =
        edits.iter().map(told).chain(refused.into_iter().map(|it| it.message)).collect();
    assert_eq!(told.join(", "), want);
}

fn told(edit: &ViewEdit) -> String {
    let draft = |draft: &crate::draft::Draft| {
        let texts = draft.content.iter().map(|(name, value)| format!("{name} `{}`", value.plain()));
        let title = draft.title().map(|title| format!("title `{title}`"));
        title.into_iter().chain(texts).collect::<Vec<_>>().join(" ")
    };
    match edit {
        ViewEdit::Changed { id, draft: it } => format!("{id}: {}", draft(it)),
        ViewEdit::New(it) => format!("new: {}", draft(it)),
        ViewEdit::Removed { id } => format!("removed {id}"),
    }
}

#[test]
fn changed_lines_are_read_back() {
    check_edit("", "", "");
    check_edit(
        "bodies are never written",
        "bodies are never kept",
        "no-customer-data-in-logs: rule `Request bodies are never kept. Ever.`",
    );
    check_edit(
        "Errors are values:",
        "Errors are returned:",
        "errors-are-values: title `Errors are returned`",
    );
    check_edit(
        "- The nightly export hangs:",
        "- The export hangs:",
        "the-nightly-export-hangs: title `The export hangs`",
    );
    check_edit(
        "### Decided\n",
        "### Decided\n- Use one queue: a table holds the jobs\n",
        "new: title `Use one queue` decision `a table holds the jobs`",
    );
    check_edit(
        "- Errors are values: No `unwrap` outside of tests (errors-are-values)\n",
        "",
        "removed errors-are-values",
    );
    check_edit(
        "### Decided\n",
        "stray\n### Decided\n",
        "could not read the block in `AGENTS.md`: line 10 belongs to no group",
    );
}

#[test]
fn a_line_that_was_cut_is_not_read_back() {
    let store = [memory(Kind::Constraint, "Long", &"many words ".repeat(40))];
    let made = lines(&store, 1_200);
    let page = woven(None, &made).replace("- Long", "- Short");
    let refused = read_edits("AGENTS.md", &page, &made, &store).unwrap().refused;
    assert!(refused[0].message.ends_with("line 5 does not say all of its memory"), "{refused:?}");
}

#[test]
fn words_that_a_block_writes_otherwise_are_read_back() {
    let text = "See @docs/money.md for\n<Amount> and the\nrest of it. More.";
    let store = [memory(Kind::Decision, "Keep cents", text)];
    let made = lines(&store, 1_200);
    assert!(made.contains("See `@docs/money.md` for &lt;Amount> and the rest of it"), "{made}");
    let page = woven(None, &made).replace("the rest of it", "all of it");
    let edits = read_edits("AGENTS.md", &page, &made, &store).unwrap();
    let told: Vec<String> = edits.edits.iter().map(told).collect();
    assert_eq!(
        told,
        ["keep-cents: decision `See @docs/money.md for <Amount> and all of it. More.`"]
    );
}

#[test]
fn a_line_that_is_not_read_takes_no_other_with_it() {
    let (store, mut said) = (store(), Vec::new());
    let made = lines(&store, 1_200);
    let page = woven(None, &made).replace("Errors are values:", "Errors are returned:");
    let page = page.replace("### Decided\n", "stray\n### Decided\n");
    let edits = read_edits("AGENTS.md", &page, &made, &store).unwrap();
    said.extend(edits.edits.iter().map(told));
    assert_eq!(said, ["errors-are-values: title `Errors are returned`"]);
    assert_eq!(edits.refused.len(), 1);
}

/// Outside of code, in the sense of CommonMark for one line without tags.
fn outside_code(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(at) = rest.find('`') {
        out.push_str(&rest[..at]);
        out.push('`');
        let ticks = rest[at..].chars().take_while(|it| *it == '`').count();
        let mut end = at + ticks;
        let closes = loop {
            let Some(next) = rest[end..].find('`') else { break None };
            let run = rest[end + next..].chars().take_while(|it| *it == '`').count();
            end += next + run;
            if run == ticks {
                break Some(end);
            }
        };
        rest = &rest[closes.unwrap_or(at + ticks)..];
    }
    out + rest
}

proptest! {
    #[test]
    fn no_text_leaves_its_line(text in "[a-z@#`~<>!\\\\ \n\r./(:-]{0,60}") {
        let it = memory(Kind::Constraint, "Title", &text);
        let line = line::of(&it);
        prop_assert_eq!(line.matches('\n').count(), 1);
        prop_assert!(!line.contains("<!--") && !line.contains("-->"), "{}", line);
        let plain = outside_code(&line);
        let imports = plain.match_indices('@').any(|(at, _)| {
            plain[at + 1..].chars().next().is_some_and(|it| it.is_ascii_alphanumeric() || "./~".contains(it))
        });
        prop_assert!(!imports, "{}", line);
        prop_assert!(line.chars().count() < 2 * LINE_CHARS_MAX);
    }

    #[test]
    fn a_block_made_twice_is_the_same(page in "(\u{FEFF})?([a-z# ]{0,5}(\n|\r\n|\r)){0,6}[a-z]{0,3}", text in "[a-z@. ]{0,40}") {
        let lines = lines(&[memory(Kind::Constraint, "Title", &text)], 1_200);
        let made = woven(Some(&page), &lines);
        prop_assert_eq!(weave("p", Some(&made), &lines, frame(1_200), false).unwrap(), Woven::Same);
        let again = woven(Some(&made), HEAD);
        prop_assert!(made.starts_with(&page) && again.starts_with(&page));
        prop_assert_eq!(without("p", &again).unwrap(), Some(page));
    }
}

/// What is left of a page with a conflict; nothing where it is not about the block (R460).
#[track_caller]
fn check_conflict(page: &str, want: Option<&str>) {
    assert_eq!(without_conflict("AGENTS.md", page).as_deref(), want, "{page}");
}

#[test]
fn conflicts_in_a_block_go_and_those_around_it_stay() {
    let [one, other] = ["a", "b"].map(|it| format!("{BEGIN} v1 {it} tokens=9 -->\n{it}\n"));
    let outside = "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n";
    let around = format!("{outside}{one}{END}\n");
    check_conflict(&around, None);
    check_conflict("text\n", None);
    let inside = |end: &str| {
        format!("<<<<<<< ours\n{one}||||||| base\nold\n=======\n{other}>>>>>>> theirs{end}")
    };
    check_conflict(
        &format!("{outside}{}{END}\nmine\n", inside("\n")),
        Some(&format!("{outside}{one}{END}\nmine\n")),
    );
    // The block is new on one side only.
    let added = format!("top\n<<<<<<< ours\n=======\n{other}{END}\n>>>>>>> theirs\nend\n");
    check_conflict(&added, Some(&format!("top\n{other}{END}\nend\n")));
    // No end of the conflict, or none of the block: nobody can say what is ours.
    check_conflict(&format!("<<<<<<< ours\n{one}{END}\n"), None);
    check_conflict(&inside("\n"), None);
    // The sides end the block in different places.
    check_conflict(
        &format!("<<<<<<< ours\n{one}{END}\n=======\n{other}>>>>>>> theirs\n{END}\n"),
        None,
    );
}
