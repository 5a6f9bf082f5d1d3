//! The ground of the server: stores are in PostgreSQL, and who asks was found out at the door. One of these is made
//! for each answer, on the thread that makes it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use oldhand_app::Above;
use oldhand_core::actor::Via;
use oldhand_core::trust::StoreTrust;
use oldhand_desk::config::file::ConfigFile;
use oldhand_desk::config::{Inputs, Resolved, resolve};
use oldhand_desk::desk::Desk;
use oldhand_desk::desk::ground::ReadingPlace;
use oldhand_desk::desk::ground::{Ground, OpenedStore, ReadingOf, SharedSessions};
use oldhand_desk::failure::Fail;
use oldhand_desk::meaning::{self, Comparing};
use oldhand_desk::mirrors::label;
use oldhand_pg::access::{Access, Attempt, SharedReading};
use oldhand_pg::admin::{StoreAccess, StoreFacts};
use oldhand_pg::code::PgCode;
use oldhand_pg::database::Database;
use oldhand_pg::index::{InReach, Likeness, PgIndex, PgNearby};
use oldhand_pg::sessions::PgSessions;
use oldhand_pg::vault::PgVault;
use oldhand_store::index::Embedder;
use oldhand_store::layout::Layout;
use oldhand_store::locate::Located;
use oldhand_store::nowhere::NoCode;
use oldhand_store::port::CodeTree;

use crate::visitor::{PrincipalKind, Role, Visitor};

/// Memories without vectors that one answer embeds on its way: the worker does the rest.
const FILL_MAX: usize = 8;
/// What a layout of a store begins with; it is the name of no file.
const SCHEME: &str = "store:/";

pub struct PgGround<'d> {
    database: &'d Database,
    visitor: &'d Visitor,
    /// The store that is meant.
    here: &'d StoreAccess,
    reach: Reach,
    access: Access<'d>,
    /// What an answer reads, it reads in one transaction.
    reading: SharedReading,
}

/// Where an answer looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// The store itself, the caller's own, and what its team and organisation say everywhere.
    #[default]
    Here,
    /// Other repositories, of which everything is a caution.
    Elsewhere,
}

impl<'d> PgGround<'d> {
    pub fn new(database: &'d Database, visitor: &'d Visitor, here: &'d StoreAccess) -> Self {
        let reading = SharedReading::new(database);
        let access = Access::new(database, visitor.caller()).sharing(reading.clone());
        Self { database, visitor, here, reach: Reach::Here, access, reading }
    }

    #[must_use]
    pub fn with_reach(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }

    /// For a request with a key.
    #[must_use]
    pub fn with_attempt(self, attempt: Attempt) -> Self {
        let access = Access::with_attempt(self.database, self.visitor.caller(), attempt);
        Self { access: access.sharing(self.reading.clone()), ..self }
    }

