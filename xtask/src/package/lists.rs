//! What names the packages to others: checksums, the Homebrew formula, the entry of the MCP registry, the marketplace
//! of Claude Code, and the script that installs without a package manager.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::release::{Release, SUMMARY};
use super::stage::put;
use crate::failure::Failure;
use crate::process::{self, program};

pub(super) fn write(release: &Release, stage: &Path, out: &Path) -> Result<(), Failure> {
    let plugin = plugin(release, stage, out)?;
    let marketplace = json!({
        "name": "oldhand",
        "owner": { "name": "oldhand" },
        "plugins": [{
            "name": "oldhand",
            "description": SUMMARY,
            "version": release.version,
            "source": {
                "source": "archive",
                "url": download(&release.version, &release.repository, &plugin),
                "sha256": sha256(&out.join(&plugin))?,
            },
        }],
    });
    put(&out.join("marketplace.json"), format!("{marketplace:#}\n").as_bytes())?;
    put(&out.join("server.json"), format!("{:#}\n", server(release)).as_bytes())?;
    let installer = fs::read_to_string(release.root.join("tools/release/install.sh"))?;
    let installer = installer
        .replace("@VERSION@", &release.version)
        .replace("@REPOSITORY@", &release.repository);
    put(&out.join("install.sh"), installer.as_bytes())?;
    gather(&release.version, &release.repository, out)
}

/// The formula and the checksums of what is in the folder. Run again when the archives of all targets are together.
pub(super) fn gather(version: &str, repository: &str, out: &Path) -> Result<(), Failure> {
    put(&out.join("oldhand.rb"), formula(version, repository, out)?.as_bytes())?;
    put(&out.join("SHA256SUMS"), checksums(out)?.as_bytes())
}

fn download(version: &str, repository: &str, name: &str) -> String {
    format!("{repository}/releases/download/v{version}/{name}")
}

/// The plugin as the program writes it, without the marketplace around it.
fn plugin(release: &Release, stage: &Path, out: &Path) -> Result<String, Failure> {
    let scratch = tempfile::tempdir()?;
    let folder = scratch.path().join("plugin");
    let speaker = super::stage::speaker(release)?;
    let words = ["plugin", "claude-code", "--out", &folder.to_string_lossy()].map(str::to_owned);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    process::capture(program(stage, &speaker.to_string_lossy(), &words))?;
    let name = format!("oldhand-{}-claude-code-plugin.tar.gz", release.version);
    let script = "rm -f .claude-plugin/marketplace.json && tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=\"@$1\" -cf - . | gzip -9n >\"$2\"";
    let file = out.join(&name);
    let words = ["-c", script, "sh", &release.epoch.to_string(), &file.to_string_lossy()];
    process::run(program(&folder, "sh", &words))?;
    Ok(name)
}

/// See <https://modelcontextprotocol.io/registry>.
fn server(release: &Release) -> serde_json::Value {
    let package = |registry: &str, hint: &str| {
        json!({
            "registryType": registry,
            "identifier": "oldhand",
            "version": release.version,
            "runtimeHint": hint,
            "transport": { "type": "stdio" },
            "packageArguments": [{ "type": "positional", "value": "mcp" }],
        })
    };
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "io.github.oldhand/oldhand",
        "title": "oldhand",
        "description": SUMMARY,
        "version": release.version,
        "repository": { "url": release.repository, "source": "github" },
        "packages": [package("npm", "npx"), package("pypi", "uvx")],
    })
}

/// With the archives that are in the folder: a release puts those of all platforms there.
fn formula(version: &str, repository: &str, out: &Path) -> Result<String, Failure> {
    let mut places = String::new();
    for (system, triples) in [
        ("macos", ["aarch64-apple-darwin", "x86_64-apple-darwin"]),
        ("linux", ["aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"]),
    ] {
        let mut inside = String::new();
        for (triple, cpu) in triples.iter().zip(["arm", "intel"]) {
            let name = format!("oldhand-{version}-{triple}.tar.gz");
            if !out.join(&name).is_file() {
                continue;
            }
            let (url, sum) = (download(version, repository, &name), sha256(&out.join(&name))?);
            inside +=
                &format!("    on_{cpu} do\n      url \"{url}\"\n      sha256 \"{sum}\"\n    end\n");
        }
        if !inside.is_empty() {
            places += &format!("  on_{system} do\n{inside}  end\n");
        }
    }
    Ok(format!(
        r##"class Oldhand < Formula
  desc "{SUMMARY}"
  homepage "{repository}"
  version "{version}"
  license any_of: ["MIT", "Apache-2.0"]
{places}
  def install
    bin.install "bin/oldhand"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/oldhand"
    fish_completion.install "share/fish/vendor_completions.d/oldhand.fish"
    zsh_completion.install "share/zsh/site-functions/_oldhand"
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/oldhand --version")
  end
end
"##
    ))
}

fn checksums(out: &Path) -> Result<String, Failure> {
    let mut names: Vec<String> = fs::read_dir(out)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<std::io::Result<_>>()?;
    names.retain(|name| name != "SHA256SUMS");
    names.sort();
    let lines = names.iter().map(|name| Ok(format!("{}  {name}\n", sha256(&out.join(name))?)));
    lines.collect::<Result<_, Failure>>()
}

fn sha256(file: &Path) -> Result<String, Failure> {
    let folder = file.parent().expect("a package is in a folder");
    let name = file.file_name().expect("a package has a name").to_string_lossy();
    // macOS has the other one.
    let said = process::capture(program(folder, "sha256sum", &[&name]))
        .or_else(|_| process::capture(program(folder, "shasum", &["-a", "256", &name])))?;
    said.split_whitespace()
        .next()
        .map(str::to_owned)
        .ok_or_else(|| Failure::new(format!("no checksum for `{name}`")))
}
