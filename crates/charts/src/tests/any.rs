//! R356. Whatever the values are, a chart has only finite numbers inside its frame, and text of others
//! stays text.

use maud::Markup;
use proptest::prelude::*;

use crate::*;

const HOSTILE: &str = "\"'><script>alert(1)</script><svg onload=x>\u{202e}\n&amp;";

/// The numbers of an attribute, wherever it occurs.
fn numbers(svg: &str, name: &str) -> Vec<f64> {
    let before = format!(" {name}=\"");
    let values = svg.split(&before).skip(1).map(|rest| rest.split('"').next().unwrap_or(""));
    values.map(|value| value.parse().unwrap()).collect()
}

#[track_caller]
fn check(picture: &Markup) {
    let svg = picture.0.as_str();
    let paths = svg.split(" d=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let is_odd = |path: &str| path.contains(['N', 'i', 'n', 'f']);
    assert_eq!(paths.into_iter().find(|path| is_odd(path)), None, "{svg}");
    let role = if svg.contains("<a ") { "role=\"group\"" } else { "role=\"img\"" };
    assert!(svg.contains(role) && svg.contains("aria-label=\""), "{svg}");
    assert!(!svg.contains("style=") && !svg.contains(" id="), "{svg}");
    assert!(!svg.contains("<script") && !svg.contains("<svg onload"), "{svg}");
    assert!(!svg.contains('\u{202e}'), "{svg}");
    let view = svg.split("viewBox=\"0 0 ").nth(1).unwrap().split('"').next().unwrap();
    let (width, height) = view.split_once(' ').unwrap();
    let (width, height): (f64, f64) = (width.parse().unwrap(), height.parse().unwrap());
    for (names, most) in [(["x", "x1", "x2", "cx"], width), (["y", "y1", "y2", "cy"], height)] {
        for name in names {
            let odd = numbers(svg, name).into_iter().find(|at| !(0.0..=most).contains(at));
            assert_eq!(odd, None, "{name} is outside of {most}: {svg}");
        }
    }
    let sizes = ["width", "height", "r"].iter().flat_map(|name| numbers(svg, name));
    assert!(sizes.into_iter().all(|size| size >= 0.0), "{svg}");
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![Just(HOSTILE.to_owned()), "[a-z ]{0,60}", any::<String>()]
}

fn at() -> impl Strategy<Value = Moment> {
    prop_oneof![1_600_000_000_i64..1_800_000_000, -10_000_000_000_i64..100_000_000_000]
}

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..=1.0_f64, any::<f64>()]
}

fn tone() -> impl Strategy<Value = Tone> {
    prop_oneof![Just(Tone::Good), Just(Tone::Watch), Just(Tone::Bad), Just(Tone::Muted)]
}

fn many<T: std::fmt::Debug>(one: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(one, 0..12)
}

fn mark() -> impl Strategy<Value = life::Mark> {
    use life::MarkKind::*;
    let kinds = vec![Created, Changed, Evidence, Helped, Used, Failed, Reviewed, Conflict];
    let kind = prop::sample::select(kinds);
    (at(), kind, name()).prop_map(|(at, kind, text)| life::Mark { at, kind, text })
}

fn span() -> impl Strategy<Value = life::Span> {
    (at(), name(), any::<u8>(), tone()).prop_map(|(at, state, weight, tone)| life::Span {
        at,
        state,
        weight,
        tone,
    })
}

fn link() -> impl Strategy<Value = links::Link> {
    use links::Relation::*;
    let relation = prop::sample::select(vec![Supersedes, RestsOn, Conflicts, Related]);
    (0..20_u8, 0..20_u8, relation).prop_map(|(from, to, relation)| links::Link {
        from: from.to_string(),
        to: to.to_string(),
        relation,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_life(until in at(), spans in many(span()), marks in many(mark()), next in name()) {
        let successor = (!next.is_empty()).then(|| (next, "/m/next".to_owned()));
        check(&life::life(&life::Life { until, spans, marks, successor }).svg);
    }

    #[test]
    fn a_trust_curve(until in at(), caution in value(), review in value(), steps in many((at(), value(), name()))) {
        let step = |(at, value, event)| trust::TrustPoint { at, value, event };
        let steps = steps.into_iter().map(step).collect();
        check(&trust::trust(&trust::Trust { until, steps, caution, review }).svg);
    }

    #[test]
    fn readers(first_day in at(), readers in many((name(), prop::collection::vec(any::<u32>(), 0..120)))) {
        let reader = |(name, counts): (String, Vec<u32>)| served::Reader {
            href: String::new(),
            name,
            counts: counts.into_iter().map(u64::from).collect(),
        };
        let readers = readers.into_iter().map(reader).collect();
        check(&served::served(&served::Served { first_day, readers }).svg);
    }

    #[test]
    fn budgets(answers in many((name(), many(any::<u64>()), any::<u64>(), any::<u64>()))) {
        let answer = |(label, parts, budget, left_out)| budget::Answer {
            label, parts, budget, left_out, href: String::new(),
        };
        let parts = ["constraints", "task", "notes"].map(str::to_owned).to_vec();
        let answers = answers.into_iter().map(answer).collect();
        check(&budget::budget(&budget::Budget { parts, answers }).svg);
    }

    #[test]
    fn funnels(weeks in many(name()), steps in many((name(), many(any::<Option<u64>>())))) {
        let step = |(name, counts)| funnel::Stage { name, counts, href: String::new() };
        let steps = steps.into_iter().map(step).collect();
        check(&funnel::funnel(&funnel::Funnel { weeks, steps }).svg);
    }

    #[test]
    fn health_lines(until in at(), rows in many((name(), many((at(), tone(), name()))))) {
        let dot = |(at, tone, word): (Moment, Tone, String)| health::Dot {
            at, tone, reason: word.clone(), word,
        };
        let row = |(name, dots): (String, Vec<_>)| health::Row {
            name, href: String::new(), dots: dots.into_iter().map(dot).collect(),
        };
        let rows = rows.into_iter().map(row).collect();
        check(&health::health(&health::HealthLine { until, rows }).svg);
    }

    #[test]
    fn maps(folders in many((name(), any::<u32>(), any::<u64>(), tone()))) {
        let folder = |(name, files, memories, tone): (String, u32, u64, Tone)| map::Folder {
            worst: (memories % 3 > 0).then(|| (tone, name.clone())),
            name, files: u64::from(files), memories, ..map::Folder::default()
        };
        let children: Vec<map::Folder> = folders.into_iter().map(folder).collect();
        let files = children.iter().map(|it| it.files).sum();
        let parent = map::Folder { files, children: children.clone(), ..map::Folder::default() };
        check(&map::map(&[children, vec![parent]].concat()).svg);
    }

    #[test]
    fn neighbourhoods(titles in prop::collection::vec(name(), 20), links in many(link()), more in 0..9_usize) {
        let node = |(at, title): (usize, String)| links::Node {
            id: at.to_string(), state: title.clone(), title, ..links::Node::default()
        };
        let nodes = titles.into_iter().enumerate().map(node).collect();
        check(&links::links(&links::Links { center: "0".to_owned(), nodes, links, more }).svg);
    }

    #[test]
    fn small_ones(label in name(), values in many((name(), any::<u64>())), part in value()) {
        check(&small::bars(&label, &values, Tone::Link));
        check(&small::meter(&label, part, Tone::Good));
    }
}
