//! Every value here is made up. Literals are split so that other scanners pass over this file.

use super::table::{ANY, ISSUERS};
use super::value::Class;
use super::{SecretFinding, anchor, scan};

/// Checks which rules fire on `text`, in order.
#[track_caller]
fn check(text: &str, rules: &[&str]) {
    let found: Vec<&str> = scan(text).iter().map(|finding| finding.rule).collect();
    assert_eq!(found, rules, "in {text:?}");
}

#[track_caller]
fn check_clean(texts: &[&str]) {
    for text in texts {
        check(text, &[]);
    }
}

/// A made-up body of `length` characters that a generator could have drawn.
fn body(class: Class, length: usize) -> String {
    let alphabet = match class {
        Class::Hex => "7c1e9a4f0b8d3625",
        Class::Uuid => "7c1e9a4f-0b8d-3625",
        Class::Upper => "Q7XKRD2MVW5TJH3GZ4NB6",
        _ => "kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a",
    };
    alphabet.chars().cycle().take(length).collect()
}

#[test]
fn every_prefix_is_known_in_every_setting() {
    for (rule, class, min, prefix) in prefixes() {
        let token = format!("{prefix}{}", body(class, min));
        for text in [
            token.clone(),
            format!("the key is {token}."),
            format!("TOKEN={token}\n"),
            format!("{{\"token\": \"{token}\"}}"),
            format!("a\\n{token}\\n"),
            format!("- `{token}` for staging"),
            format!("https://host/path?key={token}&x=1"),
            format!("Authorization: Bearer {token}"),
        ] {
            check(&text, &[rule]);
        }
        check(&format!("x{token}"), &[]);
        check(&format!("{prefix}..."), &[]);
        check(&format!("{prefix}{}", "x".repeat(min)), &[]);
    }
}

/// R522: the same secret in the forms that header fields, manifests and build tools give it.
#[test]
fn less_common_forms_are_known() {
    let url = body(Class::Url, 64);
    let claims = "eyJzdWIiOiJhZGEiLCJyb2xlIjoiYWRtaW4ifQ";
    let token = format!("eyJhbGciOiJIUzI1NiJ9.{claims}.{}", &url[..43]);
    check(&token, &["json-web-token"]);
    check(&format!("jwt: {}", encoded(&token)), &["json-web-token"]);
    check(&encoded(&"a text that only looks encoded ".repeat(4)), &[]);
    check(&format!("1477036645700765|{}", &url[..27]), &["facebook-token"]);
    check("| 1477036645700765|a table of numbers that goes on |", &[]);
    check(&format!("bot 720491835:A{}", &url[..34]), &["telegram-token"]);
    check("BUNDLE_ENTERPRISE__CONTRIBSYS__COM: 53260c38:147f5385", &["sidekiq-secret"]);
    check("BUNDLE_ENTERPRISE__CONTRIBSYS__COM: true", &[]);
    check(&format!("cloudflare: \"{}\"", &url[..40]), &["cloudflare-token"]);
    check(&format!("cloudflare_zone: \"{}\"", &url[..40]), &[]);
    check("hubspotKey = \"8f14e45f-ceea-467f-9b36-1d2c3b4a5e6f\"", &["hubspot-key"]);
    check("orderKey = \"8f14e45f-ceea-467f-9b36-1d2c3b4a5e6f\"", &[]);
    check("curl -u \"{ada}\":\"{ZqL5kVrX1n8tA2}\" https://host/", &["curl-password"]);
    check("curl -u \"{user}\":\"{password}\" https://host/", &[]);
    // Base64 that happens to hold a prefix goes on behind the length of such a key.
    check(&format!("...6wqX6fNUXA/rYqRvfQ+EZ{}{}/3VmW", "AK", &url[..59]), &[]);
}

/// Base64 without padding, which the scan reads and nothing else here writes.
fn encoded(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = text.bytes().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1));
    let bits: Vec<u8> = bits.collect();
    let digit = |part: &[u8]| {
        let number = (0..6).fold(0, |sum, at| sum << 1 | part.get(at).copied().unwrap_or(0));
        char::from(DIGITS[usize::from(number)])
    };
    bits.chunks(6).map(digit).collect()
}

fn prefixes() -> impl Iterator<Item = (&'static str, Class, usize, &'static str)> {
    let each = |(rule, class, min, _, prefixes): &'static super::table::Issuer| {
        prefixes.iter().map(move |prefix| (*rule, *class, *min, *prefix))
    };
    ISSUERS.iter().flat_map(each)
}

