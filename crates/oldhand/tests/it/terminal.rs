//! What people see: the most common commands at two widths, with and without colour, and one of them
//! in a real terminal. `OLDHAND_UPDATE=1` rewrites what is expected; read the difference.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use jiff::Timestamp;
use oldhand_store::disk::RealDisk;
use oldhand_text::command_line::commands;

use crate::program::{Ran, World, run};
use crate::scratch::{NOW, Scratch};

/// The twenty commands that are typed most.
const COMMANDS: &[(&str, &str)] = &[
    ("status", "status"),
    ("help", "help"),
    ("help-all", "help --all"),
    ("list", "list"),
    ("list-kind", "list --kind decision --limit 1"),
    ("show", "show money"),
    ("show-alias", "show ADR-029"),
    ("recall", "recall 'which number type do prices have'"),
    ("recall-silent", "recall 'rename this variable'"),
    ("search", "search error rate"),
    ("search-links", "search --links keep-money-in-integer-cents"),
    ("check", "check 'represent money as floats'"),
    ("check-clear", "check 'paint the office green'"),
    ("review", "review"),
    ("pending", "pending"),
    ("why", "why keep-money"),
    ("why-question", "why keep-money 'which number type do prices have'"),
    ("history", "history keep-money"),
    ("health", "health"),
    ("stats", "stats"),
];

/// An afternoon of somebody who writes: each line changes what the next one finds. `<<<` is piped in.
const WRITES: &[(&str, &str)] = &[
    ("remember", "remember 'We decided to log in JSON, because the search needs fields'"),
    ("add", "add preference --title 'Short names in tests' --value 'Names are short'"),
    ("update", "update keep-money --tags cents"),
    ("unchanged", "add preference --title 'Short names in tests' --value 'Names are short'"),
    ("retire", "retire warm-the-cache --reason 'there are no more sales'"),
    ("undo", "undo"),
    ("archive", "archive tests-name --reason 'said elsewhere'"),
    (
        "supersede",
        "supersede roll-back --title 'Roll back by a flag' --because 'it is faster' --steps 'Turn the flag off'",
    ),
    ("promote", "promote retry-uploads --reason 'seen twice'"),
    ("apply", "apply keep-money --effect negative --task PAY-16"),
    ("resolve", "resolve conflict-represent-money-as-floats --follow --by ada"),
    (
        "learn",
        "learn --task PAY-16 <<< {\"memory_candidates\": [\"Never retry a payment that timed out\"]}",
    ),
    ("note", "note remaining 'write the changelog'"),
    ("error-missing", "show no-such-memory"),
    ("error-several", "show er"),
    ("error-kind", "add recipe --title Cake"),
    (
        "error-conflict",
        "add decision --title 'Represent money as floats' --decision 'Amounts are floats.'",
    ),
    ("error-settings", "list --config recall.max_memories=many --config lock.wait_seconds=never"),
    ("receipts", "receipts --limit 2"),
    ("fresh", "fresh keep-money"),
    ("resume", "resume --onboard"),
    (
        "hook",
        "hook claude-code --event UserPromptSubmit <<< {\"session_id\": \"5f1a2b3c-7d\", \"hook_event_name\": \"UserPromptSubmit\", \"prompt\": \"which number type do prices have\"}",
    ),
    ("hook-broken", "hook claude-code --event UserPromptSubmit <<< {\"session_id\""),
    ("log", "log"),
    (
        "task-start",
        "task start PAY-17 --objective 'Refunds in cents' --plan 'Read the tests' --plan 'Write the code'",
    ),
    ("task-show", "task show"),
    ("notes", "notes"),
    ("task-end", "task end PAY-17 --outcome passed"),
    (
        "summary",
        "summary PAY-18 --goal 'Refunds in cents' --outcome success --completed 'Refunds are integers' --next 'Tell the accountants' --dry-run",
    ),
    (
        "handoff",
        "handoff PAY-18 --from developer --to tester --goal 'Refunds in cents' --completed 'Refunds are integers' --standing 'step 2 of 3' --next 'Try a refund' --dry-run",
    ),
    ("sweep", "sweep"),
    ("gc", "gc --dry-run"),
    (
        "import",
        "import - <<< {\"category\": \"reference\", \"title\": \"Staging\", \"content\": {\"text\": \"db-2 has the copy.\"}}",
    ),
    ("export", "export --format markdown --to exported"),
    ("install-list", "install --list"),
    (
        "eval",
        "eval --questions - <<< {\"text\": \"which number type do prices have\", \"gold\": [\"keep-money-in-integer-cents\"]}",
    ),
    ("architecture", "architecture"),
    ("architecture-update", "architecture update --interfaces 'One binary'"),
    ("architecture-map", "architecture"),
    ("doctor", "doctor"),
];

