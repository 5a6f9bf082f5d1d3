//! The identity provider of a tenant: its description, its keys, its tokens. The server fetches nothing but what
//! the configured issuer names, from hosts that the operator allowed.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::Value as Json;
use url::Url;

use super::fetch::Fetcher;
use super::signature;

/// Longer tokens are no tokens.
const TOKEN_BYTES_MAX: usize = 16 * 1024;
/// How far the clocks of two machines may be apart.
const SKEW: Duration = Duration::from_secs(30);
/// Keys are read again after so long, also if all tokens name known ones.
const KEYS_MAX_AGE: Duration = Duration::from_secs(60 * 60);
/// An unknown key makes the server look for new ones, but no more often than that.
const KEYS_PAUSE: Duration = Duration::from_secs(30);
const KEYS_MAX: usize = 64;

pub struct ProviderSettings {
    /// As its tokens name it.
    pub issuer: String,
    /// Hosts besides the issuer's that may have its keys and answer for it.
    pub hosts: Vec<String>,
    /// The name of the tenant whose people it knows.
    pub tenant: String,
    /// What the dashboard signs in as; None for `/mcp` alone.
    pub client: Option<Client>,
    /// Where a token names the groups of its person.
    pub groups_claim: String,
}

pub struct Client {
    pub id: String,
    pub secret: Option<String>,
}

/// What the issuer says of itself.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Description {
    issuer: String,
    jwks_uri: String,
    #[serde(default)]
    pub(super) authorization_endpoint: String,
    #[serde(default)]
    pub(super) token_endpoint: String,
}

/// Whom a token is about, once everything about it was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    pub subject: String,
    /// What to call them.
    pub name: String,
    pub groups: Vec<String>,
    /// The words of `scope` or `scp`.
    pub scopes: Vec<String>,
    pub nonce: Option<String>,
}

/// Why a token does not count. The words go into a log, never to whoever sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    Token(&'static str),
    /// The provider can't be asked.
    Provider(String),
}

pub struct Provider {
    pub settings: ProviderSettings,
    fetcher: Fetcher,
    state: Mutex<State>,
    /// Held while keys are fetched, so that only one request does.
    fetching: Mutex<()>,
}

#[derive(Default)]
struct State {
    description: Option<Description>,
    keys: Vec<Jwk>,
    fetched: Option<Instant>,
    tried: Option<Instant>,
}

impl Provider {
    pub fn new(settings: ProviderSettings) -> Result<Self, String> {
        signature::install();
        let issuer = Url::parse(&settings.issuer)
            .map_err(|error| format!("`--issuer` is no address: {error}"))?;
        let fetcher = Fetcher::new(&issuer, &settings.hosts)?;
        Ok(Self { settings, fetcher, state: Mutex::default(), fetching: Mutex::default() })
    }

