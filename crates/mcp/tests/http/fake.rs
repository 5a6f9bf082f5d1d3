//! A port without memories, and a server that offers it.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use oldhand_mcp::{
    Answer, Call, Caller, HttpOptions, Mistake, Page, Port, PromptSpec, Template, ToolSpec,
    serve_http,
};
use serde_json::{Map, Value, json};

pub(crate) const TOKEN: &str = "correct-horse-battery";
pub(crate) const ORIGIN: &str = "https://app.example";
/// What may take long on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// What a slow call says about itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum News {
    Began,
    Cancelled,
    Ended,
}

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) news: Receiver<News>,
}

impl Running {
    pub(crate) fn hears(&self, want: News) {
        assert_eq!(self.news.recv_timeout(PATIENCE), Ok(want));
    }
}

/// Until the tests end.
pub(crate) fn start() -> Running {
    let (fake, news) = Fake::new();
    let (tell, told) = channel();
    std::thread::spawn(move || {
        serve_http(Arc::new(fake), options(), move |address| tell.send(address).unwrap()).unwrap();
    });
    Running { address: told.recv_timeout(PATIENCE).unwrap(), news }
}

pub(crate) fn options() -> HttpOptions {
    HttpOptions {
        address: "127.0.0.1:0".parse().unwrap(),
        token: TOKEN.into(),
        hosts: vec!["memory.example".into(), "other.example:8443".into()],
        origins: vec![ORIGIN.into()],
    }
}

pub(crate) struct Fake {
    connections: AtomicUsize,
    news: Mutex<Sender<News>>,
}

impl Fake {
    pub(crate) fn new() -> (Self, Receiver<News>) {
        let (sender, receiver) = channel();
        (Self { connections: AtomicUsize::new(0), news: Mutex::new(sender) }, receiver)
    }

    fn tell(&self, news: News) {
        // Not every test listens.
        let _ = self.news.lock().unwrap().send(news);
    }

    fn work_slowly(&self, call: &Call<'_>) -> Answer {
        let steps = call.arguments.get("steps").and_then(Value::as_u64).unwrap_or(2) as usize;
        self.tell(News::Began);
        for step in 1..=steps {
            if call.watch.is_cancelled() {
                self.tell(News::Cancelled);
                break;
            }
            call.watch.progress(step, steps, "a step");
            std::thread::sleep(Duration::from_millis(10));
        }
        self.tell(News::Ended);
        Answer { text: "done".into(), structured: json!({ "steps": steps }) }
    }
}

impl Port for Fake {
    fn name(&self) -> &str {
        "fake"
    }
    fn version(&self) -> &str {
        "1"
    }
    fn instructions(&self) -> &str {
        "echo first"
    }
    fn rest(&self, _caller: &Caller, _may_have_written: bool) {}

    fn wants_roots(&self) -> bool {
        false
    }

    fn connection(&self) -> String {
        format!("connection-{}", self.connections.fetch_add(1, Ordering::Relaxed))
    }

    fn tools(&self) -> Vec<ToolSpec> {
        let object: Map<String, Value> =
            [("type".to_owned(), json!("object"))].into_iter().collect();
        let spec = |name, reads_only| ToolSpec {
            name,
            description: "for tests",
            input: object.clone(),
            output: object.clone(),
            reads_only,
            is_idempotent: true,
        };
        vec![spec("echo", true), spec("slow", false), spec("panic", false)]
    }

    fn call(&self, call: &Call<'_>) -> Result<Answer, Mistake> {
        if call.tool == "slow" {
            return Ok(self.work_slowly(call));
        }
        assert_ne!(call.tool, "panic", "on purpose");
        let Caller { client, agent, connection, .. } = call.caller;
        let structured = json!({
            "client": client, "agent": agent, "connection": connection, "said": call.arguments,
        });
        Ok(Answer { text: structured.to_string(), structured })
    }

    fn resources(&self, _: &Caller, _: Option<&str>) -> Result<Page, Mistake> {
        Ok(Page::default())
    }
    fn templates(&self) -> &'static [Template] {
        panic!("on purpose")
    }
    fn read(&self, _: &Caller, _: &str) -> Result<Option<String>, Mistake> {
        Ok(None)
    }
    fn prompts(&self) -> &'static [PromptSpec] {
        &[]
    }
    fn prompt(
        &self,
        _: &Caller,
        _: &str,
        _: &Map<String, Value>,
    ) -> Result<Option<String>, Mistake> {
        Ok(None)
    }
    fn complete(&self, _: &Caller, _: &str, _: &str) -> Vec<String> {
        Vec::new()
    }
}
