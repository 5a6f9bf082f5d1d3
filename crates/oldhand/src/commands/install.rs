//! `oldhand install` and `oldhand uninstall`: what stands in the files of agents. First everything
//! is decided, for every host; only then is a first file written.

use std::path::Path;

use oldhand_hosts::edit::{self, Change, SetupTarget};
use oldhand_hosts::table::{self, HOSTS, Host};
use oldhand_text::problem::Problem;
use oldhand_text::strings::{nearest, visible_line};
use serde_json::{Map, Value, json};

use crate::cli::{InstallArgs, UninstallArgs};
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::{DONE, Fail, Outcome};
use oldhand_desk::format::columns;
use oldhand_desk::printer::Io;

mod diff;
mod places;
mod write;

pub(super) use places::{Places, find_program};
use write::{Done, apply, read_text};

/// What is done to one host.
struct Job {
    host: &'static Host,
    changes: Vec<Change>,
    /// What a person does next.
    after: Vec<String>,
}

pub(super) fn run(args: &InstallArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let places = Places::new(desk, args.project)?;
    let Some(name) = args.host.as_deref().filter(|_| !args.list) else {
        return list(&places, desk, io);
    };
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
        let place =
            SetupTarget { with_mcp: args.with_mcp, as_plugin: args.plugin, ..places.place(host) };
        if args.plugin && host.name != "claude-code" {
            let hint = format!("`oldhand plugin --help` shows what can be made for {}", host.title);
            return Err(Fail::usage("only Claude Code is set up by a plugin", hint));
        }
        if !edit::has_pieces(host, &place) {
            if name != "all" {
                return Err(nothing_to_do(host, args.project));
            }
            continue;
        }
        let changes = edit::install(host, &place, &|path| read_text(desk, path));
        let changes = changes.map_err(config)?;
        places.refuse_outside(&changes)?;
        let after = after_install(host, args, &place);
        jobs.push(Job { host, changes, after });
    }
    if find_program(desk.env, "oldhand").is_none() {
        let text = "`oldhand` is not on PATH: hosts can't start it until it is";
        io.note("warning", text);
    }
    finish("install", args.dry_run, &jobs, desk, io)
}

pub(super) fn take_out(args: &UninstallArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let places = Places::new(desk, args.project)?;
    let hosts: Vec<&'static Host> = match args.host.as_str() {
        "all" => HOSTS.iter().collect(),
        name => vec![find(name)?],
    };
    let mut jobs = Vec::new();
    for host in hosts {
        let changes = edit::uninstall(host, &places.place(host), &|path| read_text(desk, path));
        let changes = changes.map_err(config)?;
        places.refuse_outside(&changes)?;
        if args.host == "all" && changes.is_empty() {
            continue;
        }
        let is_plugin = changes.iter().any(|change| change.path.contains(".claude-plugin"));
        let after = if is_plugin { taken_out() } else { Vec::new() };
        jobs.push(Job { host, changes, after });
    }
    finish("uninstall", args.dry_run, &jobs, desk, io)
}

