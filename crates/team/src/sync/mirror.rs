//! `sync mirror`: copies of the stores of the organisation and its teams, as files of this machine. They are only
//! read: hooks, recall and the gate use them like your own store. Interrupted, it goes on where it was.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oldhand_core::pending::PENDING_FOLDER;
use oldhand_desk::config::file::{ConfigFile, NEW, replace};
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::{DONE, Fail, Outcome};
use oldhand_desk::mirrors::{MirrorState, STATE_FILE};
use oldhand_desk::printer::Io;
use oldhand_store::layout::Layout;
use oldhand_store::port::id_of_path;
use oldhand_text::hash::ContentHash;
use oldhand_text::time::format_instant;
use serde::Serialize;

use super::args::ReachArgs;
use super::client::Server;
use super::push::encoded;
use super::wire::{Files, Hashes, LogPart, Stores, SyncState, TEXTS_MAX, Texts};

/// The file that the log is kept in.
const LOG: &str = "events/mirror.jsonl";

#[derive(Serialize)]
struct Mirrored {
    store: String,
    level: String,
    memories: usize,
    /// Files that were written or removed.
    changed: usize,
}

#[derive(Serialize)]
struct MirrorAnswer {
    stores: Vec<Mirrored>,
    /// In so many repositories they count.
    repositories: usize,
}

pub(super) fn run(reach: &ReachArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let server = reach.server(desk)?;
    let Stores { stores } = server.get("/v1/sync")?;
    let repositories: Vec<String> =
        stores.iter().filter_map(|store| store.repository.clone()).collect();
    let mut answer = MirrorAnswer { stores: Vec::new(), repositories: repositories.len() };
    let mut places = BTreeSet::new();
    for store in stores.iter().filter(|it| it.truth == "server" && it.level != "person") {
        let place = desk.mirror_place(server.address(), &store.name)?;
        answer
            .stores
            .push(Copying { desk, server: &server, store, place: &place }.run(&repositories)?);
        places.insert(place.root);
    }
    drop_others(desk, &server, &places)?;
    match desk.flags.json {
        true => io.json("sync-mirror", &answer)?,
        false => io.text(&described(&answer))?,
    }
    Ok(DONE)
}

fn described(answer: &MirrorAnswer) -> String {
    if answer.stores.is_empty() {
        return "there is no store of an organisation or a team that you can read\n".to_owned();
    }
    let mut text = String::new();
    for Mirrored { store, level, memories, changed } in &answer.stores {
        text.push_str(&format!("{level} `{store}`: {memories} memories, {changed} changed\n"));
    }
    let repositories = answer.repositories;
    text.push_str(&format!(
        "they count in the {repositories} repositories that this server knows\n"
    ));
    text
}

/// A copy of a store that the caller sees no more goes.
fn drop_others(
    desk: &Desk<'_>,
    server: &Server,
    places: &BTreeSet<std::path::PathBuf>,
) -> Result<(), Fail> {
    for mirror in desk.mirrors() {
        if mirror.state.server == server.address() && !places.contains(&mirror.layout.root) {
            std::fs::remove_dir_all(&mirror.layout.root)?;
        }
    }
    Ok(())
}

struct Copying<'a> {
    desk: &'a Desk<'a>,
    server: &'a Server,
    store: &'a SyncState,
    place: &'a Layout,
}

