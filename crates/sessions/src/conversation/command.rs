//! What a shell command is about: whether two are the same, what it checks, and which lines of its
//! output say what went wrong.

use oldhand_text::{command_line, table};

/// Programs that prepare or print: their words say nothing about what a command line is for.
const PREPARE: &str = "cd pushd popd export source . set unset echo sleep true";
const PREFIXES: &str = "{ sudo time nohup command exec npx bunx uvx pnpx env then do if";
const PREFIX_PAIRS: &str = "uv run|poetry run|pipenv run|bundle exec|python -m|python3 -m|\
    pnpm exec|pnpm dlx|yarn exec";
/// They answer with an exit code, so a nonzero one is no failure.
const LOOKERS: &str = "grep rg ls cat find test [ which type diff head tail wc stat file ps pgrep \
    kill pkill fd ag cmp sed awk tree jq";
/// Programs that check when their next word is one of `CHECKS`.
const BUILDERS: &str = "cargo npm pnpm yarn bun deno go dotnet mix swift bazel zig just mise task \
    rake composer flutter dart sbt lein stack cabal turbo nx cmake rails invoke hatch";
/// They run whatever they are given, so another program may do the same.
const RUNNERS: &str = "make mise just task npm pnpm yarn bun rake bazel nx turbo pre-commit tox \
    nox hatch invoke";

/// An aim, words behind a builder, programs that always check. The first row that matches counts.
const CHECKS: &[(Aim, &str, &str)] = &[
    (Aim::Format, "fmt format", ""),
    (
        Aim::Lint,
        "lint clippy",
        "eslint ruff golangci-lint shellcheck rubocop pylint flake8 biome pre-commit",
    ),
    (Aim::Test, "test tests t nextest ci verify", ""),
    (Aim::Build, "build check compile vet typecheck tsc", "tsc mypy pyright ninja"),
    (
        Aim::Test,
        "",
        "pytest jest vitest mocha tox nox rspec phpunit ctest make mvn mvnw gradle gradlew bats \
         unittest",
    ),
];

/// A check behind a pipe hides its exit code, not its verdict.
const VERDICTS: &str = "test result: FAILED|error: could not compile|error: aborting due to|\
    --- FAIL|\nFAIL\t|\nFAILED |npm ERR!|npm error|BUILD FAILURE|BUILD FAILED|ERROR task failed|\
    make: ***|: error TS";
/// Every verdict has one of these, and little else does.
const ALARMS: &str = "FAIL|ERR|rror|***";
/// Words of the lines that say what is wrong, in lower case.
const TELLING: &str = "error|fail|panic|exception|fatal|cannot|can't|not found|denied|undefined|\
    unexpected|expected|assert|no such|invalid|unknown|timed out";

const ERROR_LINES_MAX: usize = 6;
const LAST_LINES: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    Format,
    Lint,
    Build,
    Test,
}

/// The same for commands that do the same.
pub(crate) type CommandKey = (String, String);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) program: String,
    /// The first word behind it that is no flag.
    pub(crate) object: String,
}

impl Command {
    pub(crate) fn of(line: &str) -> Self {
        // On one line, a comment before a command would take all of it.
        let commands = command_line::commands(line.trim_start_matches(['#', ' ']));
        let mut commands = commands.iter().filter_map(|it| Self::of_words(&it.words)).peekable();
        let first = commands.peek().cloned().unwrap_or_default();
        commands.find(|it| !table::has(PREPARE, &it.program)).unwrap_or(first)
    }

