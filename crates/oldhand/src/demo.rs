//! A made-up project to look at: some weeks of its code, memories and sessions, played through the
//! same journeys and hooks as a real one, in a temporary folder with a home of its own.

mod script;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::{SignedDuration, Timestamp};
use oldhand_app::Engine;
use oldhand_app::moves::Successor;
use oldhand_app::pending::Resolution;
use oldhand_app::promote::PromotionRequest;
use oldhand_app::review::Decision;
use oldhand_app::usage::Use;
use oldhand_core::actor::Via;
use oldhand_core::event::{Effect, Verdict};
use oldhand_core::origin::Origin;
use oldhand_core::reviewer::Role;
use oldhand_desk::desk::{Desk, GlobalFlags, settled};
use oldhand_desk::env::Env;
use oldhand_desk::failure::Fail;
use oldhand_desk::files::Files;
use oldhand_desk::hooks::{self, HookArgs};
use oldhand_desk::printer::Io;
use oldhand_store::failure::Failure;
use oldhand_store::ulid::Entropy;
use oldhand_text::strings::slug;
use serde_json::{Value, json};
use tempfile::TempDir;

use script::{Fate, Happening, Row, Script, SessionRow};

/// So far back sessions are played hook by hook; each takes the model a moment.
const HOOKS_DAYS: i64 = 24;

pub(crate) struct Demo {
    folder: TempDir,
}

impl Demo {
    /// Plays everything; `tell` hears how much of it is done, from 0 to 100.
    pub(crate) fn make(
        env: &Env<'_>,
        now: Timestamp,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Self, Fail> {
        // In memory where the machine has such a place: nothing of it has to last.
        let memory = Path::new("/dev/shm");
        let mut builder = tempfile::Builder::new();
        builder.prefix("oldhand-demo-");
        let folder = builder.tempdir_in(memory).or_else(|_| builder.tempdir())?;
        let demo = Self { folder };
        std::fs::create_dir_all(demo.repository())?;
        let seeded = Seeded::default();
        let own = demo.env(env);
        let player =
            Player { env: Env { entropy: &seeded, ..own }, now, has_git: demo.begin_code() };
        player.run(&["init"], now)?;
        let script = Script::read();
        let steps = script.steps();
        for (number, (hours, step)) in steps.iter().enumerate() {
            tell(number * 100 / steps.len());
            let at = now - SignedDuration::from_hours(*hours);
            player.play(step, at)?;
        }
        Ok(demo)
    }

    pub(crate) fn repository(&self) -> PathBuf {
        self.folder.path().join("ferrywise")
    }

    /// An environment that knows nothing of the user's own settings and stores.
    pub(crate) fn env<'a>(&self, env: &Env<'a>) -> Env<'a> {
        let home = self.folder.path();
        let mut vars = BTreeMap::new();
        for (name, below) in [
            ("HOME", ""),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
        ] {
            vars.insert(name.to_owned(), home.join(below).display().to_string());
        }
        vars.insert("USER".to_owned(), "ines".to_owned());
        vars.extend(env.var("PATH").map(|path| ("PATH".to_owned(), path.to_owned())));
        let current_dir = self.repository();
        Env {
            vars,
            current_dir,
            disk: env.disk,
            entropy: env.entropy,
            interactive: true,
            terminal: None,
            remarks: None,
        }
    }

    fn begin_code(&self) -> bool {
        git(&self.repository(), &["init", "-q", "-b", "main"], None)
    }
}

/// The same ids each time.
#[derive(Default)]
struct Seeded(AtomicU64);

impl Entropy for Seeded {
    fn next(&self) -> u128 {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    }
}

struct Player<'e> {
    env: Env<'e>,
    now: Timestamp,
    has_git: bool,
}

