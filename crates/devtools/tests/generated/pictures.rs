//! Pictures of the terminal: the real program on the store of `docs/pictures/store.txt`, at a fixed
//! time and width.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use anstyle_svg::Term;
use oldhand::{Env, Io};
use oldhand_store::disk::RealDisk;
use oldhand_store::ulid::Entropy;
use oldhand_text::command_line::commands;

use super::{docs, is_update};

const NOW: &str = "2026-11-15T12:00:00Z";
const COLUMNS: &str = "92";

const PICTURES: &[(&str, &str)] = &[
    ("status", "oldhand"),
    ("list", "oldhand list"),
    ("show", "oldhand show money"),
    ("recall", "oldhand recall \"which number type do prices have\""),
    ("check", "oldhand check \"represent money as floats\""),
    ("why", "oldhand why money"),
    ("health", "oldhand health"),
    ("stats", "oldhand stats"),
    ("help", "oldhand help"),
    ("error", "oldhand show mony"),
    // The last one, because it changes the store.
    ("remember", "oldhand remember \"We decided to log in JSON, because the search needs fields\""),
];

/// The colours of the library are those of 1987; dim text must still be readable.
const LOOKS: &[(&str, &str)] = &[
    (".fg { fill: #AAAAAA }", ".fg { fill: #d6d9e0 }"),
    (".bg { fill: #000000 }", ".bg { fill: #1b1e26 }"),
    (".fg-cyan { fill: #00AAAA }", ".fg-cyan { fill: #7fc7e8 }"),
    (".fg-green { fill: #00AA00 }", ".fg-green { fill: #7ec699 }"),
    (".fg-red { fill: #AA0000 }", ".fg-red { fill: #f28b82 }"),
    (".fg-yellow { fill: #AA5500 }", ".fg-yellow { fill: #e8c46a }"),
    (".dimmed { opacity: 0.4; }", ".dimmed { fill: #9aa1b2; }"),
    ("Liberation Mono, Menlo,", "Liberation Mono, Menlo, DejaVu Sans Mono,"),
];

struct Counted(AtomicU64);

impl Entropy for Counted {
    fn next(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

struct Stage {
    folder: tempfile::TempDir,
    entropy: Counted,
}

impl Stage {
    fn new() -> Self {
        let stage =
            Self { folder: tempfile::tempdir().unwrap(), entropy: Counted(AtomicU64::new(1)) };
        std::fs::create_dir(stage.repository()).unwrap();
        let script = std::fs::read_to_string(docs().join("pictures/store.txt")).unwrap();
        for line in script.lines().filter(|line| !line.starts_with('#')) {
            let (at, typed) = line.split_once(' ').unwrap();
            let (typed, piped) = typed.split_once(" <<< ").unwrap_or((typed, ""));
            stage.run(at, &format!("oldhand {typed}"), piped);
        }
        stage
    }

    fn repository(&self) -> std::path::PathBuf {
        self.folder.path().join("storefront")
    }

    fn run(&self, at: &str, typed: &str, piped: &str) -> String {
        let vars = [
            ("HOME", self.folder.path().to_str().unwrap()),
            ("USER", "ada"),
            ("OLDHAND_TRUST", "1"),
            ("COLUMNS", COLUMNS),
        ];
        let env = Env {
            vars: vars.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            current_dir: self.repository(),
            disk: &RealDisk,
            entropy: &self.entropy,
            interactive: false,
            terminal: None,
            remarks: None,
        };
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut io = Io::new(Cursor::new(piped.as_bytes().to_vec()), &mut stdout, &mut stderr);
        let words = commands(typed).into_iter().flat_map(|it| it.words).map(OsString::from);
        oldhand::run(words, &env, at.parse().unwrap(), &mut io);
        drop(io);
        String::from_utf8([stdout, stderr].concat()).unwrap()
    }
}

#[test]
fn the_pictures_of_the_terminal_are_current() {
    let stage = Stage::new();
    let mut outdated = BTreeMap::new();
    for (name, typed) in PICTURES {
        let said = stage.run(NOW, &format!("{typed} --format people --color always"), "");
        let picture = drawn(typed, &said);
        let path = docs().join(format!("pictures/{name}.svg"));
        if is_update() {
            std::fs::write(&path, &picture).unwrap();
        }
        if read(&path) != picture {
            outdated.insert(*name, said);
        }
    }
    assert!(outdated.is_empty(), "run `cargo xtask docs`: {outdated:?}");
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn drawn(typed: &str, said: &str) -> String {
    let prompt = format!("\x1b[32m$\x1b[0m \x1b[1m{typed}\x1b[0m\n{said}");
    let mut picture = Term::new().render_svg(prompt.trim_end());
    for (theirs, ours) in LOOKS {
        picture = picture.replace(theirs, ours);
    }
    picture
}
