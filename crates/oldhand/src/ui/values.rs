//! Values of journeys as the pages take them.

use oldhand_app::around::Around;
use oldhand_app::life::{LifeLine, MarkKind};
use oldhand_app::settings::Settings;
use oldhand_charts::{Tone, life, links, trust};
use oldhand_core::fresh::Verdict;
use oldhand_core::memory::Link;
use oldhand_core::state::State;
use oldhand_ui::house::Named;
use oldhand_ui::parts::memory_path;
use serde::Serialize;

use super::shelf::Cards;
use oldhand_desk::failure::Fail;
use oldhand_desk::printer::Io;

/// As a command answers with `--json`.
pub(super) fn json_text(schema: &str, answer: impl Serialize) -> Result<String, Fail> {
    let mut out = Vec::new();
    Io::new(std::io::empty(), &mut out, std::io::sink()).json(schema, answer)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

pub(super) fn named(id: &str, cards: &Cards) -> Named {
    Named { id: id.to_owned(), title: cards.title(id) }
}

pub(super) fn tone_of_state(state: State) -> Tone {
    match state {
        State::Stable | State::Canonical => Tone::Good,
        State::Provisional => Tone::Link,
        State::UnderReview => Tone::Review,
        State::Decayed => Tone::Watch,
        State::Rejected => Tone::Bad,
        _ => Tone::Muted,
    }
}

pub(super) fn tone_of_verdict(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Fresh => Tone::Good,
        Verdict::Unbound | Verdict::Unknown => Tone::Muted,
        Verdict::Drifted => Tone::Watch,
        Verdict::Moved | Verdict::Orphaned => Tone::Bad,
    }
}

/// The life of a memory and its trust, as charts.
pub(super) fn life_charts(
    line: &LifeLine,
    settings: &Settings,
    until: i64,
) -> (life::Life, trust::Trust) {
    let weight = |state: State| match state {
        State::Canonical => 5,
        State::Stable => 4,
        State::Provisional => 3,
        State::UnderReview => 2,
        _ => 1,
    };
    let span = |it: &oldhand_app::life::StateSpan| life::Span {
        at: it.at.as_second(),
        state: it.state.as_str().replace('_', " "),
        weight: weight(it.state),
        tone: tone_of_state(it.state),
    };
    let mark = |it: &oldhand_app::life::LifeMark| life::Mark {
        at: it.at.as_second(),
        kind: mark_kind(it.what),
        text: it.text.clone(),
    };
    let step = |it: &oldhand_app::life::TrustStep| trust::TrustPoint {
        at: it.at.as_second(),
        value: it.trust,
        event: it.event.clone(),
    };
    let life = life::Life {
        until,
        spans: line.states.iter().map(span).collect(),
        marks: line.marks.iter().map(mark).collect(),
        successor: line.successor.as_ref().map(|it| (it.title.clone(), memory_path(&it.id))),
    };
    let trust = trust::Trust {
        until,
        steps: line.trust.iter().map(step).collect(),
        caution: settings.recall.caution_trust,
        review: settings.life.trust_floor,
    };
    (life, trust)
}

fn mark_kind(kind: MarkKind) -> life::MarkKind {
    match kind {
        MarkKind::Created => life::MarkKind::Created,
        MarkKind::Changed => life::MarkKind::Changed,
        MarkKind::Evidence => life::MarkKind::Evidence,
        MarkKind::Helped => life::MarkKind::Helped,
        MarkKind::Used => life::MarkKind::Used,
        MarkKind::Failed => life::MarkKind::Failed,
        MarkKind::Reviewed => life::MarkKind::Reviewed,
        MarkKind::Conflict => life::MarkKind::Conflict,
    }
}

/// What a memory hangs together with, as a chart.
pub(super) fn links_chart(around: &Around) -> links::Links {
    let relation = |link: Link| match link {
        Link::Supersedes => links::Relation::Supersedes,
        Link::RestsOn | Link::Refines => links::Relation::RestsOn,
        Link::ConflictsWith => links::Relation::Conflicts,
        Link::Beside | Link::RelatedTo => links::Relation::Related,
    };
    links::Links {
        center: around.center.clone(),
        nodes: around
            .memories
            .iter()
            .map(|it| links::Node {
                id: it.id.clone(),
                title: it.title.clone(),
                href: memory_path(&it.id),
                state: it.state.as_str().replace('_', " "),
                tone: tone_of_state(it.state),
            })
            .collect(),
        links: around
            .links
            .iter()
            .map(|it| links::Link {
                from: it.from.clone(),
                to: it.to.clone(),
                relation: relation(it.link),
            })
            .collect(),
        more: around.more,
    }
}
