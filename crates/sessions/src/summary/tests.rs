//! R74, R172: one template, and what it writes is read back.

use super::*;

#[test]
fn what_is_written_is_read_back_r74() {
    let mut summary = Summary::default();
    summary.set_text("goal", "Round the invoice");
    summary.push("completed", "the parser");
    summary.push("completed", "the parser");
    summary.push("errors", "`cargo test`: left: 119, right: 120 (fixed after: edited src/pay.rs)");
    summary.push("files", "src/pay.rs");
    let text = summary.render();
    assert_eq!(Summary::parse(&text), summary, "{text}");
    assert_eq!(summary.list("completed").len(), 1);
}

#[test]
fn sections_stand_in_the_order_of_the_template_r74() {
    let mut summary = Summary::default();
    summary.push("left_out", "z");
    summary.push("next_actions", "a");
    summary.set_text("goal", "g");
    let text = summary.render();
    let at = |heading: &str| text.find(heading).unwrap();
    assert!(at("## Goal") < at("## Next actions") && at("## Next actions") < at("## Left out"));
}