impl Player<'_> {
    fn play(&self, step: &Happening<'_>, at: Timestamp) -> Result<(), Fail> {
        match step {
            Happening::Commit { by, subject, paths } => self.commit(by, subject, paths, at),
            Happening::Write(row, old) => self.work(row.by, at, |engine| write(engine, row, *old)),
            Happening::Befall(row, fate) => {
                self.work(row.by, at, |engine| befall(engine, row, fate))
            }
            Happening::Session(row, number) => self.session(row, *number, at),
        }
    }

    /// As whoever it is: a person at a terminal, or an agent.
    fn work(
        &self,
        by: &str,
        at: Timestamp,
        job: impl FnOnce(&Engine<'_>) -> Result<(), Failure>,
    ) -> Result<(), Fail> {
        let flags = GlobalFlags { by: Some(by.to_owned()), ..GlobalFlags::default() };
        let desk =
            Desk { env: &self.env, flags, now: at, host: None, lasting: None, ground: &Files };
        let is_agent = script::is_agent(by);
        let via = if is_agent { Via::Agent(by.to_owned()) } else { Via::Terminal };
        desk.work(|engine| {
            // Nobody is asked what a model thinks of two sentences: that takes its time.
            let engine = Engine { nearby: None, via: &via, is_person: !is_agent, ..*engine };
            Ok(job(&engine)?)
        })
    }

    fn run(&self, args: &[&str], at: Timestamp) -> Result<(), Fail> {
        let args = std::iter::once("oldhand").chain(args.iter().copied());
        let (mut said, mut noted) = (Vec::new(), Vec::new());
        let mut io = Io::new(std::io::empty(), &mut said, &mut noted);
        let code = crate::run(args.map(Into::into), &self.env, at, &mut io);
        drop(io);
        if code > 1 {
            let message = String::from_utf8_lossy(&noted).into_owned();
            return Err(Fail::usage(message, "the demo could not be made"));
        }
        Ok(())
    }

    fn commit(&self, by: &str, subject: &str, paths: &[&str], at: Timestamp) -> Result<(), Fail> {
        let root = &self.env.current_dir;
        for path in paths {
            if let Some(gone) = path.strip_prefix('-') {
                std::fs::remove_file(root.join(gone))?;
                continue;
            }
            let file = root.join(path);
            std::fs::create_dir_all(file.parent().unwrap_or(root))?;
            let before = std::fs::read_to_string(&file).unwrap_or_default();
            std::fs::write(&file, format!("{before}// {subject}\n"))?;
        }
        if self.has_git {
            git(root, &["add", "-A", "--", ":!.oldhand"], None);
            git(root, &["commit", "-q", "-m", subject], Some((by, at)));
        }
        Ok(())
    }

    /// What was said, as the first host keeps it; the others are heard by their prompts alone.
    fn transcript(&self, row: &SessionRow<'_>, id: &str) -> Result<Option<PathBuf>, Fail> {
        if row.host != "claude-code" {
            return Ok(None);
        }
        let line = |role: &str, text: &str| {
            let said = json!({"type": role, "message": {"role": role, "content": text}});
            format!("{said}\n")
        };
        let prompts = row.prompts.iter().map(|prompt| line("user", prompt));
        let text: String = prompts.chain([line("assistant", row.completed)]).collect();
        let file = self.env.current_dir.with_file_name(format!("{id}.jsonl"));
        std::fs::write(&file, text)?;
        Ok(Some(file))
    }

    /// What the hooks of a host say and do in one session.
    fn session(&self, row: &SessionRow<'_>, number: usize, at: Timestamp) -> Result<(), Fail> {
        let task = format!("FW-{}", 100 + number);
        let summary = |at: Timestamp| {
            self.work(row.host, at, |engine| {
                let done = engine.writing().create(&row.summary(&task), Origin::Agent)?;
                drop(settled(engine, done));
                Ok(())
            })
        };
        // Of older ones only the summary is left, as the log of hooks is kept for some weeks.
        if row.days > HOOKS_DAYS {
            return summary(at);
        }
        let id = format!("{}-{number:02}", row.host);
        let transcript = self.transcript(row, &id)?;
        let mut at = at;
        let mut say = |event: &str, more: Value| {
            let mut payload = json!({
                "session_id": id,
                "cwd": self.env.current_dir,
                "transcript_path": transcript,
                "hook_event_name": event,
            });
            if let (Some(all), Value::Object(more)) = (payload.as_object_mut(), more) {
                all.extend(more);
            }
            let args = HookArgs { host: row.host.to_owned(), ..HookArgs::default() };
            let payload = payload.to_string();
            let mut io = Io::new(payload.as_bytes(), std::io::sink(), std::io::sink());
            hooks::run(&args, &self.env, at.min(self.now), &mut io);
            at += SignedDuration::from_mins(7);
        };
        say("SessionStart", json!({"source": "startup"}));
        for prompt in &row.prompts {
            say("UserPromptSubmit", json!({"prompt": prompt}));
        }
        let last = format!("{}. Next: {}", row.completed, row.next);
        say("Stop", json!({"stop_hook_active": false, "last_assistant_message": last}));
        let outcome = if row.failure.is_empty() { "passed" } else { "failed" };
        let mut end = vec!["task", "end", &task, "--outcome", outcome, "--session", &id];
        end.extend(["--notes", row.completed, "--no-summary"]);
        if !row.failure.is_empty() {
            end.extend(["--failure-class", row.failure]);
        }
        // Not every session ends what it began.
        if number.is_multiple_of(3) || outcome == "failed" {
            self.run(&end, at.min(self.now))?;
        }
        summary(at.min(self.now))
    }
}