    fn own_store(&self) -> Option<&'d StoreAccess> {
        self.visitor.stores.iter().find(|it| it.level == "person")
    }

    /// What holds in every repository, and is written elsewhere.
    fn above(&self) -> impl Iterator<Item = &'d StoreAccess> {
        let is_above = |it: &&StoreAccess| {
            matches!(it.level.as_str(), "team" | "org") && it.store != self.here.store
        };
        self.visitor.stores.iter().filter(is_above)
    }

    /// Which stores an answer looks into, the first being the one that is asked.
    fn reach_of(&self, first: &StoreAccess, with_own: bool) -> Vec<InReach> {
        let named = |it: &StoreAccess| {
            let name = match it.level.as_str() {
                "team" | "org" => label(&it.level, &it.name),
                _ => it.name.clone(),
            };
            let (name, is_own) = (Some(Arc::from(name)), it.level == "person");
            InReach { name, is_own, ..InReach::plain(it.store) }
        };
        if self.reach == Reach::Elsewhere {
            let is_other = |it: &&StoreAccess| it.level == "repository" && it.store != first.store;
            let others = self.visitor.stores.iter().filter(is_other);
            return others.map(|it| InReach { is_doubted: true, ..named(it) }).collect();
        }
        let mut reach = vec![InReach { name: None, ..named(first) }];
        let own = self.own_store().filter(|own| with_own && own.store != first.store);
        reach.extend(own.into_iter().chain(self.above()).map(named));
        reach
    }

    fn store_of(&self, layout: &Layout) -> &'d StoreAccess {
        let is_it = |it: &&StoreAccess| layout_of(it).root == layout.root;
        self.own_store().filter(is_it).unwrap_or(self.here)
    }

    /// Whether what they say here counts as a person's word.
    fn decides(&self) -> bool {
        self.visitor.is_person() && Role::parse(&self.here.role) >= Some(Role::Reviewer)
    }

    fn facts(&self, store: &StoreAccess) -> Result<StoreFacts, Fail> {
        let found = self.access.store_facts(store.store);
        let found = found.map_err(|error| error.at("read", &store.name))?;
        found.ok_or_else(|| Fail::usage(format!("`{}` is gone", store.name), "name another store"))
    }

    /// The vaults of the stores above, each with its name.
    fn vaults_above<'a>(
        &'a self,
        desk: &Desk<'a>,
        resolved: &'a Resolved,
    ) -> Vec<(String, PgVault<'a>)> {
        let vault = |it: &StoreAccess| PgVault {
            access: &self.access,
            store: it.store,
            kinds: &resolved.settings.kinds,
            entropy: desk.env.entropy,
            now: desk.now,
        };
        self.above().map(|it| (label(&it.level, &it.name), vault(it))).collect()
    }

    /// Of a repository what its last push told; elsewhere there is no code.
    fn code<'c>(&self, layout: &Layout, pushed: &'c PgCode<'_>) -> &'c dyn CodeTree {
        if self.store_of(layout).truth == "git" { pushed } else { &NoCode }
    }

    fn index<'a>(
        &'a self,
        reach: Vec<InReach>,
        resolved: &'a Resolved,
        meaning: Result<&'a dyn Embedder, &String>,
    ) -> PgIndex<'a> {
        PgIndex {
            access: &self.access,
            reach,
            kinds: &resolved.settings.kinds,
            trust: &resolved.settings.trust,
            embedder: meaning.ok(),
            why_no_meaning: meaning.err().cloned().unwrap_or_default(),
            fill_max: FILL_MAX,
            known: Default::default(),
        }
    }

    fn vault<'a>(
        &'a self,
        desk: &Desk<'a>,
        layout: &Layout,
        resolved: &'a Resolved,
    ) -> PgVault<'a> {
        PgVault {
            access: &self.access,
            store: self.store_of(layout).store,
            kinds: &resolved.settings.kinds,
            entropy: desk.env.entropy,
            now: desk.now,
        }
    }
}

/// What a store's own `config.toml` says, here as everywhere; nothing else on a server has a say.
pub(crate) fn settings_of(
    (path, config): (&Path, &str),
    overrides: &[String],
) -> Result<Resolved, Fail> {
    let file = ConfigFile::parse(path, config.as_bytes().to_vec())?;
    let inputs = Inputs {
        user: None,
        store: Some(&file),
        // Whoever pushes it has the role for it.
        trust: StoreTrust::Own,
        variable: &|_| None,
        flags: overrides,
    };
    resolve(&inputs).map_err(Fail::Config)
}

/// Its name, in the form of a path.
pub fn layout_of(store: &StoreAccess) -> Layout {
    let root = PathBuf::from(format!("{SCHEME}{}", store.name));
    Layout { repository: root.clone(), root }
}

struct Compared<'c>(&'c Comparing);

impl Likeness for Compared<'_> {
    fn meaning(&self, one: &str, other: &str) -> Option<f64> {
        self.0.meaning(one, other)
    }

    fn clash_chance(&self, in_force: &str, proposed: &str) -> Option<f64> {
        self.0.clash_chance(in_force, proposed)
    }
}

