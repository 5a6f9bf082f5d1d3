//! Which of its arguments a program writes or removes. Copying out of a store passes.

use super::input::patched;
use super::store_path::Deed;
use oldhand_text::command_line::Command;
use oldhand_text::table;

type Written = Vec<(String, Deed)>;

#[derive(Clone, Copy)]
enum Operands {
    All(Deed),
    FirstWritten,
    /// The last one, or the value of an option that names the target.
    LastWritten,
    /// As `LastWritten`, and the others are gone.
    Moved,
    /// All files, but only with an option such as `-i`; the first word is an expression.
    EditedInPlace,
    /// The values of the options that take one.
    OptionWritten,
}

/// Programs, their options that take a value, and what they do to files.
const PROGRAMS: &[(&str, &str, Operands)] = &[
    (
        "rm rmdir unlink shred srm trash trash-put rimraf del erase rd remove-item ri",
        "-n -s -filter -include -exclude",
        Operands::All(Deed::Remove),
    ),
    (
        "touch truncate tee sponge mkdir mkfifo dos2unix unix2dos tee-object md ni new-item clc clear-content",
        "-d -t -r -s -m --size -itemtype -value",
        Operands::All(Deed::Write),
    ),
    (
        "set-content add-content out-file ac export-csv",
        "-value -encoding -inputobject -width -filter",
        Operands::FirstWritten,
    ),
    (
        "cp install ditto ln copy copy-item cpi",
        "-m -o -g -S -t --target-directory -destination",
        Operands::LastWritten,
    ),
    ("rsync scp", "-e -f --rsh --exclude --include --filter --files-from", Operands::LastWritten),
    (
        "mv move ren rename move-item mi rename-item rni",
        "-S -t --target-directory -destination -newname",
        Operands::Moved,
    ),
    ("sed yq prettier perl ruby", "-e -f --expression --file", Operands::EditedInPlace),
    ("curl wget sort", "-o -O -P --output --output-document", Operands::OptionWritten),
];

const TARGET_OPTIONS: &[&str] = &["-t", "--target-directory", "-destination", "-newname"];

/// Words before the program: keywords of the shell, and programs that start another one.
const PREFIXES: &str = "if then else elif do while until ! { } coproc sudo doas env nohup time \
    timeout command builtin exec nice busybox npx";

pub(super) fn written(command: &Command) -> Written {
    let Some((program, args)) = program_of(command) else { return Vec::new() };
    match program.as_str() {
        "git" => by_git(args),
        "dd" => {
            let files = args.iter().filter_map(|it| it.strip_prefix("of="));
            files.map(|it| (it.to_owned(), Deed::Write)).collect()
        }
        "find" if args.iter().any(|it| it == "-delete") => {
            let folders = args.iter().take_while(|it| !it.starts_with('-'));
            folders.map(|it| (it.clone(), Deed::Remove)).collect()
        }
        "apply_patch" | "applypatch" => {
            let input = command.input.as_deref().unwrap_or_default();
            patched(&format!("{}\n{input}", args.join("\n")))
        }
        name => {
            // The tools of GNU have a `g` before their names on a Mac.
            let of_gnu =
                |names: &str| name.strip_prefix('g').is_some_and(|it| table::has(names, it));
            let mut rows = PROGRAMS.iter();
            let row = rows.find(|(names, ..)| table::has(names, name) || of_gnu(names));
            row.map_or_else(Vec::new, |(_, valued, does)| by_row(args, valued, *does))
        }
    }
}

/// The line of `bash -lc '…'`.
pub(super) fn inner_line(command: &Command) -> Option<&str> {
    let (program, args) = program_of(command)?;
    if !matches!(program.as_str(), "sh" | "bash" | "zsh" | "dash" | "powershell" | "pwsh") {
        return None;
    }
    let is_line = |option: &String| {
        option.eq_ignore_ascii_case("-command") || option.len() < 5 && option.ends_with('c')
    };
    let at = args.iter().take_while(|it| it.starts_with('-')).position(is_line)?;
    args.get(at + 1).map(String::as_str)
}

/// `/usr/bin/RM.exe` is `rm`; what is before the program is skipped.
fn program_of(command: &Command) -> Option<(String, &[String])> {
    let bare = |word: &str| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
        name.strip_suffix(".exe").map(str::to_owned).unwrap_or(name)
    };
    let is_before = |word: &String| {
        word.starts_with(|c: char| c == '-' || c.is_ascii_digit())
            || word.contains('=')
            || table::has(PREFIXES, &bare(word))
    };
    let at = command.words.iter().position(|word| !is_before(word))?;
    Some((bare(&command.words[at]), &command.words[at + 1..]))
}

