//! The only requests that the server makes: to the identity provider, over TLS, to allowed hosts, without redirects,
//! of bounded size and time.

use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};
use url::Url;

const TIME_MAX: Duration = Duration::from_secs(10);
const BYTES_MAX: u64 = 1024 * 1024;

pub(super) struct Fetcher {
    agent: Agent,
    scheme: String,
    /// With their ports, where the address names one.
    hosts: Vec<(String, Option<u16>)>,
}

impl Fetcher {
    /// For an issuer and further hosts of it. Only an issuer on this machine may go without TLS.
    pub(super) fn new(issuer: &Url, hosts: &[String]) -> Result<Self, String> {
        let host = issuer.host_str().ok_or("`--issuer` names no host")?;
        let is_local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        if issuer.scheme() != "https" && !(issuer.scheme() == "http" && is_local) {
            return Err("`--issuer` must begin with https://".to_owned());
        }
        let mut allowed = vec![(host.to_owned(), issuer.port())];
        for host in hosts {
            let named = Url::parse(&format!("{}://{host}", issuer.scheme()))
                .map_err(|_| format!("`--provider-host` is no host: `{host}`"))?;
            let name = named.host_str().ok_or("`--provider-host` is empty")?;
            allowed.push((name.to_owned(), named.port()));
        }
        Ok(Self { agent: agent(), scheme: issuer.scheme().to_owned(), hosts: allowed })
    }

    fn admit(&self, address: &str) -> Result<(), String> {
        let url =
            Url::parse(address).map_err(|_| "the provider names an odd address".to_owned())?;
        let host = url.host_str().unwrap_or_default();
        let is_plain = url.username().is_empty() && url.password().is_none();
        let is_allowed = self.hosts.iter().any(|(name, port)| name == host && *port == url.port());
        match is_plain && is_allowed && url.scheme() == self.scheme {
            true => Ok(()),
            false => Err(format!(
                "the provider names the host `{host}`: allow it with `--provider-host`"
            )),
        }
    }

    pub(super) fn get<T: DeserializeOwned>(&self, address: &str) -> Result<T, String> {
        self.admit(address)?;
        let answer = self.agent.get(address).header("accept", "application/json").call();
        read(answer)
    }

    pub(super) fn post<T: DeserializeOwned>(
        &self,
        address: &str,
        form: &[(&str, &str)],
    ) -> Result<T, String> {
        self.admit(address)?;
        let request = self.agent.post(address).header("accept", "application/json");
        read(request.send_form(form.iter().copied()))
    }
}

/// Errors name no address and no body: both can hold secrets.
fn read<T: DeserializeOwned>(
    answer: Result<http::Response<ureq::Body>, ureq::Error>,
) -> Result<T, String> {
    let mut answer = answer.map_err(|error| match error {
        ureq::Error::StatusCode(code) => format!("the provider answered {code}"),
        ureq::Error::Timeout(_) => "the provider takes too long".to_owned(),
        ureq::Error::HostNotFound => "the provider's host is not known".to_owned(),
        _ => "the provider can't be reached".to_owned(),
    })?;
    let bytes = answer.body_mut().with_config().limit(BYTES_MAX).read_to_vec();
    let bytes = bytes.map_err(|_| "the provider's answer broke off, or is too long".to_owned())?;
    serde_json::from_slice(&bytes).map_err(|_| "the provider's answer can't be read".to_owned())
}

/// TLS by the certificates that this machine trusts.
pub(crate) fn trusted() -> TlsConfig {
    let certificates = rustls_native_certs::load_native_certs().certs;
    let roots = certificates.iter().map(|it| Certificate::from_der(it).to_owned());
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::Specific(Arc::new(roots.collect())))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build()
}

fn agent() -> Agent {
    Agent::config_builder()
        .tls_config(trusted())
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(true)
        .timeout_global(Some(TIME_MAX))
        .build()
        .into()
}

#[cfg(test)]
mod tests {
    use super::Fetcher;
    use url::Url;

    #[track_caller]
    fn check(issuer: &str, hosts: &[&str], address: &str, want: bool) {
        let hosts: Vec<String> = hosts.iter().map(|it| (*it).to_owned()).collect();
        let fetcher = Fetcher::new(&Url::parse(issuer).expect("an address"), &hosts).expect("made");
        assert_eq!(fetcher.admit(address).is_ok(), want, "{address}");
    }

    #[test]
    fn only_hosts_of_the_issuer_are_asked() {
        check("https://id.example", &[], "https://id.example/keys", true);
        check("https://id.example", &[], "http://id.example/keys", false);
        check("https://id.example", &[], "https://id.example:8443/keys", false);
        check("https://id.example", &[], "https://169.254.169.254/latest", false);
        check("https://id.example", &[], "https://id.example.evil.test/keys", false);
        check("https://id.example", &[], "https://id.example@evil.test/keys", false);
        check("https://id.example", &[], "https://a:b@id.example/keys", false);
        check("https://id.example", &["keys.example"], "https://keys.example/a", true);
        check("http://127.0.0.1:5555", &[], "http://127.0.0.1:5555/keys", true);
        check("http://127.0.0.1:5555", &[], "http://127.0.0.1:5432/", false);
    }

    #[test]
    fn an_issuer_elsewhere_has_tls() {
        let of = |issuer: &str| Fetcher::new(&Url::parse(issuer).expect("an address"), &[]).is_ok();
        assert!(of("https://id.example") && of("http://localhost:1"));
        assert!(!of("http://id.example") && !of("file:///etc/passwd"));
    }
}
