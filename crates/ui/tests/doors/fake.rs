//! A house with one memory, which remembers what was done to it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use oldhand_ui::house::Answer;
use oldhand_ui::house::ask::{AskPage, Asked, Question};
use oldhand_ui::house::code::{Code, CodePage};
use oldhand_ui::house::conflicts::{Conflicts, ConflictsPage};
use oldhand_ui::house::inbox::{Inbox, InboxAsk, InboxPage};
use oldhand_ui::house::learning::{Learning, LearningPage};
use oldhand_ui::house::memories::{Memories, MemoriesAsk, MemoriesPage, MemoryRow};
use oldhand_ui::house::memory::{Field, MemoryPage, MemoryView};
use oldhand_ui::house::sessions::{Session, Sessions, SessionsAsk, SessionsPage};
use oldhand_ui::house::store::{Store, StorePage, Undo};
use oldhand_ui::house::today::{Today, TodayPage};
use oldhand_ui::{
    Address, Deed, Done, Frame, House, Opened, Several, Trouble, UiOptions, Verbs, serve_ui,
};

#[derive(Default)]
pub(crate) struct FakeHouse {
    pub(crate) text: String,
    pub(crate) deeds: Mutex<Vec<(Deed, Option<String>)>>,
}

pub(crate) const HASH: &str = "1234";

fn refused(code: &str) -> Trouble {
    Trouble { code: code.to_owned(), message: format!("refused: {code}"), ..Trouble::default() }
}

impl House for FakeHouse {
    fn frame(&self) -> Answer<Frame> {
        let (store, by) = (self.text.clone(), self.text.clone());
        Ok(Frame { store, by, branch: Some(self.text.clone()), ..Frame::default() })
    }

    fn state_of_store(&self) -> String {
        self.deeds.lock().unwrap().len().to_string()
    }
}

impl Verbs for FakeHouse {
    fn act(&self, deed: &Deed, seen: Option<&str>) -> Answer<Done> {
        if let Deed::Retire { id, .. } = deed
            && id.starts_with("CODE-")
        {
            return Err(refused(&id["CODE-".len()..]));
        }
        if seen.is_some_and(|seen| seen != HASH) {
            return Err(refused("OCC_CONFLICT"));
        }
        self.deeds.lock().unwrap().push((deed.clone(), seen.map(str::to_owned)));
        Ok(Done {
            json: "{\"schema\":\"oldhand.test/1\"}".to_owned(),
            said: "done & dusted".into(),
        })
    }

    fn act_on_several(&self, deeds: &[(Deed, String)]) -> Answer<Several> {
        let answers = deeds.iter().map(|(deed, seen)| self.act(deed, Some(seen))).collect();
        Ok(Several { answers, write: "W1".to_owned() })
    }

    fn undo_preview(&self) -> Answer<Undo> {
        let (steps, write) = (vec![self.text.clone()], "W1".to_owned());
        Ok(Undo { steps, write, ..Undo::default() })
    }
}

impl TodayPage for FakeHouse {
    fn today(&self) -> Answer<Today> {
        Ok(Today::default())
    }

    fn today_json(&self) -> Answer<String> {
        Ok("{\"schema\":\"oldhand.health/1\"}".to_owned())
    }
}

impl InboxPage for FakeHouse {
    fn inbox(&self, _: &InboxAsk) -> Answer<Inbox> {
        Ok(Inbox { unread: vec![self.text.clone()], ..Inbox::default() })
    }

    fn inbox_json(&self) -> Answer<String> {
        Ok("{}".to_owned())
    }
}

impl MemoriesPage for FakeHouse {
    fn memories(&self, _: &MemoriesAsk) -> Answer<Memories> {
        let (id, title) = (self.text.clone(), self.text.clone());
        let row = MemoryRow { id, title, ..MemoryRow::default() };
        Ok(Memories { rows: vec![row], total: 1, all: 1, ..Memories::default() })
    }

    fn memories_json(&self, _: &MemoriesAsk) -> Answer<String> {
        Ok("{}".to_owned())
    }
}

