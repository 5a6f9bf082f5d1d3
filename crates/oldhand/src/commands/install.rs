//! `oldhand install` and `oldhand uninstall`: our entries in the files of agents. All changes are
//! planned for every host before the first file is written.

use std::collections::BTreeMap;

use oldhand_core::views::block::{self, BlockPage};
use oldhand_hosts::edit::{self, Change, SetupTarget};
use oldhand_hosts::table::{self, HOSTS, Host};
use oldhand_screen::Screen;
use oldhand_text::strings::nearest;
use wire::setup::{ChangedFile, ChangedHost, InstallAnswer, KnownHost};

use super::prelude::*;

mod diff;
pub(super) mod driver;
mod places;
mod write;

use driver::GitChange;
pub(super) use places::{Places, find_program};
use write::{Backups, apply};

/// The changes for one host.
struct Job {
    name: &'static str,
    title: &'static str,
    changes: Vec<Change>,
    /// What to do next.
    after: Vec<String>,
}

struct Jobs {
    hosts: Vec<Job>,
    git: Option<GitChange>,
    /// The merge driver is all that was asked for.
    asked: bool,
}

pub(super) fn run(args: &InstallArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let places = Places::new(desk, args.project)?;
    let Some(name) = args.host.as_deref().filter(|_| !args.list) else {
        return list(&places, desk, io);
    };
    if name == "git" {
        let git = driver::install(desk, args.dry_run)?;
        return finish(
            "install",
            args.dry_run,
            &Jobs { hosts: Vec::new(), git, asked: true },
            desk,
            io,
        );
    }
    let hosts: Vec<&'static Host> = match name {
        "all" => HOSTS.iter().filter(|host| places.is_found(host)).collect(),
        name => vec![find(name)?],
    };
    if hosts.is_empty() {
        let hint = "name one: `oldhand install claude-code`; `oldhand install --list` shows them";
        return Err(Fail::usage("found no host on this machine", hint));
    }
    let mut jobs = Vec::new();
    for host in hosts {
        let target =
            SetupTarget { with_mcp: args.with_mcp, as_plugin: args.plugin, ..places.target(host) };
        if args.plugin && host.name != "claude-code" {
            let hint = format!("`oldhand plugin --help` shows what can be made for {}", host.title);
            return Err(Fail::usage("only Claude Code is set up by a plugin", hint));
        }
        if !edit::has_pieces(host, &target) {
            if name != "all" {
                return Err(nothing_to_do(host, args.project));
            }
            continue;
        }
        let changes = places.checked(edit::install(host, &target, &|path| places.read(path)))?;
        let after = after_install(host, args, &target);
        jobs.push(Job { name: host.name, title: host.title, changes, after });
    }
    if find_program(desk.env, "oldhand").is_none() {
        let text = "`oldhand` is not on PATH: hosts can't start it until it is";
        io.note("warning", text);
    }
    let git = driver::beside(desk, args.dry_run);
    finish("install", args.dry_run, &Jobs { hosts: jobs, git, asked: false }, desk, io)
}

pub(super) fn take_out(args: &UninstallArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if args.host == "git" {
        let git = driver::take_out(desk, args.dry_run)?;
        let jobs = Jobs { hosts: Vec::new(), git, asked: true };
        return finish("uninstall", args.dry_run, &jobs, desk, io);
    }
    let places = Places::new(desk, args.project)?;
    let hosts: Vec<&'static Host> = match args.host.as_str() {
        "all" => HOSTS.iter().collect(),
        name => vec![find(name)?],
    };
    let mut jobs = Vec::new();
    for host in hosts {
        let changes = places.checked(places.ours(host))?;
        if args.host == "all" && changes.is_empty() {
            continue;
        }
        let is_plugin = changes.iter().any(|change| change.path.contains(".claude-plugin"));
        let commands =
            ["claude plugin uninstall oldhand@oldhand", "claude plugin marketplace remove oldhand"];
        let after = commands.iter().filter(|_| is_plugin).map(|it| (*it).to_owned()).collect();
        jobs.push(Job { name: host.name, title: host.title, changes, after });
    }
    if args.project {
        jobs.extend(blocks(&args.host, &places, desk)?);
    }
    finish("uninstall", args.dry_run, &Jobs { hosts: jobs, git: None, asked: false }, desk, io)
}

