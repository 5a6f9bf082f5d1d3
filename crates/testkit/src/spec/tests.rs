//! Whole specifications against a program of a few lines.

use std::fs;

use super::{Invocation, Output, SpecReport, run_file};

/// Prints what it was given: the words, then by request the input, the world or an error.
fn fake(invocation: &Invocation) -> Output {
    let mut output = Output::default();
    let mut print = |line: String| output.stdout.extend((line + "\n").into_bytes());
    match invocation.args.first().map(String::as_str) {
        Some("input") => print(String::from_utf8_lossy(invocation.stdin).into_owned()),
        Some("world") => {
            print(format!("{} in {}", invocation.seed, invocation.cwd.display()));
            print(format!("home {} at {}", invocation.home.display(), invocation.now));
            let named = invocation.env.iter().filter(|(name, _)| name.starts_with("OLDHAND"));
            named.for_each(|(name, value)| print(format!("{name}={value}")));
        }
        Some("fail") => {
            output.stderr = b"error: no\nhint: none\n".to_vec();
            output.code = 3;
        }
        Some("fence") => print("```".to_owned()),
        Some("save") => fs::write(invocation.cwd.join("saved"), invocation.stdin).unwrap(),
        _ => print(invocation.args.join("|")),
    }
    output
}

struct Ran {
    result: Result<SpecReport, String>,
    text: String,
}

fn run(text: &str, update: bool) -> Ran {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.md");
    fs::write(&path, text).unwrap();
    let result = run_file(&path, &fake, update);
    let shown = directory.path().display().to_string() + "/";
    Ran {
        result: result.map_err(|error| error.replace(&shown, "")),
        text: fs::read_to_string(path).unwrap(),
    }
}

#[track_caller]
fn check_passes(text: &str, scenarios: usize, commands: usize) {
    assert_eq!(run(text, false).result, Ok(SpecReport { scenarios, commands }));
    let updated = run(text, true);
    assert_eq!(updated.result, Ok(SpecReport { scenarios, commands }));
    assert_eq!(updated.text, text);
}

#[track_caller]
fn check_fails(text: &str, error: &str) {
    assert_eq!(run(text, false).result, Err(error.to_owned()));
}

#[test]
fn a_scenario_has_a_world_of_its_own() {
    check_passes(
        "# Title
## First (R1)
```console
$ oldhand world
1 in <repo>
home <home> at 2026-11-15T12:00:00Z
OLDHAND_TRUST=1
$ clock +2d
$ env OLDHAND_X=<home>/x
$ oldhand world
2 in <repo>
home <home> at 2026-11-17T12:00:01Z
OLDHAND_TRUST=1
OLDHAND_X=<home>/x
$ write kept <<< 'x'
```
## Second
Prose, and a block that only illustrates:
```json
{}
```
```console
$ ls .
$ clock 2020-01-01T00:00:00Z
$ oldhand world
1 in <repo>
home <home> at 2020-01-01T00:00:00Z
OLDHAND_TRUST=1
```
",
        2,
        8,
    );
}

