//! A team server with one tenant, and repositories with the programs that people run in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{Timestamp, ToSpan as _};
use oldhand::{Env, Io};
use oldhand_core::kind::Kinds;
use oldhand_core::policy::TrustPolicy;
use oldhand_core::signals::Signals;
use oldhand_pg::access::Access;
use oldhand_pg::admin::{NewCredential, NewStore};
use oldhand_pg::database::Database;
use oldhand_store::disk::RealDisk;
use oldhand_store::layout::Layout;
use oldhand_store::port::Vault;
use oldhand_store::ulid::SystemEntropy;
use oldhand_store::vault::{LocalVault, Opening};
use oldhand_team::door::key::{self, ServerKey, Use};
use oldhand_team::door::limits::LimitSettings;
use oldhand_team::door::{Door, DoorSettings};
use oldhand_team::metrics::Metrics;
use oldhand_team::server::router;
use oldhand_team::visitor::{Role, Scope};
use oldhand_testkit::postgres::{Durability, Programs};
use tempfile::TempDir;

use crate::bed::Bed;

pub(crate) struct World {
    pub bed: Bed,
    pub address: String,
    pub folder: TempDir,
    clock: AtomicI64,
    pub people: Vec<Person>,
    server: Option<Serving>,
}

pub(crate) struct Person {
    name: &'static str,
    principal: i32,
    role: Role,
    token: String,
}

/// What a program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub(crate) const WRITER: &str = "writer";
pub(crate) const MAINTAINER: &str = "maintainer";
pub(crate) const READER: &str = "reader";

/// A server of a round. Dropped, it listens no more, and its connections to the database are closed.
pub(crate) struct Serving {
    pub address: String,
    task: tokio::task::AbortHandle,
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Of any server here; the databases are gone with the test.
pub(crate) const KEY: &str = "7777777777777777777777777777777777777777777777777777777777777777";

impl World {
    pub(crate) fn new(programs: &Programs) -> Self {
        Self::with(programs, Durability::None)
    }

    pub(crate) fn with(programs: &Programs, durability: Durability) -> Self {
        Self::on(Bed::with(programs, durability))
    }

    pub(crate) fn on(bed: Bed) -> Self {
        let address = String::new();
        let folder = tempfile::tempdir().expect("a folder");
        let clock = AtomicI64::new(1_790_000_000);
        let server = None;
        let mut world = Self { bed, address, folder, clock, people: Vec::new(), server };
        for (name, role) in
            [(WRITER, Role::Writer), (MAINTAINER, Role::Maintainer), (READER, Role::Reader)]
        {
            let person = world.person("ci", name, role);
            world.people.push(person);
        }
        let server = world.serve(&world.bed.database);
        world.address = server.address.clone();
        world.server = Some(server);
        world
    }

    /// Somebody with this role in every store that is made, and a token for everything that it allows.
    pub(crate) fn person(&self, kind: &str, name: &'static str, role: Role) -> Person {
        let access = Access::new(&self.bed.database, self.bed.caller(&[]));
        let principal = access.create_principal(kind, name).expect("a principal");
        let (token, id) = (key::new_token().expect("made"), key::uuid().expect("made"));
        let hash = ServerKey::parse(KEY).expect("a key").hash(Use::Token, &token);
        let (credential, expires_at) = (id.as_str(), Timestamp::now() + 24.hours());
        let scopes = &Scope::ALL.map(Scope::name);
        let (stores, hash) = (None, &hash[..]);
        let new = NewCredential { credential, principal, hash, scopes, stores, expires_at };
        access.create_credential(&new).expect("made");
        Person { name, principal, role, token }
    }

