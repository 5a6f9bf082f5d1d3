//! Measures what a compaction keeps, beside the head and the tail of the same conversation:
//! `cargo run --release -p oldhand-core --example compaction -- <folder of transcripts> [budget…]`.
//! A fact counts as kept only when its text is found in what is left.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool that prints what it measured"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use oldhand_core::compact::{self, Compaction, Fact, Request, Sort};
use oldhand_core::summary::Summary;
use oldhand_core::tokens;
use oldhand_core::transcript::{self, Turn, Voice};

const BUDGETS: [usize; 6] = [1_500, 3_000, 4_000, 6_000, 8_000, 12_000];

struct Session {
    name: String,
    turns: Vec<Turn>,
    root: String,
    facts: Vec<Fact>,
    /// The facts of the last error: its text, its command, what was done until it was gone.
    last: Vec<Fact>,
    parsed: Duration,
}

#[derive(Default)]
struct Row {
    after: Vec<usize>,
    kept: [usize; 4],
    all: [usize; 4],
    last_kept: [usize; 4],
    last_all: [usize; 4],
    last_whole: usize,
    good: usize,
    over: usize,
    missing: usize,
    time: Duration,
    slowest: Duration,
    unused: usize,
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".to_owned());
    let budgets: Vec<usize> = arguments.filter_map(|it| it.parse().ok()).collect();
    let budgets = if budgets.is_empty() { BUDGETS.to_vec() } else { budgets };
    let sessions = read_all(Path::new(&folder))?;
    let before: Vec<usize> = sessions.iter().map(|it| compacted(it, 400).before_tokens).collect();
    let parsed: Duration = sessions.iter().map(|it| it.parsed).sum();
    println!(
        "{} sessions, parsed in {parsed:?}; tokens before: {}",
        sessions.len(),
        spread(before)
    );
    let count =
        |sort| sessions.iter().flat_map(|it| &it.facts).filter(|it| it.sort == sort).count();
    println!(
        "facts: {}",
        Sort::ALL.map(|sort| format!("{} {}", count(sort), sort.as_str())).join(", ")
    );
    for budget in budgets {
        println!("\nbudget {budget}");
        measure(&sessions, budget).print("compact");
        baseline(&sessions, budget).print("head + tail");
        for parts in [2, 4] {
            in_steps(&sessions, budget, parts);
        }
    }
    Ok(())
}

fn read_all(folder: &Path) -> std::io::Result<Vec<Session>> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder)?.filter_map(|it| it.ok().map(|it| it.path())).collect();
    paths.sort();
    let mut sessions = Vec::new();
    for path in paths.iter().filter(|it| it.extension().is_some_and(|it| it == "jsonl")) {
        let mut bytes = std::fs::read(path)?;
        // A last line without its end counts as still being written.
        bytes.push(b'\n');
        let Some(format) = transcript::detect(&bytes) else { continue };
        let begin = Instant::now();
        let turns = transcript::read(&bytes, format, 1).turns;
        let parsed = begin.elapsed();
        let root = root_of(&bytes);
        let facts = compact::facts(&turns, &root);
        let last = last_error(&turns, &root, &facts);
        let name = path.display().to_string();
        sessions.push(Session { name, turns, root, facts, last, parsed });
    }
    Ok(sessions)
}

/// The first folder that a record names.
fn root_of(bytes: &[u8]) -> String {
    const KEY: &str = "\"cwd\":\"";
    let text = String::from_utf8_lossy(bytes);
    let from = text.find(KEY).map(|at| &text[at + KEY.len()..]).unwrap_or_default();
    from.split('"').next().unwrap_or_default().to_owned()
}

/// Everything exact between the last failure and its success, found here on its own: the error and its
/// numbers, the command, and the files changed and commands run until the same command ended well.
fn last_error(turns: &[Turn], root: &str, facts: &[Fact]) -> Vec<Fact> {
    let is_error = |it: &&Fact| it.sort == Sort::Error;
    let Some(error) = facts.iter().rfind(is_error) else { return Vec::new() };
    let from = turns.iter().position(|it| it.line == error.line).unwrap_or_default();
    let result = turns[from].results.iter().find(|it| !it.id.is_empty() && it.is_error);
    let command = result.and_then(|result| {
        let uses = turns[..from].iter().rev().flat_map(|turn| &turn.uses);
        uses.into_iter().find(|tool| tool.id == result.id).and_then(|tool| tool.command.clone())
    });
    let to = command.as_ref().and_then(|command| success_of(&turns[from + 1..], command));
    let until = to.map_or(from + 1, |to| from + 1 + to);
    let mut last = compact::facts(&turns[from..until], root);
    last.retain(|it| matches!(it.sort, Sort::Path | Sort::Command));
    let own = facts.iter().filter(|it| it.line == error.line);
    last.extend(own.filter(|it| matches!(it.sort, Sort::Error | Sort::Number)).cloned());
    if let Some(command) = command {
        let use_of =
            |turn: &&Turn| turn.uses.iter().any(|it| it.command.as_ref() == Some(&command));
        let own = turns[..from].iter().rev().find(use_of).cloned();
        last.extend(own.into_iter().flat_map(|turn| compact::facts(&[turn], root)));
    }
    last
}