    fn of_words(words: &[String]) -> Option<Self> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut rest = words.as_slice();
        let is_pair = |one: &str, two: &str| {
            table::phrases(PREFIX_PAIRS).any(|pair| pair.split_once(' ') == Some((one, two)))
        };
        loop {
            rest = match rest {
                [word, tail @ ..] if table::has(PREFIXES, word) || is_setting(word) => tail,
                ["timeout", _, tail @ ..] => tail,
                [one, two, tail @ ..] if is_pair(base(one), two) => tail,
                _ => break,
            };
        }
        let (program, tail) = rest.split_first()?;
        let mut objects = tail.iter().copied().filter(|word| !word.starts_with(['-', '+']));
        let object = match objects.next() {
            Some("run" | "run-script") => objects.next().unwrap_or("run"),
            object => object.unwrap_or_default(),
        };
        Some(Self { program: base(program).to_owned(), object: object.to_owned() })
    }

    /// All runs of a test program do the same, whatever they pick.
    pub(crate) fn key(&self) -> CommandKey {
        let is_whole = self.always_checks() && self.program != "make";
        (self.program.clone(), if is_whole { String::new() } else { self.object.clone() })
    }

    fn always_checks(&self) -> bool {
        CHECKS.iter().any(|(_, _, programs)| table::has(programs, &self.program))
    }

    pub(crate) fn is_check(&self) -> bool {
        let is_word = |word: &str| {
            word != "format" && CHECKS.iter().any(|(_, words, _)| table::has(words, word))
        };
        self.always_checks()
            || table::has(BUILDERS, &self.program)
                && self.object.split([':', '-', '.']).any(is_word)
    }

    pub(crate) fn only_looks(&self) -> bool {
        self.program.is_empty() || table::has(LOOKERS, &self.program)
    }

    /// What a check checks.
    fn aim(&self) -> Aim {
        let has = |words: &str| {
            self.object.split([':', '-', '.', '_']).any(|part| table::has(words, part))
        };
        let is_it = |(_, words, programs): &&(Aim, &str, &str)| {
            has(words) || table::has(programs, &self.program)
        };
        CHECKS.iter().find(is_it).map_or(Aim::Test, |row| row.0)
    }

    /// This check passed, which shows that the other would pass too.
    pub(crate) fn makes_up_for(&self, other: &Self) -> bool {
        let is_runner = |it: &Self| table::has(RUNNERS, &it.program);
        let is_same = self.program == other.program || is_runner(self) || is_runner(other);
        is_same && self.covers(other)
    }

    /// Both check the same class of things, whatever the program: tests are built before they run.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        let (own, others) = (self.aim(), other.aim());
        own == others || own == Aim::Test && others == Aim::Build
    }

    /// Every check that a command line runs.
    pub(crate) fn checks(line: &str) -> Vec<Self> {
        let commands = command_line::commands(line.trim_start_matches(['#', ' ']));
        let found = commands.iter().filter_map(|it| Self::of_words(&it.words));
        found.filter(Self::is_check).collect()
    }

    /// The check that ends a command line: what stands before it passed, or was tried first.
    pub(crate) fn last_check(line: &str) -> Option<Self> {
        let parts = line.split("&&").map(Self::of);
        let last = parts.filter(|it| !matches!(it.program.as_str(), "" | "echo" | "cd")).last();
        last.filter(Self::is_check)
    }
}

/// `RUST_LOG=debug` before a program.
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

fn base(program: &str) -> &str {
    program.rsplit(['/', '\\']).next().unwrap_or(program)
}

pub(super) fn has_failed(output: &str) -> bool {
    table::holds(ALARMS, output) && table::holds(VERDICTS, output)
}

/// Behind a pipe, or before `;` and `|| true`, a command that fails ends well: what it prints may say
/// so in words that are no verdict.
pub(super) fn is_doubtful(line: &str, output: &str) -> bool {
    const WORDS: &str = "fail|error|panic|issues:|warning:";
    let hides = line.contains('|') || line.contains(';');
    let is_alarm = |it: &str| {
        let lower = it.to_lowercase();
        // `0 failed`, `no errors`, `--- PASS: TestError`
        let is_none = table::holds("0 fail|0 error|no error|0 issues|pass: |0 warning", &lower);
        table::holds(WORDS, &lower) && !is_none
    };
    hides && output.lines().any(is_alarm)
}

/// The lines that say what is wrong, otherwise the last ones.
pub(crate) fn error_lines(output: &str) -> String {
    let lines = output.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty() && !is_exit_code(line)).collect();
    let is_telling = |line: &&str| table::holds(TELLING, &line.to_lowercase());
    let telling: Vec<&str> =
        lines.iter().copied().filter(is_telling).take(ERROR_LINES_MAX).collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    if telling.is_empty() { last.join(" / ") } else { telling.join(" / ") }
}

/// `Exit code 1` stands before every failure and explains nothing.
fn is_exit_code(line: &str) -> bool {
    let code = line.strip_prefix("Exit code").map(|rest| rest.trim_start_matches(':').trim());
    code.is_some_and(|code| code.chars().all(|c| c.is_ascii_digit() || c == '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_has_an_alarm() {
        assert!(table::phrases(VERDICTS).all(has_failed));
    }
}
