//! What holds for any conversation.

use proptest::prelude::*;

use super::*;

/// Words that count differently, hidden characters that grow when shown, and long runs.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z]{1,9}",
        1 => "[a-zäöőűžć]{3,15}",
        1 => "[\u{4e00}-\u{4e40}\u{1f600}-\u{1f610}]{1,5}",
        1 => Just("\u{202e}\u{200b}\u{1b}".to_owned()),
        1 => "\\PC{0,12}",
        1 => prop::sample::select(vec!["\n", "\n\n", "the", "`x`", "----", "    ", "0123456789"])
            .prop_map(str::to_owned),
    ];
    let pieces = prop::collection::vec(piece, 0..12);
    // A few are long, by repetition: what matters is how much they take.
    (pieces, prop_oneof![4 => 1usize..3, 1 => 3usize..200])
        .prop_map(|(pieces, times)| format!("{} ", pieces.join(" ")).repeat(times))
}

fn turn() -> impl Strategy<Value = Turn> {
    let uses = prop::collection::vec((text(), 0usize..20), 0..6);
    let results = prop::collection::vec((text(), 0usize..20, any::<bool>()), 0..3);
    let flags = (any::<bool>(), prop::bool::weighted(0.1), prop::bool::weighted(0.3));
    (text(), uses, results, flags).prop_map(|(text, uses, results, flags)| {
        let (is_person, is_sidechain, is_silent) = flags;
        let voice = if is_person { Voice::Person } else { Voice::Agent };
        let mut turn = record(0, voice, if is_silent { "" } else { &text });
        turn.is_sidechain = is_sidechain;
        turn.results = results
            .into_iter()
            .map(|(text, id, is_error)| ToolResult { id: id.to_string(), is_error, text })
            .collect();
        if !is_person {
            let tool = |(text, id): (String, usize)| ToolUse {
                id: id.to_string(),
                name: "Tool".to_owned(),
                command: Some(text),
                ..ToolUse::default()
            };
            turn.uses = uses.into_iter().map(tool).collect();
        }
        turn
    })
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    prop::collection::vec(turn(), 0..24).prop_map(|mut turns| {
        for (at, turn) in turns.iter_mut().enumerate() {
            turn.line = 2 * at + 3;
        }
        turns
    })
}

/// What was said to the other side, in its order.
fn speech(turns: &[Turn]) -> Vec<&str> {
    let spoken = turns.iter().filter(|turn| !turn.is_sidechain);
    spoken.map(|turn| turn.text.as_str()).filter(|text| !text.trim().is_empty()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_raw_budget_holds_r88(turns in turns(), budget in 0usize..4_500) {
        let raw = Raw::of(&turns, budget);
        prop_assert_eq!(raw.tokens, tokens::count(&raw.render()));
        prop_assert!(raw.tokens <= budget, "{} of {budget}", raw.tokens);
        let said = spoken(&turns);
        let turns_max = if is_long(&said) { 3 } else { 5 };
        prop_assert!(raw.turns.len() <= turns_max);
        let is_tiny = budget < TOTAL_MIN / 3;
        prop_assert!(is_tiny || !raw.turns.is_empty() || said.is_empty());
        let is_prompt = |turn: &SpokenTurn| turn.voice == Voice::Person;
        prop_assert!(is_tiny || raw.turns.iter().any(is_prompt) || !said.iter().any(is_prompt));
    }

    /// From the smallest share that `Budgets` gives: in less, an answer may not fit at all.
    #[test]
    fn what_is_not_cut_is_unmodified_r68(turns in turns(), budget in 189usize..4_500) {
        let all = spoken(&turns);
        let raw = Raw::of(&turns, budget);
        let texts: Vec<&str> =
            all.iter().map(|turn| turn.text.as_str()).filter(|text| !text.is_empty()).collect();
        prop_assert_eq!(texts.join("\n\n"), speech(&turns).join("\n\n"));
        for (kept, said) in raw.turns.iter().zip(last(&all, raw.turns.len())) {
            prop_assert!(kept == said || raw.turns.len() <= 2);
            prop_assert_eq!((kept.voice, kept.first_record), (said.voice, said.first_record));
        }
        for pair in all.windows(2) {
            prop_assert!(pair[0].voice != pair[1].voice);
            prop_assert!(pair[0].first_record < pair[1].first_record);
        }
    }

    #[test]
    fn older_and_raw_are_all_of_it_r71_r72(turns in turns(), budget in 189usize..4_500) {
        let raw = Raw::of(&turns, budget);
        let before = older(&turns, &raw);
        let rest = &turns[before.len()..];
        let older = spoken(before).len();
        prop_assert_eq!(older + raw.turns.len(), spoken(&turns).len());
        prop_assert_eq!(spoken(rest).len(), raw.turns.len());
        let groups = groups(before);
        let records: Vec<&[Turn]> = groups.iter().map(|group| group.0).collect();
        prop_assert_eq!(records.concat(), before);
        let sizes: Vec<usize> = groups.iter().map(|group| spoken(group.0).len()).collect();
        prop_assert!(groups.iter().zip(&sizes).all(|(group, size)| group.1 == *size));
        prop_assert!(older < 3 || sizes.iter().all(|size| (3..=5).contains(size)), "{sizes:?}");
    }

    #[test]
    fn the_whole_is_within_its_total_r91(
        turns in turns(),
        memory in text(),
        summary in text(),
        total in TOTAL_MIN..9_000,
        times in 1usize..60,
    ) {
        let budgets = Budgets::of(total).unwrap();
        let raw = Raw::of(&turns, budgets.raw);
        let window = Window::of(&budgets, &memory.repeat(times), &summary.repeat(times), &raw);
        prop_assert!(window.tokens() <= total.min(8_500), "{} of {total}", window.tokens());
        prop_assert_eq!(window.tokens(), tokens::count(&window.render()));
        for tier in [&window.long_term, &window.summary, &window.raw] {
            prop_assert!(tier.tokens <= tier.limit);
            prop_assert_eq!(tier.tokens, tokens::count(&tier.text));
        }
        prop_assert_eq!(window.raw.text, raw.render());
    }
}
