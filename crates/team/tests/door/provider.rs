//! Tokens of an identity provider: everything about them is checked, and nothing else is fetched (R422).

use std::sync::atomic::Ordering;

use jiff::Timestamp;
use oldhand_testkit::postgres::Programs;
use serde_json::{Value, json};

use crate::Test;
use crate::bed::{Bed, Open};
use crate::client::{Answer, get};
use crate::logs;

pub(crate) mod idp;

use idp::Idp;

pub(crate) const TESTS: &[Test] = &[
    ("provider::a_client_learns_where_tokens_come_from", discovery),
    ("provider::only_a_token_that_is_right_in_everything_lets_in", right),
    ("provider::no_key_is_taken_for_another", confusion),
    ("provider::unknown_keys_are_looked_for_once", flood),
    ("provider::it_fetches_from_no_other_host", no_other_host),
];

fn ask(open: &Open, token: &str) -> Answer {
    get(&format!("{}/mcp", open.address), &[("authorization", &format!("Bearer {token}"))])
}

fn discovery(programs: &Programs) {
    let bed = Bed::new(programs);
    let idp = Idp::start(&bed.runtime);
    let open = bed.open(Some(idp.provider()));
    let refused = get(&format!("{}/mcp", open.address), &[]);
    let metadata = format!("{}/.well-known/oauth-protected-resource/mcp", open.address);
    let challenge = format!("Bearer resource_metadata=\"{metadata}\", scope=\"memory:read\"");
    assert_eq!((refused.status, refused.header("www-authenticate")), (401, challenge.as_str()));
    let plain = get(&format!("{}/mcp/token", open.address), &[]);
    assert_eq!((plain.status, plain.header("www-authenticate")), (401, "Bearer"));
    for address in [metadata.clone(), metadata.trim_end_matches("/mcp").to_owned()] {
        let said = get(&address, &[]).json();
        assert_eq!(said["resource"], format!("{}/mcp", open.address));
        assert_eq!(said["authorization_servers"], json!([idp.issuer]));
    }
    let without = bed.open(None);
    assert_eq!(get(&format!("{}/mcp", without.address), &[]).header("www-authenticate"), "Bearer");
    let metadata = format!("{}/.well-known/oauth-protected-resource", without.address);
    assert_eq!(get(&metadata, &[]).status, 404);
}

fn claims(idp: &Idp, open: &Open) -> Value {
    let now = Timestamp::now().as_second();
    json!({
        "iss": idp.issuer, "sub": "u-1", "aud": open.door.resource(), "exp": now + 300, "nbf": now,
        "scope": "memory:read memory:admin openid", "preferred_username": "ada",
    })
}

fn right(programs: &Programs) {
    let bed = Bed::new(programs);
    let idp = Idp::start(&bed.runtime);
    let open = bed.open(Some(idp.provider()));
    let good = claims(&idp, &open);
    let let_in = ask(&open, &idp.inner.ec(&good));
    assert_eq!(let_in.status, 200, "{}", let_in.body);
    assert!(let_in.body.contains("entrance: OAuth, scopes: [Read], stores: []"), "{}", let_in.body);
    assert_eq!(ask(&open, &idp.inner.rsa(&good)).status, 200);

    let now = Timestamp::now().as_second();
    let check = |what: &str, name: &str, value: Value, want: u16| {
        let mut claims = good.clone();
        match value {
            Value::Null => drop(claims.as_object_mut().expect("an object").remove(name)),
            value => claims[name] = value,
        }
        let token = idp.inner.ec(&claims);
        let answer = ask(&open, &token);
        assert_eq!(answer.status, want, "{what}: {}", answer.body);
        assert!(!answer.body.contains(&token[40..]), "a token was said");
        assert!(!logs::text().contains(&token[40..]), "a token was logged");
    };
    let resource = open.door.resource();
    check("another audience", "aud", json!("https://other.example/mcp"), 401);
    check("an audience that begins like ours", "aud", json!(format!("{resource}/token")), 401);
    check("ours among others", "aud", json!(["https://other.example", resource]), 200);
    check("no audience", "aud", Value::Null, 401);
    check("another issuer", "iss", json!("https://id.example"), 401);
    check("no issuer", "iss", Value::Null, 401);
    check("nobody", "sub", Value::Null, 401);
    check("nobody's name", "sub", json!(" "), 401);
    check("ended within the skew", "exp", json!(now - 15), 200);
    check("ended", "exp", json!(now - 60), 401);
    check("without an end", "exp", Value::Null, 401);
    check("an end that is a text", "exp", json!("never"), 401);
    check("soon, within the skew", "nbf", json!(now + 15), 200);
    check("not yet", "nbf", json!(now + 90), 401);
    check("a beginning that is a text", "nbf", json!("now"), 401);
    check("without the scope", "scope", json!("openid"), 403);
    check("without any scope", "scope", Value::Null, 403);
    check("scopes as a list", "scope", json!(["memory:read"]), 200);
    let mut claims = good.clone();
    claims["scope"] = json!("openid");
    let refused = ask(&open, &idp.inner.ec(&claims));
    let challenge = "Bearer error=\"insufficient_scope\", scope=\"memory:read\"";
    assert_eq!(refused.header("www-authenticate"), challenge);

    let ada = bed.access(&[]).principal_named("ada").expect("asked").expect("she was made");
    bed.access(&[]).disable(ada.principal).expect("disabled");
    assert_eq!(ask(&open, &idp.inner.ec(&good)).status, 401, "disabled here");
}

