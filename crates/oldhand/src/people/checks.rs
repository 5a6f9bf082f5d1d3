//! What `doctor` and `fresh` found, and what to do about it.

use oldhand_app::doctor::Diagnosis;
use oldhand_app::fresh::{Checked, FreshReport};
use oldhand_core::fresh::{PathVerdict, Verdict};
use oldhand_screen::{Screen, Tone};
use oldhand_store::port::Finding;
use oldhand_text::strings::counted;

pub(crate) fn doctor(diagnosis: &Diagnosis, screen: &Screen) -> String {
    let head = match diagnosis.findings.len() {
        0 => screen.paint(Tone::Good, "✓ no problems found"),
        count => {
            let findings = counted(count, "finding", "findings");
            screen.paint(Tone::Bad, &format!("✗ {findings} for you to decide"))
        }
    };
    let memories = screen.dim(&counted(diagnosis.memories, "memory", "memories"));
    let events = screen.dim(&counted(diagnosis.events, "event", "events"));
    let mut out = screen.wrapped(&screen.parts(&[head, memories, events]), 0);
    let hosts = diagnosis.hosts.iter().map(|host| format!("the hook for {host} answers"));
    let repaired = diagnosis.repaired.iter().map(|it| format!("repaired: {it}"));
    hosts.chain(repaired).for_each(|line| out.push_str(&screen.done(&line)));
    for line in &diagnosis.notes {
        out.push_str(&screen.item(&screen.paint(Tone::Warn, "!"), &screen.literals(line), 0));
    }
    for (hint, findings) in by_fix(&diagnosis.findings) {
        out.push('\n');
        for finding in findings {
            out.push_str(&screen.wrapped(&screen.title(&finding.path), 0));
            out.push_str(&screen.wrapped(&screen.literals(&finding.what), 2));
        }
        if !hint.is_empty() {
            out.push_str(&screen.hint(hint));
        }
    }
    out
}

/// Findings that one step settles stand together, in the order in which they were found.
fn by_fix(findings: &[Finding]) -> Vec<(&str, Vec<&Finding>)> {
    let mut groups: Vec<(&str, Vec<&Finding>)> = Vec::new();
    for finding in findings {
        match groups.iter_mut().find(|(hint, _)| *hint == finding.hint && !hint.is_empty()) {
            Some((_, group)) => group.push(finding),
            None => groups.push((&finding.hint, vec![finding])),
        }
    }
    groups
}

/// `summary` says in a few words what the paths of a memory came to.
pub(crate) fn fresh(
    report: &FreshReport,
    is_named: bool,
    (summary, hint): (impl Fn(&Checked) -> String, Option<String>),
    screen: &Screen,
) -> String {
    if report.memories.is_empty() {
        return format!("{}\n", screen.dim("nothing to check"));
    }
    let row = |checked: &Checked| {
        let mut cell = vec![screen.title(&checked.id), screen.literals(&summary(checked))];
        let path = |path: &PathVerdict| {
            screen.parts(&[verdict(path.verdict, screen), screen.literals(&path.reason)])
        };
        cell.extend(checked.paths.iter().filter(|_| is_named).map(path));
        vec![verdict(checked.verdict, screen), cell.join("\n")]
    };
    let mut out = screen.table(report.memories.iter().map(row).collect(), 1);
    if !report.warnings.is_empty() {
        out.push('\n');
    }
    for warning in &report.warnings {
        out.push_str(&screen.page(&warning.line()));
    }
    out + &hint.map(|hint| screen.hint(&hint)).unwrap_or_default()
}

fn verdict(verdict: Verdict, screen: &Screen) -> String {
    let (mark, tone) = match verdict {
        Verdict::Fresh => ("✓", Tone::Good),
        Verdict::Unbound => ("·", Tone::Dim),
        Verdict::Unknown => ("?", Tone::Warn),
        Verdict::Drifted | Verdict::Moved => ("!", Tone::Warn),
        Verdict::Orphaned => ("✗", Tone::Bad),
    };
    screen.paint(tone, &format!("{mark} {verdict}"))
}
