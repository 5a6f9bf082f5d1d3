//! Names of hosts and origins, read strictly: what is no plain name is none at all.

use std::net::Ipv6Addr;

/// `host` or `host:port`, in small letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Authority {
    /// IPv6 without its brackets.
    pub(super) host: String,
    pub(super) port: Option<u16>,
}

/// Where a page comes from. A port that the scheme implies is filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    scheme: String,
    authority: Authority,
}

impl Authority {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (host, rest) = match text.strip_prefix('[') {
            Some(inner) => {
                let (host, rest) = inner.split_once(']')?;
                (host.parse::<Ipv6Addr>().ok()?.to_string(), rest)
            }
            None => {
                let end = text.find(':').unwrap_or(text.len());
                let (host, rest) = text.split_at(end);
                (is_name(host).then(|| host.to_ascii_lowercase())?, rest)
            }
        };
        Some(Self { host, port: parse_port(rest)? })
    }
}

impl std::fmt::Display for Authority {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.host.contains(':') {
            write!(formatter, "[{}]", self.host)?;
        } else {
            formatter.write_str(&self.host)?;
        }
        self.port.map_or(Ok(()), |port| write!(formatter, ":{port}"))
    }
}

impl Origin {
    pub(super) fn is_loopback(&self) -> bool {
        matches!(self.scheme.as_str(), "http" | "https")
            && matches!(self.authority.host.as_str(), "localhost" | "127.0.0.1" | "::1")
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
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

impl std::fmt::Display for Origin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}://{}", self.scheme, self.authority)
    }
}

fn is_name(host: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    !host.is_empty() && host.bytes().all(is_letter)
}

/// What follows the host: nothing, or a colon and a number.
fn parse_port(rest: &str) -> Option<Option<u16>> {
    if rest.is_empty() {
        return Some(None);
    }
    let digits = rest.strip_prefix(':')?;
    // A number may have a sign for the parser, not for us.
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().map(Some)
}

#[cfg(test)]
mod tests {
    use super::{Authority, Origin};

    #[track_caller]
    fn check_authority(text: &str, want: Option<&str>) {
        let read = Authority::parse(text).map(|authority| authority.to_string());
        assert_eq!(read.as_deref(), want, "{text}");
    }

    #[test]
    fn authorities_are_plain_names() {
        check_authority("LocalHost:8080", Some("localhost:8080"));
        check_authority("127.0.0.1", Some("127.0.0.1"));
        check_authority("[0:0::1]:80", Some("[::1]:80"));
        for wrong in ["", ":80", "a:", "a:+1", "a:99999", "a@b", "a/b", "::1", "[::1", "[x]", "a b"]
        {
            check_authority(wrong, None);
        }
    }

    #[track_caller]
    fn check_origin(text: &str, want: Option<&str>) {
        let read = Origin::parse(text).map(|origin| origin.to_string());
        assert_eq!(read.as_deref(), want, "{text}");
    }

    #[test]
    fn origins_have_scheme_host_and_port() {
        check_origin("https://App.example", Some("https://app.example:443"));
        check_origin("http://localhost:5173", Some("http://localhost:5173"));
        check_origin("vscode-webview://abc", Some("vscode-webview://abc"));
        for wrong in ["null", "", "app.example", "://a", "https://", "https://a/", "https://*"] {
            check_origin(wrong, None);
        }
    }
}
