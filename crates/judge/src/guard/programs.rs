//! What a program with these words means: other commands, code, another folder, or paths that are
//! written. Programs that only start another one are seen through.

use super::place::Deed;
use super::shell::assignment;
use super::writers::{self, Args};
use super::{patch, powershell};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Nothing,
    Folder(String),
    /// A symbolic link.
    Link {
        target: String,
        name: String,
    },
    Paths(Vec<(String, Deed)>),
    /// A script for a shell, with what its `$0`, `$1` … are.
    Commands {
        text: String,
        arguments: Vec<String>,
    },
    PowerShell(String),
    /// A shell that runs what comes through the pipe.
    PipedCommands,
    Code(String),
    /// A command that is run with what comes through the pipe.
    Each(Vec<String>),
    /// Commands that are run as well.
    Further(Vec<Vec<String>>),
}

/// Programs that start another: their name, options with a value, and words before the program.
const STARTERS: &[(&str, &[&str], usize)] = &[
    ("sudo", &["-u", "-g", "-h", "-p", "-C", "-D", "-U"], 0),
    ("doas", &["-u", "-C"], 0),
    ("env", &["-u", "-C", "--unset", "--chdir"], 0),
    ("nohup", &[], 0),
    ("time", &["-f", "-o"], 0),
    ("command", &[], 0),
    ("builtin", &[], 0),
    ("exec", &["-a"], 0),
    ("nice", &["-n"], 0),
    ("ionice", &["-c", "-n", "-p"], 0),
    ("timeout", &["-s", "-k", "--signal", "--kill-after"], 1),
    ("gtimeout", &["-s", "-k"], 1),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("setsid", &[], 0),
    ("flock", &["-w", "-E"], 1),
    ("npx", &["-p", "--package"], 0),
    ("bunx", &[], 0),
    ("busybox", &[], 0),
    ("chronic", &[], 0),
    ("strace", &["-e", "-o", "-p"], 0),
    ("watch", &["-n", "-d"], 0),
    ("caffeinate", &["-t"], 0),
];

const KEYWORDS: &[&str] =
    &["if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "&", "coproc"];

const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash"];

const LANGUAGES: &[&str] = &[
    "python",
    "node",
    "nodejs",
    "ruby",
    "perl",
    "deno",
    "bun",
    "php",
    "lua",
    "osascript",
    "pypy",
    "rscript",
    "julia",
    "tclsh",
    "ipython",
    "swift",
];

/// How many names and roots of a `find` are combined.
const FIND_NAMES_MAX: usize = 8;

pub(super) fn meaning(words: &[String], input: Option<&str>) -> Meaning {
    let words = bare(words);
    let Some((first, args)) = words.split_first() else { return Meaning::Nothing };
    let program = program_of(first);
    match program.as_str() {
        "oldhand" => Meaning::Nothing,
        "cd" | "pushd" | "chdir" | "set-location" | "push-location" => folder(args),
        "popd" => Meaning::Folder("-".to_owned()),
        "eval" | "trap" => {
            let text =
                if program == "trap" { args.iter().take(1) } else { args.iter().take(usize::MAX) };
            let text = text.cloned().collect::<Vec<_>>().join(" ");
            Meaning::Commands { text, arguments: Vec::new() }
        }
        "su" | "runuser" | "script" => after(args, &["-c", "--command"])
            .map_or(Meaning::Nothing, |text| Meaning::Commands { text, arguments: Vec::new() }),
        "xargs" | "parallel" => Meaning::Each(xargs(args)),
        "find" | "fd" | "gfind" => find(args),
        "ln" | "gln" => writers::link(args),
        "apply_patch" | "applypatch" => {
            let text = format!("{}\n{}", args.join("\n"), input.unwrap_or_default());
            Meaning::Paths(patch::paths(&text))
        }
        "cmd" => match args.iter().position(|it| it.eq_ignore_ascii_case("/c")) {
            Some(at) => Meaning::PowerShell(args[at + 1..].join(" ")),
            None => Meaning::Nothing,
        },
        "powershell" | "pwsh" => powershell::inner(args, input),
        name if SHELLS.contains(&name) => shell(args, input),
        name if is_language(name) => language(args, input),
        "awk" | "gawk" | "mawk" | "nawk" => awk(args),
        name => {
            let mut paths = writers::paths(name, args, input);
            paths.extend(powershell::paths(name, args));
            if paths.is_empty() { Meaning::Nothing } else { Meaning::Paths(paths) }
        }
    }
}

/// `/usr/bin/RM.exe` is `rm`.
fn program_of(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
    let name = name.trim_start_matches(['{', '&', '@', '\\']);
    name.strip_suffix(".exe").or_else(|| name.strip_suffix(".cmd")).unwrap_or(name).to_owned()
}

/// The words without assignments, keywords and programs that only start another.
fn bare(mut words: &[String]) -> &[String] {
    loop {
        let Some(first) = words.first() else { return words };
        if assignment(first).is_some() || KEYWORDS.contains(&first.as_str()) {
            words = &words[1..];
            continue;
        }
        let name = program_of(first);
        if let [_, run, ..] = words
            && matches!(
                (name.as_str(), run.as_str()),
                ("uv" | "poetry" | "pipenv" | "pdm" | "hatch", "run")
            )
        {
            words = &words[2..];
            continue;
        }
        let Some((_, valued, skipped)) = STARTERS.iter().find(|it| it.0 == name) else {
            return words;
        };
        words = past_options(&words[1..], valued);
        words = words.get(*skipped..).unwrap_or(&[]);
    }
}

fn past_options<'a>(mut words: &'a [String], valued: &[&str]) -> &'a [String] {
    while let Some(first) = words.first() {
        if first == "--" {
            return &words[1..];
        }
        if !first.starts_with('-') || first.len() < 2 {
            break;
        }
        let skipped = if valued.contains(&first.as_str()) { 2 } else { 1 };
        words = words.get(skipped..).unwrap_or(&[]);
    }
    words
}