/// The managed blocks in this repository's pages: those of a host, or all that there are.
fn blocks(host: &str, places: &Places<'_>, desk: &Desk<'_>) -> Result<Option<Job>, Fail> {
    let kept = BlockPage::ALL.iter().map(|page| (page.file_name().to_owned(), Some(*page)));
    let mut pages: BTreeMap<String, Option<BlockPage>> = kept
        .filter(|(_, page)| match page {
            Some(BlockPage::Claude) => matches!(host, "all" | "claude-code"),
            Some(BlockPage::Gemini) => matches!(host, "all" | "gemini"),
            Some(BlockPage::Copilot) => matches!(host, "all" | "copilot"),
            // `AGENTS.md` belongs to no host alone.
            _ => host == "all",
        })
        .collect();
    if host == "all" {
        for (name, text) in super::import::pages_with("<!-- oldhand:begin", places.root(), desk)? {
            // Elsewhere it may be an example, or what somebody makes of one.
            let marked = block::find(&name, &text).ok().flatten();
            if marked.is_some_and(|it| !it.is_in_code) {
                pages.entry(name).or_default();
            }
        }
    }
    let (mut changes, mut after) = (Vec::new(), Vec::new());
    for (name, page) in pages {
        let path = places.in_project(&name);
        let read = places.read(&path).map_err(|problem| Fail::Config(vec![problem]))?;
        let Some(before) = read else { continue };
        let Some(rest) = block::without(&name, &before)? else { continue };
        let is_ours = rest.trim_start_matches('\u{FEFF}').is_empty();
        let after_text = (!is_ours).then_some(rest);
        let (before, what) = (Some(before), vec!["block"]);
        changes.push(Change { path, before, after: after_text, what, is_ours });
        let keep_out =
            |page| format!("`oldhand config set views.{page} false` keeps the block out");
        after.extend(page.map(keep_out));
    }
    let changes = places.checked(Ok(changes))?;
    let has_any = !changes.is_empty();
    Ok(has_any.then_some(Job { name: "pages", title: "Pages", changes, after }))
}

fn find(name: &str) -> Result<&'static Host, Fail> {
    table::find(name).ok_or_else(|| {
        let near = nearest(name, HOSTS.iter().map(|host| host.name));
        let hint = near.map_or_else(
            || "`oldhand install --list` shows the hosts".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Fail::usage(format!("unknown host `{name}`"), hint)
    })
}

fn nothing_to_do(host: &Host, project: bool) -> Fail {
    let place = if project { "this repository" } else { "your own files" };
    let message = format!("{} has nothing to set up in {place}", host.title);
    let hint = if project { "leave out `--project`" } else { "add `--project`" };
    Fail::usage(message, hint)
}

fn after_install(host: &Host, args: &InstallArgs, target: &SetupTarget<'_>) -> Vec<String> {
    if args.plugin {
        let folder = edit::plugin_folder(target);
        return vec![
            format!("claude plugin marketplace add {folder}"),
            "claude plugin install oldhand@oldhand".to_owned(),
        ];
    }
    let mut after = vec![host.after.to_owned()];
    if args.project {
        after.push("everybody who works in this repository needs `oldhand` on PATH".to_owned());
    }
    after
}

fn finish(action: &str, dry_run: bool, jobs: &Jobs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let all: Vec<&Change> = jobs.hosts.iter().flat_map(|job| &job.changes).collect();
    let backups = if dry_run { Backups::new() } else { apply(desk, &all)? };
    let hosts = jobs.hosts.iter().map(|Job { name, title, changes, after }| {
        let files = changes.iter().map(|change| ChangedFile {
            path: &change.path,
            change: verb(change),
            what: change.what.join(" and "),
            backup: backups.get(&change.path).map(String::as_str),
        });
        ChangedHost { name, title, files: files.collect(), next: after }
    });
    let git = jobs.git.iter().map(|GitChange { verb, place }| {
        let what = MERGE_DRIVER.to_owned();
        let files = vec![ChangedFile { path: place, change: verb, what, backup: None }];
        ChangedHost { name: "git", title: "Git", files, next: &[] }
    });
    let answer =
        InstallAnswer { action, dry_run: Some(dry_run), hosts: hosts.chain(git).collect() };
    let agent = || {
        let hosts: String = jobs.hosts.iter().map(|job| text(dry_run, job, &backups)).collect();
        match &jobs.git {
            Some(GitChange { verb, place }) => {
                format!("{hosts}Git\n  {verb:<6}  {place} ({MERGE_DRIVER})\n")
            }
            None if jobs.asked => "Git: nothing to change\n".to_owned(),
            None if jobs.hosts.is_empty() => "oldhand is not set up here\n".to_owned(),
            None => hosts,
        }
    };
    let people = |screen: &Screen| {
        let hosts = jobs.hosts.iter().map(|job| seen(action, dry_run, job, &backups, screen));
        let git = match &jobs.git {
            Some(GitChange { verb, place }) => {
                let facts = vec![(*verb, format!("{place} ({MERGE_DRIVER})"))];
                Some(Deed::about(verb_of(action, dry_run), "Git").with_facts(facts))
            }
            None if jobs.asked => Some(Deed::about("unchanged", "Git")),
            None if jobs.hosts.is_empty() => {
                Some(Deed::about("unchanged", "oldhand is not set up here"))
            }
            None => None,
        };
        hosts.chain(git.map(|it| it.people(screen))).collect()
    };
    desk.present(io, "install", answer, (agent, people))
}