impl Ground for PgGround<'_> {
    fn has_files(&self) -> bool {
        false
    }

    fn located(&self, _: &Desk<'_>) -> Result<Located, Fail> {
        let Layout { root, repository } = layout_of(self.here);
        Ok(Located::Store { root, repository })
    }

    fn own(&self, _: &Desk<'_>) -> Result<Layout, Fail> {
        self.own_store().map(layout_of).ok_or_else(|| {
            let hint = "ask whoever runs the server for one, or name another store";
            Fail::usage("you have no store of your own here", hint)
        })
    }

    fn is_made(&self, _: &Desk<'_>, _: &Layout) -> Result<bool, Fail> {
        Ok(true)
    }

    fn make_own(&self, _: &Desk<'_>, _: &Layout) -> Result<(), Fail> {
        Ok(())
    }

    fn resolve(&self, desk: &Desk<'_>, layout: Option<&Layout>) -> Result<Resolved, Fail> {
        let Some(layout) = layout else {
            return settings_of((Path::new(SCHEME), ""), &desk.flags.overrides);
        };
        let config = self.facts(self.store_of(layout))?.config;
        settings_of((&layout.config(), &config), &desk.flags.overrides)
    }

    fn settled(&self, desk: &Desk<'_>, layout: &Layout) -> Result<Arc<Resolved>, Fail> {
        self.resolve(desk, Some(layout)).map(Arc::new)
    }

    fn via(&self, desk: &Desk<'_>) -> Via {
        let client = desk.host.as_deref().and_then(|host| host.strip_prefix("mcp:"));
        match (client, self.visitor.kind) {
            (Some(client), _) => Via::Mcp(client.to_owned()),
            (None, _) if self.decides() => Via::Shell,
            (None, PrincipalKind::Ci) => Via::Ci,
            (None, _) => Via::Agent(self.visitor.name.clone()),
        }
    }

    fn by(&self, desk: &Desk<'_>, _: &Resolved) -> String {
        let name = &self.visitor.name;
        desk.host.as_ref().map_or_else(|| name.clone(), |host| format!("{host} for {name}"))
    }

    fn sessions<'a>(&self, _: &Desk<'a>, layout: &Layout) -> Option<SharedSessions<'a>> {
        let (database, caller) = (self.database.clone(), self.visitor.caller());
        let store = self.store_of(layout).store;
        let reading = Some(self.reading.clone());
        Some(Arc::new(PgSessions { database, caller, store, reading }))
    }

    fn worktree(&self, _: &Desk<'_>) -> PathBuf {
        layout_of(self.here).repository
    }

    fn branch(&self, _: &Desk<'_>, _: &Layout) -> Option<String> {
        None
    }

    fn stamp(&self, _: &Desk<'_>, layout: &Layout) -> String {
        let facts = self.facts(self.store_of(layout));
        facts.map(|facts| facts.revision.to_string()).unwrap_or_default()
    }

    fn waiting_for(&self, layout: &Layout, id: &str) -> Result<Vec<String>, Fail> {
        let store = self.store_of(layout).store;
        let found = self.access.waiting_for(store, &[id.to_owned()]);
        let found = found.map_err(|error| error.at("read", "what waits"))?;
        Ok(found.into_values().flatten().collect())
    }

    fn work(
        &self,
        desk: &Desk<'_>,
        layout: &Layout,
        resolved: &Resolved,
        job: &mut dyn FnMut(OpenedStore<'_>),
    ) -> Result<(), Fail> {
        let meaning = meaning::open(resolved.model());
        let comparing = Comparing::by(resolved.model());
        let compared = Compared(&comparing);
        let embedder = meaning.as_ref().map(|it| it as &dyn Embedder);
        let store = InReach::plain(self.store_of(layout).store);
        let nearby = PgNearby::new(self.index(vec![store], resolved, embedder), Some(&compared));
        let vault = self.vault(desk, layout, resolved);
        let pushed = PgCode { access: &self.access, store: vault.store };
        let code = self.code(layout, &pushed);
        let others = self.vaults_above(desk, resolved);
        let above: Vec<Above<'_>> =
            others.iter().map(|(label, vault)| Above { label, vault }).collect();
        job(OpenedStore { vault: &vault, code, nearby: Some(&nearby), above: &above });
        Ok(())
    }

    fn read(
        &self,
        desk: &Desk<'_>,
        place: &ReadingPlace<'_>,
        meaning: Result<&dyn Embedder, &String>,
        job: &mut dyn FnMut(ReadingOf<'_>),
    ) -> Result<(), Fail> {
        let ReadingPlace { layout, beside, resolved, .. } = place;
        let reach = self.reach_of(self.store_of(layout), !beside.is_empty());
        let index = self.index(reach, resolved, meaning);
        let vault = self.vault(desk, layout, resolved);
        let pushed = PgCode { access: &self.access, store: vault.store };
        let others = self.vaults_above(desk, resolved);
        let above: Vec<Above<'_>> =
            others.iter().map(|(label, vault)| Above { label, vault }).collect();
        let code = self.code(layout, &pushed);
        let place = OpenedStore { vault: &vault, code, nearby: None, above: &above };
        job(ReadingOf { place, index: &index });
        Ok(())
    }
}