fn folder(args: &[String]) -> Meaning {
    let path = args.iter().find(|it| !it.starts_with('-') || *it == "-");
    Meaning::Folder(path.map_or_else(|| "~".to_owned(), Clone::clone))
}

/// The word behind one of these options.
fn after(args: &[String], options: &[&str]) -> Option<String> {
    let at = args.iter().position(|it| options.contains(&it.as_str()))?;
    args.get(at + 1).cloned()
}

fn xargs(args: &[String]) -> Vec<String> {
    let valued = [
        "-I",
        "-n",
        "-P",
        "-L",
        "-d",
        "-s",
        "-E",
        "-a",
        "-j",
        "--max-args",
        "--max-procs",
        "--delimiter",
    ];
    let words = past_options(args, &valued);
    // With `-I name` the name stands for what comes.
    let sign = after(args, &["-I", "--replace"]);
    words
        .iter()
        .map(|word| {
            sign.as_ref().map_or_else(|| word.clone(), |sign| word.replace(sign.as_str(), "{}"))
        })
        .collect()
}

/// `-c` anywhere in a cluster: `bash -lc '…'`.
fn shell(args: &[String], input: Option<&str>) -> Meaning {
    let is_short = |it: &String| it.starts_with('-') && !it.starts_with("--") && it.contains('c');
    let at = args.iter().take_while(|it| it.starts_with(['-', '+'])).position(is_short);
    if let Some(at) = at {
        let text = args.get(at + 1).cloned().unwrap_or_default();
        let arguments = args.get(at + 2..).unwrap_or_default().to_vec();
        return Meaning::Commands { text, arguments };
    }
    let has_file = args.iter().any(|it| !it.starts_with('-'));
    match input {
        Some(text) => Meaning::Commands { text: text.to_owned(), arguments: Vec::new() },
        None if has_file => Meaning::Nothing,
        None => Meaning::PipedCommands,
    }
}

fn is_language(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    LANGUAGES.contains(&name)
}

fn language(args: &[String], input: Option<&str>) -> Meaning {
    const INLINE: &[&str] = &["-c", "-e", "--eval", "-p", "--print", "-r", "-E", "eval"];
    // `perl -pi -e '…' file` and `ruby -i`: in place.
    let is_in_place = |it: &String| {
        it.starts_with("-i")
            || (it.starts_with("-p") || it.starts_with("-n"))
                && it.contains('i')
                && !it.starts_with("--")
    };
    if args.iter().any(is_in_place) {
        let args = Args::new(args, &["-e", "-E", "-M"]);
        return Meaning::Paths(
            args.operands.iter().map(|it| ((*it).to_owned(), Deed::Write)).collect(),
        );
    }
    let is_inline = |it: &&String| {
        INLINE.contains(&it.as_str())
            || (it.starts_with('-') && it.len() < 6 && it.ends_with(['e', 'c']))
    };
    let at = args.iter().position(|it| is_inline(&it));
    let mut code = at.map(|at| args[at + 1..].join("\n")).unwrap_or_default();
    code.push_str(input.unwrap_or_default());
    if code.is_empty() { Meaning::Nothing } else { Meaning::Code(code) }
}

fn awk(args: &[String]) -> Meaning {
    let is_in_place = args.windows(2).any(|it| it[0] == "-i" && it[1] == "inplace");
    let parsed = Args::new(args, &["-F", "-v", "-f", "-i"]);
    let Some((program, files)) = parsed.operands.split_first() else { return Meaning::Nothing };
    if is_in_place {
        return Meaning::Paths(files.iter().map(|it| ((*it).to_owned(), Deed::Write)).collect());
    }
    // Only what is printed to a file in the program itself; the files are read.
    Meaning::Code((*program).to_owned())
}

/// `find` that deletes, or runs something with what it finds.
fn find(args: &[String]) -> Meaning {
    let is_place = |it: &&String| !it.starts_with(['-', '(', '!']);
    let mut places: Vec<String> = args.iter().take_while(is_place).cloned().collect();
    if places.is_empty() {
        places.push(".".to_owned());
    }
    // `find . -name .oldhand`, `find . -path '*/.oldhand/*'`
    let is_name = |it: &str| matches!(it, "-name" | "-iname" | "-path" | "-ipath" | "-wholename");
    let names = args.windows(2).filter(|pair| is_name(&pair[0])).take(FIND_NAMES_MAX);
    let roots: Vec<String> = places.iter().take(FIND_NAMES_MAX).cloned().collect();
    for pair in names {
        places.extend(roots.iter().map(|root| format!("{root}/{}", pair[1])));
    }
    let mut further = Vec::new();
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            _ if further.len() > FIND_NAMES_MAX * FIND_NAMES_MAX => break,
            "-delete" => {
                further.push(std::iter::once("rm".to_owned()).chain(places.clone()).collect())
            }
            "-fprint" | "-fprintf" | "-fls" => {
                further.push(
                    std::iter::once("touch".to_owned()).chain(rest.next().cloned()).collect(),
                );
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" => {
                let command: Vec<&String> =
                    rest.by_ref().take_while(|it| !matches!(it.as_str(), ";" | "+")).collect();
                further.extend(places.iter().map(|place| {
                    command.iter().map(|it| it.replace("{}", place)).collect::<Vec<String>>()
                }));
            }
            _ => {}
        }
    }
    Meaning::Further(further)
}
