//! `oldhand-team sync`: its arguments, and which command runs.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use oldhand_desk::config::Setting;
use oldhand_desk::config::file::ConfigFile;
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::{DONE, Fail, Outcome};
use oldhand_desk::printer::Io;

use super::client::{self, Server};
use super::push::{encoded, id_in, short};
use super::repository::{Descent, GitStore};
use super::wire::SyncState;
use super::{mirror, pull, push};

/// Keeps a repository, or this machine, and the team server together
#[derive(Debug, Args)]
pub struct SyncArgs {
    #[command(subcommand)]
    command: SyncCommand,
    #[command(flatten)]
    reach: ReachArgs,
    /// Run as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    directory: Option<PathBuf>,
    /// Answer in JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum SyncCommand {
    /// Make the server's mirror what the checked out commit has
    Push(PushArgs),
    /// Write what was decided on the server into the checked out files
    Pull,
    /// Copy the stores of the organisation and its teams to this machine
    Mirror,
    /// How this repository and the server stand to each other
    Status,
}

#[derive(Debug, Args)]
pub(super) struct PushArgs {
    /// The store on the server, for the first push of a repository
    #[arg(long, value_name = "NAME")]
    pub store: Option<String>,
    /// Refuse to push unless the server has this commit
    #[arg(long, value_name = "COMMIT")]
    pub base: Option<String>,
    /// The history was rewritten: replace what the server has. Needs the role `maintainer`
    #[arg(long)]
    pub reset: bool,
}

#[derive(Debug, Args)]
pub(super) struct ReachArgs {
    /// The address of the server; default: `OLDHAND_TEAM_SERVER`, or `team.server` in your own configuration
    #[arg(long, value_name = "URL", global = true)]
    server: Option<String>,
    /// A file with the token; default: the variable `OLDHAND_TEAM_TOKEN`
    #[arg(long, value_name = "FILE", global = true)]
    token_file: Option<PathBuf>,
}

/// The key in the user's own configuration. A repository comes with a clone, and names no server.
const SERVER_KEY: &str = "team.server";

impl ReachArgs {
    pub(super) fn server(&self, desk: &Desk<'_>) -> Result<Server, Fail> {
        let configured = || -> Result<Option<String>, Fail> {
            let Ok(path) = desk.user_config_path() else { return Ok(None) };
            let entries = ConfigFile::read(desk.env.disk, &path)?.entries();
            let value = entries.into_iter().find(|(key, _)| key == SERVER_KEY);
            Ok(value.and_then(|(_, value)| match value {
                Setting::Text(address) if !address.is_empty() => Some(address),
                _ => None,
            }))
        };
        let named = self.server.as_deref().or(desk.env.var("OLDHAND_TEAM_SERVER"));
        let address = match named {
            Some(address) => Some(address.to_owned()),
            None => configured()?,
        };
        let address = address.ok_or_else(|| {
            let hint = "name it with `--server https://…`, `OLDHAND_TEAM_SERVER`, or `team.server` in your \
                        own configuration";
            Fail::usage("there is no server", hint)
        })?;
        let token = client::token(self.token_file.as_deref(), desk.env.var("OLDHAND_TEAM_TOKEN"))?;
        Server::new(&address, token)
    }
}

impl SyncArgs {
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Runs the command; `desk` is that of the folder where it was started.
    pub fn run(self, mut desk: Desk<'_>, io: &mut Io<'_>) -> Outcome {
        desk.flags.directory = self.directory;
        desk.flags.json = self.json;
        match self.command {
            SyncCommand::Push(args) => push::run(&args, &self.reach, &desk, io),
            SyncCommand::Pull => pull::run(&self.reach, &desk, io),
            SyncCommand::Mirror => mirror::run(&self.reach, &desk, io),
            SyncCommand::Status => status(&self.reach, &desk, io),
        }
    }
}

fn status(reach: &ReachArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let layout = desk.layout()?;
    let git = GitStore { root: layout.repository.clone() };
    let commit = git.head()?;
    let config = git.read(&commit)?.config;
    let id = id_in(&config).ok_or_else(|| {
        let message = "the repository has no id yet, by which a server knows it";
        Fail::usage(message, "push it first: `oldhand-team sync push`")
    })?;
    let server = reach.server(desk)?;
    let state: SyncState = server.get(&format!("/v1/sync/{}", encoded(&id)))?;
    if desk.flags.json {
        io.json("sync-status", &state)?;
        return Ok(DONE);
    }
    let stands = match &state.head {
        None => "nothing was pushed yet".to_owned(),
        Some(head) if *head == commit => format!("it has this commit, {}", short(head)),
        Some(head) => match git.is_ancestor(head, &commit)? {
            Descent::Yes => format!("it has {}, which is older than this commit", short(head)),
            Descent::No | Descent::Unknown => {
                format!("it has {}, which is not in the history of this commit", short(head))
            }
        },
    };
    let SyncState { name, events, waiting, .. } = &state;
    io.text(&format!("store `{name}` at {}: {stands}\n", server.address()))?;
    io.text(&format!("{events} events; {waiting} changes wait for the repository\n"))?;
    Ok(DONE)
}
