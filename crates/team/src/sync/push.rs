//! `sync push`: the store as the commit that is checked out has it becomes what the server mirrors.

use std::collections::BTreeSet;
use std::time::Duration;

use oldhand_core::fresh::{Answers, Questions, questions};
use oldhand_desk::config::file::ConfigFile;
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::{DONE, Fail, Outcome};
use oldhand_desk::printer::Io;
use oldhand_pg::code::question_key;
use oldhand_store::layout::Layout;
use oldhand_store::ulid::ulid;

use super::args::{PushArgs, ReachArgs};
use super::client::{Server, Trouble};
use super::repository::{Committed, Descent, GitStore};
use super::wire::{Hashes, LACKING, MOVED, PushAnswer, PushRequest, SyncState, TEXTS_BYTES, Texts};

/// How long git may be asked about the code; CI has time.
const CODE_WAIT: Duration = Duration::from_secs(60);
/// Two jobs at once, and a third.
const TRIES: usize = 4;

/// The key in the configuration of a store.
pub(super) const ID_KEY: &str = "team.id";

/// Everything that a push is made of.
struct Pushing<'a> {
    server: &'a Server,
    git: &'a GitStore,
    /// How the server's addresses name the store.
    name: String,
    repository: &'a str,
    commit: &'a str,
    committed: &'a Committed,
    code: Vec<(String, String)>,
    args: &'a PushArgs,
}

/// How the server's head stands to what is pushed.
enum Base {
    From(Option<String>),
    /// The server has this commit or a newer one.
    Nothing(String),
}

pub(super) fn run(args: &PushArgs, reach: &ReachArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let layout = desk.layout()?;
    let git = GitStore { root: layout.repository.clone() };
    let commit = git.head()?;
    let committed = git.read(&commit)?;
    let repository = repository_id(desk, &layout, &committed)?;
    let server = reach.server(desk)?;
    let (name, mut state) = find(&server, &repository, args.store.as_deref())?;
    let code = code_answers(desk, &committed)?;
    let pushing = Pushing {
        server: &server,
        git: &git,
        name,
        repository: &repository,
        commit: &commit,
        committed: &committed,
        code,
        args,
    };
    for _ in 0..TRIES {
        let base = match pushing.base(&state)? {
            Base::From(base) => base,
            Base::Nothing(why) => {
                let taken = Default::default();
                let answer = PushAnswer { head: commit.clone(), is_there: true, taken };
                return told(desk, io, &answer, &why, &committed);
            }
        };
        match pushing.push(base) {
            Ok(answer) => {
                let said = described(&answer, &state.name);
                return told(desk, io, &answer, &said, &committed);
            }
            // Another job was faster: what it pushed may be older or newer.
            Err(Trouble::Refused(body)) if body.code == MOVED => {
                let head = body.head.as_deref().unwrap_or("none");
                io.note("note", &format!("another push came first: the server has `{head}` now"));
                state = server.get(&format!("/v1/sync/{}", pushing.name))?;
            }
            Err(trouble) => return Err(trouble.into()),
        }
    }
    Err(Fail::usage("other pushes came first each time", "push again"))
}

fn described(answer: &PushAnswer, store: &str) -> String {
    let taken = answer.taken;
    let what = format!(
        "{} new, {} changed, {} removed, {} events",
        taken.created, taken.changed, taken.removed, taken.events
    );
    match answer.is_there {
        true => format!("`{store}` has this commit already"),
        false => format!("`{store}` is at {} now: {what}", short(&answer.head)),
    }
}

fn told(
    desk: &Desk<'_>,
    io: &mut Io<'_>,
    answer: &PushAnswer,
    said: &str,
    committed: &Committed,
) -> Outcome {
    for it in &committed.left_out {
        io.note("note", &format!("left out {it}"));
    }
    match desk.flags.json {
        true => io.json("sync-push", answer)?,
        false => io.text(&format!("{said}\n"))?,
    }
    Ok(DONE)
}

pub(super) fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

/// The id of the repository, as the commit has it. Without one, one is written down to be committed.
fn repository_id(desk: &Desk<'_>, layout: &Layout, committed: &Committed) -> Result<String, Fail> {
    if let Some(id) = id_in(&committed.config) {
        return Ok(id);
    }
    let mut config = ConfigFile::read(desk.env.disk, &layout.config())?;
    let is_there = config.entries().iter().any(|(key, _)| key == ID_KEY);
    if !is_there {
        let id = ulid(desk.now, desk.env.entropy.next());
        config.set(ID_KEY, &oldhand_desk::config::Setting::Text(id));
        config.write(desk.env)?;
    }
    let message = "the repository has no id yet, by which a server knows it".to_owned();
    let hint = "`.oldhand/config.toml` has one now: commit it, and push again; in CI do this once in a \
                checkout of yours";
    Err(Fail::usage(message, hint))
}

/// The id that a configuration names.
pub(super) fn id_in(config: &str) -> Option<String> {
    let entries =
        ConfigFile::parse("config.toml".as_ref(), config.as_bytes().to_vec()).ok()?.entries();
    let id = entries.into_iter().find(|(key, _)| key == ID_KEY)?.1.to_string();
    (!id.is_empty()).then_some(id)
}