#[test]
fn no_prefix_is_lost_or_listed_twice() {
    let mut all: Vec<&str> = prefixes().map(|(.., prefix)| prefix).collect();
    assert!(all.iter().all(|prefix| prefix.is_ascii() && prefix.len() > 1));
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 243);
    assert!(ISSUERS.iter().all(|(_, _, min, max, _)| *max == ANY || min <= max));
}

#[test]
fn rule_names_are_lower_case_with_hyphens() {
    for (rule, ..) in ISSUERS {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        assert!(rule.bytes().all(plain), "{rule}");
    }
}

#[test]
fn issuers_by_their_prefix() {
    check(concat!("AKI", "AQ7XKRD2MVW5TJH3G"), &["aws-access-key-id"]);
    check(concat!("gh", "p_kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6akR7vQ2"), &["github-token"]);
    let own = concat!("oh", "t_5f0c1d9be2a7834610fe9d2c7b48a5e36d19f07c82b4ae5301d6f98c27ba4e0d");
    check(own, &["oldhand-token"]);
    check(concat!("sk-", "ant-api03-kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a-kR7"), &["anthropic-key"]);
    check(concat!("sk-", "proj-kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6akR7"), &["openai-key"]);
    check(concat!("xox", "b-204857193625-3948571620394-kR7vQ2xZw9TbN4mY"), &["slack-token"]);
    check(concat!("sk_", "live_kR7vQ2xZw9TbN4mYhC8s"), &["stripe-key"]);
    check(concat!("AI", "zaSykR7vQ2xZw9TbN4mYhC8sLfD3pGjW6akR7"), &["google-api-key"]);
    check(concat!("S", "K7c1e9a4f0b8d36257c1e9a4f0b8d3625"), &["twilio-key"]);
}

#[test]
fn key_blocks() {
    let line = "MIIEkR7vQ2xZw9TbN4mYhC8sLfD3pGjW6akR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a";
    for kind in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "] {
        let key = format!(
            "-----BEGIN {kind}PRI{tail}-----\n{line}\n{line}\n-----END {kind}PRI{tail}-----\n",
            tail = "VATE KEY"
        );
        check(&key, &["private-key"]);
        check(&key.replace('\n', "\\n"), &["private-key"]);
        check(&key.replace('\n', "\\n\" +\n  \""), &["private-key"]);
    }
    let pgp = concat!("-----BEGIN PGP PRI", "VATE KEY BLOCK-----\nVersion: x 1\n\n");
    check(&format!("{pgp}{line}\n=abcd\n"), &["private-key"]);
    let putty = concat!("PuTTY-User-Key-File-2: ssh-rsa\nPrivate-", "Lines: 14\n");
    check(&format!("{putty}{line}\n"), &["private-key"]);
    let account = concat!("{\"private_key\": \"-----BEGIN PRI", "VATE KEY-----\\n");
    check(&format!("{account}{line}\\n\"}}"), &["private-key"]);
}

#[test]
fn talk_about_key_blocks_passes() {
    check_clean(&[
        concat!("a file that starts with `-----BEGIN RSA PRI", "VATE KEY-----` is refused"),
        concat!("-----BEGIN PRI", "VATE KEY-----\n...\n-----END PRIVATE KEY-----"),
        "-----BEGIN CERTIFICATE-----\nMIIEkR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a",
        "-----BEGIN PUBLIC KEY-----\nMIIEkR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a",
    ]);
}

