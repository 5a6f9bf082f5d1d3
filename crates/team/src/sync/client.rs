//! The server as a client sees it: requests that may be repeated, and what to do about each refusal.

use std::path::Path;
use std::time::Duration;

use oldhand_desk::failure::Fail;
use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::Agent;

use super::wire::{BODY_BYTES_MAX, ErrorBody, NOT_FOUND};
use crate::door::trusted;

/// A whole request; the push of a large store takes a while.
const TIME_MAX: Duration = Duration::from_secs(120);
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// Waits before a request is repeated whose answer was lost, or for which the server was too busy.
const WAITS: &[Duration] =
    &[Duration::from_millis(200), Duration::from_millis(800), Duration::from_secs(3)];
const TOKEN_BYTES_MAX: u64 = 4 * 1024;

pub(super) struct Server {
    address: String,
    token: String,
    agent: Agent,
}

/// What a server says instead of an answer.
pub(super) enum Trouble {
    /// It was heard, and said no.
    Refused(Box<ErrorBody>),
    Fail(Fail),
}

impl From<Fail> for Trouble {
    fn from(fail: Fail) -> Self {
        Self::Fail(fail)
    }
}

impl From<Trouble> for Fail {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Fail(fail) => fail,
            Trouble::Refused(body) => {
                Self::usage(format!("the server refused: {}", body.message), &body.hint)
            }
        }
    }
}

impl Trouble {
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Refused(body) if body.code == NOT_FOUND)
    }
}

/// A token from a file or from the environment: never from an argument, which others can see.
pub(super) fn token(file: Option<&Path>, variable: Option<&str>) -> Result<String, Fail> {
    let hint = "give `--token-file`, or set `OLDHAND_TEAM_TOKEN`";
    let text = match (file, variable) {
        (Some(path), _) => {
            use std::io::Read;
            let unreadable = |error: std::io::Error| {
                Fail::usage(format!("`{}` can't be read: {error}", path.display()), hint)
            };
            let file = std::fs::File::open(path).map_err(unreadable)?;
            let mut text = String::new();
            file.take(TOKEN_BYTES_MAX).read_to_string(&mut text).map_err(unreadable)?;
            text
        }
        (None, Some(text)) => text.to_owned(),
        (None, None) => return Err(Fail::usage("there is no token", hint)),
    };
    let token = text.trim().to_owned();
    let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    match is_token {
        true => Ok(token),
        false => Err(Fail::usage("the token is empty, or has other characters than one has", hint)),
    }
}

impl Server {
    pub(super) fn new(address: &str, token: String) -> Result<Self, Fail> {
        let address = address.trim_end_matches('/').to_owned();
        let hint = "name it with `--server https://…`, `OLDHAND_TEAM_SERVER`, or `team.server` in your own \
                    configuration";
        let host = address
            .split_once("://")
            .map(|(scheme, rest)| (scheme, rest.split(['/', '?', '#']).next().unwrap_or_default()));
        let is_here = |host: &str| {
            let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
            matches!(name, "localhost" | "127.0.0.1" | "[::1]")
        };
        match host {
            Some((_, host)) if host.is_empty() || host.contains('@') => {
                Err(Fail::usage(format!("`{address}` is no address of a server"), hint))
            }
            Some(("https", _)) => Ok(Self { address, token, agent: agent() }),
            // The token would be readable on the way.
            Some(("http", host)) if is_here(host) => Ok(Self { address, token, agent: agent() }),
            Some(("http", _)) => {
                Err(Fail::usage("a server on another machine is asked over https only", hint))
            }
            _ => Err(Fail::usage(format!("`{address}` is no address of a server"), hint)),
        }
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    pub(super) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Trouble> {
        self.ask(&|| {
            let request = self.agent.get(format!("{}{path}", self.address));
            request.header("authorization", format!("Bearer {}", self.token)).call()
        })
    }

    pub(super) fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Trouble> {
        let bytes = serde_json::to_vec(body)
            .map_err(|error| Fail::Io(std::io::Error::other(error.to_string())))?;
        self.ask(&|| {
            let request = self.agent.post(format!("{}{path}", self.address));
            let request = request.header("authorization", format!("Bearer {}", self.token));
            request.content_type("application/json").send(&bytes[..])
        })
    }

    fn ask<T: DeserializeOwned>(
        &self,
        send: &dyn Fn() -> Result<http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<T, Trouble> {
        for wait in WAITS {
            match self.ask_once(send) {
                Err((_, true)) => std::thread::sleep(*wait),
                Err((trouble, false)) => return Err(trouble),
                Ok(answer) => return Ok(answer),
            }
        }
        self.ask_once(send).map_err(|(trouble, _)| trouble)
    }

    /// With whether it may pass.
    fn ask_once<T: DeserializeOwned>(
        &self,
        send: &dyn Fn() -> Result<http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<T, (Trouble, bool)> {
        let away = |why: String| {
            let message = format!("the server at `{}` can't be reached: {why}", self.address);
            let hint = "nothing is lost, and nothing here needs it; try again later";
            (Trouble::Fail(Fail::usage(message, hint)), true)
        };
        let mut answer = send().map_err(|error| away(error.to_string()))?;
        let limit = 2 * BODY_BYTES_MAX as u64;
        let body = answer.body_mut().with_config().limit(limit).read_to_vec();
        let body = body.map_err(|error| away(error.to_string()))?;
        let status = answer.status();
        if status.is_success() {
            return serde_json::from_slice(&body).map_err(|error| {
                let message = format!("the answer of `{}` can't be read: {error}", self.address);
                let hint = "check the address, and that both programs have the same version";
                (Trouble::Fail(Fail::usage(message, hint)), false)
            });
        }
        let is_passing = matches!(status.as_u16(), 429 | 502 | 503 | 504);
        let refused = serde_json::from_slice(&body).unwrap_or_else(|_| ErrorBody {
            schema: String::new(),
            code: String::new(),
            message: format!("`{}` answered {status}", self.address),
            hint: "check the address of the server".to_owned(),
            head: None,
            lacking: Vec::new(),
        });
        Err((Trouble::Refused(Box::new(refused)), is_passing))
    }
}

fn agent() -> Agent {
    Agent::config_builder()
        .tls_config(trusted())
        .http_status_as_error(false)
        // A token is for the server that was named.
        .max_redirects(0)
        .timeout_connect(Some(CONNECT_MAX))
        .timeout_global(Some(TIME_MAX))
        .build()
        .into()
}

#[cfg(test)]
mod tests {
    use super::Server;

    #[track_caller]
    fn check(address: &str, want: bool) {
        assert_eq!(Server::new(address, "oht_x".to_owned()).is_ok(), want, "{address}");
    }

    #[test]
    fn a_token_goes_nowhere_in_the_clear() {
        check("https://memory.example", true);
        check("https://memory.example/", true);
        check("http://127.0.0.1:8080", true);
        check("http://localhost:8080", true);
        check("http://memory.example", false);
        check("http://localhost.example", false);
        check("http://localhost@memory.example", false);
        check("memory.example", false);
        check("file:///etc/passwd", false);
        check("https://", false);
    }
}