    /// A whole server over this database.
    pub(crate) fn serve(&self, database: &Database) -> Serving {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("set");
        let address = format!("http://{}", listener.local_addr().expect("bound"));
        let key = ServerKey::parse(KEY).expect("a key");
        let settings = DoorSettings { address: address.clone(), limits: LimitSettings::default() };
        let metrics = Arc::new(Metrics::new());
        let door = Door::new(database.clone(), key, None, metrics, settings).expect("a door");
        let app = router(&Arc::new(door), &Default::default());
        let task = self.bed.runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            let _ = axum::serve(listener, app).await;
        });
        Serving { address, task: task.abort_handle() }
    }

    pub(crate) fn store(&self, name: &str, level: &str, truth: &str) -> i32 {
        let access = Access::new(&self.bed.database, self.bed.caller(&[]));
        let store = access.create_store(&NewStore { name, level, truth }).expect("a store");
        for it in &self.people {
            access.grant(store, it.principal, it.role.name()).expect("granted");
        }
        store
    }

    /// The token of somebody here, by their name; any other text is one itself.
    pub(crate) fn token<'t>(&'t self, name: &'t str) -> &'t str {
        self.people.iter().find(|it| it.name == name).map_or(name, |it| &it.token)
    }

    pub(crate) fn repository(&self, name: &str) -> Repository<'_> {
        let root = self.folder.path().join(name);
        std::fs::create_dir_all(&root).expect("a folder");
        let repository = Repository { world: self, root };
        repository.git(&["init", "-q", "-b", "main"]);
        repository.oldhand(&["init"]);
        repository
    }

    pub(crate) fn now(&self) -> Timestamp {
        let second = self.clock.fetch_add(60, Ordering::Relaxed);
        Timestamp::from_second(second).expect("a time")
    }

    fn vars(&self) -> BTreeMap<String, String> {
        let home = self.folder.path().join("home");
        std::fs::create_dir_all(&home).expect("a home");
        let path = std::env::var("PATH").unwrap_or_default();
        [("HOME", home.to_string_lossy().into_owned()), ("PATH", path), ("USER", "ada".to_owned())]
            .map(|(name, value)| (name.to_owned(), value))
            .into()
    }
}

pub(crate) struct Repository<'w> {
    pub world: &'w World,
    pub root: PathBuf,
}

