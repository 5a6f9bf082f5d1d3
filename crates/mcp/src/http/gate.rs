//! Who may send requests, decided by the headers before the body is read. A refusal reveals nothing
//! about the store.

use std::io;
use std::net::SocketAddr;

use http::header::{ALLOW, AUTHORIZATION, HOST, HeaderMap, HeaderValue, ORIGIN, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{Method, StatusCode};

use oldhand_http::Refusal;
use oldhand_http::headers::{is_same, only};
use oldhand_http::names::{Authority, Origin};

use super::HttpOptions;

const PATH: &str = "/mcp";
const METHODS: &str = "POST, GET, DELETE, OPTIONS";

pub(super) struct Gate {
    address: SocketAddr,
    token: String,
    hosts: Vec<Authority>,
    origins: Vec<Origin>,
}

impl Gate {
    pub(super) fn new(address: SocketAddr, options: HttpOptions) -> io::Result<Self> {
        let wrong = |text: String| io::Error::new(io::ErrorKind::InvalidInput, text);
        let is_sendable = |byte: u8| byte.is_ascii_graphic();
        if options.token.is_empty() || !options.token.bytes().all(is_sendable) {
            return Err(wrong("the token must be of visible ASCII letters, without spaces".into()));
        }
        let hosts = options.hosts.iter().map(|host| {
            Authority::parse(host).ok_or_else(|| {
                wrong(format!("expected a host like `memory.example:8443`, got `{host}`"))
            })
        });
        let origins = options.origins.iter().map(|origin| {
            Origin::parse(origin).ok_or_else(|| {
                wrong(format!("expected an origin like `https://app.example`, got `{origin}`"))
            })
        });
        let (hosts, origins) =
            (hosts.collect::<io::Result<_>>()?, origins.collect::<io::Result<_>>()?);
        Ok(Self { address, token: options.token, hosts, origins })
    }

    /// Checks `Host` and `Origin`, and returns the origin if it is an allowed one.
    pub(super) fn address(&self, parts: &Parts) -> Result<Option<HeaderValue>, Refusal> {
        // A target with its own host is for proxies.
        let is_plain = parts.uri.scheme().is_none() && parts.uri.authority().is_none();
        let host = only(&parts.headers, HOST).and_then(|host| host.to_str().ok());
        let host = host.filter(|_| is_plain).and_then(Authority::parse);
        let Some(host) = host else {
            let text = "expected one `Host` header with a name, and a path as target";
            return Err(Refusal::new(StatusCode::BAD_REQUEST, text));
        };
        if !self.is_us(&host) {
            let text = "this `Host` is not served; use 127.0.0.1, or start the server with \
                        `--allow-host`";
            return Err(Refusal::new(StatusCode::FORBIDDEN, text));
        }
        if !parts.headers.contains_key(ORIGIN) {
            return Ok(None);
        }
        let origin = only(&parts.headers, ORIGIN);
        let said = origin.and_then(|origin| Origin::parse(origin.to_str().ok()?));
        if said.as_ref().is_some_and(|said| self.origins.contains(said)) {
            return Ok(origin.cloned());
        }
        // A page of this machine may send requests with the token, but can't read the answer across
        // origins.
        if said.is_some_and(|said| said.is_loopback()) {
            return Ok(None);
        }
        let text = "pages of this `Origin` may not ask; start the server with `--allow-origin`";
        Err(Refusal::new(StatusCode::FORBIDDEN, text))
    }

    /// Checks everything else. `is_page`: the request has an allowed origin. Only then may it be a
    /// preflight (`OPTIONS`), which can't carry the token.
    pub(super) fn admit(&self, parts: &Parts, is_page: bool) -> Result<(), Refusal> {
        // URLs end up in logs. This comes before the token check, so that the error can say where
        // the token belongs.
        if parts.uri.query().is_some() {
            let text = "no query is taken; the token belongs into the header `Authorization: \
                        Bearer <token>`, never into the address";
            return Err(Refusal::new(StatusCode::BAD_REQUEST, text));
        }
        let is_preflight = parts.headers.contains_key("access-control-request-method");
        if is_page && is_preflight && parts.method == Method::OPTIONS {
            return Ok(());
        }
        if !self.has_token(&parts.headers) {
            let text = "expected the header `Authorization: Bearer <token>` with the token of this \
                        server; it tells the file when it starts";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, text)
                .with(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
        }
        let path = parts.uri.path();
        if path.strip_suffix('/').unwrap_or(path) != PATH {
            let text = "there is nothing here; the endpoint is `/mcp`";
            return Err(Refusal::new(StatusCode::NOT_FOUND, text));
        }
        if !matches!(parts.method, Method::POST | Method::GET | Method::DELETE) {
            let text = "messages are sent with POST";
            return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, text)
                .with(ALLOW, HeaderValue::from_static(METHODS)));
        }
        Ok(())
    }

    /// The name protects against foreign pages. The port may be that of a tunnel or a proxy, so it
    /// counts only where `--allow-host` names one.
    fn is_us(&self, said: &Authority) -> bool {
        let own = self.address.ip();
        said.is_loopback()
            || (!own.is_unspecified() && own.to_string() == said.host)
            || self.hosts.iter().any(|host| {
                host.host == said.host && (host.port.is_none() || host.port == said.port)
            })
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let Some(said) = only(headers, AUTHORIZATION) else { return false };
        let Some((scheme, token)) = said.as_bytes().split_at_checked("Bearer ".len()) else {
            return false;
        };
        scheme.eq_ignore_ascii_case(b"Bearer ")
            && is_same(token.trim_ascii(), self.token.as_bytes())
    }
}