/// Where the very same command ends well.
fn success_of(turns: &[Turn], command: &str) -> Option<usize> {
    let mut ids: Vec<&str> = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let same = turn.uses.iter().filter(|it| it.command.as_deref() == Some(command));
        ids.extend(same.map(|it| it.id.as_str()));
        if turn.results.iter().any(|it| !it.is_error && ids.contains(&it.id.as_str())) {
            return Some(at);
        }
    }
    None
}

fn compacted(session: &Session, budget_tokens: usize) -> Compaction {
    let request = Request { budget_tokens, focus: None, earlier: None, root: &session.root };
    compact::compact(&session.turns, &request)
}

fn measure(sessions: &[Session], budget: usize) -> Row {
    let mut row = Row::default();
    for session in sessions {
        let begin = Instant::now();
        let compaction = compacted(session, budget);
        let time = begin.elapsed();
        row.time += time;
        row.slowest = row.slowest.max(time);
        let text = compaction.summary.render();
        if std::env::var_os("SHOW").is_some() {
            println!("# {}\n{text}", session.name);
        }
        row.missing += compact::check(&text, &session.turns, &session.root).missing.len();
        let spare = budget.saturating_sub(tokens::count(&text));
        if !compaction.left_out.is_empty() {
            row.unused = row.unused.max(spare);
        }
        row.note(session, &text, budget);
    }
    row
}

/// What a summary that was continued keeps of what one of the whole keeps.
fn in_steps(sessions: &[Session], budget: usize, parts: usize) {
    let (mut once_kept, mut steps_kept, mut worse, mut vanished, mut over) = (0, 0, 0, 0, 0);
    for session in sessions {
        let once = compacted(session, budget).summary;
        let mut steps = Summary::default();
        let size = session.turns.len().div_ceil(parts).max(1);
        let mut rest = session.turns.as_slice();
        while !rest.is_empty() {
            let part;
            (part, rest) = rest.split_at(boundary(rest, size));
            let earlier = (part.len() < session.turns.len()).then_some(&steps);
            let root = &session.root;
            let request = Request { budget_tokens: budget, focus: None, earlier, root };
            steps = compact::compact(part, &request).summary;
        }
        let text = steps.render();
        let count =
            |text: &str| compact::kept(text, &session.facts).into_iter().filter(|it| *it).count();
        let (of_once, of_steps) = (count(&once.render()), count(&text));
        (once_kept, steps_kept) = (once_kept + of_once, steps_kept + of_steps);
        over += usize::from(tokens::count(&text) > budget);
        if of_steps * 100 < of_once * 95 {
            worse += 1;
            note(&format!("steps {parts}: {of_steps} of {of_once} {}", session.name));
        }
        for field in Summary::fields() {
            let has =
                |it: &Summary| !it.list(&field.name).is_empty() || !it.text(&field.name).is_empty();
            if has(&once) && !has(&steps) {
                vanished += 1;
                note(&format!("steps {parts}: no {} in {}", field.name, session.name));
            }
        }
    }
    println!(
        "  in {parts} steps: {steps_kept} facts, {:.1}% of one pass; below 95%: {worse} sessions; \
         sections that vanished: {vanished}; over budget: {over}",
        100.0 * steps_kept as f64 / once_kept.max(1) as f64
    );
}

/// The first place from a size on where no call waits for its result: hosts compact there.
fn boundary(turns: &[Turn], size: usize) -> usize {
    let mut waiting: Vec<&str> = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        if at >= size && waiting.is_empty() {
            return at;
        }
        waiting.extend(turn.uses.iter().map(|it| it.id.as_str()));
        waiting.retain(|id| !turn.results.iter().any(|it| it.id == *id));
    }
    turns.len()
}

fn note(text: &str) {
    if std::env::var_os("VERBOSE").is_some() {
        eprintln!("{text}");
    }
}

