//! Which of its words a program writes or removes. What it only reads is left out, so that copying
//! out of a store passes.

use super::patch;
use super::place::{self, Deed};
use super::programs::Meaning;

pub(super) type Paths = Vec<(String, Deed)>;

/// The words of a program as options, their values, and the rest.
pub(super) struct Args<'a> {
    pub operands: Vec<&'a str>,
    options: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Args<'a> {
    /// `valued` are options with a value, `-o` also as `-ovalue`, `--output` also with `=`.
    pub(super) fn new(args: &'a [String], valued: &[&'static str]) -> Self {
        let mut parsed = Self { operands: Vec::new(), options: Vec::new() };
        let mut rest = args.iter().map(String::as_str);
        while let Some(word) = rest.next() {
            if word == "--" {
                parsed.operands.extend(rest.by_ref());
            } else if !word.starts_with('-') || word.len() == 1 {
                parsed.operands.push(word);
            } else if valued.contains(&word) {
                parsed.options.push((word, rest.next()));
            } else if let Some((name, value)) =
                word.split_once('=').filter(|_| word.starts_with("--"))
            {
                parsed.options.push((name, Some(value)));
            } else if let Some(name) =
                valued.iter().find(|it| it.len() == 2 && word.starts_with(**it))
            {
                parsed.options.push((&word[..name.len()], Some(&word[name.len()..])));
            } else {
                parsed.options.push((word, None));
                // `-qO file`: the last letter of a cluster has the value.
                let is_last = |it: &&&'static str| it.len() == 2 && word.ends_with(&it[1..]);
                let is_cluster = !word.starts_with("--") && word.len() < 8;
                if let Some(name) = valued.iter().find(is_last).filter(|_| is_cluster) {
                    parsed.options.push((name, rest.next()));
                }
            }
        }
        parsed
    }

    fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(name))
    }

    /// A letter in any cluster of short options.
    fn has_letter(&self, letter: char) -> bool {
        let is_cluster = |name: &str| name.starts_with('-') && !name.starts_with("--");
        self.options.iter().any(|(name, _)| is_cluster(name) && name.contains(letter))
    }

    pub(super) fn values(&self, names: &'a [&str]) -> impl Iterator<Item = &'a str> + '_ {
        let named = self.options.iter().filter(move |(name, _)| names.contains(name));
        named.filter_map(|(_, value)| *value)
    }

    fn all(&self, deed: Deed) -> Paths {
        each(self.operands.iter().copied(), deed)
    }
}

fn each<'a>(paths: impl IntoIterator<Item = &'a str>, deed: Deed) -> Paths {
    paths.into_iter().map(|path| (path.to_owned(), deed)).collect()
}

pub(super) fn paths(program: &str, args: &[String], input: Option<&str>) -> Paths {
    // The tools of GNU on a Mac.
    let name = match program {
        "grm" | "gcp" | "gmv" | "gsed" | "gtouch" | "gtruncate" | "gtar" => &program[1..],
        name => name,
    };
    match name {
        "rm" | "rmdir" | "unlink" | "shred" | "srm" | "trash" | "trash-put" | "rimraf" => {
            Args::new(args, &["-n", "-s"]).all(Deed::Remove)
        }
        "touch" => Args::new(args, &["-d", "-t", "-r"]).all(Deed::Write),
        "truncate" => Args::new(args, &["-s", "-r", "--size"]).all(Deed::Write),
        "mkdir" | "tee" | "sponge" | "mkfifo" | "mknod" | "dos2unix" | "unix2dos"
        | "tee-object" => Args::new(args, &["-m"]).all(Deed::Write),
        "ed" | "ex" | "vi" | "vim" | "nvim" | "nano" | "emacs" | "micro" => editor(args),
        "cp" | "install" | "scp" | "rsync" | "ditto" => copied(name, args),
        "mv" | "move" | "ren" | "rename" | "git-mv" => moved(args),
        "dd" => each(args.iter().filter_map(|it| it.strip_prefix("of=")), Deed::Write),
        "sed" => sed(args),
        "git" => super::git::paths(args, input),
        "patch" => patched(args, input),
        "tar" | "bsdtar" => tar(args),
        "unzip" => or_here(&Args::new(args, &["-d", "-x"]), &["-d"]),
        "zip" | "7z" => each(Args::new(args, &[]).operands.into_iter().take(1), Deed::Write),
        "gzip" | "gunzip" | "bzip2" | "xz" | "zstd" => squeezed(args),
        "curl" => curl(args),
        "wget" => or_here(
            &Args::new(args, &["-O", "-P", "-o", "-U"]),
            &["-O", "-P", "--output-document", "--directory-prefix"],
        ),
        "sort" | "shuf" | "gcc" | "pandoc" => {
            each(Args::new(args, &["-o", "-k", "-t"]).values(&["-o", "--output"]), Deed::Write)
        }
        // Short options mean something else to most others: `grep -i`, `diff -w`.
        "yq" | "gofmt" | "clang-format" | "shfmt" | "prettier" | "autopep8"
            if Args::new(args, &[]).has(&["-i", "-w"]) =>
        {
            Args::new(args, &[]).all(Deed::Write)
        }
        "black" | "isort" | "rustfmt" => Args::new(args, &[]).all(Deed::Write),
        _ => unknown(args),
    }
}

