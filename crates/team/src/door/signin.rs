//! Signing in with a browser: the authorization code of OpenID Connect, with PKCE, state and nonce. All three follow
//! from one random cookie, so no server has to remember a sign-in that another one began.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use serde::Deserialize;
use url::Url;

use super::key::{self, ServerKey, Use};
use super::provider::{Claims, Provider, Unfit};
use oldhand_http::headers::is_same;

/// Where the provider sends a browser back to.
pub(super) const DONE_PATH: &str = "/sign-in/done";
const CODE_BYTES_MAX: usize = 4096;

/// A sign-in that begins.
pub(super) struct Begun {
    /// Where to send the browser.
    pub(super) location: String,
    /// What it has to bring back.
    pub(super) cookie: String,
}

/// What the provider sends back with the browser.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Returned {
    code: String,
    state: String,
    error: String,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

fn unfit(what: &'static str) -> Unfit {
    Unfit::Token(what)
}

pub(super) fn begin(provider: &Provider, key: &ServerKey, address: &str) -> Result<Begun, Unfit> {
    let client = provider.settings.client.as_ref().ok_or(unfit("no sign-in is set up"))?;
    let description = provider.description()?;
    let cookie = key::random().map_err(|error| Unfit::Provider(error.to_string()))?;
    let verifier = key.digits(Use::Verifier, &cookie);
    let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()));
    let mut location = Url::parse(&description.authorization_endpoint)
        .map_err(|_| Unfit::Provider("the provider names no page to sign in".to_owned()))?;
    location
        .query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &client.id)
        .append_pair("redirect_uri", &format!("{address}{DONE_PATH}"))
        .append_pair("scope", "openid profile email")
        .append_pair("state", &key.digits(Use::State, &cookie))
        .append_pair("nonce", &key.digits(Use::Nonce, &cookie))
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256");
    Ok(Begun { location: location.into(), cookie })
}

/// Whom the provider means. Blocks: it asks the provider.
pub(super) fn finish(
    provider: &Provider,
    key: &ServerKey,
    address: &str,
    returned: &Returned,
    cookie: &str,
) -> Result<Claims, Unfit> {
    let client = provider.settings.client.as_ref().ok_or(unfit("no sign-in is set up"))?;
    let state = key.digits(Use::State, cookie);
    if cookie.is_empty() || !is_same(returned.state.as_bytes(), state.as_bytes()) {
        return Err(unfit("this browser began no such sign-in"));
    }
    if !returned.error.is_empty() || returned.code.is_empty() {
        return Err(unfit("the provider let nobody in"));
    }
    if returned.code.len() > CODE_BYTES_MAX {
        return Err(unfit("the code is too long"));
    }
    let (verifier, redirect) = (key.digits(Use::Verifier, cookie), format!("{address}{DONE_PATH}"));
    let mut form = vec![
        ("grant_type", "authorization_code"),
        ("code", &returned.code),
        ("redirect_uri", &redirect),
        ("client_id", &client.id),
        ("code_verifier", &verifier),
    ];
    form.extend(client.secret.as_deref().map(|secret| ("client_secret", secret)));
    let endpoint = provider.description()?.token_endpoint;
    let tokens: Tokens = provider.fetcher().post(&endpoint, &form).map_err(Unfit::Provider)?;
    let claims = provider.verify(&tokens.id_token, &client.id)?;
    let nonce = key.digits(Use::Nonce, cookie);
    match &claims.nonce {
        Some(said) if is_same(said.as_bytes(), nonce.as_bytes()) => Ok(claims),
        _ => Err(unfit("the token is of another sign-in")),
    }
}
