//! The tiers of a prompt, their shares and their headers, within one limit (R91).

use super::{Budgets, HEADER_TOKENS, Raw, TOTAL_MIN, Tier, Window, cut, room};
use oldhand_core::policy::{CONVERSATION_TOKENS, LONG_TERM_TOKENS, SUMMARY_TOKENS};
use oldhand_text::strings::{counted, visible};
use oldhand_text::tokens;

impl Budgets {
    /// The shares of 4,000, 1,500 and 3,000 in a total (R88 to R91), which never is more than their
    /// sum; `None` below `TOTAL_MIN`. What rounding leaves is for raw turns.
    pub fn of(total_tokens: usize) -> Option<Budgets> {
        let total = total_tokens.min(CONVERSATION_TOKENS);
        let share = |part: usize| total * part / CONVERSATION_TOKENS;
        let (summary, long_term) = (share(SUMMARY_TOKENS), share(LONG_TERM_TOKENS));
        let budgets = Budgets { raw: total - summary - long_term, summary, long_term };
        (total >= TOTAL_MIN).then_some(budgets)
    }
}

impl Tier {
    /// A text that is longer than its share loses its end.
    fn of(text: &str, limit: usize) -> Tier {
        let text = cut::beginning(&visible(text.trim_end()), room(limit));
        Tier { tokens: tokens::count(&text), text, limit }
    }
}

impl Window {
    /// `raw` was made for the raw share of these budgets.
    pub fn of(budgets: &Budgets, long_term: &str, summary: &str, raw: &Raw) -> Window {
        let mut window = Window {
            long_term: Tier::of(long_term, budgets.long_term),
            summary: Tier::of(summary, budgets.summary),
            raw: Tier { text: raw.render(), tokens: raw.tokens, limit: budgets.raw },
            turns: raw.turns.len(),
        };
        // What a word counts depends a little on the words before it, so that the whole may be more
        // than its tiers by more than the headers. Memory can be asked again; it gives way first.
        while window.tokens() > window.limit() {
            let over = window.tokens() - window.limit();
            let tier = match window.long_term.text.is_empty() {
                false => &mut window.long_term,
                true if !window.summary.text.is_empty() => &mut window.summary,
                true => break,
            };
            let less = cut::beginning(&tier.text, tier.tokens.saturating_sub(over + HEADER_TOKENS));
            tier.tokens = tokens::count(&less);
            tier.text = less;
        }
        window
    }

    pub fn render(&self) -> String {
        let turns = format!("raw: {}, ", counted(self.turns, "turn", "turns"));
        let tiers =
            [("long-term: ", &self.long_term), ("summary: ", &self.summary), (&turns, &self.raw)];
        let shown = tiers.map(|(name, Tier { tokens, limit, text })| {
            let end = if text.is_empty() { "" } else { "\n" };
            format!("{name}{tokens} of {limit} tokens\n{text}{end}")
        });
        shown.join("\n")
    }

    /// With the headers.
    pub fn tokens(&self) -> usize {
        tokens::count(&self.render())
    }

    pub fn limit(&self) -> usize {
        self.long_term.limit + self.summary.limit + self.raw.limit
    }
}