#[test]
fn shapes() {
    let url = body(Class::Url, 68);
    let jwt = concat!("ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiJhbGljZSJ9.");
    check(&format!("{jwt}{}", &url[..43]), &["json-web-token"]);
    check(&format!("a3kR7vQ2xZw9Tb.atla{}.{}", "sv1", &url[..64]), &["terraform-token"]);
    let slack = concat!("https://hooks.sla", "ck.com/services/T0KR7VQ2X/B0ZW9TBN4/");
    check(&format!("{slack}{}", &url[..24]), &["slack-webhook"]);
    let discord = concat!("https://discord.com/api/web", "hooks/123456789012345678/");
    check(&format!("{discord}{url}"), &["discord-webhook"]);
    let bot = concat!("MTIzNDU2Nzg5MDEy", "MzQ1Njc4.GkR7vQ.");
    check(&format!("{bot}{}", &url[..38]), &["discord-token"]);
    check(&format!("bot 7204918356:AA{}", &url[..33]), &["telegram-token"]);
    check(&format!("{}-us12", body(Class::Hex, 32)), &["mailchimp-key"]);
    check(&format!("AccountName=x;Account{}={}==", "Key", &url[..66]), &["azure-key"]);
    check(&format!("x;SharedAccess{}={}=", "Key", &url[..43]), &["azure-key"]);
    check(&format!("?sv=2022&sig={}%3D", &url[..43]), &["azure-signature"]);
    check(&format!("kR7{}Q~{}", 8, &url[..34]), &["azure-client-secret"]);
    let teams = "https://x.webhook.office.com/webhookb2/";
    check(&format!("{teams}{0}@{0}/IncomingWebhook/{0}", &url[..36]), &["teams-webhook"]);
}

#[test]
fn logins() {
    check(concat!("postgres://", "app:kR7vQ2xZ@db.internal.net:5432/x"), &["url-password"]);
    check(concat!("redis://", ":kR7vQ2xZw9@cache.acme.io"), &["url-password"]);
    check(concat!("https://bob:", "p@ss%77w0rd!@git.acme.io/x.git"), &["url-password"]);
    check(concat!("mongodb+srv://svc:", "vQ2xZw9T@localhost/db"), &["url-password"]);
    check(concat!("curl -s ", "-u bob:kR7vQ2x https://acme.io"), &["curl-password"]);
    check(concat!("curl --user ", "'bob:kR7vQ2x' https://acme.io"), &["curl-password"]);
    check(concat!("curl --user bob:", "'kR7vQ2x' https://acme.io"), &["curl-password"]);
    check(concat!("curl --user  \"bob\":", "\"kR7vQ2x\""), &["curl-password"]);
    check(concat!("curl -u 'kR7vQ", "2x!z:' https://acme.io"), &["curl-password"]);
    // Prose behind a code span is no part of the password.
    check(concat!("`curl https://acme.io -u bob:", "kR7vQ2x` for example"), &["curl-password"]);
    check(concat!("curl https://acme.io \\\n  -d x \\\n  -u bob:", "kR7vQ2x"), &["curl-password"]);
    check("machine acme.io login bob password kR7vQ2x", &["netrc-password"]);
    check("machine acme.io\n  login bob\n  password kR7vQ2x\n", &["netrc-password"]);
    check(concat!("Authorization: Bearer kR7vQ2xZ", "w9TbN4mYhC8s"), &["bearer-token"]);
    check(concat!("-H 'authorization: bearer 7c1e9a4f", "0b8d36257c1e'"), &["bearer-token"]);
    // bob:kR7vQ2xZ
    check(concat!("Authorization: Basic Ym9i", "OmtSN3ZRMnha"), &["basic-login"]);
}

#[test]
fn sample_logins_pass() {
    check_clean(&[
        "postgres://user:password@localhost:5432/db",
        "postgres://postgres:postgres@db.internal.net/x",
        "mysql://root:${DB_PASSWORD}@db.acme.io/x",
        "mysql://root:$PASS@db.acme.io/x",
        "amqp://user:<password>@mq.acme.io",
        "https://user:xxx@acme.io https://user:***@acme.io",
        "https://user:changeme@acme.io",
        "redis://:example@acme.io",
        "http://localhost:3000/@scope/pkg",
        "ssh://git@host.acme.io:22/x",
        "https://medium.com/@bob:notes",
        "curl -u user:password https://acme.io",
        "Use `curl -u user:password` against staging.",
        "Use `curl -u admin:` and type it at the prompt.",
        "curl -u \"$USER:$TOKEN\" https://acme.io",
        "curl https://acme.io:8443/@x",
        "curl -u \"${user}\":\"${password}\" https://acme.io",
        "curl -u bob: https://acme.io",
        "machine learning login page password reset",
        "machine acme.io login bob password <token>",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Bearer authentication is required",
        "Authorization: Basic <base64>",
        "Authorization: Basic dXNlcjpwYXNzd29yZA==",
        "Basic understanding of tokens",
    ]);
}