    /// Whole also after a panic: each change is one assignment.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn fetcher(&self) -> &Fetcher {
        &self.fetcher
    }

    pub(super) fn description(&self) -> Result<Description, Unfit> {
        if let Some(known) = self.state().description.clone() {
            return Ok(known);
        }
        let base = self.settings.issuer.trim_end_matches('/');
        let address = format!("{base}/.well-known/openid-configuration");
        let description: Description = self.fetcher.get(&address).map_err(Unfit::Provider)?;
        if description.issuer != self.settings.issuer {
            let text = format!("the provider calls itself `{}`", description.issuer);
            return Err(Unfit::Provider(text));
        }
        self.state().description = Some(description.clone());
        Ok(description)
    }

    /// Reads the keys; called once at the start, so that a wrong setting is seen then.
    pub fn prepare(&self) -> Result<(), Unfit> {
        let description = self.description()?;
        let set: Json = self.fetcher.get(&description.jwks_uri).map_err(Unfit::Provider)?;
        // A key of a type that nobody here knows must not hide the others.
        let listed = set["keys"].as_array().cloned().unwrap_or_default();
        let keys: Vec<Jwk> = listed
            .into_iter()
            .take(KEYS_MAX)
            .filter_map(|key| serde_json::from_value(key).ok())
            .collect();
        let JwkSet { keys } = JwkSet { keys };
        let mut state = self.state();
        (state.keys, state.fetched) = (keys, Some(Instant::now()));
        Ok(())
    }

    fn known_key(&self, id: Option<&str>, algorithm: Algorithm) -> Option<Jwk> {
        let state = self.state();
        let fits = |key: &&Jwk| {
            let is_named = id.is_none_or(|id| key.common.key_id.as_deref() == Some(id));
            is_named && algorithms(key).contains(&algorithm)
        };
        let mut fitting = state.keys.iter().filter(fits);
        let first = fitting.next()?;
        // Without a name there must be no choice.
        (id.is_some() || fitting.next().is_none()).then(|| first.clone())
    }

    /// Whether to look for new keys now; says so to only one of many, and not often.
    fn is_due(&self, knows: bool) -> bool {
        let mut state = self.state();
        let now = Instant::now();
        let is_old = state.fetched.is_none_or(|at| now - at > KEYS_MAX_AGE);
        let rests = state.tried.is_some_and(|at| now - at < KEYS_PAUSE);
        let is_due = (is_old || !knows) && !rests;
        if is_due {
            state.tried = Some(now);
        }
        is_due
    }

    fn key(&self, id: Option<&str>, algorithm: Algorithm) -> Result<Jwk, Unfit> {
        let known = self.known_key(id, algorithm);
        if !self.is_due(known.is_some()) {
            if known.is_none() && self.state().fetched.is_none() {
                // The first one is fetching: its answer is waited for.
                drop(self.fetching.lock());
            }
            let known = known.or_else(|| self.known_key(id, algorithm));
            return known.ok_or(Unfit::Token("its key is not known"));
        }
        let fetching = self.fetching.lock();
        let prepared = self.prepare();
        drop(fetching);
        match (prepared, known) {
            (Ok(()), _) => {
                self.known_key(id, algorithm).ok_or(Unfit::Token("its key is not known"))
            }
            // What is known still counts while the provider is away.
            (Err(_), Some(known)) => Ok(known),
            (Err(unfit), None) => Err(unfit),
        }
    }

    /// Checks everything about a token that is for `audience`.
    pub fn verify(&self, token: &str, audience: &str) -> Result<Claims, Unfit> {
        if token.len() > TOKEN_BYTES_MAX {
            return Err(Unfit::Token("it is too long"));
        }
        let header = decode_header(token).map_err(|_| Unfit::Token("it is no token"))?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err(Unfit::Token("its algorithm is not allowed"));
        }
        let jwk = self.key(header.kid.as_deref(), header.alg)?;
        let key = DecodingKey::from_jwk(&jwk).map_err(|_| Unfit::Token("its key is no key"))?;
        let mut validation = Validation::new(header.alg);
        validation.leeway = SKEW.as_secs();
        validation.validate_nbf = true;
        validation.set_audience(&[audience]);
        validation.set_issuer(&[&self.settings.issuer]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let decoded = decode::<Json>(token, &key, &validation).map_err(|error| {
            use jsonwebtoken::errors::ErrorKind;
            Unfit::Token(match error.kind() {
                ErrorKind::ExpiredSignature => "it has ended",
                ErrorKind::ImmatureSignature => "it does not count yet",
                ErrorKind::InvalidAudience => "it is for somebody else",
                ErrorKind::InvalidIssuer => "it is of somebody else",
                ErrorKind::InvalidSignature => "its signature is wrong",
                _ => "it is not what it should be",
            })
        })?;
        claims(&decoded.claims, &self.settings.groups_claim)
    }
}

/// `none` can't be parsed, and HMAC would make a secret of a public key.
const ALGORITHMS: &[Algorithm] = &[
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// What a key may be used with: by its type, and by its own word if it has one.
fn algorithms(key: &Jwk) -> Vec<Algorithm> {
    if matches!(key.common.public_key_use, Some(ref it) if *it != PublicKeyUse::Signature) {
        return Vec::new();
    }
    let of_type: &[Algorithm] = match &key.algorithm {
        AlgorithmParameters::RSA(_) => &ALGORITHMS[..6],
        AlgorithmParameters::EllipticCurve(_) => &ALGORITHMS[6..8],
        AlgorithmParameters::OctetKeyPair(_) => &ALGORITHMS[8..],
        _ => &[],
    };
    // The two enums of the crate have the same names.
    let own = key.common.key_algorithm.map(|it| format!("{it:?}"));
    let fits = |it: &Algorithm| own.as_ref().is_none_or(|own| *own == format!("{it:?}"));
    of_type.iter().copied().filter(fits).collect()
}

fn claims(claims: &Json, groups_claim: &str) -> Result<Claims, Unfit> {
    let text = |name: &str| claims[name].as_str().filter(|it| !it.trim().is_empty());
    let subject = text("sub").ok_or(Unfit::Token("it names nobody"))?;
    let named = ["preferred_username", "email", "name"].into_iter().find_map(text);
    let groups: BTreeSet<String> = words(&claims[groups_claim]).collect();
    let scopes = match &claims["scope"] {
        Json::Null => words(&claims["scp"]).collect(),
        said => words(said).collect(),
    };
    Ok(Claims {
        subject: subject.to_owned(),
        name: named.unwrap_or(subject).chars().take(200).collect(),
        groups: groups.into_iter().collect(),
        scopes,
        nonce: text("nonce").map(str::to_owned),
    })
}

/// The words of a text, or the texts of a list.
fn words(said: &Json) -> impl Iterator<Item = String> {
    let list = said.as_array().cloned().unwrap_or_default();
    let listed = list.into_iter().filter_map(|it| it.as_str().map(str::to_owned));
    let text = said.as_str().unwrap_or_default().to_owned();
    let split: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
    listed.chain(split)
}
