//! Starting other programs. Output either goes to the terminal or is captured whole; nothing is parsed here.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::failure::Failure;

/// The cargo that started us, so that every step uses one toolchain.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root);
    command
}

pub(crate) fn program(root: &Path, name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(root);
    command
}

/// Runs with the terminal as output.
pub(crate) fn run(mut command: Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| not_started(&command, &error))?;
    check(&command, status)
}

/// Runs without a terminal anywhere, so that no output depends on the width of one, and returns stdout.
pub(crate) fn capture(mut command: Command) -> Result<String, Failure> {
    command.stdin(Stdio::null()).env_remove("COLUMNS");
    let output = command.output().map_err(|error| not_started(&command, &error))?;
    check(&command, output.status).map_err(|failure| {
        let stderr = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        if stderr.is_empty() { failure } else { failure.hint(format!("it said\n{stderr}")) }
    })?;
    String::from_utf8(output.stdout)
        .map_err(|_| Failure::new(format!("output is not UTF-8: `{}`", shown(&command))))
}

/// Whether an optional program is there: asks for its version.
pub(crate) fn works(mut command: Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether a program of this name is on the `PATH`.
pub(crate) fn is_there(name: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

fn check(command: &Command, status: ExitStatus) -> Result<(), Failure> {
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("command failed ({status}): `{}`", shown(command))))
}

fn not_started(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!("could not start `{}`: {error}", shown(command)))
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
