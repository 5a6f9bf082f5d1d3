//! A team server with one tenant, and repositories with the programs that people run in them.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::extract::Request;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use oldhand::{Env, Io};
use oldhand_core::kind::Kinds;
use oldhand_core::policy::TrustPolicy;
use oldhand_core::signals::Signals;
use oldhand_pg::access::Access;
use oldhand_pg::admin::{NewStore, StoreAccess};
use oldhand_pg::database::Database;
use oldhand_store::disk::RealDisk;
use oldhand_store::layout::Layout;
use oldhand_store::port::Vault;
use oldhand_store::ulid::SystemEntropy;
use oldhand_store::vault::{LocalVault, Opening};
use oldhand_team::sync::server::{SyncState, router};
use oldhand_team::visitor::{Entrance, PrincipalKind, Role, Scope, Visitor};
use oldhand_testkit::postgres::Programs;
use tempfile::TempDir;

use crate::bed::Bed;

pub(crate) struct World {
    pub bed: Bed,
    pub address: String,
    pub folder: TempDir,
    clock: AtomicI64,
    principal: i32,
}

/// What a program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub(crate) const WRITER: &str = "oht_writer";
pub(crate) const MAINTAINER: &str = "oht_maintainer";
pub(crate) const READER: &str = "oht_reader";

/// Whose tokens there are, and to which stores they lead: all of the tenant.
#[derive(Clone)]
struct Door {
    database: Database,
    tenant: i32,
    principal: i32,
}

impl Door {
    fn visitor(&self, token: &str) -> Option<Visitor> {
        let role = [(WRITER, Role::Writer), (MAINTAINER, Role::Maintainer), (READER, Role::Reader)];
        let (_, role) = role.into_iter().find(|(name, _)| *name == token)?;
        let all = oldhand_pg::access::Caller {
            tenant: self.tenant,
            stores: (1..100).collect(),
            principal: None,
        };
        let access = Access::new(&self.database, all);
        let states = (1..100).filter_map(|store| Some((store, access.sync_state(store).ok()?)));
        let stores = states.map(|(store, state)| StoreAccess {
            store,
            name: state.name,
            level: state.level,
            truth: state.truth,
            role: role.name().to_owned(),
        });
        Some(Visitor {
            tenant: self.tenant,
            principal: self.principal,
            name: "ci".to_owned(),
            kind: PrincipalKind::Ci,
            entrance: Entrance::Token("a".to_owned()),
            scopes: Scope::ALL.to_vec(),
            stores: stores.collect(),
        })
    }
}

async fn let_in(
    axum::extract::State(door): axum::extract::State<Door>,
    mut request: Request,
    next: Next,
) -> Response {
    let token = request.headers().get("authorization").and_then(|it| it.to_str().ok());
    let token = token.and_then(|it| it.strip_prefix("Bearer ")).unwrap_or_default().to_owned();
    let visitor = tokio::task::spawn_blocking(move || door.visitor(&token)).await;
    let Some(visitor) = visitor.ok().flatten() else {
        return axum::http::StatusCode::UNAUTHORIZED.into_response();
    };
    request.extensions_mut().insert(visitor);
    next.run(request).await
}

impl World {
    pub(crate) fn new(programs: &Programs) -> Self {
        let bed = Bed::new(programs);
        let address = String::new();
        let folder = tempfile::tempdir().expect("a folder");
        let access = Access::new(&bed.database, bed.caller(&[]));
        let principal = access.create_principal("ci", "ci").expect("a principal");
        let clock = AtomicI64::new(1_790_000_000);
        let mut world = Self { bed, address, folder, clock, principal };
        world.address = format!("http://{}", world.serve(&world.bed.database));
        world
    }

    /// A server over this database.
    pub(crate) fn serve(&self, database: &Database) -> SocketAddr {
        let state = SyncState { database: database.clone(), kinds: Arc::new(Kinds::default()) };
        // Who asks is looked up over a connection of its own.
        let (database, tenant) = (self.bed.database.clone(), self.bed.tenant);
        let door = Door { database, tenant, principal: self.principal };
        let app = router(state).layer(from_fn_with_state(door, let_in));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("set");
        let address = listener.local_addr().expect("bound");
        self.bed.runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            let _ = axum::serve(listener, app).await;
        });
        address
    }

    pub(crate) fn store(&self, name: &str, level: &str, truth: &str) -> i32 {
        let access = Access::new(&self.bed.database, self.bed.caller(&[]));
        access.create_store(&NewStore { name, level, truth }).expect("a store")
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
        command.env("OLDHAND_TEAM_SERVER", address).env("OLDHAND_TEAM_TOKEN", token);
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
