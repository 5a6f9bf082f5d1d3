//! Turns are told as `p`erson and `a`gent records; the tables say what stays raw.

mod properties;

use expect_test::{Expect, expect};

use super::*;
use oldhand_transcripts::{ToolResult, ToolUse};

fn record(line: usize, voice: Voice, text: &str) -> Turn {
    Turn { line, voice, text: text.to_owned(), ..Turn::default() }
}

/// One record a line: `p: text`, `a: text`, `side: text`, `ran: command`, `read: path`,
/// `edit: path`, `tool: name`, `ok: output` and `error: output`, which end the newest call.
fn conversation(script: &str) -> Vec<Turn> {
    let mut calls = 0;
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate();
    lines
        .map(|(at, line)| {
            let (what, rest) = line.split_once(": ").unwrap();
            let mut turn = record(at + 1, Voice::Agent, "");
            let mut tool = ToolUse::default();
            match what {
                "p" => return record(at + 1, Voice::Person, rest),
                "a" => return record(at + 1, Voice::Agent, rest),
                "side" => {
                    turn.text = rest.to_owned();
                    turn.is_sidechain = true;
                    return turn;
                }
                "ok" | "error" => {
                    turn.voice = Voice::Person;
                    let (id, text) = (format!("call-{calls}"), rest.replace("\\n", "\n"));
                    turn.results.push(ToolResult { id, is_error: what == "error", text });
                    return turn;
                }
                "ran" => tool.command = Some(rest.replace("\\n", "\n")),
                "read" => (tool.name, tool.paths) = ("Read".to_owned(), vec![rest.to_owned()]),
                "edit" => (tool.is_edit, tool.paths) = (true, vec![rest.to_owned()]),
                _ => tool.name = rest.to_owned(),
            }
            calls += 1;
            tool.id = format!("call-{calls}");
            turn.uses.push(tool);
            turn
        })
        .collect()
}

/// The conversation as it was spoken, all of it.
fn spoken(turns: &[Turn]) -> Vec<SpokenTurn> {
    spoken::newest(turns, usize::MAX)
}

fn is_long(spoken: &[SpokenTurn]) -> bool {
    last(spoken, RAW_TURNS_MAX).iter().any(|turn| turn.tokens > LONG_TURN_TOKENS)
}

fn check_shown(script: &str, want: &Expect) {
    want.assert_eq(&Raw::of(&conversation(script), 4_000).render());
}

/// So many English words are about as many tokens.
fn words(count: usize) -> String {
    "word ".repeat(count).trim_end().to_owned()
}

/// Turns that take turns, each with so many words, the oldest first.
fn talk(sizes: &[usize]) -> Vec<Turn> {
    let voices = [Voice::Person, Voice::Agent].into_iter().cycle();
    let turns = sizes.iter().zip(voices).enumerate();
    turns.map(|(at, (size, voice))| record(at + 1, voice, &words(*size))).collect()
}

#[track_caller]
fn check_raw(sizes: &[usize], budget: usize, want_turns: usize, want_long: bool) {
    let turns = talk(sizes);
    let raw = Raw::of(&turns, budget);
    let is_long = is_long(&spoken(&turns));
    assert_eq!((raw.turns.len(), is_long), (want_turns, want_long), "{} tokens", raw.tokens);
    assert_eq!(older(&turns, &raw).len(), turns.len() - want_turns);
    assert!(raw.tokens <= budget && raw.tokens == tokens::count(&raw.render()));
}

#[test]
fn the_newest_five_turns_stay_as_they_were_spoken_r68() {
    check_raw(&[20; 9], 4_000, 5, false);
    check_raw(&[20; 2], 4_000, 2, false);
    check_raw(&[], 4_000, 0, false);
    let turns = talk(&[7; 8]);
    let raw = Raw::of(&turns, 4_000);
    let texts: Vec<&str> = raw.turns.iter().map(|turn| turn.text.as_str()).collect();
    let said: Vec<&str> = turns[3..].iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!((texts, turns[raw.first_record].line), (said, 4));
}

#[test]
fn a_long_turn_makes_the_window_two_or_three_turns_r69() {
    check_raw(&[20, 20, 20, 20, 20, 800], 4_000, 3, true);
    check_raw(&[20, 800, 20, 20, 20, 20], 4_000, 3, true);
    // It is no longer among the newest five.
    check_raw(&[800, 20, 20, 20, 20, 20], 4_000, 5, false);
    check_raw(&[20, 20, 20, 2_000, 1_500, 1_000], 4_000, 2, true);
}

#[test]
fn a_turn_is_long_above_500_tokens_r69() {
    let size = (1..600).find(|size| spoken(&talk(&[*size]))[0].tokens > 500).unwrap();
    check_raw(&[20, 20, 20, 20, 20, size - 1], 4_000, 5, false);
    check_raw(&[20, 20, 20, 20, 20, size], 4_000, 3, true);
}