impl Repository<'_> {
    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=ada", "-c", "user.email=ada@example.com"]);
        command.args(["-c", "commit.gpgsign=false", "-c", "core.fsync=none"]).args(args);
        command.current_dir(&self.root).env("GIT_CONFIG_GLOBAL", "/dev/null");
        let output = command.output().expect("git");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {}: {text}{error}", args.join(" "));
        text.trim().to_owned()
    }

    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// The plain program, in process, as a person in a terminal.
    pub(crate) fn oldhand_says(&self, args: &[&str]) -> Said {
        let env = Env {
            vars: self.world.vars(),
            current_dir: self.root.clone(),
            disk: &RealDisk,
            entropy: &SystemEntropy,
            interactive: false,
            terminal: None,
            remarks: None,
        };
        let mut all = vec!["oldhand"];
        all.extend(args);
        all.extend(["--config", "recall.model=keywords"]);
        all.extend(["--config", "limits.max_memories_per_kind=1000"]);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = {
            let mut io = Io::new(std::io::empty(), &mut out, &mut err);
            oldhand::run(all.into_iter().map(Into::into), &env, self.world.now(), &mut io)
        };
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Said { code: code.into(), out: text(out), err: text(err) }
    }

    #[track_caller]
    pub(crate) fn oldhand(&self, args: &[&str]) -> String {
        let said = self.oldhand_says(args);
        assert_eq!(said.code, 0, "oldhand {}: {said:?}", args.join(" "));
        said.out
    }

    #[track_caller]
    pub(crate) fn reference(&self, title: &str, text: &str) {
        self.oldhand(&["add", "reference", "--title", title, "--text", text]);
    }

    /// `oldhand-team sync`, the real program.
    pub(crate) fn sync_at(&self, address: &str, token: &str, args: &[&str]) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_oldhand-team"));
        command.arg("sync").args(args).current_dir(&self.root);
        command.env_clear().envs(self.world.vars());
        command
            .env("OLDHAND_TEAM_SERVER", address)
            .env("OLDHAND_TEAM_TOKEN", self.world.token(token));
        let output = command.output().expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let code = output.status.code().unwrap_or(-1);
        Said { code, out: text(output.stdout), err: text(output.stderr) }
    }

    pub(crate) fn sync_says(&self, args: &[&str]) -> Said {
        self.sync_at(&self.world.address, WRITER, args)
    }

    #[track_caller]
    pub(crate) fn sync(&self, args: &[&str]) -> String {
        let said = self.sync_says(args);
        assert_eq!(said.code, 0, "sync {}: {said:?}", args.join(" "));
        said.out
    }

    /// The first push writes the id, the second one pushes.
    #[track_caller]
    pub(crate) fn connect(&self, store: &str) {
        let said = self.sync_says(&["push"]);
        assert_eq!(said.code, 2, "{said:?}");
        assert!(said.err.contains("commit it, and push again"), "{said:?}");
        self.commit("an id");
        self.sync(&["push", "--store", store]);
    }

    pub(crate) fn layout(&self) -> Layout {
        Layout { root: self.root.join(".oldhand"), repository: self.root.clone() }
    }

    /// The server has what is checked out: files, events, and what they count.
    #[track_caller]
    pub(crate) fn is_mirrored(&self, store: i32) {
        let kinds = Kinds::default();
        let local = local_vault(self.layout(), &kinds);
        let bed = &self.world.bed;
        let access = Access::new(&bed.database, bed.caller(&[store]));
        let remote = bed.vault(&access, store);
        let here = told(&local);
        let there = told(&remote);
        assert_eq!(there.len(), here.len());
        for (line, other) in here.iter().zip(&there) {
            assert_eq!(line, other);
        }
        assert!(remote.inspect().expect("readable").findings.is_empty());
    }
}

pub(crate) fn local_vault(layout: Layout, kinds: &Kinds) -> LocalVault<'_> {
    LocalVault::open(Opening {
        disk: &RealDisk,
        layout,
        kinds,
        entropy: &SystemEntropy,
        now: Timestamp::UNIX_EPOCH,
        lock_wait: std::time::Duration::from_secs(1),
        index: None,
        commits_index: true,
    })
    .expect("a store")
}

/// Everything that a vault tells, as lines.
fn told(vault: &dyn Vault) -> Vec<String> {
    let trust = TrustPolicy::default();
    let events = vault.events().expect("readable");
    let mut lines = Vec::new();
    for stored in vault.scan().expect("readable").stored {
        let own = vault.events_of(stored.memory.id.as_str()).expect("readable");
        let signals = Signals::fold(&stored.memory, &own, &trust);
        lines
            .push(format!("{} {} {:?} {signals:?}", stored.path, stored.hash, stored.memory.state));
    }
    for file in vault.pending().expect("readable").into_iter().flatten() {
        lines.push(format!("{} {}", file.path, file.hash));
    }
    lines.extend(events.iter().map(|event| event.to_line().expect("a line")));
    lines
}

pub(crate) fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, text).expect("written");
}

/// What a hook of Claude Code answers, in process.
pub(crate) fn hook(world: &World, root: &Path, payload: &str) -> String {
    let env = Env {
        vars: world.vars(),
        current_dir: root.to_owned(),
        disk: &RealDisk,
        entropy: &SystemEntropy,
        interactive: false,
        terminal: None,
        remarks: None,
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = {
        let mut io = Io::new(payload.as_bytes(), &mut out, &mut err);
        let args = ["oldhand", "hook", "claude-code"];
        oldhand::run(args.into_iter().map(Into::into), &env, world.now(), &mut io)
    };
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&err));
    String::from_utf8_lossy(&out).into_owned()
}