#[test]
fn named_values() {
    let key = "kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a";
    for text in [
        format!("API_KEY={key}"),
        format!("export SERVICE_TOKEN='{key}'"),
        format!("api_key: {key}"),
        format!("\"clientSecret\": \"{key}\","),
        format!("{{\\\"accessToken\\\": \\\"{key}\\\"}}"),
        format!("const API_TOKEN: &str = \"{key}\";"),
        format!("const apiKey: string = '{key}'"),
        format!("secret := `{key}`"),
        format!(":auth_token => '{key}'"),
        format!("define('AUTH_KEY',         '{key}');"),
        format!("client.setApiKey(\"{key}\")"),
        format!("--api-key {key}"),
        format!("X-Api-Key: {key}"),
        format!("<secret>{key}</secret>"),
        format!("The API key: {key}."),
        format!("**Access token**: `{key}`"),
        format!("| API key | {key} |"),
        format!("The staging token is {key}, rotate it"),
        format!("?access_token={key}&page=2"),
        format!("//registry.acme.io/:_authToken={key}"),
    ] {
        check(&text, &["generic-secret"]);
    }
    check(
        concat!("oauth_token: ", "7c1e9a4f0b8d36257c1e9a4f0b8d3625deadbeef"),
        &["generic-secret"],
    );
    check(concat!("api_token = ", "7c1e9a4f-0b8d-4625-9c1e-9a4f0b8d3625"), &["generic-secret"]);
    check(concat!("SECRET_KEY = 'x7!=!qk", "(w^_t[sBR299x)HI+$eh3ws*xYNQeu'"), &["generic-secret"]);
}

#[test]
fn named_values_of_known_issuers() {
    let key = "kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a/R7vQ2xZw9";
    check(&format!("aws_secret_access_key = {key}"), &["aws-secret-key"]);
    check(&format!("SecretAccessKey: {key}"), &["aws-secret-key"]);
    check(&format!("CLOUDFLARE_API_TOKEN={key}"), &["cloudflare-token"]);
    check(&format!("AZURE_CLIENT_SECRET={key}"), &["azure-key"]);
    check(&format!("VERCEL_TOKEN={}", &key[..24]), &["vercel-token"]);
    check(concat!("HEROKU_API_KEY=", "7c1e9a4f-0b8d-4625-9c1e-9a4f0b8d3625"), &["heroku-api-key"]);
    check(concat!("TWILIO_AUTH_TOKEN=", "7c1e9a4f0b8d36257c1e9a4f0b8d3625"), &["twilio-key"]);
    check(concat!("DATADOG_API_KEY=", "7c1e9a4f0b8d36257c1e9a4f0b8d3625"), &["datadog-key"]);
}

#[test]
fn named_values_in_every_notation() {
    let key = "kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a";
    for text in [
        format!("var deployToken string = \"{key}\""),
        format!("var deployToken *string = \"{key}\""),
        format!("DEPLOY_TOKEN ::= \"{key}\""),
        format!("DEPLOY_TOKEN :::= \"{key}\""),
        format!("$deployToken .= \"{key}\";"),
        format!("deployToken ||= '{key}'"),
        format!("$deployToken ??= \"{key}\";"),
        format!("<deployToken>\n    {key}\n</deployToken>"),
        format!("<add key=\"DeployToken\" value=\"{key}\" />"),
        format!("<string name=\"deploy_token\">{key}</string>"),
        format!("- name: DEPLOY_TOKEN\n  value: {key}\n"),
        format!("{{\"name\": \"DEPLOY_TOKEN\", \"value\": \"{key}\"}}"),
        format!("licenseKey \"{key}\""),
        format!("DEPLOY_TOKEN=\\\n  {key}\n"),
        format!("deploy --token \\\r\n  {key}\r\n"),
        format!("DEPLOY_TOKEN=\"{}\\\n{}\"", &key[..10], &key[10..]),
        format!("ACME_KEY={key}"),
        format!("deploy_key: {key}"),
        format!("Authorization: Token {}", body(Class::Hex, 40)),
        format!("-H 'Authorization: Api-Token {key}'"),
        format!("\"Authorization\": \"{key}\""),
        // A key for tests opens what it opens.
        format!("ACME_TOKEN=test_{key}"),
        // Without a digit, and with few.
        concat!("ACME_TOKEN=xOGbaXdNU", "yXEqSvyWzkLhQfT").to_owned(),
        concat!("ACME_TOKEN=rqd615knntnq", "zppqifjmrc7qbrqafxwq").to_owned(),
        // Short, and nothing but a number.
        concat!("ACME_TOKEN = fhlm1ka", "vcag72e").to_owned(),
        concat!("ACME_TOKEN='892358", "6753380174'").to_owned(),
    ] {
        check(&text, &["generic-secret"]);
    }
}

