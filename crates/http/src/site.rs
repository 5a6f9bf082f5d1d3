//! A site that only its own pages may ask: under its own name, from its own origin, and not from elsewhere by the
//! browser's own word.

use http::header::{HOST, HeaderName, ORIGIN};
use http::request::Parts;
use http::{Method, StatusCode};

use crate::Refusal;
use crate::headers::only;
use crate::names::{Authority, Origin};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

pub struct Site {
    host: Authority,
    origin: Origin,
}

impl Site {
    /// `host` is the only name that is served, with its port unless the scheme implies it.
    pub fn new(scheme: &str, host: &str) -> Option<Self> {
        let origin = Origin::parse(&format!("{scheme}://{host}"))?;
        Some(Self { host: Authority::parse(host)?, origin })
    }

    /// Name, origin and the browser's own word about where a request comes from.
    pub fn admit(&self, parts: &Parts) -> Result<(), Refusal> {
        // A target with its own host is for proxies.
        let is_plain = parts.uri.scheme().is_none() && parts.uri.authority().is_none();
        let host = only(&parts.headers, HOST).and_then(|host| host.to_str().ok());
        let host = host.filter(|_| is_plain).and_then(Authority::parse);
        if host.as_ref() != Some(&self.host) {
            let text = "this name is not served here; open the address that `oldhand` printed";
            return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, text));
        }
        let is_post = parts.method != Method::GET && parts.method != Method::HEAD;
        let origin = only(&parts.headers, ORIGIN).and_then(|it| Origin::parse(it.to_str().ok()?));
        if (is_post || parts.headers.contains_key(ORIGIN)) && origin.as_ref() != Some(&self.origin)
        {
            let text = "only pages of this dashboard may ask";
            return Err(Refusal::new(StatusCode::FORBIDDEN, text));
        }
        let is_from_us = match parts.headers.get(FETCH_SITE).map(|it| it.as_bytes()) {
            Some(b"same-origin") => true,
            // Typed into the address bar, or opened by another program.
            Some(b"none") => !is_post,
            // Only old browsers say nothing; cookie, origin and form token count all the same.
            None => true,
            Some(_) => false,
        };
        let is_single = parts.headers.get_all(FETCH_SITE).iter().count() <= 1;
        if !is_from_us || !is_single {
            let text = "another page sent this request; type the address, or follow a link here";
            return Err(Refusal::new(StatusCode::FORBIDDEN, text));
        }
        Ok(())
    }
}
