//! A real identity provider: discovery, keys, a page that lets everybody in, codes for tokens with PKCE. It signs with
//! two keys of its own, one of them made for this run.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::extract::{Form, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as B64;
use http::StatusCode;
use http::header::LOCATION;
use oldhand_team::door::provider::{Client, Provider, ProviderSettings};
use ring::digest::{SHA256, digest};
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair,
    RsaPublicKeyComponents,
};
use serde_json::{Value as Json_, json};

pub(crate) const CLIENT: &str = "oldhand-dashboard";

pub(crate) struct Idp {
    pub(crate) issuer: String,
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    ec: EcdsaKeyPair,
    rsa: RsaKeyPair,
    random: SystemRandom,
    issuer: Mutex<String>,
    /// Names of the key that is served for `ec`: changed, it is a new key.
    pub(crate) ec_name: Mutex<String>,
    pub(crate) keys_asked: AtomicUsize,
    /// Where the keys are said to be, if not here.
    pub(crate) keys_at: Mutex<Option<String>>,
    /// What the next sign-in says.
    pub(crate) person: Mutex<Json_>,
    codes: Mutex<HashMap<String, (String, String)>>,
}

fn ec_key(random: &SystemRandom) -> EcdsaKeyPair {
    let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
    let made = EcdsaKeyPair::generate_pkcs8(algorithm, random).expect("a key");
    EcdsaKeyPair::from_pkcs8(algorithm, made.as_ref(), random).expect("a key")
}

impl Idp {
    pub(crate) fn start(runtime: &tokio::runtime::Runtime) -> Self {
        let random = SystemRandom::new();
        let inner = Arc::new(Inner {
            ec: ec_key(&random),
            rsa: RsaKeyPair::from_pkcs8(include_bytes!("../rsa.pk8")).expect("a key"),
            random,
            issuer: Mutex::default(),
            ec_name: Mutex::new("ec-1".to_owned()),
            keys_asked: AtomicUsize::new(0),
            keys_at: Mutex::default(),
            person: Mutex::new(
                json!({ "sub": "u-1", "preferred_username": "ada", "groups": ["eng"] }),
            ),
            codes: Mutex::default(),
        });
        let issuer = runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("listens");
            let issuer = format!("http://{}", listener.local_addr().expect("an address"));
            let router = Router::new()
                .route("/.well-known/openid-configuration", get(description))
                .route("/keys", get(keys))
                .route("/authorize", get(authorize))
                .route("/token", post(token))
                .with_state(inner.clone());
            tokio::spawn(async move { axum::serve(listener, router).await });
            issuer
        });
        *inner.issuer.lock().expect("whole") = issuer.clone();
        Self { issuer, inner }
    }

    pub(crate) fn provider(&self) -> Provider {
        Provider::new(ProviderSettings {
            issuer: self.issuer.clone(),
            hosts: Vec::new(),
            tenant: "acme".to_owned(),
            client: Some(Client {
                id: CLIENT.to_owned(),
                secret: Some("s3cret-of-client".to_owned()),
            }),
            groups_claim: "groups".to_owned(),
        })
        .expect("a provider")
    }
}

impl Inner {
    fn signed(&self, header: &Json_, claims: &Json_, sign: impl Fn(&[u8]) -> Vec<u8>) -> String {
        let part = |it: &Json_| B64.encode(it.to_string());
        let message = format!("{}.{}", part(header), part(claims));
        let signature = B64.encode(sign(message.as_bytes()));
        format!("{message}.{signature}")
    }

    fn sign_ec(&self, message: &[u8]) -> Vec<u8> {
        self.ec.sign(&self.random, message).expect("signed").as_ref().to_vec()
    }

    pub(crate) fn ec(&self, claims: &Json_) -> String {
        let name = self.ec_name.lock().expect("whole").clone();
        self.ec_named(&name, claims)
    }

    pub(crate) fn ec_named(&self, name: &str, claims: &Json_) -> String {
        let header = json!({ "alg": "ES256", "typ": "JWT", "kid": name });
        self.signed(&header, claims, |message| self.sign_ec(message))
    }

    /// With a key that nobody knows, under a name that is known.
    pub(crate) fn forged(&self, claims: &Json_) -> String {
        let (key, header) = (ec_key(&self.random), json!({ "alg": "ES256", "kid": "ec-1" }));
        self.signed(&header, claims, |message| {
            key.sign(&self.random, message).expect("signed").as_ref().to_vec()
        })
    }