#[test]
fn keys_that_lock_nothing_pass() {
    check_clean(&[
        concat!("cache_key: kR7vQ2xZw9T", "bN4mYhC8sLfD3pGjW6a"),
        concat!("primaryKey = kR7vQ2xZw9T", "bN4mYhC8sLfD3pGjW6a"),
        "bucket_key: 7c1e9a4f-0b8d-4625-9c1e-9a4f0b8d3625",
        "<add key=\"SchemaTable\" value=\"kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a\" />",
        "- name: DEPLOY_TOKEN\n  valueFrom: kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a",
        "to pass `metav1.DeleteOptions` by value",
        "Authorization: Token <token>",
        "Authorization: Digest is not supported",
        "Authorization: JabberTicket 54yudvjhssa76dta6sgdst78r4...",
        "ACME_TOKEN=my_test_token_for_staging_2",
        "token = AbstractFactoryBuilderProvider",
    ]);
}

#[test]
fn manifests_of_kubernetes() {
    let manifest = |kind: &str, data: &str| {
        format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: app\n{data}\n")
    };
    let data = concat!("data:\n  # encoded\n  anything: a1I3", "dlEyeFp3OVRi");
    check(&manifest("Secret", data), &["kubernetes-secret"]);
    check(&manifest("'Secret'", data), &["kubernetes-secret"]);
    check(&format!("{data}\nkind: Secret\n"), &["kubernetes-secret"]);
    check(&manifest("Secret", "stringData:\n  anything: \"open sesame\""), &["kubernetes-secret"]);
    check(
        &manifest("Secret", "data:\n  config: |\n    a1I3dlEyeFp3OVRiTjRtWQ=="),
        &["kubernetes-secret"],
    );
    check_clean(&[
        &manifest("ConfigMap", data),
        &manifest("ExternalSecret", data),
        &manifest("Secret", "data:\n  flag: dHJ1ZQ==\ntype: Opaque-and-more"),
        &manifest("Secret", "data:\n  key: ${PASSWORD_IN_BASE64}"),
        &manifest("Secret", "data:\n  key: <base64 of the key>"),
        &format!("kind: Secret\n---\n{data}"),
        "the kind: Secret of a cluster holds data",
    ]);
}

/// A character that is taken out or folded before a text is stored must not let a token pass.
#[test]
fn tokens_that_are_split_by_what_nobody_sees() {
    let (head, tail) = (concat!("gh", "p_kR7vQ2xZw9TbN4mY"), "hC8sLfD3pGjW6akR7vQ2");
    for hidden in ["\u{200B}", "\u{AD}", "\u{FE0F}", "\u{E0041}", "\u{2060}", "\u{0}", "\u{202E}"] {
        check(&format!("the key: {head}{hidden}{tail}."), &["github-token"]);
        check(&format!("API_{hidden}KEY={tail}{hidden}{tail}"), &["generic-secret"]);
        check(&format!("x{hidden}{head}{tail}"), &["github-token"]);
    }
    let wide = format!("{head}{tail}").replace('k', "\u{212A}").replace('7', "\u{FF17}");
    check(&wide.replace("gh", "\u{FF47}h"), &["github-token"]);
    let expected = SecretFinding { rule: "github-token", line: 2, column: 3 };
    assert_eq!(scan(&format!("é\n\u{200B} {head}\u{200B}{tail}")), [expected]);
}

#[test]
fn chosen_passwords() {
    check(concat!("DB_PASSWORD=", "Winter!2019"), &["password"]);
    check("password: Tr0ub4dor&3", &["password"]);
    check("\"password\": \"hunter22\"", &["password"]);
    check(concat!("Server=x;User=sa;Pwd=", "Winter!2019;"), &["password"]);
    check("SMTP_PASS=winter19", &["password"]);
    check("<password>Calli0peX</password>", &["password"]);
}

