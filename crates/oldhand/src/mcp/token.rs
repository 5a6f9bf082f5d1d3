//! The token that HTTP requests must bring: a file of the user's own, which nobody else can read.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;

const CHARS_MIN: usize = 16;
const CHARS_MAX: usize = 512;

/// The token in that file; one is made when it is not there.
pub(super) fn read(desk: &Desk<'_>, path: &Path) -> Result<String, Fail> {
    if !path.exists() {
        make(desk, path)?;
    }
    let mut text = String::new();
    let file = File::open(path).map_err(|error| unusable(path, &error.to_string()))?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(unusable(path, "it is no file"));
    }
    if meta.mode() & 0o077 != 0 {
        let message = format!("`{}` can be read by others", path.display());
        return Err(Fail::usage(message, format!("`chmod 600 {}`", path.display())));
    }
    file.take(4096)
        .read_to_string(&mut text)
        .map_err(|error| unusable(path, &error.to_string()))?;
    let token = text.trim();
    let is_plain = token.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_plain || !(CHARS_MIN..=CHARS_MAX).contains(&token.len()) {
        let why =
            format!("expected one line of {CHARS_MIN} to {CHARS_MAX} letters, digits and signs");
        return Err(unusable(path, &why));
    }
    Ok(token.to_owned())
}

fn make(desk: &Desk<'_>, path: &Path) -> Result<(), Fail> {
    if let Some(folder) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let (one, two) = (desk.env.entropy.next(), desk.env.entropy.next());
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    match made {
        Ok(mut file) => {
            file.write_all(format!("{one:032x}{two:032x}\n").as_bytes())?;
            Ok(file.sync_all()?)
        }
        // Another server was faster: its token is as good.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(unusable(path, &error.to_string())),
    }
}

fn unusable(path: &Path, why: &str) -> Fail {
    let message = format!("the token in `{}` can't be used: {why}", path.display());
    Fail::usage(message, "name another file with `--token-file`, or remove it: a new one is made")
}