#[test]
fn files_and_input_reach_the_program() {
    check_passes(
        "## Files
````file d/f
in <repo>
```
````
```append d/f
more
```
````console
$ cat d/f
in <repo>
```
more
$ oldhand input <<< '{\"cwd\": \"<repo>\"}'
{\"cwd\": \"<repo>\"}

````
",
        1,
        2,
    );
}

#[test]
fn builtins_work_on_the_repository() {
    check_passes(
        "## Builtins
```file b/f
one
```
```append b/f
two
```
```console
$ oldhand input < b/f
one
two

$ oldhand save <<< 'here is \"text\"'
$ cat saved
here is \"text\"
$ mkdir a/b
$ mv saved a/b/c
$ ls a/b
c
$ ls .
a
b
$ rm a
$ cat a/b/c
! cat: a/b/c: entity not found
[exit 1]
$ oldhand 'two words' \"a 'b'\" c\\ d
two words|a 'b'|c d
```
",
        1,
        10,
    );
}

#[test]
fn a_star_below_the_home_is_the_one_name_there() {
    check_passes(
        "## Star
```console
$ write <home>/state/1f/notes <<< 'x'
$ cat <home>/state/*/notes
x
$ ls <home>/*/*
notes
```
",
        1,
        3,
    );
}

#[test]
fn commits_have_their_dates() {
    check_passes(
        "## Git
```git 2026-06-02T10:00:00Z
src/pay.rs: round half even
src/pay.rs: second: with a colon
```
```console
$ git log --format='%an %aI %cI %s' --name-only -1
Spec 2026-06-02T10:00:00[..] 2026-06-02T10:00:00[..] second: with a colon

src/pay.rs
$ git status --short
$ cat src/pay.rs
round half even
second: with a colon
$ git nonsense
! git: [..]
...
[exit 1]
```
",
        1,
        4,
    );
}

#[test]
fn every_mismatch_is_shown_with_its_line() {
    check_fails(
        "## A
```console
$ oldhand a
b
$ oldhand fail
...
$ oldhand c
c
```
",
        "a.md:3: A
    $ oldhand a
    -b
    +a

a.md:5: A
    $ oldhand fail
     ...
    +[exit 3]
",
    );
}

#[test]
fn an_update_changes_only_what_does_not_match() {
    let text = "Intro  \n\n## A\n```console\n$ oldhand a\nold\nlines\n$ oldhand fail\n$ oldhand b\n...\n```\nOutro\n## B\n````console\n$ oldhand fence\n````\nno newline";
    let updated = run(text, true);
    assert_eq!(updated.result, Ok(SpecReport { scenarios: 2, commands: 4 }));
    let wanted = "Intro  \n\n## A\n```console\n$ oldhand a\na\n$ oldhand fail\n! error: no\n! hint: none\n[exit 3]\n$ oldhand b\n...\n```\nOutro\n## B\n````console\n$ oldhand fence\n```\n````\nno newline";
    assert_eq!(updated.text, wanted);
    check_passes(wanted, 2, 4);
}

#[test]
fn an_update_keeps_wildcards_that_still_match() {
    let text = "## A\n```console\n$ oldhand world\n[..] in <repo>\n...\nOLDHAND_TRUST=0\n```\n";
    let wanted = "## A\n```console\n$ oldhand world\n[..] in <repo>\n...\nOLDHAND_TRUST=1\n```\n";
    assert_eq!(run(text, true).text, wanted);
}

#[test]
fn what_cannot_be_run_is_a_problem_even_in_an_update() {
    let cases = [
        ("```console\n```\n", "a.md:1: this block stands before the first `##` heading"),
        ("## A\n```console\n", "a.md:2: this block has no end"),
        ("## A\n```consle\n```\n", "a.md:2: unknown kind of block: `consle`"),
        ("## A\n```file\n```\n", "a.md:2: `file` needs a path after it"),
        ("## A\n```git 2026-06-02T10:00:00Z\nx\n```\n", "a.md:3: not `path: subject`: `x`"),
        ("## A\n```console\nx\n```\n", "a.md:3: output without a command: start with `$ `"),
        ("## A\n```console\n$ curl x\n```\n", "a.md:3: unknown command: `curl`"),
        ("## A\n```console\n$ cat\n```\n", "a.md:3: wrong number of words after `cat`"),
        ("## A\n```console\n$ rm ../x\n```\n", "a.md:3: this path leaves the scenario: `../x`"),
        ("## A\n```file /etc/x\n```\n", "a.md:2: this path leaves the scenario: `/etc/x`"),
        ("## A\n```console\n$ clock +2y\n```\n", "a.md:3: not a number with s, m, h or d: `+2y`"),
        (
            "## A\n```console\n$ oldhand fence\n```\n",
            "a.md:3: the output would end its block: use a longer fence",
        ),
    ];
    for (text, error) in cases {
        for update in [false, true] {
            let ran = run(text, update);
            assert_eq!(ran.result, Err(error.to_owned()));
            assert_eq!(ran.text, text);
        }
    }
}
