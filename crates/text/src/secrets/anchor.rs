//! The literals that call for a closer look, found in one walk over the text.

use super::{Hit, Rank, cluster, login, shape};

/// A closer look: the text, where the literal stands, and where it ends.
type Check = fn(&[u8], usize, usize) -> Option<Hit>;

/// In ascending order of the first byte, which the look-up relies on.
#[rustfmt::skip]
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

/// The first anchor for each first byte.
const FIRST: [usize; 129] = first_rows();

pub(super) fn find(text: &[u8], hits: &mut Vec<Hit>) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let found = anchored(text, at, byte);
        // A login may enclose a token that says more about itself, so the walk goes on inside it.
        let covered = found.filter(|hit| hit.rank == Rank::Shape).map_or(0, |hit| hit.end);
        at = covered.max(at + 1);
        hits.extend(found);
    }
}

fn anchored(text: &[u8], at: usize, first: u8) -> Option<Hit> {
    let row = usize::from(first);
    let anchors = ANCHORS.get(*FIRST.get(row)?..*FIRST.get(row + 1)?)?;
    let rest = text.get(at..)?;
    let next = rest.get(1);
    // The second byte rules out nearly every anchor without a call.
    let stands = |literal: &[u8]| {
        literal.get(1).is_none_or(|b| Some(b) == next) && rest.starts_with(literal)
    };
    anchors
        .iter()
        .filter(|(literal, _)| stands(literal.as_bytes()))
        .find_map(|(literal, check)| check(text, at, at + literal.len()))
}

const fn first_rows() -> [usize; 129] {
    let mut first = [0; 129];
    let mut byte = 0;
    let mut row = 0;
    while byte < first.len() {
        while row < ANCHORS.len() && (ANCHORS[row].0.as_bytes()[0] as usize) < byte {
            row += 1;
        }
        first[byte] = row;
        byte += 1;
    }
    first
}