#[test]
fn the_oldest_turn_goes_while_they_take_more_than_the_budget_r88() {
    check_raw(&[1_200; 6], 4_000, 3, true);
    check_raw(&[1_600; 6], 4_000, 2, true);
    check_raw(&[3_000; 6], 4_000, 2, true);
    check_raw(&[40; 6], 200, 3, false);
}

#[test]
fn records_of_one_side_are_one_turn() {
    check_shown(
        "p: fix the login
         p: and the logout
         a: I look at it.
         side: a subagent says something
         read: src/login.rs
         ok: fn login() {}
         edit: src/login.rs
         ok: done
         ran: cargo test login
         error: Exit code 101\\nrunning 3 tests\\nerror[E0425]: cannot find value `x`\\nfailed
         ran: cargo test 2>&1 | tail -3
         ok: test result: FAILED. 1 passed
         ran: ls   src\\nls tests
         ok: login.rs
         ran: sleep 100
         tool: WebSearch
         a: Done.
         p: thanks",
        &expect![[r#"
            person:
            fix the login

            and the logout

            agent:
            I look at it.

            Done.
            [read src/login.rs]
            [edited src/login.rs]
            [ran `cargo test login`: failed: error[E0425]: cannot find value `x`]
            [ran `cargo test 2>&1 | tail -3`: failed: test result: FAILED. 1 passed]
            [ran `ls src ls tests`: ok]
            [ran `sleep 100`]
            [WebSearch]

            person:
            thanks"#]],
    );
}

#[test]
fn a_result_finds_its_call_past_what_a_person_typed_meanwhile() {
    check_shown(
        "ran: make
         p: also the docs
         error: make: *** no rule
         a: Yes.",
        &expect![[r#"
            agent:
            [ran `make`: failed: make: *** no rule]

            person:
            also the docs

            agent:
            Yes."#]],
    );
}

#[test]
fn only_results_are_nobody_s_turn() {
    let turns = conversation("error: lost\nok: lost");
    let raw = Raw::of(&turns, 4_000);
    assert_eq!((raw.turns.len(), raw.render().as_str(), raw.tokens), (0, "", 0));
    assert_eq!(older(&turns, &raw), turns.as_slice());
}

#[test]
fn hidden_characters_are_shown() {
    check_shown(
        "p: left\u{202e}right",
        &expect![[r#"
        person:
        left<U+202E>right"#]],
    );
}

fn long_agent(text_words: usize, calls: usize) -> Vec<Turn> {
    let mut script = format!("p: go\na: {}\n", words(text_words));
    for call in 1..=calls {
        script.push_str(&format!("ran: cargo test number_{call}\nok: fine\n"));
    }
    conversation(&script)
}

#[test]
fn of_a_turn_that_is_too_long_the_oldest_tool_lines_go_first() {
    let turns = long_agent(100, 600);
    let raw = Raw::of(&turns, 4_000);
    let [_, turn] = raw.turns.as_slice() else { panic!("{} turns", raw.turns.len()) };
    assert_eq!(turn.text, words(100));
    let gone = 600 - (turn.tools.len() - 1);
    assert_eq!(turn.tools[0], format!("[{gone} earlier tool calls]"));
    assert_eq!(turn.tools[1], format!("[ran `cargo test number_{}`: ok]", gone + 1));
    assert!((3_900..=4_000).contains(&raw.tokens), "{}", raw.tokens);
}

#[test]
fn then_its_text_loses_the_middle() {
    let turns = long_agent(9_000, 3);
    let raw = Raw::of(&turns, 4_000);
    let [_, turn] = raw.turns.as_slice() else { panic!("{} turns", raw.turns.len()) };
    assert_eq!(turn.tools, ["[3 earlier tool calls]"]);
    assert!(turn.text.starts_with("word word") && turn.text.ends_with("word word"));
    let mark: Vec<&str> = turn.text.lines().filter(|line| line.starts_with("[…")).collect();
    assert!(mark[0].ends_with(" characters left out …]"), "{mark:?}");
    assert!((3_900..=4_000).contains(&raw.tokens), "{}", raw.tokens);
}

#[track_caller]
fn check_groups(older_turns: usize, want: &[usize]) {
    let turns = talk(&vec![10; older_turns + 5]);
    let raw = Raw::of(&turns, 4_000);
    let groups = groups(older(&turns, &raw));
    let sizes: Vec<usize> = groups.iter().map(|group| group.1).collect();
    assert_eq!(sizes, want);
    let records: Vec<&[Turn]> = groups.iter().map(|group| group.0).collect();
    assert_eq!(records.concat(), older(&turns, &raw));
}

#[test]
fn the_newest_prompt_is_always_raw_r68_r88() {
    for (prompt, text, calls, budget) in [
        (20, 100, 600, 4_000),
        (20, 9_000, 3, 4_000),
        (20, 200, 40, 189),
        (3_000, 3_000, 3, 4_000),
        (300, 5, 0, 200),
    ] {
        let mut turns = long_agent(text, calls);
        turns[0].text = format!("first {}", words(prompt));
        let raw = Raw::of(&turns, budget);
        let [prompt, answer] = raw.turns.as_slice() else { panic!("{} turns", raw.turns.len()) };
        assert!(prompt.voice == Voice::Person && prompt.text.starts_with("first word"));
        assert!(answer.voice == Voice::Agent && !answer.text.is_empty());
        assert!(
            raw.tokens <= budget && raw.tokens + 30 + budget / 50 > budget,
            "{} of {budget}",
            raw.tokens
        );
    }
}

#[test]
fn the_answer_shrinks_until_the_pair_fits_r88() {
    let prompt = record(1, Voice::Person, &"aaaaaaaa ćöa ".repeat(33));
    for times in 105..125 {
        let answer = record(2, Voice::Agent, &"abwabab ".repeat(times));
        let raw = Raw::of(&[prompt.clone(), answer], 189);
        assert_eq!(raw.turns.len(), 2, "{times} words: {}", raw.render());
        assert!(raw.tokens <= room(189), "{times} words: {} tokens", raw.tokens);
    }
}

#[test]
fn turns_that_left_come_in_groups_of_three_to_five_r71_r72() {
    check_groups(0, &[]);
    check_groups(2, &[2]);
    check_groups(3, &[3]);
    check_groups(5, &[5]);
    check_groups(6, &[3, 3]);
    check_groups(7, &[4, 3]);
    check_groups(8, &[5, 3]);
    check_groups(11, &[5, 3, 3]);
    check_groups(14, &[5, 5, 4]);
}

#[track_caller]
fn check_budgets(total: usize, want: Option<(usize, usize, usize)>) {
    let budgets = Budgets::of(total);
    assert_eq!(budgets.map(|it| (it.raw, it.summary, it.long_term)), want);
    assert_eq!(
        budgets.map_or(0, |it| it.raw + it.summary + it.long_term),
        want.map_or(0, |_| total.min(8_500))
    );
}

#[test]
fn shares_are_4000_1500_and_3000_and_never_more_r88_r89_r90_r91() {
    check_budgets(8_500, Some((4_000, 1_500, 3_000)));
    check_budgets(20_000, Some((4_000, 1_500, 3_000)));
    check_budgets(1_700, Some((800, 300, 600)));
    check_budgets(401, Some((190, 70, 141)));
    check_budgets(400, Some((189, 70, 141)));
    check_budgets(399, None);
}

fn window(long_term: &str, summary: &str, turns: &[Turn]) -> Window {
    let budgets = Budgets::of(8_500).unwrap();
    Window::of(&budgets, long_term, summary, &Raw::of(turns, budgets.raw))
}

#[test]
fn raw_turns_come_last_r70() {
    let window = window("Use cents.\n", "Goal: pay", &conversation("p: go on\na: Sure."));
    expect![[r#"
        long-term: 4 of 3000 tokens
        Use cents.

        summary: 4 of 1500 tokens
        Goal: pay

        raw: 2 turns, 12 of 4000 tokens
        person:
        go on

        agent:
        Sure.
    "#]]
    .assert_eq(&window.render());
}

#[test]
fn all_is_within_8500_with_and_without_memory_r85_r91() {
    let (memory, summary) = (words(5_000), words(3_000).replace(' ', "\n"));
    for long_term in ["", &memory] {
        let window = window(long_term, &summary, &long_agent(9_000, 40));
        assert!(window.tokens() <= 8_500, "{}", window.tokens());
        assert_eq!(window.tokens(), tokens::count(&window.render()));
        assert!(window.raw.tokens <= 4_000 && window.raw.tokens > 3_900);
        assert!(window.summary.tokens <= 1_500 && window.summary.tokens > 1_450);
        assert!(window.long_term.tokens <= 3_000);
        assert!(long_term.is_empty() || window.long_term.tokens > 2_950);
        assert!(window.summary.text.ends_with("\n[the rest is left out]"));
    }
}

#[test]
fn a_header_fits_into_what_is_kept_for_it() {
    let most = Tier { text: String::new(), tokens: 3_999, limit: 4_000 };
    for name in ["long-term: ", "summary: ", "raw: 5 turns, "] {
        let header = format!("\n{name}{} of {} tokens\n", most.tokens, most.limit);
        assert!(tokens::count(&header) <= HEADER_TOKENS, "{}", tokens::count(&header));
    }
}