fn verb_of(action: &str, dry_run: bool) -> &'static str {
    match (action, dry_run) {
        ("install", false) => "set up",
        ("install", true) => "would set up",
        (_, false) => "removed from",
        (_, true) => "would be removed from",
    }
}

/// A host as people see it: its files, what would change in them, and what to do next.
fn seen(action: &str, dry_run: bool, job: &Job, backups: &Backups, screen: &Screen) -> String {
    if job.changes.is_empty() {
        return Deed::about("unchanged", job.title).people(screen);
    }
    let mut facts = Vec::new();
    for change in &job.changes {
        let what = change.what.join(" and ");
        facts.push((verb(change), format!("{} ({what})", visible_line(&change.path))));
        facts.extend(backups.get(&change.path).map(|it| ("backup", visible_line(it))));
    }
    let deed = Deed::about(verb_of(action, dry_run), job.title).with_facts(facts);
    let mut out = deed.people(screen);
    for change in job.changes.iter().filter(|it| dry_run && is_shown(it)) {
        let diff = diff::diff(change.before.as_deref(), change.after.as_deref());
        out.push_str(&format!(
            "\n{}{}",
            screen.wrapped(&screen.title(&change.path), 0),
            screen.page(&diff)
        ));
    }
    out.extend(job.after.iter().map(|line| screen.hint(&visible_line(line))));
    out
}

const MERGE_DRIVER: &str = "merge driver";

fn verb(change: &Change) -> &'static str {
    match (&change.before, &change.after) {
        (None, _) => "create",
        (Some(_), Some(_)) => "edit",
        (Some(_), None) => "delete",
    }
}

fn text(dry_run: bool, job: &Job, backups: &Backups) -> String {
    if job.changes.is_empty() {
        return format!("{}: nothing to change\n", job.title);
    }
    let mut out = format!("{}\n", job.title);
    for change in &job.changes {
        let (path, what) = (visible_line(&change.path), change.what.join(" and "));
        out.push_str(&format!("  {:<6}  {path} ({what})\n", verb(change)));
        if let Some(backup) = backups.get(&change.path) {
            out.push_str(&format!("          backup: {}\n", visible_line(backup)));
        }
        if dry_run && is_shown(change) {
            out.push_str(&diff::diff(change.before.as_deref(), change.after.as_deref()));
        }
    }
    out.extend(job.after.iter().map(|line| format!("  next: {}\n", visible_line(line))));
    out
}

/// A new text of ours would only fill the screen.
fn is_shown(change: &Change) -> bool {
    let is_text = matches!(change.what.as_slice(), ["skill" | "agent" | "plugin"]);
    !(change.is_ours && change.before.is_none() && is_text)
}

fn list(places: &Places<'_>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let known = HOSTS.iter().map(|host| {
        let found = places.is_found(host);
        let (installed, problem) = match places.ours(host) {
            Ok(ours) => (!ours.is_empty(), None),
            Err(problem) => (false, Some(problem)),
        };
        KnownHost { name: host.name, title: host.title, found, installed, problem }
    });
    let hosts: Vec<KnownHost> = known.collect();
    let answer = InstallAnswer { action: "list", dry_run: None, hosts };
    let agent = || {
        table(answer.hosts.iter().map(|host| {
            let set_up = match &host.problem {
                Some(problem) => visible_line(&problem.to_string()),
                None => if host.installed { "installed" } else { "-" }.to_owned(),
            };
            let found = if host.found { "found" } else { "-" };
            [host.name.to_owned(), host.title.to_owned(), found.to_owned(), set_up]
        }))
    };
    desk.present(
        io,
        "install",
        &answer,
        (agent, |screen: &Screen| people::hosts(&answer.hosts, screen)),
    )
}

/// The hosts that are set up, in the user's files or in a repository's.
pub(crate) fn set_up_hosts(desk: &Desk<'_>) -> Vec<(&'static Host, Result<(), Problem>)> {
    let scopes = [Places::new(desk, false), Places::new(desk, true)];
    let is_set_up = |host: &Host| {
        scopes
            .iter()
            .flatten()
            .try_fold(false, |is_set_up, places| Ok(is_set_up || !places.ours(host)?.is_empty()))
    };
    let found = |host| match is_set_up(host) {
        Ok(true) => Some((host, Ok(()))),
        Ok(false) => None,
        Err(problem) => Some((host, Err(problem))),
    };
    HOSTS.iter().filter_map(found).collect()
}