/// A memory, or what waits instead of it. What the gate takes for a clash by accident, a person lets
/// pass, as one would.
fn write(engine: &Engine<'_>, row: &Row<'_>, old: Option<&Row<'_>>) -> Result<(), Failure> {
    let draft = row.draft();
    let origin = match &row.fates[..] {
        [Fate::Candidate | Fate::Rejected(_)] => Origin::Capture,
        _ if script::is_agent(row.by) => Origin::Agent,
        _ => Origin::User,
    };
    let done = match old {
        Some(old) => {
            let (new, name) = (Successor::New(&draft), slug(old.title));
            engine
                .life()
                .supersede(&name, &new, old.reason(), origin)
                .map(|done| drop(settled(engine, done)))
        }
        None => engine.writing().create(&draft, origin).map(|done| drop(settled(engine, done))),
    };
    match done {
        Err(Failure::Stopped(_)) if row.fates.contains(&Fate::Clash) => Ok(()),
        Err(Failure::Stopped(stop)) => {
            let person = Engine { by: "ines", via: &Via::Terminal, is_person: true, ..*engine };
            let reason = "they are about different things";
            let name = stop.pending.id.as_str();
            drop(settled(&person, person.gate().resolve(name, Resolution::KeepBoth, reason)?));
            Ok(())
        }
        // A twin, or a limit: the others tell enough.
        Err(Failure::Refused(_)) => Ok(()),
        other => other,
    }
}

fn befall(engine: &Engine<'_>, row: &Row<'_>, fate: &Fate<'_>) -> Result<(), Failure> {
    let person = &Engine { by: "ines", via: &Via::Terminal, is_person: true, ..*engine };
    let name = slug(row.title);
    let decide = |verdict, reason| {
        let approver = Some("ines");
        let decision =
            Decision { verdict, reason, role: None, guidance: None, successor: None, approver };
        person.upkeep().review(&name, &decision).map(|done| drop(settled(person, done)))
    };
    let promote = |by: &'static str, role| {
        let engine = &Engine { by, ..*person };
        let reason = "it has held for weeks";
        let ask = PromotionRequest {
            approver: Some(by),
            role: Some(role),
            reason,
            ..PromotionRequest::default()
        };
        engine.life().promote(&name, &ask).map(|done| drop(settled(engine, done)))
    };
    let done = match fate {
        Fate::Used { helped, task } => {
            let effect = if *helped { Effect::Positive } else { Effect::Negative };
            let notes = if *helped { "" } else { "it led the wrong way" };
            let one = Use { effect, task, role: "", surface: None, followup: None, notes };
            engine.upkeep().use_memory(&name, None, &one).map(|done| drop(settled(engine, done)))
        }
        Fate::Canonical => promote("ines", Role::Orchestrator).and_then(|()| {
            let needed = engine.settings.reviewers.of(&engine.get(&name)?.memory);
            let needed = if needed == Role::Orchestrator { Role::Maintainer } else { needed };
            promote("tomas", needed)
        }),
        Fate::Asked => {
            let agent = Via::Agent("claude-code".to_owned());
            let asks = &Engine { by: "claude-code", via: &agent, is_person: false, ..*engine };
            let reason = "it was followed in every review";
            let ask = PromotionRequest { reason, ..PromotionRequest::default() };
            asks.life().promote(&name, &ask).map(|done| drop(settled(asks, done)))
        }
        Fate::Review(reason) => {
            person.upkeep().request_review(&name, reason).map(|done| drop(settled(person, done)))
        }
        Fate::Rejected(reason) => decide(Verdict::Reject, *reason),
        Fate::Archived(reason) => {
            person.life().archive(&name, reason).map(|done| drop(settled(person, done)))
        }
        Fate::Retired(reason) => {
            person.life().retire(&name, reason).map(|done| drop(settled(person, done)))
        }
        Fate::Candidate | Fate::Clash | Fate::Superseded { .. } => Ok(()),
    };
    match done {
        // A rule that says no is a rule at work: the store is as it would be.
        Err(Failure::Refused(_)) => Ok(()),
        other => other,
    }
}

fn git(folder: &Path, args: &[&str], who: Option<(&str, Timestamp)>) -> bool {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args([
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "commit.gpgsign=false",
    ]);
    git.args(args).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    if let Some((by, at)) = who {
        let (mail, at) = (format!("{by}@ferrywise.example"), at.to_string());
        for side in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{side}_NAME"), by).env(format!("GIT_{side}_EMAIL"), &mail);
            git.env(format!("GIT_{side}_DATE"), &at);
        }
    }
    let quiet = Stdio::null;
    git.stdin(quiet()).stdout(quiet()).stderr(quiet()).status().is_ok_and(|it| it.success())
}