#[test]
fn prose_and_code_pass() {
    check_clean(&[
        "the token is refreshed every hour",
        "password: must be at least 12 characters",
        "set API_KEY in the environment",
        "sk-... keys, ghp_ tokens and AKIA ids",
        "token: string; secret: Option<String>; password: z.string().min(8)",
        "password: String! @deprecated",
        "token = getAccessTokenSilently2(user1)",
        "secret: process.env.JWT_SECRET_V2",
        "const token = req.headers['x-token-2'].split(' ')[1]",
        "api_key = os.environ[\"SERVICE_API_KEY_2\"]",
        "API_KEY=${SERVICE_API_KEY_2:-default1}",
        "token: ${{ secrets.GITHUB_TOKEN_2024 }}",
        "token: {{ .Values.token2 }}",
        "secret_name: prod/app2/db-credentials-v2",
        "token_path: /var/lib/app2/tokens/v3/current.json",
        "secret = \"arn:aws:secretsmanager:us-east-1:123456789012:secret:app\"",
        "auth: https://auth2.acme.io/oauth2/v2.0/token",
        concat!("author: ", "kR7vQ2xZw9TbN4mYhC8sLfD3"),
        "tokenizer: cl100k_base_v2_2024_long",
        "max_tokens: 4096, token_count = 123456789012345678",
        concat!("password_hash: ", "7c1e9a4f0b8d36257c1e9a4f0b8d3625"),
        "fixed in 7c1e9a4f0b8d36257c1e9a4f0b8d3625deadbeef",
        concat!("access_key_id: ", "7c1e9a4f0b8d36257c1e9a4f0b8d3625"),
        concat!("public_key = ", "kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a"),
        "token: your-api-token-goes-here-123",
        "API_KEY=xxxxxxxxxxxxxxxxxxxxxxx1",
        "api_key: sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "secret: \"changeme-please-12345\"",
        "password=password123",
        "password: argon2id, bcrypt12 or sha256",
        "PASSWORD=\"test1234\"",
        "    --- PASS: TestParse/case_7_Hex (0.00s)",
        "model: claude-sonnet-4-20250514 with auth token",
        concat!("std::token::Secret::new(", "kR7vQ2xZw9TbN4mYhC8s)"),
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIkR7vQ2xZw9TbN4mYhC8sLfD3pGjW6a bob",
        "integrity sha512-kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6akR7vQ2xZw9TbN4mYhC8sLf==",
        "npm_config_registry hf_hub_download secret_manager_client_v2",
    ]);
}

#[test]
fn findings_point_at_the_secret() {
    let key = concat!("gh", "p_kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6akR7vQ2");
    let text = format!("Größe\nnaïve 🔑 = {key}\r\n{key}");
    let rule = "github-token";
    let expected =
        [SecretFinding { rule, line: 2, column: 11 }, SecretFinding { rule, line: 3, column: 1 }];
    assert_eq!(scan(&text), expected);
}

#[test]
fn the_most_specific_rule_wins_an_overlap() {
    let key = concat!("gh", "p_kR7vQ2xZw9TbN4mYhC8sLfD3pGjW6akR7vQ2");
    check(&format!("https://bob:{key}@git.acme.io"), &["github-token"]);
    check(&format!("token=\"{key}\" other={key}"), &["github-token", "github-token"]);
    let jwt = concat!("ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiJhbGljZSJ9.");
    let token = format!("{jwt}{}", body(Class::Url, 43));
    check(&format!("Authorization: Bearer {token}"), &["json-web-token"]);
}

#[test]
fn odd_texts_never_panic() {
    let odd = ["", "é", "🔑", "\u{202e}", "\u{0}", "ß", "\r\n", "\u{feff}", "%", "\\", "\"", "'"];
    let literals: Vec<&str> = prefixes().map(|(.., prefix)| prefix).collect();
    let anchors = anchor::ANCHORS.iter().map(|(literal, _)| *literal);
    let names = ["password=", "token: ", "--secret ", "API key is ", "<pwd>", "curl -u ", "a:b@"];
    for literal in literals.into_iter().chain(anchors).chain(names) {
        for a in odd {
            for b in odd {
                scan(&format!("{a}{literal}{b}"));
                scan(&format!("{literal}{a}kR7vQ2xZw9TbN4mYhC8s{b}{literal}"));
                scan(&format!("{a}:{literal}{literal}{b}.{a}.{b}"));
            }
        }
        // Every cut, so that no matcher reads past the end.
        let whole = format!("{literal}kR7vQ2xZ.w9TbN4mY@hC8s/{literal}");
        for end in 0..=whole.len() {
            scan(&whole[..end]);
        }
    }
}
