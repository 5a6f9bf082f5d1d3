//! One of each chart, as text.

use expect_test::{ExpectFile, expect, expect_file};

use crate::*;

/// One element per line, so that a change shows as lines.
#[track_caller]
fn check(picture: &Picture, expected: ExpectFile) {
    let svg = picture.svg.0.replace("><", ">\n<");
    let row =
        |row: &Vec<Cell>| row.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" | ");
    let rows: Vec<String> = picture.table.rows.iter().map(row).collect();
    expected.assert_eq(&format!(
        "{svg}\n{}\n{}\n",
        picture.table.columns.join(" | "),
        rows.join("\n")
    ));
}

/// Noon of a day in November 2026.
fn day(day: i64) -> Moment {
    (20_758 + day - 1) * 86_400 + 43_200
}

#[test]
fn days_have_names() {
    assert_eq!(
        [day_name(0), day_name(-1), day_name(951_782_400), day_name(day(18))],
        ["1970-01-01", "1969-12-31", "2000-02-29", "2026-11-18"]
    );
}

#[test]
fn a_life() {
    let mark = |at, kind, text: &str| life::Mark { at: day(at), kind, text: text.to_owned() };
    let span = |at, state: &str, weight, tone| life::Span {
        at: day(at),
        state: state.to_owned(),
        weight,
        tone,
    };
    let life = life::Life {
        until: day(18),
        spans: vec![span(1, "candidate", 1, Tone::Muted), span(6, "stable", 3, Tone::Good)],
        marks: vec![
            mark(1, life::MarkKind::Created, "by ana"),
            mark(8, life::MarkKind::Helped, "in task 7"),
            mark(9, life::MarkKind::Failed, "in task 8"),
        ],
        successor: Some(("Use integer cents".to_owned(), "/m/cents".to_owned())),
    };
    check(&life::life(&life), expect_file!["drawn/life.txt"]);
}

#[test]
fn marks_of_old_months_are_counted() {
    let mark =
        |at: i64| life::Mark { at: at * 86_400, kind: life::MarkKind::Used, text: String::new() };
    let life =
        life::Life { until: 0, marks: (-430..0).map(mark).collect(), ..life::Life::default() };
    let table = life::life(&life).table;
    assert_eq!(table.rows.len(), life::MARKS_MAX + 2);
    assert_eq!(table.rows[0][2].text, "4 times used in this month");
}

#[test]
fn a_trust_curve() {
    let step =
        |at, value, event: &str| trust::TrustPoint { at: day(at), value, event: event.to_owned() };
    let steps = vec![step(1, 0.6, "created"), step(9, 0.44, "failed in task 8")];
    let trust = trust::Trust { until: day(18), steps, caution: 0.5, review: 0.3 };
    check(&trust::trust(&trust), expect_file!["drawn/trust.txt"]);
}

#[test]
fn readers() {
    let reader = |name: &str, counts: &[u64]| served::Reader {
        name: name.to_owned(),
        href: format!("/sessions?host={name}"),
        counts: counts.to_vec(),
    };
    let readers = vec![reader("codex", &[0, 1]), reader("claude-code", &[4, 0, 2])];
    check(
        &served::served(&served::Served { first_day: day(1), readers }),
        expect_file!["drawn/served.txt"],
    );
}

#[test]
fn a_map() {
    let folder = |name: &str, files, memories, worst: Option<(Tone, &str)>| map::Folder {
        name: name.to_owned(),
        href: format!("/code?path={name}"),
        files,
        memories,
        worst: worst.map(|(tone, word)| (tone, word.to_owned())),
        children: Vec::new(),
    };
    let folders = [
        folder("src", 60, 4, Some((Tone::Bad, "orphaned"))),
        folder("docs", 30, 0, None),
        folder("tests", 10, 1, Some((Tone::Good, "fresh"))),
    ];
    check(&map::map(&folders), expect_file!["drawn/map.txt"]);
}

