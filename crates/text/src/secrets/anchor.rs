//! The literals that call for a closer look, found in one walk over the text.

use std::sync::LazyLock;

use super::literals::Literals;
use super::{Hit, Rank, cluster, login, shape};

/// A closer look: the text, where the literal stands, and where it ends.
type Check = fn(&[u8], usize, usize) -> Option<Hit>;

pub(super) const ANCHORS: &[(&str, Check)] = &[
    ("-----BEGIN ", shape::pem_block),
    ("---- BEGIN SSH2 ", shape::pem_block),
    ("-us", shape::mailchimp_key),
    (".atlasv1.", shape::terraform_token),
    (".office.com/webhookb2/", shape::teams_webhook),
    ("/api/webhooks/", shape::discord_webhook),
    ("://", login::url_password),
    (":AA", shape::telegram_token),
    ("AccountKey=", shape::azure_key),
    ("BASIC ", login::basic_login),
    ("BEARER ", login::bearer_token),
    ("Basic ", login::basic_login),
    ("Bearer ", login::bearer_token),
    ("M", shape::discord_token),
    ("N", shape::discord_token),
    ("O", shape::discord_token),
    ("Private-Lines: ", shape::putty_key),
    ("Q~", shape::azure_client_secret),
    ("SharedAccessKey=", shape::azure_key),
    ("basic ", login::basic_login),
    ("bearer ", login::bearer_token),
    ("curl ", login::curl_user),
    ("eyJ", shape::json_web_token),
    ("hooks.slack.com/", shape::slack_webhook),
    ("kind", cluster::manifest),
    ("machine ", login::netrc_password),
    ("sig=", shape::azure_signature),
];

static LITERALS: LazyLock<Literals<Check>> = LazyLock::new(|| Literals::new(ANCHORS.to_vec()));

pub(super) fn find(text: &[u8], hits: &mut Vec<Hit>) {
    let literals = &*LITERALS;
    let mut at = 0;
    while at < text.len() {
        let mut found = literals.starting(&text[at..]);
        let hit = found.find_map(|(literal, check)| check(text, at, at + literal.len()));
        // A login may enclose a token that says more about itself, so the walk goes on inside it.
        let covered = hit.filter(|hit| hit.rank == Rank::Shape).map_or(0, |hit| hit.end);
        at = covered.max(at + 1);
        hits.extend(hit);
    }
}
