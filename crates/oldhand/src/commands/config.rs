//! `oldhand config`: shows every setting with its source, and changes one at a time.

use oldhand_core::write;
use wire::program::{ChangedSetting, KnownSetting, SettingValue, SettingsList};

use super::prelude::*;
use super::trust::{refuse_machine, refuse_persons_key};
use oldhand_desk::config::Resolved;
use oldhand_desk::config::file::ConfigFile;
use oldhand_desk::config::keys::{Key, unknown};
use oldhand_screen::Screen;

pub(super) fn run(action: &ConfigAction, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    match action {
        ConfigAction::List => list(desk, io),
        ConfigAction::Get { key } => get(key, desk, io),
        ConfigAction::Set { key, value, user } => change(desk, io, *user, key, |file, key| {
            // Settings are stored and committed like memories.
            write::refuse_secret("key", &key.name)?;
            write::refuse_secret(&key.name, value)?;
            let value = key.parse(value).map_err(|problem| Fail::Config(vec![problem]))?;
            file.set(&key.name, &value);
            Ok(format!("{} = {value}", key.name))
        }),
        ConfigAction::Unset { key, user } => change(desk, io, *user, key, |file, key| {
            Ok(if file.unset(&key.name) {
                format!("{} is back at its default", key.name)
            } else {
                format!("{} was not set there", key.name)
            })
        }),
    }
}

/// Settings can be shown without a store too.
fn resolve(desk: &Desk<'_>) -> Result<Resolved, Fail> {
    let layout = desk.layout().ok();
    desk.resolve(layout.as_ref())
}

fn find<'k>(name: &str, keys: &'k [Key]) -> Result<&'k Key, Fail> {
    keys.iter().find(|key| key.name == name).ok_or_else(|| Fail::Config(vec![unknown(name, keys)]))
}

fn list(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let resolved = resolve(desk)?;
    let known = resolved.keys.iter().map(|key| KnownSetting {
        setting: setting(key, &resolved),
        default: key.default.to_json(),
        expected: key.expected(),
        meaning: &key.meaning,
    });
    let answer = SettingsList { settings: known.collect() };
    let rows = || {
        resolved.keys.iter().map(|key| {
            let (value, source) = resolved.get(key);
            [key.name.clone(), visible_line(&value.to_string()), source.to_string()]
        })
    };
    let agent = || table(rows().map(|[key, value, source]| [key, value, format!("({source})")]));
    let people = |screen: &Screen| people::settings(rows(), screen);
    desk.present(io, "config", &answer, (agent, people))?;
    desk.remark(io, "note", resolved.ignored.iter().map(|(key, why)| why.sentence(key)));
    Ok(DONE)
}

fn setting<'k>(key: &'k Key, resolved: &Resolved) -> SettingValue<'k> {
    let (value, source) = resolved.get(key);
    SettingValue { key: &key.name, value: value.to_json(), source: source.to_string() }
}

fn get(name: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let resolved = resolve(desk)?;
    let key = find(name, &resolved.keys)?;
    let text = || format!("{}\n", visible_line(&resolved.get(key).0.to_string()));
    desk.print(io, "config", setting(key, &resolved), text)
}

fn change(
    desk: &Desk<'_>,
    io: &mut Io<'_>,
    user: bool,
    name: &str,
    edit: impl FnOnce(&mut ConfigFile, &Key) -> Result<String, Fail>,
) -> Outcome {
    if user {
        refuse_machine(desk, "only a person changes their own settings")?;
    } else {
        refuse_persons_key(name)?;
    }
    let (path, layout) = if user {
        let path = desk.user_config_path()?;
        // Follow a link to the file.
        (std::fs::canonicalize(&path).unwrap_or(path), None)
    } else {
        let layout = desk.layout()?;
        (layout.config(), Some(layout))
    };
    let resolved = desk.resolve(layout.as_ref())?;
    let held = match &layout {
        Some(layout) if desk.env.disk.stat(&layout.local())?.is_some() => Some(
            desk.env
                .disk
                .lock(&layout.lock(), resolved.lock_wait())
                .map_err(|error| StoreError::io("lock", &layout.lock(), error))?,
        ),
        _ => None,
    };
    let mut file = ConfigFile::read(desk.env.disk, &path)?;
    let said = match resolved.keys.iter().find(|key| key.name == name) {
        Some(key) => edit(&mut file, key)?,
        None => edit(&mut file, &new_kind_key(name, &resolved)?)?,
    };
    // Never write a file that the next command could not use.
    desk.resolve_with(layout.as_ref(), &file)?;
    file.write(desk.env)?;
    drop(held);
    let file = path.display().to_string();
    let text = format!("{said}\n  in {file}\n");
    desk.print(io, "config", &ChangedSetting { key: name, file }, || text)
}

/// The first key of a kind that is not declared yet declares it.
fn new_kind_key(name: &str, resolved: &Resolved) -> Result<Key, Fail> {
    let refused = || Fail::Config(vec![unknown(name, &resolved.keys)]);
    let parts: Vec<&str> = name.split('.').collect();
    let ["kinds", kind, _] = parts.as_slice() else { return Err(refused()) };
    let is_name = !kind.is_empty()
        && kind.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    let near =
        oldhand_text::strings::nearest(name, resolved.keys.iter().map(|key| key.name.as_str()));
    if !is_name || near.is_some() {
        return Err(refused());
    }
    let mut kinds = resolved.settings.kinds.clone();
    kinds.declare(oldhand_core::kind::KindSpec::custom(kind, &kind.replace('_', "-")));
    oldhand_desk::config::keys::keys(&kinds)
        .into_iter()
        .find(|key| key.name == name)
        .ok_or_else(refused)
}
