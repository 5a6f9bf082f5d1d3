//! A day of an agent, through the official Rust SDK and nothing else: it starts the program, talks
//! to it as a client of the old or of the new lifecycle, and looks at what was left in the store.

mod day;
mod said;
mod scene;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use serde_json::Value;

use day::Day;
use said::{Wrong, expect, ok};
use scene::{SEED, Scene};

const USAGE: &str = "usage: day-rust BINARY stdio|http [legacy|modern]";
const CLIENT: &str = "day-rust";
const DAY: Duration = Duration::from_secs(120);

type Connected = RunningService<RoleClient, ClientConfig>;

#[derive(Clone, Copy)]
enum Lifecycle {
    /// `initialize`, and what was said there holds for the connection.
    Legacy,
    /// `server/discover`, and every request says all.
    Modern,
}

impl Lifecycle {
    fn version(self) -> ProtocolVersion {
        match self {
            Self::Legacy => ProtocolVersion::V_2025_11_25,
            Self::Modern => ProtocolVersion::V_2026_07_28,
        }
    }

    fn mode(self) -> ClientLifecycleMode {
        match self {
            Self::Legacy => ClientLifecycleMode::Initialize,
            // No way back to the handshake: a server without the new lifecycle fails here.
            Self::Modern => {
                ClientLifecycleMode::Discover { preferred_versions: vec![self.version()] }
            }
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some((binary, is_http, lifecycles)) = read(&words) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    for lifecycle in lifecycles {
        println!("== rust, {}, {}", words[1], lifecycle.version());
        let day = tokio::time::timeout(DAY, play(binary, is_http, *lifecycle)).await;
        let day = day.unwrap_or_else(|_| Err(Wrong("a step that does not end".to_owned())));
        if let Err(Wrong(text)) = day {
            println!("FAILED {text}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn read<'w>(words: &[&'w str]) -> Option<(&'w Path, bool, &'static [Lifecycle])> {
    let (binary, transport, lifecycles) = match *words {
        [binary, transport] => (binary, transport, &[Lifecycle::Legacy, Lifecycle::Modern][..]),
        [binary, transport, "legacy"] => (binary, transport, &[Lifecycle::Legacy][..]),
        [binary, transport, "modern"] => (binary, transport, &[Lifecycle::Modern][..]),
        _ => return None,
    };
    match transport {
        "stdio" => Some((Path::new(binary), false, lifecycles)),
        "http" => Some((Path::new(binary), true, lifecycles)),
        _ => None,
    }
}

async fn play(binary: &Path, is_http: bool, lifecycle: Lifecycle) -> Result<(), Wrong> {
    let mut scene = Scene::new(binary)?;
    let client = if is_http {
        let (address, token) = scene.serve()?;
        let refusal = match connect_http(&address, "wrong", lifecycle).await {
            Ok(_) => "a connection".to_owned(),
            Err(Wrong(text)) => text,
        };
        expect("a wrong token is refused", refusal.contains("Auth"), "an error", refusal)?;
        connect_http(&address, &token, lifecycle).await?
    } else {
        let process =
            TokioChildProcess::new(tokio::process::Command::from(scene.command(&["mcp"])))?;
        let connected = me(lifecycle).serve_with_lifecycle(process, lifecycle.mode()).await;
        connected.map_err(|error| Wrong(format!("could not connect: {error}")))?
    };
    Day { client: &client, version: lifecycle.version() }.whole().await?;
    client.cancel().await.map_err(|error| Wrong(format!("could not close: {error}")))?;
    ok("closed");
    look_behind(&scene)
}

async fn connect_http(
    address: &str,
    token: &str,
    lifecycle: Lifecycle,
) -> Result<Connected, Wrong> {
    let config = StreamableHttpClientTransportConfig::with_uri(address).auth_header(token);
    let transport = StreamableHttpClientTransport::from_config(config);
    let connected = me(lifecycle).serve_with_lifecycle(transport, lifecycle.mode()).await;
    connected.map_err(|error| Wrong(format!("could not connect: {error}")))
}

fn me(lifecycle: Lifecycle) -> ClientConfig {
    ClientConfig::new(ClientCapabilities::default(), Implementation::new(CLIENT, "1.0"))
        .with_protocol_version(lifecycle.version())
}

/// What the day left in the store.
fn look_behind(scene: &Scene) -> Result<(), Wrong> {
    let by = format!("mcp:{CLIENT}");
    let events = scene.events()?;
    for (kind, memory) in [
        ("created", day::DECIDED),
        ("conflict", "pending:conflict-use-mysql-for-storage"),
        ("applied", day::DECIDED),
    ] {
        let found = events.iter().find(|event| event["type"] == kind && event["memory"] == memory);
        let what = format!("the event `{kind}` of {memory} names the client");
        expect(&what, found.is_some_and(|event| event["by"] == by), &by, found)?;
    }
    // The seeds came as a checkout brings them; all else is the client's.
    let is_seed = |event: &Value| event["memory"].as_str().is_some_and(|it| it.starts_with(SEED));
    let others: Vec<_> =
        events.iter().filter(|event| !is_seed(event) && event["by"] != by).collect();
    expect("nobody else wrote", others.is_empty(), &by, others)?;
    scene.cli(&["doctor"])?;
    ok("the store is sound");
    Ok(())
}
