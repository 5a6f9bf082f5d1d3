//! Where hosts keep their files on this machine, and which hosts are installed.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use oldhand_hosts::edit::{self, Change, SetupTarget};
use oldhand_hosts::table::{Host, Switch};

use super::write::read_text;
use crate::commands::prelude::*;
use oldhand_desk::env::Env;

pub(in super::super) struct Places<'d> {
    desk: &'d Desk<'d>,
    home: &'d str,
    config_home: String,
    data_home: String,
    project: Option<String>,
}

impl<'d> Places<'d> {
    pub(in super::super) fn new(desk: &'d Desk<'d>, in_project: bool) -> Result<Self, Fail> {
        let home = desk.env.var("HOME").ok_or_else(|| {
            Fail::usage("`HOME` is not set", "set it to the folder with your settings")
        })?;
        let below_home = |variable: &str, below: &str| {
            let given = desk.env.var(variable).filter(|path| Path::new(path).is_absolute());
            given.map_or_else(|| format!("{home}/{below}"), str::to_owned)
        };
        let (config_home, data_home) =
            (below_home("XDG_CONFIG_HOME", ".config"), below_home("XDG_DATA_HOME", ".local/share"));
        let project = in_project.then(|| repository(desk)).transpose()?;
        Ok(Self { desk, home, config_home, data_home, project })
    }

    pub(super) fn target(&self, host: &Host) -> SetupTarget<'_> {
        let moved = host.moved_by.as_ref().and_then(|moved| {
            let folder = self.desk.env.var(moved.variable)?;
            Some(match moved.below {
                "" => folder.to_owned(),
                below => format!("{}/{below}", folder.trim_end_matches('/')),
            })
        });
        SetupTarget {
            home: self.home,
            config_home: &self.config_home,
            data_home: &self.data_home,
            moved,
            project: self.project.as_deref(),
            with_mcp: false,
            as_plugin: false,
        }
    }

    pub(super) fn read(&self, path: &str) -> Result<Option<String>, Problem> {
        read_text(self.desk, path)
    }

    /// A file of the repository, where that was asked for.
    pub(super) fn root(&self) -> &str {
        self.project.as_deref().unwrap_or_default()
    }

    pub(super) fn in_project(&self, name: &str) -> String {
        format!("{}/{name}", self.root())
    }

    /// What has to change so that nothing of oldhand is left in this host.
    pub(in super::super) fn ours(&self, host: &Host) -> Result<Vec<Change>, Problem> {
        edit::uninstall(host, &self.target(host), &|path| self.read(path))
    }

    /// The file and the key by which somebody has switched off all hooks of this host.
    pub(in super::super) fn switch_off(&self, host: &Host) -> Option<(String, &'static str)> {
        let Switch { files, key } = host.switch()?;
        let folder = match self.project.as_deref() {
            Some(root) => format!("{root}/{}", host.project_folder),
            None => edit::own_folder(host, &self.target(host)),
        };
        let is_off = |path: &String| {
            let text = self.read(path).ok().flatten().unwrap_or_default();
            edit::is_on(path, &text, key)
        };
        let path = files.iter().map(|name| format!("{folder}/{name}")).find(is_off)?;
        Some((path, key))
    }

    /// A repository may contain links: refuses those that lead out of it.
    pub(super) fn checked(
        &self,
        changes: Result<Vec<Change>, Problem>,
    ) -> Result<Vec<Change>, Fail> {
        let changes = changes.map_err(|problem| Fail::Config(vec![problem]))?;
        let Some(project) = self.project.as_deref() else { return Ok(changes) };
        let root = real(Path::new(project));
        for Change { path, .. } in &changes {
            let leads = real(Path::new(path));
            if !leads.starts_with(&root) {
                let found = format!("a link to {}", leads.display());
                let fix = "remove the link, or set up without `--project`; nothing was changed";
                let problem = Problem::new(path, "a file in the repository", &found);
                return Err(Fail::Config(vec![problem.with_fix(fix)]));
            }
        }
        Ok(changes)
    }

    /// Whether its program is on `PATH`, or its folder exists.
    pub(super) fn is_found(&self, host: &Host) -> bool {
        host.programs.iter().any(|name| find_program(self.desk.env, name).is_some())
            || Path::new(&edit::own_folder(host, &self.target(host))).is_dir()
    }
}

/// Follows links, as far as the path exists.
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
    root.to_str().map(str::to_owned).ok_or_else(|| {
        Fail::usage(format!("not Unicode: `{}`", root.display()), "use a folder with another name")
    })
}

/// Finds a program on `PATH`.
pub(in super::super) fn find_program(env: &Env<'_>, name: &str) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        std::fs::metadata(path)
            .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    let folders = std::env::split_paths(env.var("PATH")?).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(is_program)
}