#[test]
fn a_neighbourhood() {
    let node = |id: &str, state: &str, tone| links::Node {
        id: id.to_owned(),
        title: format!("Title of {id}"),
        href: format!("/m/{id}"),
        state: state.to_owned(),
        tone,
    };
    let link = |from: &str, relation, to: &str| links::Link {
        from: from.to_owned(),
        to: to.to_owned(),
        relation,
    };
    let links = links::Links {
        center: "b".to_owned(),
        nodes: vec![
            node("a", "superseded", Tone::Muted),
            node("b", "stable", Tone::Good),
            node("c", "stable", Tone::Good),
        ],
        links: vec![
            link("b", links::Relation::Supersedes, "a"),
            link("c", links::Relation::RestsOn, "b"),
        ],
        more: 12,
    };
    check(&links::links(&links), expect_file!["drawn/links.txt"]);
}

#[test]
fn a_large_neighbourhood_says_how_many_more() {
    let node = |at: usize| links::Node { id: at.to_string(), ..links::Node::default() };
    let link = |at: usize| links::Link {
        from: at.to_string(),
        to: "0".to_owned(),
        relation: links::Relation::RestsOn,
    };
    let links = links::Links {
        center: "0".to_owned(),
        nodes: (0..72).map(node).collect(),
        links: (1..72).map(link).collect(),
        more: 0,
    };
    assert!(links::links(&links).svg.0.contains(">12 more<"));
}

#[test]
fn a_budget() {
    let answers = vec![budget::Answer {
        label: "prompt, 10:04".to_owned(),
        href: "/s/1".to_owned(),
        parts: vec![120, 300, 0],
        budget: 800,
        left_out: 90,
    }];
    let parts = ["constraints", "task", "notes"].map(str::to_owned).to_vec();
    check(&budget::budget(&budget::Budget { parts, answers }), expect_file!["drawn/budget.txt"]);
}

#[test]
fn a_funnel() {
    let step = |name: &str, counts: &[Option<u64>]| funnel::Stage {
        name: name.to_owned(),
        href: format!("/memories?{name}"),
        counts: counts.to_vec(),
    };
    let weeks = ["9 Nov", "16 Nov"].map(str::to_owned).to_vec();
    let steps = vec![step("hits", &[Some(8), Some(4)]), step("promoted", &[None, Some(3)])];
    check(&funnel::funnel(&funnel::Funnel { weeks, steps }), expect_file!["drawn/funnel.txt"]);
}

#[test]
fn a_health_line() {
    let dot = |at, tone, word: &str| health::Dot {
        at: day(at),
        tone,
        word: word.to_owned(),
        reason: "3 of 9".to_owned(),
    };
    let dots = vec![dot(2, Tone::Good, "healthy"), dot(9, Tone::Bad, "needs attention")];
    let rows =
        vec![health::Row { name: "unused".to_owned(), href: "/memories?unused".to_owned(), dots }];
    check(
        &health::health(&health::HealthLine { until: day(18), rows }),
        expect_file!["drawn/health.txt"],
    );
}

#[test]
fn a_figure_has_its_numbers_below() {
    let picture = Picture {
        narrow: None,
        svg: small::meter("Trust 0.5", 0.5, Tone::Good),
        table: Table::new(&["Day"]),
    };
    expect![[r#"<figure class="chart"><figcaption>Trust &amp; &lt;time&gt;</figcaption><div class="chart-scroll" tabindex="0" role="group" aria-label="Trust &amp; &lt;time&gt;"><span class="spark"><svg viewBox="0 0 60 10" width="60" height="10" role="img" aria-label="Trust 0.5"><rect class="c-muted" x="0" y="1" width="60" height="8" rx="2" fill="currentColor" fill-opacity="0.18"></rect><rect class="c-good" x="0" y="1" width="30" height="8" rx="2" fill="currentColor"></rect></svg></span></div><details><summary>The numbers</summary><div class="chart-scroll" tabindex="0" role="group" aria-label="The numbers"><table><thead><tr><th scope="col">Day</th></tr></thead><tbody></tbody></table></div></details></figure>"#]].assert_eq(&picture.figure("Trust & <time>").0);
}