fn confusion(programs: &Programs) {
    let bed = Bed::new(programs);
    let idp = Idp::start(&bed.runtime);
    let open = bed.open(Some(idp.provider()));
    let (good, inner) = (claims(&idp, &open), &idp.inner);
    let right = inner.ec(&good);
    let parts: Vec<&str> = right.split('.').collect();
    let mut other = good.clone();
    other["sub"] = json!("u-2");
    let swapped = format!(
        "{}.{}.{}",
        parts[0],
        inner.ec(&other).split('.').nth(1).expect("claims"),
        parts[2]
    );
    for (what, token) in [
        ("no signature", inner.unsigned("none", &good)),
        ("no signature, in other letters", inner.unsigned("nOnE", &good)),
        ("an empty signature", inner.unsigned("ES256", &good)),
        ("the point as a secret", inner.hmac_of_public("ec-1", &good)),
        ("the modulus as a secret", inner.hmac_of_public("rsa-1", &good)),
        ("a published secret", inner.hmac_of_public("secret-1", &good)),
        ("a key of another type", inner.odd(&json!({ "alg": "ES256", "kid": "rsa-1" }), &good)),
        (
            "another algorithm of the key",
            inner.odd(&json!({ "alg": "ES384", "kid": "ec-1" }), &good),
        ),
        ("a key that it brings along", inner.odd(&json!({ "alg": "ES256", "jwk": {} }), &other)),
        ("somebody else's key", inner.forged(&good)),
        ("other claims", swapped),
        ("two parts", format!("{}.{}", parts[0], parts[1])),
        ("much", "a".repeat(20_000)),
    ] {
        let answer = ask(&open, &token);
        let is_refused = answer.status == 401 || (answer.status == 431 && token.len() > 10_000);
        // A token without a name is checked with the only key that fits, and its own is not looked at.
        let is_named = what != "a key that it brings along";
        assert!(is_refused || !is_named, "{what}: {} {}", answer.status, answer.body);
        assert!(!answer.body.contains("u-2") || !is_named);
    }
    assert_eq!(ask(&open, &right).status, 200, "the right one still does");
}

fn flood(programs: &Programs) {
    let bed = Bed::new(programs);
    let idp = Idp::start(&bed.runtime);
    let provider = idp.provider();
    provider.prepare().expect("the keys are there");
    let open = bed.open(Some(provider));
    let good = claims(&idp, &open);
    assert_eq!(ask(&open, &idp.inner.ec(&good)).status, 200);
    let asked = || idp.inner.keys_asked.load(Ordering::Relaxed);
    assert_eq!(asked(), 1);
    // A new key is found at the first token that names it.
    "ec-2".clone_into(&mut idp.inner.ec_name.lock().expect("whole"));
    assert_eq!(ask(&open, &idp.inner.ec(&good)).status, 200);
    assert_eq!(asked(), 2);
    for nth in 0..40 {
        let unknown = idp.inner.ec_named(&format!("unknown-{nth}"), &good);
        assert_eq!(ask(&open, &unknown).status, 401);
    }
    assert_eq!(asked(), 2, "it is not asked again for half a minute");
    assert_eq!(ask(&open, &idp.inner.ec(&good)).status, 200, "the known one goes on");
}

fn no_other_host(programs: &Programs) {
    let bed = Bed::new(programs);
    let idp = Idp::start(&bed.runtime);
    let other = Idp::start(&bed.runtime);
    *idp.inner.keys_at.lock().expect("whole") = Some(format!("{}/keys", other.issuer));
    let open = bed.open(Some(idp.provider()));
    let answer = ask(&open, &idp.inner.ec(&claims(&idp, &open)));
    assert_eq!(answer.status, 503, "{}", answer.body);
    assert_eq!(other.inner.keys_asked.load(Ordering::Relaxed), 0);
    assert!(logs::text().contains("--provider-host"), "the log names the fix");
}
