//! What a shell command is about: whether two are the same, whether it checks something, and which
//! lines of its output tell what went wrong.

/// Programs that prepare or look: their words say nothing about what a command line is for.
const PREPARE: &[&str] =
    &["cd", "pushd", "popd", "export", "source", ".", "set", "unset", "echo", "sleep", "true"];

/// Words before the program itself.
const PREFIXES: &[&str] = &[
    "sudo", "time", "nohup", "command", "exec", "npx", "bunx", "uvx", "pnpx", "env", "then", "do",
    "if",
];

/// Two words before the program itself.
const RUNNERS: &[(&str, &str)] = &[
    ("uv", "run"),
    ("poetry", "run"),
    ("pipenv", "run"),
    ("bundle", "exec"),
    ("python", "-m"),
    ("python3", "-m"),
    ("pnpm", "exec"),
    ("pnpm", "dlx"),
    ("yarn", "exec"),
];

/// They answer with an exit code, so that one is no failure.
const LOOKERS: &[&str] = &[
    "grep", "rg", "ls", "cat", "find", "test", "[", "which", "type", "diff", "head", "tail", "wc",
    "stat", "file", "ps", "pgrep", "kill", "pkill", "fd", "ag", "cmp", "sed", "awk", "tree", "jq",
];

/// Programs that check, whatever follows.
const CHECKERS: &[&str] = &[
    "pytest",
    "tsc",
    "eslint",
    "jest",
    "vitest",
    "mocha",
    "ruff",
    "mypy",
    "pyright",
    "tox",
    "nox",
    "rspec",
    "phpunit",
    "ctest",
    "golangci-lint",
    "shellcheck",
    "rubocop",
    "pylint",
    "flake8",
    "biome",
    "make",
    "mvn",
    "mvnw",
    "gradle",
    "gradlew",
    "ninja",
    "bats",
    "pre-commit",
    "unittest",
];

/// Programs that check when their next word says so.
const BUILDERS: &[&str] = &[
    "cargo", "npm", "pnpm", "yarn", "bun", "deno", "go", "dotnet", "mix", "swift", "bazel", "zig",
    "just", "mise", "task", "rake", "composer", "flutter", "dart", "sbt", "lein", "stack", "cabal",
    "turbo", "nx", "cmake", "rails", "invoke", "rake", "hatch",
];
const CHECK_WORDS: &[&str] = &[
    "test",
    "tests",
    "build",
    "check",
    "clippy",
    "lint",
    "vet",
    "typecheck",
    "nextest",
    "verify",
    "compile",
    "ci",
    "t",
    "tsc",
    "fmt",
];

/// A check behind a pipe hides its exit code, not its verdict.
const VERDICTS: &[&str] = &[
    "test result: FAILED",
    "error: could not compile",
    "error: aborting due to",
    "--- FAIL",
    "\nFAIL\t",
    "\nFAILED ",
    "npm ERR!",
    "npm error",
    "BUILD FAILURE",
    "BUILD FAILED",
    "ERROR task failed",
    "make: ***",
    ": error TS",
];

/// Words of the lines that tell what is wrong, in lower case.
const TELLING: &[&str] = &[
    "error",
    "fail",
    "panic",
    "exception",
    "fatal",
    "cannot",
    "can't",
    "not found",
    "denied",
    "undefined",
    "unexpected",
    "expected",
    "assert",
    "no such",
    "invalid",
    "unknown",
    "timed out",
];

const ERROR_LINES_MAX: usize = 6;
const LAST_LINES: usize = 3;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Command<'a> {
    pub(crate) program: &'a str,
    /// The first word behind it that is no flag.
    pub(crate) object: &'a str,
}

impl<'a> Command<'a> {
    pub(crate) fn of(line: &'a str) -> Self {
        let parts = line.split(['&', ';', '|', '\n', '(', ')', '{', '}']);
        let mut commands = parts.filter_map(Self::of_part);
        let first = commands.next();
        let nothing = Self { program: "", object: "" };
        match first {
            Some(first) if PREPARE.contains(&first.program) => {
                commands.find(|it| !PREPARE.contains(&it.program)).unwrap_or(first)
            }
            Some(first) => first,
            None => nothing,
        }
    }

    fn of_part(part: &'a str) -> Option<Self> {
        let words: Vec<&str> = part.split_whitespace().collect();
        let mut rest = words.as_slice();
        loop {
            rest = match rest {
                [word, tail @ ..] if PREFIXES.contains(word) || is_setting(word) => tail,
                ["timeout", _, tail @ ..] => tail,
                [one, two, tail @ ..] if RUNNERS.contains(&(base(one), two)) => tail,
                _ => break,
            };
        }
        let (program, tail) = rest.split_first()?;
        // `2>&1` falls apart into a number.
        if program.chars().all(|c| c.is_ascii_digit() || c == '>') {
            return None;
        }
        let mut objects =
            tail.iter().copied().filter(|word| !word.starts_with(['-', '+', '>', '<', '2']));
        let object = match objects.next() {
            Some("run" | "run-script") => objects.next().unwrap_or("run"),
            object => object.unwrap_or_default(),
        };
        Some(Self { program: base(program), object })
    }

    /// The same for commands that do the same: all runs of a test program are, whatever they pick.
    pub(crate) fn key(&self) -> (String, String) {
        let is_whole = CHECKERS.contains(&self.program) && self.program != "make";
        let object = if is_whole { "" } else { self.object };
        (self.program.to_owned(), object.to_owned())
    }

    pub(crate) fn is_check(&self) -> bool {
        let is_word = |word: &str| CHECK_WORDS.contains(&word);
        CHECKERS.contains(&self.program)
            || BUILDERS.contains(&self.program) && self.object.split([':', '-', '.']).any(is_word)
    }

    pub(crate) fn only_looks(&self) -> bool {
        self.program.is_empty() || LOOKERS.contains(&self.program)
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

pub(crate) fn says_failed(output: &str) -> bool {
    VERDICTS.iter().any(|verdict| output.contains(verdict))
}

/// The lines that tell what is wrong, else the last ones.
pub(crate) fn error_lines(output: &str) -> String {
    let lines: Vec<&str> = output
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !is_exit_code(line))
        .collect();
    let telling: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| {
            let lower = line.to_lowercase();
            TELLING.iter().any(|word| lower.contains(word))
        })
        .take(ERROR_LINES_MAX)
        .collect();
    if telling.is_empty() {
        return lines[lines.len().saturating_sub(LAST_LINES)..].join(" / ");
    }
    telling.join(" / ")
}

/// `Exit code 1` stands before every failure and tells nothing.
fn is_exit_code(line: &str) -> bool {
    let code = line.strip_prefix("Exit code").map(|rest| rest.trim_start_matches(':').trim());
    code.is_some_and(|code| code.chars().all(|c| c.is_ascii_digit() || c == '-'))
}