fn baseline(sessions: &[Session], budget: usize) -> Row {
    let mut row = Row::default();
    for session in sessions {
        let text = head_and_tail(&conversation(session), budget);
        row.note(session, &text, budget);
    }
    row
}

/// What was said and done, with commands, paths and errors written as facts are.
fn conversation(session: &Session) -> Vec<String> {
    let mut lines = Vec::new();
    for turn in &session.turns {
        let name = if turn.voice == Voice::Person { "person" } else { "agent" };
        if !turn.text.is_empty() {
            lines.push(format!("{name}: {}", turn.text));
        }
        let own = compact::facts(
            &[Turn { text: String::new(), results: Vec::new(), ..turn.clone() }],
            &session.root,
        );
        for fact in own {
            let sign = if fact.sort == Sort::Command { "$ " } else { "file " };
            lines.push(format!("{sign}{}", fact.text));
        }
        for result in &turn.results {
            let flat = oldhand_core::working::telling_lines(&result.text, 500);
            lines.push(if result.is_error { flat } else { result.text.clone() });
        }
    }
    lines
}

fn head_and_tail(lines: &[String], budget: usize) -> String {
    let (mut head, mut tail): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let (mut from, mut to) = (0, lines.len());
    let mut used = 0;
    let mut is_head = true;
    while from < to {
        let line = if is_head { &lines[from] } else { &lines[to - 1] };
        let weight = tokens::count(line);
        // A line that is longer than a fifth of it all is cut; nobody would keep it whole.
        let line: &str = if weight > budget / 5 {
            &line[..line.floor_char_boundary(line.len() * (budget / 5) / weight)]
        } else {
            line
        };
        used += tokens::count(line) + 1;
        if used > budget {
            break;
        }
        if is_head {
            head.push(line);
            from += 1;
        } else {
            tail.push(line);
            to -= 1;
        }
        is_head = !is_head;
    }
    tail.reverse();
    head.extend(tail);
    head.join("\n")
}

impl Row {
    fn note(&mut self, session: &Session, text: &str, budget: usize) {
        let tokens = tokens::count(text);
        self.after.push(tokens);
        self.over = self.over.max(tokens.saturating_sub(budget));
        let kept = compact::kept(text, &session.facts);
        let mut own = [0; 4];
        let mut all = [0; 4];
        for (fact, kept) in session.facts.iter().zip(&kept) {
            own[fact.sort as usize] += usize::from(*kept);
            all[fact.sort as usize] += 1;
        }
        let (exact, exact_all) = (own[0] + own[1], all[0] + all[1]);
        if exact * 100 >= exact_all * 95 {
            self.good += 1;
        } else if std::env::var_os("VERBOSE").is_some() {
            eprintln!("{exact}/{exact_all} {}", session.name);
        }
        for at in 0..4 {
            self.kept[at] += own[at];
            self.all[at] += all[at];
        }
        let kept = compact::kept(text, &session.last);
        for (fact, kept) in session.last.iter().zip(&kept) {
            self.last_kept[fact.sort as usize] += usize::from(*kept);
            self.last_all[fact.sort as usize] += 1;
            if !kept && std::env::var_os("VERBOSE").is_some() {
                eprintln!("last: {fact:?} {}", session.name);
            }
        }
        self.last_whole += usize::from(kept.iter().all(|it| *it));
    }

    fn print(mut self, name: &str) {
        let share = |kept: [usize; 4], all: [usize; 4]| {
            Sort::ALL
                .map(|it| {
                    let (kept, all) = (kept[it as usize], all[it as usize]);
                    format!("{} {:.1}%", it.as_str(), 100.0 * kept as f64 / all.max(1) as f64)
                })
                .join(" ")
        };
        let sessions = self.after.len();
        println!("  {name}: tokens after {}", spread(std::mem::take(&mut self.after)));
        println!("    whole session: {}", share(self.kept, self.all));
        println!(
            "    last error + fix: {}; whole in {}/{sessions}",
            share(self.last_kept, self.last_all),
            self.last_whole
        );
        println!(
            "    >= 95% of paths + commands: {}/{sessions}; over budget by {}",
            self.good, self.over
        );
        if self.time > Duration::ZERO {
            println!(
                "    time {:?}, slowest {:?}; unaccounted {}, spare with something left out {}",
                self.time, self.slowest, self.missing, self.unused
            );
        }
    }
}

fn spread(mut values: Vec<usize>) -> String {
    values.sort_unstable();
    let at = |share: usize| values.get(values.len() * share / 100).copied().unwrap_or_default();
    format!("median {}, 90% {}, max {}", at(50), at(90), values.last().copied().unwrap_or_default())
}