/// A program that nobody listed: it says itself that it writes.
fn unknown(args: &[String]) -> Paths {
    let parsed = Args::new(args, &["--output", "--out", "--out-file", "--outfile"]);
    let mut paths =
        each(parsed.values(&["--output", "--out", "--out-file", "--outfile"]), Deed::Write);
    if parsed.has(&["--write", "--in-place", "--inplace", "--fix"]) {
        paths.extend(parsed.all(Deed::Write));
    }
    paths
}

fn editor(args: &[String]) -> Paths {
    let parsed = Args::new(args, &["-c", "--cmd", "-S", "-u", "--eval"]);
    if parsed.has(&["-R", "-M"]) { Vec::new() } else { parsed.all(Deed::Write) }
}

fn copied(program: &str, args: &[String]) -> Paths {
    let parsed = match program {
        "install" => Args::new(args, &["-t", "--target-directory", "-m", "-o", "-g", "-S"]),
        "scp" => Args::new(args, &["-P", "-i", "-F", "-o", "-c"]),
        "rsync" => Args::new(args, &["-e", "--exclude", "--include", "--rsh", "-f"]),
        _ => Args::new(args, &["-t", "--target-directory", "-S"]),
    };
    let into: Vec<&str> = parsed.values(&["-t", "--target-directory"]).collect();
    let mut paths = if !into.is_empty() {
        each(into, Deed::Write)
    } else if parsed.has(&["-d", "--directory"]) && args.first().is_some_and(|it| it == "-d") {
        parsed.all(Deed::Write)
    } else {
        each(parsed.operands.last().copied().filter(|_| parsed.operands.len() > 1), Deed::Write)
    };
    if parsed.has(&["--remove-source-files"])
        || parsed.has_letter('l') && parsed.has(&["-l", "--link"])
    {
        paths.extend(parsed.all(Deed::Remove));
    }
    paths
}

fn moved(args: &[String]) -> Paths {
    let parsed = Args::new(args, &["-t", "--target-directory", "-S"]);
    let mut paths = each(parsed.values(&["-t", "--target-directory"]), Deed::Write);
    let last = parsed.operands.last().copied().filter(|_| paths.is_empty());
    let sources = parsed.operands.iter().copied().filter(|it| Some(*it) != last);
    let mut moved = each(sources, Deed::Remove);
    paths.extend(each(last, Deed::Write));
    moved.extend(paths);
    moved
}

/// A symbolic link may point anywhere; a hard one to a file of a store is a second way into it.
pub(super) fn link(args: &[String]) -> Meaning {
    let parsed = Args::new(args, &["-t", "--target-directory", "-S"]);
    let into: Option<&str> = parsed.values(&["-t", "--target-directory"]).next();
    let [target, rest @ ..] = parsed.operands.as_slice() else { return Meaning::Nothing };
    let is_symbolic = parsed.has_letter('s') || parsed.has(&["--symbolic"]);
    if !is_symbolic {
        return Meaning::Paths(parsed.all(Deed::Write));
    }
    let base = target.trim_end_matches('/').rsplit('/').next().unwrap_or(target);
    let name = match (into, rest.last()) {
        (Some(folder), _) => format!("{folder}/{base}"),
        (None, Some(name)) => (*name).to_owned(),
        (None, None) => base.to_owned(),
    };
    Meaning::Link { target: (*target).to_owned(), name }
}