/// The store of the pictures in the documentation.
fn store() -> Scratch {
    let scratch = Scratch::empty();
    let script = include_str!("../../../../docs/pictures/store.txt");
    for line in script.lines().filter(|line| !line.starts_with('#')) {
        let (at, typed) = line.split_once(' ').unwrap();
        let (typed, piped) = typed.split_once(" <<< ").unwrap_or((typed, ""));
        let ran = run_at(&scratch, at, typed, &[], piped);
        assert!(ran.code < 2, "{typed}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    scratch
}

fn run_at(scratch: &Scratch, at: &str, typed: &str, vars: &[(&str, &str)], piped: &str) -> Ran {
    let words: Vec<String> = commands(typed).into_iter().flat_map(|it| it.words).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut all = scratch.vars();
    all.extend(vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let world = World {
        disk: &RealDisk,
        vars: all,
        current_dir: &scratch.repository(),
        now: at.parse::<Timestamp>().unwrap(),
        seed: 7,
    };
    run(&world, &words, piped.as_bytes())
}

const VARIANTS: [(&str, &str); 4] =
    [("80", "never"), ("120", "never"), ("80", "always"), ("120", "always")];

/// What is typed, as somebody sees it who has so many columns.
fn seen(scratch: &Scratch, typed: &str, (columns, colour): (&str, &str)) -> String {
    let (line, piped) = typed.split_once(" <<< ").unwrap_or((typed, ""));
    if line.starts_with("export ") {
        return on_terminal(scratch, line, (columns, colour));
    }
    let form = format!("{line} --format people --color {colour}");
    // Hooks take no flags, and say nothing to people.
    let form = if line.starts_with("hook ") { line } else { &form };
    let ran = run_at(scratch, NOW, form, &[("COLUMNS", columns)], piped);
    if line.starts_with("hook ") {
        return String::new();
    }
    let text = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
    for line in text.lines() {
        let width = textwrap::core::display_width(line);
        // A table that can't become narrower is the only reason.
        assert!(width <= columns.parse().unwrap(), "{typed} at {columns}: {width}: {line}");
    }
    let text = untimed(&text.replace('\x1b', "␛"));
    format!("== oldhand {line} ({columns} columns, colour {colour})\n{text}")
}

/// The same for what has a `--format` of its own: only a terminal makes it speak to people.
fn on_terminal(scratch: &Scratch, line: &str, (columns, colour): (&str, &str)) -> String {
    let ws_col = columns.parse().unwrap();
    let size = nix::pty::Winsize { ws_row: 60, ws_col, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = nix::pty::openpty(&size, None).unwrap();
    let terminal = || Stdio::from(pty.slave.try_clone().unwrap());
    let words: Vec<String> = commands(line).into_iter().flat_map(|it| it.words).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).chain(["--color", colour]).collect();
    let mut command = scratch.program(&words);
    command.stdin(terminal()).stdout(terminal()).stderr(terminal());
    let mut child = command.spawn().unwrap();
    drop((command, pty.slave));
    let mut text = Vec::new();
    // The other side ends with an error when the last one who had it is gone.
    let _ = File::from(pty.master).read_to_end(&mut text);
    assert!(child.wait().unwrap().success());
    let text = String::from_utf8(text).unwrap().replace("\r\n", "\n").replace('\x1b', "␛");
    format!("== oldhand {line} ({columns} columns, colour {colour})\n{text}")
}

/// How long a hook took is another number in every run; its column is not.
fn untimed(text: &str) -> String {
    let line = |line: &str| match line.find(" ms") {
        Some(end) => {
            let number = line[..end].trim_end_matches(|c: char| c == '.' || c.is_ascii_digit());
            let blank = number.trim_end().len();
            format!("{}{:>2$}{3}\n", &line[..blank], "N", end - blank, &line[end..])
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[track_caller]
fn compare(all: &[(&str, String)]) {
    let is_update = std::env::var_os("OLDHAND_UPDATE").is_some();
    let mut differ = Vec::new();
    for (name, text) in all.iter().filter(|(_, text)| !text.is_empty()) {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/terminal/{name}.txt"));
        if is_update {
            std::fs::write(&path, text).unwrap();
        }
        if std::fs::read_to_string(&path).unwrap_or_default() != *text {
            differ.push(format!("{name}:\n{text}"));
        }
    }
    assert!(differ.is_empty(), "run again with OLDHAND_UPDATE=1:\n{}", differ.join("\n"));
}

/// R320, R321, R322, R383
#[test]
fn the_most_common_commands_look_as_they_did() {
    let scratch = store();
    let all = |typed: &str| VARIANTS.map(|it| seen(&scratch, typed, it)).concat();
    compare(&COMMANDS.iter().map(|(name, typed)| (*name, all(typed))).collect::<Vec<_>>());
}

/// R381, R382, R492: a store of its own for each form, because what is written is written once.
#[test]
fn writes_and_errors_look_as_they_did() {
    let mut all: Vec<(&str, String)> =
        WRITES.iter().map(|(name, _)| (*name, String::new())).collect();
    for variant in VARIANTS {
        let scratch = store();
        for ((name, typed), (_, text)) in WRITES.iter().zip(&mut all) {
            if *name == "doctor" {
                damage(&scratch);
            }
            text.push_str(&seen(&scratch, typed, variant));
        }
    }
    compare(&all);
}

/// What only a person can settle: two files that nobody can read.
fn damage(scratch: &Scratch) {
    for name in ["one", "two"] {
        std::fs::write(scratch.store().join(format!("decisions/{name}.md")), "---\nkind: [\n---\n")
            .unwrap();
    }
}

/// R321: what is not for people has no escapes, whatever is asked of colours.
#[test]
fn pipes_and_agents_read_the_agents_form() {
    let scratch = store();
    for (name, typed) in COMMANDS.iter().filter(|(name, _)| !name.starts_with("help")) {
        let plain = run_at(&scratch, NOW, typed, &[], "");
        let forced = run_at(&scratch, NOW, typed, &[("CLICOLOR_FORCE", "1")], "");
        let agent = format!("{typed} --format agent --color always");
        let agent = run_at(&scratch, NOW, &agent, &[("CLAUDECODE", "1")], "");
        let text = String::from_utf8(plain.stdout.clone()).unwrap();
        assert!(!text.contains('\x1b'), "{name}: {text}");
        assert_eq!(plain.stdout, forced.stdout, "{name}");
        // An agent writes ids out.
        if !typed.contains("money") || typed.contains("keep-money-in") {
            assert_eq!(plain.stdout, agent.stdout, "{name}");
        }
    }
}

/// R322: what somebody wrote into a file paints nothing.
#[test]
fn hidden_characters_are_shown_in_every_answer() {
    let scratch = store();
    let file = scratch.store().join("decisions/keep-money-in-integer-cents.md");
    let text = std::fs::read_to_string(&file).unwrap();
    let hostile = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}: {text}");
        text.replacen(from, to, 1)
    };
    let title = "title: Keep money in integer cents";
    let text = hostile(&text, title, "title: \"Keep money in integer cents \\e[31m\\u202e\"");
    let text = hostile(&text, "smallest unit", "smallest \u{1b}[31m\u{202e}unit");
    std::fs::write(&file, text).unwrap();
    let shown = run_at(&scratch, NOW, "show money --format people", &[], "");
    assert!(String::from_utf8_lossy(&shown.stdout).contains("<U+202E>"));
    for (name, typed) in COMMANDS {
        let line = format!("{typed} --format people --color never");
        let ran = run_at(&scratch, NOW, &line, &[], "");
        let text = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{name}: {text}");
    }
}

/// R323
#[test]
fn a_place_in_the_last_list_names_a_memory() {
    let scratch = store();
    let people = |typed: &str| {
        let ran = run_at(&scratch, NOW, &format!("{typed} --format people"), &[], "");
        (ran.code, String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap())
    };
    assert!(people("show @1").1.contains("not in the last list"));
    people("list --kind runbook");
    assert!(people("show @2").1.contains("Roll back a release"));
    assert!(people("show @3").1.contains("not in the last list"));
    // Who writes by a part of a name is told what was taken.
    let (code, told) = people("retire roll-back --reason gone");
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("note: `roll-back` is `roll-back-a-release`"), "{told}");
    let (code, told) = people("retire e --reason gone");
    assert_eq!(code, 1, "{told}");
    let (code, told) = people("show er");
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("`er` fits several: "), "{told}");
    // A script and an agent write it out.
    let ran = run_at(&scratch, NOW, "retire tests-name --reason gone", &[], "");
    assert_eq!(ran.code, 1);
    let ran = run_at(&scratch, NOW, "show tests-name", &[("CLAUDECODE", "1")], "");
    assert_eq!(ran.code, 1);
}

/// R323: a terminal knows its own list, whichever process session it belongs to.
#[test]
fn each_terminal_has_its_own_list() {
    let scratch = store();
    let windows = [(); 2].map(|()| nix::pty::openpty(None, None).unwrap());
    let type_in = |window: usize, typed: &[&str]| {
        let terminal = windows[window].slave.try_clone().unwrap();
        let mut program = scratch.program(typed);
        let out = program.args(["--format", "people"]).stdin(terminal).output().unwrap();
        String::from_utf8([out.stdout, out.stderr].concat()).unwrap()
    };
    type_in(0, &["list", "--kind", "runbook"]);
    assert!(type_in(0, &["show", "@2"]).contains("Roll back a release"));
    assert!(type_in(1, &["show", "@2"]).contains("not in the last list"));
}

/// R324: the same with a real terminal, where nothing is forced.
#[test]
fn a_real_terminal_has_colour_and_width() {
    let scratch = store();
    let size = nix::pty::Winsize { ws_row: 60, ws_col: 90, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = nix::pty::openpty(&size, None).unwrap();
    let mut command = scratch.program(&["list"]);
    let side = |it: &std::os::fd::OwnedFd| Stdio::from(it.try_clone().unwrap());
    command.stdin(side(&pty.slave)).stdout(side(&pty.slave)).stderr(side(&pty.slave));
    let mut child = command.spawn().unwrap();
    drop((command, pty.slave));
    let mut text = Vec::new();
    // The other side ends with an error when the last one who had it is gone.
    let _ = File::from(pty.master).read_to_end(&mut text);
    assert!(child.wait().unwrap().success());
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("\x1b[1mKeep money in integer cents"), "{text}");
    let widths = text.lines().map(|line| textwrap::core::display_width(line.trim_end()));
    let widest = widths.max().unwrap();
    assert!((81..=90).contains(&widest), "{widest}: {text}");
}

/// R381: what goes to a file is as it was, and what somebody sees is not, each stream by itself.
#[test]
fn errors_go_by_the_terminal_that_they_go_to() {
    let scratch = store();
    let plain =
        "error[NOT_FOUND]: there is no memory `nope`\nhint: `oldhand list` shows all memories\n";
    let run = |is_seen: bool, vars: &[(&str, &str)]| {
        let pty = nix::pty::openpty(None, None).unwrap();
        let terminal = Stdio::from(pty.slave.try_clone().unwrap());
        let mut command = scratch.program(&["show", "nope"]);
        command.envs(vars.iter().copied());
        match is_seen {
            true => command.stdout(Stdio::null()).stderr(terminal),
            false => command.stdout(terminal).stderr(Stdio::piped()),
        };
        let out = command.spawn().unwrap().wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(1));
        drop((command, pty.slave));
        let mut seen = Vec::new();
        let _ = File::from(pty.master).read_to_end(&mut seen);
        let bytes = if is_seen { seen } else { out.stderr };
        String::from_utf8(bytes).unwrap().replace("\r\n", "\n")
    };
    assert_eq!(run(false, &[]), plain);
    assert_eq!(run(true, &[("CLAUDECODE", "1")]), plain);
    let seen = run(true, &[]);
    assert!(seen.starts_with("\x1b[31merror\x1b[0m: there is no memory \x1b[36m`nope`"), "{seen}");
    let bare = "error: there is no memory `nope`\nhint: `oldhand list` shows all memories\n";
    assert_eq!(run(true, &[("NO_COLOR", "1")]), bare);
}
