//! What is typed for a hook, read without the table of commands: hooks run at every turn.

use std::ffi::OsString;

use oldhand_desk::hooks::HookArgs;

/// `oldhand hook <host> [--event NAME]`, whatever else may stand there: a hook never fails for its
/// arguments. `None` for every other command, and for a question about this one.
pub(crate) fn args(args: &[OsString]) -> Option<HookArgs> {
    let words: Vec<&str> = args.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let (first, rest) = words.split_first()?;
    if *first != "hook" || rest.iter().any(|word| matches!(*word, "-h" | "--help")) {
        return None;
    }
    let mut hook = HookArgs::default();
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match word.strip_prefix("--event") {
            Some("") => hook.event = rest.next().map(|name| (*name).to_owned()),
            Some(name) => hook.event = name.strip_prefix('=').map(str::to_owned),
            None if hook.host.is_empty() && !word.starts_with('-') => {
                hook.host = (*word).to_owned();
            }
            None => {}
        }
    }
    Some(hook)
}