impl Copying<'_> {
    fn run(&self, repositories: &[String]) -> Result<Mirrored, Fail> {
        let path = format!("/v1/sync/{}", encoded(&self.store.name));
        self.make()?;
        let Files { revision, files } = self.server.get(&format!("{path}/files"))?;
        let wanted: BTreeMap<String, String> = files
            .into_iter()
            .filter(|file| is_memory(&file.path))
            .map(|file| (file.path, file.hash))
            .collect();
        let there = self.there()?;
        let gone: Vec<&String> = there.keys().filter(|path| !wanted.contains_key(*path)).collect();
        let new: Vec<(&String, &String)> =
            wanted.iter().filter(|(path, hash)| there.get(*path) != Some(*hash)).collect();
        for part in new.chunks(TEXTS_MAX) {
            self.fetch(&path, part)?;
        }
        for path in &gone {
            std::fs::remove_file(self.place.file(path))?;
        }
        let changed = new.len() + gone.len();
        let events = self.log(&path)?;
        let state = MirrorState {
            server: self.server.address().to_owned(),
            store: self.store.name.clone(),
            level: self.store.level.clone(),
            repositories: repositories.to_vec(),
            revision,
            events,
            at: format_instant(self.desk.now),
        };
        let bytes = serde_json::to_vec_pretty(&state).map_err(std::io::Error::other)?;
        replace(self.desk.env, &self.place.file(STATE_FILE), &bytes)?;
        let (store, level) = (self.store.name.clone(), self.store.level.clone());
        Ok(Mirrored { store, level, memories: wanted.len(), changed })
    }

    fn make(&self) -> Result<(), Fail> {
        let kinds = self.desk.resolve(None)?.settings.kinds;
        oldhand_store::vault::init(self.desk.env.disk, self.place, &kinds, NEW, false)?;
        // What the program knows about a store it reads from its configuration.
        ConfigFile::read(self.desk.env.disk, &self.place.config()).map(drop)
    }

    /// The files that are here, by their hashes.
    fn there(&self) -> Result<BTreeMap<String, String>, Fail> {
        let mut there = BTreeMap::new();
        for folder in std::fs::read_dir(&self.place.root)? {
            let folder = folder?.path();
            if !folder.is_dir() || folder.is_symlink() {
                continue;
            }
            for file in std::fs::read_dir(&folder)? {
                let file = file?.path();
                let path = relative(&self.place.root, &file);
                if is_memory(&path) && file.is_file() {
                    let hash = ContentHash::of(&std::fs::read(&file)?);
                    there.insert(path, hash.to_string());
                }
            }
        }
        Ok(there)
    }

    fn fetch(&self, path: &str, part: &[(&String, &String)]) -> Result<(), Fail> {
        let hashes = part.iter().map(|(_, hash)| (*hash).clone()).collect();
        let Texts { texts } = self.server.post(&format!("{path}/read"), &Hashes { hashes })?;
        let texts: BTreeMap<String, String> = texts
            .into_iter()
            .map(|text| (ContentHash::of(text.as_bytes()).to_string(), text))
            .collect();
        for (file, hash) in part {
            // One that was changed twice meanwhile comes the next time.
            let Some(text) = texts.get(*hash) else { continue };
            replace(self.desk.env, &self.place.file(file), text.as_bytes())?;
        }
        Ok(())
    }

    /// The whole log again where it is short of what the state says, else what is new of it.
    fn log(&self, path: &str) -> Result<i64, Fail> {
        let file = self.place.file(LOG);
        let known = std::fs::read_to_string(&file).unwrap_or_default();
        let mut events = known.lines().count() as i64;
        let mut text = known;
        let before = text.len();
        loop {
            let part: LogPart = self.server.get(&format!("{path}/log?after={events}"))?;
            if part.events.is_empty() {
                break;
            }
            for event in &part.events {
                text.push_str(&event.to_line().map_err(std::io::Error::other)?);
            }
            events = part.last;
        }
        if text.len() != before {
            replace(self.desk.env, &file, text.as_bytes())?;
        }
        Ok(events)
    }
}

fn relative(root: &Path, path: &Path) -> String {
    oldhand_store::layout::relative(root, path)
}

/// What is copied: what waits for a person there is no business of this machine.
fn is_memory(path: &str) -> bool {
    let folder = path.split('/').next().unwrap_or_default();
    id_of_path(path).is_some() && !["events", "local", PENDING_FOLDER].contains(&folder)
}