fn by_row(args: &[String], valued: &str, does: Operands) -> Written {
    let args = Args::new(args, valued);
    let all = |deed: Deed| args.operands.iter().map(move |it| ((*it).to_owned(), deed));
    let values = |names: &[&str]| -> Written {
        let named = args.options.iter().filter(|(name, _)| names.contains(&name.as_str()));
        named.filter_map(|(_, value)| Some(((*value)?.to_owned(), Deed::Write))).collect()
    };
    match does {
        Operands::All(deed) => all(deed).collect(),
        Operands::FirstWritten => all(Deed::Write).take(1).collect(),
        Operands::LastWritten | Operands::Moved => {
            let mut written = values(TARGET_OPTIONS);
            let mut sources = args.operands.len();
            if written.is_empty() && sources > 1 {
                sources -= 1;
                written.extend(all(Deed::Write).skip(sources));
            }
            if matches!(does, Operands::Moved) {
                written.extend(all(Deed::Remove).take(sources));
            }
            written
        }
        Operands::EditedInPlace => {
            let has_expression = valued.split(' ').any(|it| args.has(it));
            let skipped = if has_expression || args.has("--write") { 0 } else { 1 };
            let is_in_place = args.has("--write") || args.has("--in-place") || args.has_letter('i');
            all(Deed::Write).skip(if is_in_place { skipped } else { usize::MAX }).collect()
        }
        Operands::OptionWritten => values(&valued.split(' ').collect::<Vec<_>>()),
    }
}

/// Commands of git that replace or remove single files. Commits and merges are how stores travel.
fn by_git(args: &[String]) -> Written {
    let at = args.iter().position(|it| table::has("checkout restore mv rm clean", it));
    let Some(at) = at else { return Vec::new() };
    // A word before that is neither an option nor its value is the command.
    if args[..at].iter().any(|it| !it.starts_with('-') && !it.contains(['=', '/', '.'])) {
        return Vec::new();
    }
    let parsed = Args::new(&args[at + 1..], "-s --source -e --exclude -b -B");
    let is_staged = parsed.has("--staged") || parsed.has("-S");
    let keeps_files = is_staged && !parsed.has("--worktree") && !parsed.has("-W")
        || parsed.has("--cached")
        || parsed.has("--dry-run")
        || parsed.has_letter('n');
    if keeps_files {
        return Vec::new();
    }
    let deed = if table::has("rm clean", &args[at]) { Deed::Remove } else { Deed::Write };
    let kept = parsed.operands.iter().filter(|it| !it.starts_with(":!") && !it.starts_with(":^"));
    kept.map(|it| (it.trim_start_matches(":/").to_owned(), deed)).collect()
}

/// The words of a program as options, their values, and the rest.
struct Args<'a> {
    operands: Vec<&'a str>,
    options: Vec<(String, Option<&'a str>)>,
}

impl<'a> Args<'a> {
    /// `valued` are options with a value: `-o` also as `-qo value`, `--output` also with `=`.
    fn new(args: &'a [String], valued: &str) -> Self {
        let mut parsed = Self { operands: Vec::new(), options: Vec::new() };
        let mut rest = args.iter().map(String::as_str);
        while let Some(word) = rest.next() {
            if word == "--" {
                parsed.operands.extend(rest.by_ref());
            } else if !word.starts_with('-') || word.len() == 1 {
                parsed.operands.push(word);
            } else if let Some((name, value)) = word.split_once('=') {
                parsed.options.push((name.to_owned(), Some(value)));
            } else {
                // PowerShell does not care about case: `-Value`.
                let name = if word.len() > 3 { word.to_ascii_lowercase() } else { word.to_owned() };
                let is_valued = |it: &&str| {
                    let letter = it.strip_prefix('-').filter(|it| it.len() == 1);
                    let is_cluster = !word.starts_with("--") && word.len() < 6;
                    *it == name || is_cluster && letter.is_some_and(|it| word.ends_with(it))
                };
                let found = valued.split(' ').find(is_valued);
                let value = found.and_then(|_| rest.next());
                parsed.options.push((found.map_or(name, str::to_owned), value));
                if found.is_some_and(|it| it != word) {
                    parsed.options.push((word.to_owned(), None));
                }
            }
        }
        parsed
    }

    fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(it, _)| it == name)
    }

    /// A letter in a cluster of short options: first in it, or in a short one. `-Mstrict` is none.
    fn has_letter(&self, letter: char) -> bool {
        self.options.iter().any(|(name, _)| {
            let letters = name.strip_prefix('-').filter(|it| !it.starts_with('-'));
            letters.is_some_and(|it| it.starts_with(letter) || it.len() < 4 && it.contains(letter))
        })
    }
}
