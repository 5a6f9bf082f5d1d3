//! Where hosts keep their files on this machine, and which hosts are there.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use oldhand_hosts::edit::{Change, SetupTarget, own_folder};
use oldhand_hosts::table::Host;
use oldhand_text::problem::Problem;

use super::text_of;
use oldhand_desk::desk::Desk;
use oldhand_desk::env::Env;
use oldhand_desk::failure::Fail;

pub(in super::super) struct Places {
    home: String,
    config_home: String,
    data_home: String,
    project: Option<String>,
    /// Folders that variables have moved, by the host's name.
    moved: Vec<(&'static str, String)>,
    /// Hosts with a program on `PATH`.
    programs: Vec<&'static str>,
}

impl Places {
    pub(in super::super) fn new(desk: &Desk<'_>, in_project: bool) -> Result<Self, Fail> {
        let home = desk.env.var("HOME").ok_or_else(|| {
            Fail::usage("`HOME` is not set", "set it to the folder with your settings")
        })?;
        let below_home = |variable: &str, below: &str| {
            let given = desk.env.var(variable).filter(|path| Path::new(path).is_absolute());
            given.map_or_else(|| format!("{home}/{below}"), str::to_owned)
        };
        let project = in_project.then(|| repository(desk)).transpose()?;
        let hosts = oldhand_hosts::table::HOSTS;
        let moved = hosts.iter().filter_map(|host| {
            let moved = host.moved_by.as_ref()?;
            let folder = desk.env.var(moved.variable)?;
            let folder = match moved.below {
                "" => folder.to_owned(),
                below => format!("{}/{below}", folder.trim_end_matches('/')),
            };
            Some((host.name, folder))
        });
        let has_program =
            |host: &Host| host.programs.iter().any(|name| find_program(desk.env, name).is_some());
        Ok(Self {
            home: home.to_owned(),
            config_home: below_home("XDG_CONFIG_HOME", ".config"),
            data_home: below_home("XDG_DATA_HOME", ".local/share"),
            project,
            moved: moved.collect(),
            programs: hosts.iter().filter(|host| has_program(host)).map(|host| host.name).collect(),
        })
    }

    pub(in super::super) fn place(&self, host: &Host) -> SetupTarget<'_> {
        let moved = self.moved.iter().find(|(name, _)| *name == host.name);
        SetupTarget {
            home: &self.home,
            config_home: &self.config_home,
            data_home: &self.data_home,
            moved: moved.map(|(_, folder)| folder.as_str()),
            project: self.project.as_deref(),
            with_mcp: false,
            as_plugin: false,
        }
    }

    /// A repository may bring links: what is set up for it stays in it.
    pub(super) fn refuse_outside(&self, changes: &[Change]) -> Result<(), Fail> {
        let Some(project) = self.project.as_deref() else { return Ok(()) };
        let root = real(Path::new(project));
        match changes.iter().find(|change| !real(Path::new(&change.path)).starts_with(&root)) {
            None => Ok(()),
            Some(change) => {
                let leads = real(Path::new(&change.path)).display().to_string();
                Err(Fail::Config(vec![
                    Problem::new(
                        &change.path,
                        "a file in the repository",
                        &format!("a link to {leads}"),
                    )
                    .with_fix(
                        "remove the link, or set up without `--project`; nothing was changed",
                    ),
                ]))
            }
        }
    }

    /// Its program is on `PATH`, or its folder is there.
    pub(super) fn is_found(&self, host: &Host) -> bool {
        self.programs.contains(&host.name)
            || Path::new(&own_folder(host, &self.place(host))).is_dir()
    }
}

/// Links followed, as far as the path is there.
fn real(path: &Path) -> PathBuf {
    let there =
        path.ancestors().find_map(|above| Some((above, std::fs::canonicalize(above).ok()?)));
    match there {
        Some((above, real)) => real.join(path.strip_prefix(above).unwrap_or(Path::new(""))),
        None => path.to_owned(),
    }
}

fn repository(desk: &Desk<'_>) -> Result<String, Fail> {
    let root = desk.located()?.repository();
    text_of(&root)
}

/// A program of this name, as a shell would find it.
pub(in super::super) fn find_program(env: &Env<'_>, name: &str) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        std::fs::metadata(path)
            .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    let folders = std::env::split_paths(env.var("PATH")?).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(is_program)
}