fn sed(args: &[String]) -> Paths {
    // `-i`, `-i.bak`, `-Ei`, `-ni`; not `-e`, whose value may hold an i.
    let is_in_place = |it: &String| {
        it.starts_with("--in-place")
            || it.starts_with("-i")
            || (it.starts_with('-') && it.len() <= 4 && it.ends_with('i') && !it.starts_with("--"))
    };
    let parsed = Args::new(args, &["-e", "-f", "--expression", "--file"]);
    let has_script = parsed.has(&["-e", "-f", "--expression", "--file"]);
    if !args.iter().any(is_in_place) {
        // The command `w` writes what it is told.
        let script = parsed.operands.first().copied().filter(|_| !has_script);
        return each(script.and_then(|it| it.rsplit_once("w ")).map(|(_, path)| path), Deed::Write);
    }
    each(parsed.operands.iter().copied().skip(usize::from(!has_script)), Deed::Write)
}

fn patched(args: &[String], input: Option<&str>) -> Paths {
    let parsed = Args::new(args, &["-d", "-i", "-o", "-p", "--directory", "--input", "--output"]);
    let mut paths = each(parsed.operands.first().copied(), Deed::Write);
    paths.extend(each(parsed.values(&["-d", "--directory", "-o", "--output"]), Deed::Write));
    paths.extend(patch::paths(input.unwrap_or_default()));
    paths
}

fn tar(args: &[String]) -> Paths {
    let parsed = Args::new(args, &["-C", "--directory", "-f", "--file"]);
    // The old form has its letters without a dash, and the archive behind them.
    let letters: String =
        args.first().map(|it| it.trim_start_matches('-').to_owned()).unwrap_or_default();
    let is_mode = |letter: char, name: &str| {
        letters.contains(letter) && !args[0].starts_with("--")
            || parsed.has_letter(letter)
            || parsed.has(&[name])
    };
    let archive = parsed.values(&["-f", "--file"]).next().or(args.get(1).map(String::as_str));
    let mut paths = Vec::new();
    if parsed.has(&["--remove-files"]) {
        paths.extend(parsed.all(Deed::Remove));
    }
    if is_mode('x', "--extract") || parsed.has(&["--get"]) {
        let into: Vec<&str> = parsed.values(&["-C", "--directory"]).collect();
        paths.extend(each(if into.is_empty() { vec!["."] } else { into }, Deed::Write));
    } else if is_mode('c', "--create") || parsed.has(&["--append", "--update"]) {
        paths.extend(each(archive, Deed::Write));
    }
    paths
}

fn squeezed(args: &[String]) -> Paths {
    let parsed = Args::new(args, &[]);
    let only_reads = "cklt".chars().any(|it| parsed.has_letter(it))
        || parsed.has(&["--stdout", "--keep", "--list", "--test"]);
    if only_reads { Vec::new() } else { parsed.all(Deed::Write) }
}

fn curl(args: &[String]) -> Paths {
    let parsed = Args::new(
        args,
        &["-o", "--output", "--output-dir", "-d", "-H", "-X", "-u", "-F", "-T", "--data"],
    );
    let folder = parsed.values(&["--output-dir"]).next().unwrap_or(".");
    let mut paths: Paths = parsed
        .values(&["-o", "--output"])
        .map(|path| (place::join(folder, path), Deed::Write))
        .collect();
    if parsed.has_letter('O') || parsed.has(&["--remote-name"]) {
        paths.push((folder.to_owned(), Deed::Write));
    }
    paths
}

/// Into the folder that is named, or into the current one.
fn or_here(parsed: &Args<'_>, names: &[&'static str]) -> Paths {
    let named = parsed.options.iter().filter(|(name, _)| names.contains(name));
    let into: Vec<&str> = named.filter_map(|(_, value)| *value).collect();
    each(if into.is_empty() { vec!["."] } else { into }, Deed::Write)
}