/// The store by the id of the repository, or, before the first push, by the name that was given.
fn find(
    server: &Server,
    repository: &str,
    name: Option<&str>,
) -> Result<(String, SyncState), Fail> {
    let known = server.get::<SyncState>(&format!("/v1/sync/{repository}"));
    match (known, name) {
        (Ok(state), _) => Ok((repository.to_owned(), state)),
        (Err(trouble), Some(name)) if trouble.is_missing() => {
            let name = encoded(name);
            let state = server.get(&format!("/v1/sync/{name}"))?;
            Ok((name, state))
        }
        (Err(trouble), None) if trouble.is_missing() => {
            let message = "the server does not know this repository".to_owned();
            let hint =
                "name its store for the first push with `--store NAME`; a maintainer makes one";
            Err(Fail::usage(message, hint))
        }
        (Err(trouble), _) => Err(trouble.into()),
    }
}

/// A name as a part of an address.
pub(super) fn encoded(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// What git says about the code that the memories rest on. The server has no git to ask.
fn code_answers(desk: &Desk<'_>, committed: &Committed) -> Result<Vec<(String, String)>, Fail> {
    desk.work(|engine| {
        let Some(history) = engine.code.history() else { return Ok(Vec::new()) };
        let mut asked = Vec::new();
        for file in &committed.files {
            let kinds = &engine.settings.kinds;
            let bytes = file.text.clone().into_bytes();
            let Ok(stored) = oldhand_store::port::Stored::parse(&file.path, bytes, kinds) else {
                continue;
            };
            if let Questions::Ask(paths) = questions(&stored.memory) {
                asked.extend(paths);
            }
        }
        let Answers::Given(given) = history.ask(&asked, CODE_WAIT) else { return Ok(Vec::new()) };
        let pairs = asked.iter().zip(given.paths);
        let pairs = pairs.filter_map(|(question, answer)| {
            Some((question_key(question), serde_json::to_string(&answer?).ok()?))
        });
        Ok(pairs.collect())
    })
}

impl Pushing<'_> {
    fn base(&self, state: &SyncState) -> Result<Base, Fail> {
        let Some(head) = state.head.as_deref() else { return Ok(Base::From(None)) };
        if head == self.commit {
            return Ok(Base::Nothing(format!("`{}` has this commit already", state.name)));
        }
        if let Some(base) = self.args.base.as_deref().filter(|base| *base != head) {
            let message = format!("the server has `{}`, not `{}`", short(head), short(base));
            return Err(Fail::usage(message, "leave out `--base`, or push the newer commit"));
        }
        if self.args.reset {
            return Ok(Base::From(Some(head.to_owned())));
        }
        match self.git.is_ancestor(head, self.commit)? {
            Descent::Yes => Ok(Base::From(Some(head.to_owned()))),
            Descent::No if self.git.is_ancestor(self.commit, head)? == Descent::Yes => {
                Ok(Base::Nothing(format!("`{}` has a newer commit already", state.name)))
            }
            Descent::No => {
                let message =
                    format!("`{}` does not follow from what the server has", short(self.commit));
                let hint = "after a force-push a maintainer repeats this with `--reset`; replaced texts are kept";
                Err(Fail::usage(message, hint))
            }
            Descent::Unknown => {
                let message =
                    format!("this clone does not have `{}`, which the server has", short(head));
                let hint = "fetch the whole history, such as with `fetch-depth: 0` or `git fetch --unshallow`; \
                            after a force-push a maintainer repeats this with `--reset`";
                Err(Fail::usage(message, hint))
            }
        }
    }

    fn push(&self, base: Option<String>) -> Result<PushAnswer, Trouble> {
        let Committed { files, logs, .. } = self.committed;
        let mut wanted: Vec<String> = files.iter().chain(logs).map(|it| it.hash.clone()).collect();
        wanted.sort();
        wanted.dedup();
        let path = |route: &str| format!("/v1/sync/{}/{route}", self.name);
        let asked = Hashes { hashes: wanted };
        let mut lacking: Hashes = self.server.post(&path("lacking"), &asked)?;
        let file = |it: &super::repository::CommittedFile| super::wire::FileHash {
            path: it.path.clone(),
            hash: it.hash.clone(),
        };
        let mut request = PushRequest {
            repository: self.repository.to_owned(),
            base,
            commit: self.commit.to_owned(),
            reset: self.args.reset,
            files: files.iter().map(file).collect(),
            logs: logs.iter().map(|log| log.hash.clone()).collect(),
            config: self.committed.config.clone(),
            code: self.code.clone(),
            texts: Vec::new(),
        };
        for _ in 0..TRIES {
            request.texts = self.send(&lacking.hashes)?;
            match self.server.post(&path("push"), &request) {
                // Another push has used up what this one sent.
                Err(Trouble::Refused(body)) if body.code == LACKING => {
                    lacking.hashes = body.lacking;
                }
                answer => return answer,
            }
        }
        Err(Fail::usage("the server lost texts that were sent", "push again").into())
    }

    /// Sends the texts of these hashes in parts; the last part is left for the push itself.
    fn send(&self, hashes: &[String]) -> Result<Vec<String>, Trouble> {
        let mut left: BTreeSet<&str> = hashes.iter().map(String::as_str).collect();
        let mut part = Texts { texts: Vec::new() };
        let mut bytes = 0;
        let path = format!("/v1/sync/{}/texts", self.name);
        for file in self.committed.files.iter().chain(&self.committed.logs) {
            if !left.remove(file.hash.as_str()) {
                continue;
            }
            if bytes > 0 && bytes + file.text.len() > TEXTS_BYTES {
                self.server.post::<Hashes>(&path, &part)?;
                part.texts.clear();
                bytes = 0;
            }
            bytes += file.text.len();
            part.texts.push(file.text.clone());
        }
        Ok(part.texts)
    }
}