impl MemoryPage for FakeHouse {
    fn memory(&self, id: &str) -> Answer<MemoryView> {
        if id == "gone" {
            return Err(refused("NOT_FOUND"));
        }
        let text = || self.text.clone();
        let field = Field {
            name: "text".into(),
            label: text(),
            text: text(),
            is_list: false,
            is_cut: false,
        };
        let tags = vec![text()];
        let hash = HASH.to_owned();
        Ok(MemoryView {
            id: id.to_owned(),
            title: text(),
            tags,
            hash,
            fields: vec![field],
            ..MemoryView::default()
        })
    }

    fn memory_json(&self, id: &str) -> Answer<String> {
        Ok(format!("{{\"id\":\"{id}\"}}"))
    }
}

/// Pages without anything of their own to tell.
impl AskPage for FakeHouse {
    fn ask(&self, _: &Question) -> Answer<Asked> {
        Ok(Asked::default())
    }

    fn ask_json(&self, _: &Question) -> Answer<String> {
        Ok("{}".to_owned())
    }

    fn keep_question(&self, _: &str, _: &[String]) -> Answer<String> {
        Ok(self.text.clone())
    }
}

impl SessionsPage for FakeHouse {
    fn sessions(&self, _: &SessionsAsk) -> Answer<Sessions> {
        Ok(Sessions::default())
    }

    fn session(&self, _: &str) -> Answer<Session> {
        Ok(Session::default())
    }

    fn sessions_json(&self, _: &SessionsAsk) -> Answer<String> {
        Ok("{}".to_owned())
    }

    fn session_json(&self, _: &str) -> Answer<String> {
        Ok("{}".to_owned())
    }
}

impl CodePage for FakeHouse {
    fn code(&self, _: &str) -> Answer<Code> {
        Ok(Code::default())
    }

    fn code_json(&self, _: &str) -> Answer<String> {
        Ok("{}".to_owned())
    }
}

impl LearningPage for FakeHouse {
    fn learning(&self, _: Option<&str>) -> Answer<Learning> {
        Ok(Learning::default())
    }

    fn learning_json(&self, _: Option<&str>) -> Answer<String> {
        Ok("{}".to_owned())
    }
}

impl ConflictsPage for FakeHouse {
    fn conflicts(&self) -> Answer<Conflicts> {
        Ok(Conflicts::default())
    }

    fn conflicts_json(&self) -> Answer<String> {
        Ok("{}".to_owned())
    }
}

impl StorePage for FakeHouse {
    fn store(&self, _: bool) -> Answer<Store> {
        Ok(Store { root: self.text.clone(), ..Store::default() })
    }

    fn store_json(&self) -> Answer<String> {
        Ok("{}".to_owned())
    }
}

pub(crate) struct Running {
    pub(crate) house: Arc<FakeHouse>,
    /// `oh-….localhost:port`
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) ticket: String,
    pub(crate) opened: Arc<Opened>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.opened.stop();
    }
}

pub(crate) fn start() -> Running {
    start_with(FakeHouse::default())
}

pub(crate) fn start_with(house: FakeHouse) -> Running {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let random = || {
        let part = |salt: u64| {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            u128::from((number + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        };
        part(1) << 64 | part(2)
    };
    let house = Arc::new(house);
    let (sender, receiver) = channel();
    let served: Arc<dyn House> = house.clone();
    std::thread::spawn(move || {
        let options = UiOptions { port: 0, address: Address::OwnName, random };
        serve_ui(served, options, move |opened| sender.send(opened).unwrap()).unwrap();
    });
    let opened = Arc::new(receiver.recv().unwrap());
    let address = opened.new_address();
    let (base, ticket) = address.split_once("/enter#").unwrap();
    let host = base.strip_prefix("http://").unwrap().to_owned();
    let port = host.rsplit_once(':').unwrap().1.parse().unwrap();
    Running { house, host, port, ticket: ticket.to_owned(), opened }
}