    pub(crate) fn rsa(&self, claims: &Json_) -> String {
        let header = json!({ "alg": "RS256", "kid": "rsa-1" });
        self.signed(&header, claims, |message| {
            let mut signature = vec![0; self.rsa.public().modulus_len()];
            self.rsa
                .sign(&RSA_PKCS1_SHA256, &self.random, message, &mut signature)
                .expect("signed");
            signature
        })
    }

    /// Any header, signed by `ec` as if it were right.
    pub(crate) fn odd(&self, header: &Json_, claims: &Json_) -> String {
        self.signed(header, claims, |message| self.sign_ec(message))
    }

    pub(crate) fn unsigned(&self, alg: &str, claims: &Json_) -> String {
        self.signed(&json!({ "alg": alg, "kid": "ec-1" }), claims, |_| Vec::new())
    }

    /// The public key taken for a secret.
    pub(crate) fn hmac_of_public(&self, name: &str, claims: &Json_) -> String {
        let public = match name {
            "ec-1" => self.ec.public_key().as_ref().to_vec(),
            _ => self.modulus(),
        };
        let key = hmac::Key::new(hmac::HMAC_SHA256, &public);
        let header = json!({ "alg": "HS256", "kid": name });
        self.signed(&header, claims, |message| hmac::sign(&key, message).as_ref().to_vec())
    }

    fn modulus(&self) -> Vec<u8> {
        RsaPublicKeyComponents::<Vec<u8>>::from(self.rsa.public()).n
    }
}

async fn description(State(idp): State<Arc<Inner>>) -> Response {
    let issuer = idp.issuer.lock().expect("whole").clone();
    let keys_at = idp.keys_at.lock().expect("whole").clone();
    Json(json!({
        "issuer": issuer,
        "jwks_uri": keys_at.unwrap_or_else(|| format!("{issuer}/keys")),
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
    }))
    .into_response()
}

async fn keys(State(idp): State<Arc<Inner>>) -> Response {
    idp.keys_asked.fetch_add(1, Ordering::Relaxed);
    let point = idp.ec.public_key().as_ref();
    let components = RsaPublicKeyComponents::<Vec<u8>>::from(idp.rsa.public());
    let name = idp.ec_name.lock().expect("whole").clone();
    Json(json!({ "keys": [
        { "kty": "odd", "kid": "of-tomorrow", "x": "AA" },
        { "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": name,
          "x": B64.encode(&point[1..33]), "y": B64.encode(&point[33..]) },
        { "kty": "RSA", "use": "sig", "kid": "rsa-1",
          "n": B64.encode(components.n), "e": B64.encode(components.e) },
        { "kty": "oct", "kid": "secret-1", "k": B64.encode("a secret that everybody can read!!") },
    ]}))
    .into_response()
}

async fn authorize(
    State(idp): State<Arc<Inner>>,
    Query(asked): Query<HashMap<String, String>>,
) -> Response {
    let of = |name: &str| asked.get(name).cloned().unwrap_or_default();
    assert_eq!((of("response_type"), of("client_id")), ("code".to_owned(), CLIENT.to_owned()));
    assert_eq!(of("code_challenge_method"), "S256");
    let mut codes = idp.codes.lock().expect("whole");
    let code = format!("code-{}", codes.len());
    codes.insert(code.clone(), (of("code_challenge"), of("nonce")));
    let back = format!("{}?code={code}&state={}", of("redirect_uri"), of("state"));
    (StatusCode::SEE_OTHER, [(LOCATION, back)]).into_response()
}

async fn token(
    State(idp): State<Arc<Inner>>,
    Form(said): Form<HashMap<String, String>>,
) -> Response {
    let of = |name: &str| said.get(name).cloned().unwrap_or_default();
    let known = idp.codes.lock().expect("whole").remove(&of("code"));
    let challenge = B64.encode(digest(&SHA256, of("code_verifier").as_bytes()));
    let is_client =
        (of("client_id"), of("client_secret")) == (CLIENT.into(), "s3cret-of-client".into());
    let Some((_, nonce)) = known.filter(|(it, _)| *it == challenge && is_client) else {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" })))
            .into_response();
    };
    let mut claims = idp.person.lock().expect("whole").clone();
    let issuer = idp.issuer.lock().expect("whole").clone();
    let now = jiff::Timestamp::now().as_second();
    for (name, value) in [
        ("iss", json!(issuer)),
        ("aud", json!(CLIENT)),
        ("exp", json!(now + 60)),
        ("nonce", json!(nonce)),
    ] {
        if claims.get(name).is_none() {
            claims[name] = value;
        }
    }
    Json(
        json!({ "access_token": "of-no-use", "token_type": "Bearer", "id_token": idp.ec(&claims) }),
    )
    .into_response()
}