fn config(problem: Problem) -> Fail {
    Fail::Config(vec![problem])
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

fn after_install(host: &Host, args: &InstallArgs, place: &SetupTarget<'_>) -> Vec<String> {
    if args.plugin {
        let folder = edit::plugin_folder(place);
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

fn taken_out() -> Vec<String> {
    vec![
        "claude plugin uninstall oldhand@oldhand".to_owned(),
        "claude plugin marketplace remove oldhand".to_owned(),
    ]
}

fn finish(action: &str, dry_run: bool, jobs: &[Job], desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let all: Vec<&Change> = jobs.iter().flat_map(|job| &job.changes).collect();
    let done = if dry_run { Vec::new() } else { apply(desk, &all)? };
    if desk.flags.json {
        io.json("install", to_json(action, dry_run, jobs, &done))?;
        return Ok(DONE);
    }
    if jobs.is_empty() {
        io.text("oldhand is not set up here\n")?;
    }
    for job in jobs {
        tell(dry_run, job, &done, io)?;
    }
    Ok(DONE)
}

fn verb(change: &Change) -> &'static str {
    match (&change.before, &change.after) {
        (None, _) => "create",
        (Some(_), Some(_)) => "edit",
        (Some(_), None) => "delete",
    }
}

fn tell(dry_run: bool, job: &Job, done: &[Done], io: &mut Io<'_>) -> std::io::Result<()> {
    if job.changes.is_empty() {
        return io.text(&format!("{}: nothing to change\n", job.host.title));
    }
    io.text(&format!("{}\n", job.host.title))?;
    for change in &job.changes {
        let path = visible_line(&change.path);
        io.text(&format!("  {:<6}  {path} ({})\n", verb(change), change.what))?;
        let backup = done.iter().find(|done| done.path == change.path);
        if let Some(backup) = backup.and_then(|done| done.backup.as_ref()) {
            io.text(&format!("          backup: {}\n", visible_line(backup)))?;
        }
        if dry_run && !(change.is_ours && change.before.is_none() && is_text(change)) {
            io.text(&diff::diff(change.before.as_deref(), change.after.as_deref()))?;
        }
    }
    for line in &job.after {
        io.text(&format!("  next: {}\n", visible_line(line)))?;
    }
    Ok(())
}

/// A new text of ours would only fill the screen.
fn is_text(change: &Change) -> bool {
    matches!(&*change.what, "skill" | "agent" | "plugin")
}

fn to_json(action: &str, dry_run: bool, jobs: &[Job], done: &[Done]) -> Map<String, Value> {
    let file = |change: &Change| {
        let backup = done.iter().find(|done| done.path == change.path);
        json!({"path": change.path, "change": verb(change), "what": change.what,
            "backup": backup.and_then(|done| done.backup.clone())})
    };
    let hosts: Vec<Value> = jobs
        .iter()
        .map(|job| {
            let files: Vec<Value> = job.changes.iter().map(file).collect();
            json!({"name": job.host.name, "title": job.host.title, "files": files, "next": job.after})
        })
        .collect();
    let mut object = Map::new();
    object.insert("action".into(), json!(action));
    object.insert("dry_run".into(), json!(dry_run));
    object.insert("hosts".into(), Value::Array(hosts));
    object
}

fn list(places: &Places, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let rows: Vec<(&Host, bool, Result<bool, Problem>)> = HOSTS
        .iter()
        .map(|host| {
            let is_set_up =
                edit::is_installed(host, &places.place(host), &|path| read_text(desk, path));
            (host, places.is_found(host), is_set_up)
        })
        .collect();
    if desk.flags.json {
        let hosts: Vec<Value> = rows
            .iter()
            .map(|(host, is_found, is_set_up)| {
                let problem = is_set_up.as_ref().err();
                json!({"name": host.name, "title": host.title, "found": is_found,
                    "installed": is_set_up.as_ref().is_ok_and(|is_set_up| *is_set_up), "problem": problem})
            })
            .collect();
        let mut object = Map::new();
        object.insert("action".into(), json!("list"));
        object.insert("hosts".into(), Value::Array(hosts));
        io.json("install", object)?;
        return Ok(DONE);
    }
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|(host, is_found, is_set_up)| {
            let found = if *is_found { "found" } else { "-" };
            let set_up = match is_set_up {
                Ok(true) => "installed".to_owned(),
                Ok(false) => "-".to_owned(),
                Err(problem) => visible_line(&problem.to_string()),
            };
            vec![host.name.to_owned(), host.title.to_owned(), found.to_owned(), set_up]
        })
        .collect();
    io.text(&columns(&rows))?;
    Ok(DONE)
}

/// The hosts that are set up, in the user's files or in a repository's.
pub(super) fn set_up_hosts(desk: &Desk<'_>) -> Vec<(&'static Host, Result<(), Problem>)> {
    let scopes = [Places::new(desk, false), Places::new(desk, true)];
    let is_set_up = |host: &Host| {
        scopes.iter().flatten().try_fold(false, |is_set_up, places| {
            let place = places.place(host);
            Ok(is_set_up || edit::is_installed(host, &place, &|path| read_text(desk, path))?)
        })
    };
    HOSTS
        .iter()
        .filter_map(|host| match is_set_up(host) {
            Ok(true) => Some((host, Ok(()))),
            Ok(false) => None,
            Err(problem) => Some((host, Err(problem))),
        })
        .collect()
}

/// A path as text, or why it can't be one.
fn text_of(path: &Path) -> Result<String, Fail> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Fail::usage(format!("not Unicode: `{}`", path.display()), "use a folder with another name")
    })
}
