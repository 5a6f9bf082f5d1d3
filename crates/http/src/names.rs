//! Parses the names of hosts and origins strictly.

use std::net::Ipv6Addr;

/// `host` or `host:port`, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authority {
    /// IPv6 without its brackets.
    pub host: String,
    pub port: Option<u16>,
}

/// Where a page comes from. A port that the scheme implies is filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    scheme: String,
    authority: Authority,
}

impl Authority {
    pub fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.rsplit_once(':') {
            // `parse` would accept a sign.
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
                (host, Some(port.parse().ok()?))
            }
            _ => (text, None),
        };
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
        let host = match host.strip_prefix('[') {
            Some(inner) => inner.strip_suffix(']')?.parse::<Ipv6Addr>().ok()?.to_string(),
            None if !host.is_empty() && host.bytes().all(is_letter) => host.to_ascii_lowercase(),
            None => return None,
        };
        Some(Self { host, port })
    }

    pub fn is_loopback(&self) -> bool {
        matches!(self.host.as_str(), "localhost" | "127.0.0.1" | "::1")
    }
}

impl Origin {
    pub fn is_loopback(&self) -> bool {
        matches!(self.scheme.as_str(), "http" | "https") && self.authority.is_loopback()
    }

    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        if scheme.is_empty() || !scheme.bytes().all(is_letter) {
            return None;
        }
        let scheme = scheme.to_ascii_lowercase();
        let mut authority = Authority::parse(rest)?;
        authority.port = authority.port.or(match scheme.as_str() {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        });
        Some(Self { scheme, authority })
    }
}

#[cfg(test)]
mod tests {
    use super::{Authority, Origin};

    #[track_caller]
    fn check_authority(text: &str, want: Option<(&str, Option<u16>)>) {
        let read = Authority::parse(text);
        let read = read.as_ref().map(|authority| (authority.host.as_str(), authority.port));
        assert_eq!(read, want, "{text}");
    }

    #[test]
    fn authorities_are_plain_names() {
        check_authority("LocalHost:8080", Some(("localhost", Some(8080))));
        check_authority("127.0.0.1", Some(("127.0.0.1", None)));
        check_authority("[0:0::1]:80", Some(("::1", Some(80))));
        check_authority("[0:0::1]", Some(("::1", None)));
        for wrong in ["", ":80", "a:", "a:+1", "a:99999", "a@b", "a/b", "::1", "[::1", "[x]", "a b"]
        {
            check_authority(wrong, None);
        }
    }

    #[track_caller]
    fn check_origin(text: &str, want: Option<(&str, &str, Option<u16>)>) {
        let read = Origin::parse(text);
        let read = read.as_ref().map(|Origin { scheme, authority }| {
            (scheme.as_str(), authority.host.as_str(), authority.port)
        });
        assert_eq!(read, want, "{text}");
    }

    #[test]
    fn origins_have_scheme_host_and_port() {
        check_origin("https://App.example", Some(("https", "app.example", Some(443))));
        check_origin("http://localhost:5173", Some(("http", "localhost", Some(5173))));
        check_origin("vscode-webview://abc", Some(("vscode-webview", "abc", None)));
        for wrong in ["null", "", "app.example", "://a", "https://", "https://a/", "https://*"] {
            check_origin(wrong, None);
        }
    }
}
