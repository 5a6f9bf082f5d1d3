//! What takes too long for CI, within a time that is shared out: each part tries as much as it can in its share, and
//! `docs/nightly.md` says what that was. A part is a process of its own, so that its CPU can be told from the others'.

mod children;
mod fuzz;
mod mutants;
mod record;
mod report;
mod security;
mod sweeps;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::workspace::Workspace;
use record::Record;

type Build = fn(&Night) -> Result<(), Failure>;

/// One thing that is tried.
struct Part {
    name: &'static str,
    title: &'static str,
    /// How much of its lane's time it gets, beside the others of the lane.
    share: u32,
    lane: usize,
    build: Build,
    run: fn(&Night, &mut Record) -> Result<(), Failure>,
}

/// In the order in which a lane runs them. Two lanes, for two cores.
const PARTS: &[Part] = &[
    Part {
        name: "crash",
        title: "Power cuts",
        share: 3,
        lane: 0,
        build: sweeps::build,
        run: sweeps::crash,
    },
    Part {
        name: "kill",
        title: "Kills",
        share: 4,
        lane: 0,
        build: sweeps::build,
        run: sweeps::kill,
    },
    Part {
        name: "race",
        title: "Races",
        share: 1,
        lane: 0,
        build: sweeps::build,
        run: sweeps::race,
    },
    Part {
        name: "mutants",
        title: "Mutations",
        share: 2,
        lane: 0,
        build: mutants::build,
        run: mutants::run,
    },
    Part {
        name: "soak",
        title: "A day of hooks",
        share: 5,
        lane: 1,
        build: sweeps::build,
        run: sweeps::soak,
    },
    Part { name: "fuzz", title: "Fuzzing", share: 5, lane: 1, build: fuzz::build, run: fuzz::run },
    Part {
        name: "security",
        title: "Corpora of attacks",
        share: 1,
        lane: 1,
        build: security::build,
        run: security::run,
    },
];

/// Said to a part whose programs are there already.
const BUILT: &str = "--built";
const MINUTES: u32 = 120;

/// What every part needs to know.
struct Night {
    root: PathBuf,
    /// Programs, logs, findings and what each part has recorded.
    folder: PathBuf,
    until: Instant,
}

impl Night {
    fn bin(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }

    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    /// Programs are copied, so that a build during the night does not replace them.
    fn keep(&self, program: &Path, name: &str) -> Result<(), Failure> {
        std::fs::create_dir_all(self.folder.join("bin"))?;
        // A program that runs can't be written, but it can be replaced.
        let _ = std::fs::remove_file(self.bin(name));
        std::fs::copy(program, self.bin(name))?;
        Ok(())
    }
}

/// `--minutes N` and `--only a,b`; what is built beforehand does not count as time.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let (mut minutes, mut parts, mut is_built) = (MINUTES, PARTS.iter().collect::<Vec<_>>(), false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match (word.as_str(), words.next()) {
            (BUILT, None) => is_built = true,
            ("--minutes", Some(number)) => {
                minutes =
                    number.parse().map_err(|_| Failure::new(format!("no number: `{number}`")))?;
            }
            ("--only", Some(names)) => {
                parts = names.split(',').map(part).collect::<Result<_, _>>()?
            }
            (other, _) => return Err(Failure::new(format!("unknown argument: `{other}`"))),
        }
    }
    let folder = Workspace::load(root)?.target.join("nightly");
    std::fs::create_dir_all(&folder)?;
    let mut night = Night { root: root.to_owned(), folder, until: Instant::now() };
    if !is_built {
        build(&night, &parts)?;
    }
    night.until = Instant::now() + Duration::from_secs(u64::from(minutes) * 60);
    match parts[..] {
        [one] => alone(&night, one)?,
        _ => lanes(&night, &parts)?,
    }
    report::write(&night)
}

fn part(name: &str) -> Result<&'static Part, Failure> {
    PARTS.iter().find(|part| part.name == name).ok_or_else(|| {
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        Failure::new(format!("unknown part: `{name}`"))
            .hint(format!("there are {}", names.join(", ")))
    })
}

fn build(night: &Night, parts: &[&Part]) -> Result<(), Failure> {
    let mut built: Vec<Build> = Vec::new();
    for part in parts {
        if built.iter().any(|known| std::ptr::fn_addr_eq(*known, part.build)) {
            continue;
        }
        println!("nightly: building for {}", part.name);
        // What can't be built is not run, and the report says so.
        if let Err(failure) = (part.build)(night) {
            Record::new(night, part.name).not_run(&failure.to_string())?;
            println!("nightly: {}: not run: {failure}", part.name);
        }
        built.push(part.build);
    }
    Ok(())
}

fn alone(night: &Night, part: &Part) -> Result<(), Failure> {
    let mut record = Record::new(night, part.name);
    if let Err(failure) = (part.run)(night, &mut record) {
        return record.not_run(&failure.to_string());
    }
    record.save()
}

/// Two parts at a time. What one leaves of its share goes to those behind it.
fn lanes(night: &Night, parts: &[&Part]) -> Result<(), Failure> {
    let program = std::env::current_exe()?;
    std::thread::scope(|scope| {
        for lane in 0..2 {
            let own: Vec<&Part> = parts.iter().copied().filter(|part| part.lane == lane).collect();
            let program = &program;
            scope.spawn(move || {
                for (at, part) in own.iter().enumerate() {
                    let shares: u32 = own[at..].iter().map(|part| part.share).sum();
                    let minutes = night.left().as_secs() as f64 / 60.0 * f64::from(part.share)
                        / f64::from(shares);
                    let minutes = (minutes.round() as u64).max(1).to_string();
                    println!("nightly: {} for at most {minutes} minutes", part.name);
                    let mut command = Command::new(program);
                    command.args(["nightly", "--only", part.name, "--minutes", &minutes, BUILT]);
                    if let Err(failure) = crate::process::run(command) {
                        println!("nightly: {}: {failure}", part.name);
                    }
                }
            });
        }
    });
    Ok(())
}
