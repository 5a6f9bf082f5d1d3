//! Literals that call for a closer look: the prefixes that issuers give their tokens, and anchors of
//! other shapes. One look-up by the first byte says which of them stand at a place of the text.

use std::cmp::Reverse;
use std::sync::LazyLock;

use super::table::{ANY, ISSUERS, Issuer};
use super::value::{Class, REACH, is_generated, run_end, starts_token};
use super::{Hit, Rank, cluster, login, shape};

/// A closer look: the text, where the literal stands, and where it ends.
type Check = fn(&[u8], usize, usize) -> Option<Hit>;

/// A prefix of so many characters says enough.
const TELLING_PREFIX: usize = 16;

pub(super) const ANCHORS: &[(&str, Check)] = &[
    ("-----BEGIN ", shape::pem_block),
    ("---- BEGIN SSH2 ", shape::pem_block),
    ("-us", shape::mailchimp_key),
    (".atlasv1.", shape::terraform_token),
    (".office.com/webhookb2/", shape::teams_webhook),
    ("/api/webhooks/", shape::discord_webhook),
    ("://", login::url_password),
    (":A", shape::telegram_token),
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
    ("ZXlK", shape::encoded_web_token),
    ("|", shape::facebook_app_token),
    ("hooks.slack.com/", shape::slack_webhook),
    ("kind", cluster::manifest),
    ("machine ", login::netrc_password),
    ("sig=", shape::azure_signature),
];

static LITERALS: LazyLock<Literals<Check>> = LazyLock::new(|| Literals::new(ANCHORS.to_vec()));

static PREFIXES: LazyLock<Literals<&Issuer>> = LazyLock::new(|| {
    let prefixes = ISSUERS.iter().flat_map(|row| row.4.iter().map(move |prefix| (*prefix, row)));
    Literals::new(prefixes.collect())
});

pub(super) fn find(text: &[u8], hits: &mut Vec<Hit>) {
    // This runs at every byte of what is scanned, so the tables are looked up once.
    let (prefixes, literals) = (&*PREFIXES, &*LITERALS);
    walk(text, hits, |at| token_at(text, at, prefixes.starting(&text[at..])));
    walk(text, hits, |at| {
        let mut found = literals.starting(&text[at..]);
        found.find_map(|(literal, check)| check(text, at, at + literal.len()))
    });
}

fn walk(text: &[u8], hits: &mut Vec<Hit>, look: impl Fn(usize) -> Option<Hit>) {
    let mut at = 0;
    while at < text.len() {
        let hit = look(at);
        // A login may enclose a token that says more about itself, so the walk goes on inside it.
        let covered = hit.filter(|hit| hit.rank == Rank::Shape).map_or(0, |hit| hit.end);
        at = covered.max(at + 1);
        hits.extend(hit);
    }
}

/// The token that starts at `at`, by the longest prefix that fits.
fn token_at<'t>(
    text: &[u8],
    at: usize,
    rows: impl Iterator<Item = &'t (&'static str, &'t Issuer)>,
) -> Option<Hit> {
    let mut rows = rows.peekable();
    if rows.peek().is_none() || !starts_token(text, at) {
        return None;
    }
    rows.find_map(|(prefix, (rule, class, min, max, _))| {
        let from = at + prefix.len();
        let mut to = run_end(text, from, REACH, *class);
        // A full stop behind the token ends the sentence, not the token.
        to -= usize::from(to > from && text.get(to - 1) == Some(&b'.'));
        let body = text.get(from..to).unwrap_or_default();
        // A body of a fixed length must also end there: more letters make it another word.
        let ends = *max == ANY || !text.get(to).is_some_and(u8::is_ascii_alphanumeric);
        let fits = (*min..=*max).contains(&body.len()) && ends;
        // Nobody writes so long a prefix by chance, so what stands behind it need not vary.
        let is_told = prefix.len() >= TELLING_PREFIX && *class == Class::Upper;
        (fits && (is_told || is_generated(body, *class))).then(|| {
            let end = run_end(text, to, usize::MAX, *class);
            Hit { start: at, end, rule, rank: Rank::Shape }
        })
    })
}

/// Literals by their first byte, each with what belongs to it, the longest first.
struct Literals<T>([Vec<(&'static str, T)>; 256]);

impl<T> Literals<T> {
    fn new(mut rows: Vec<(&'static str, T)>) -> Self {
        rows.sort_by_key(|(literal, _)| Reverse(*literal));
        let mut by_first = std::array::from_fn(|_| Vec::new());
        for row in rows {
            by_first[usize::from(row.0.as_bytes()[0])].push(row);
        }
        Self(by_first)
    }

    /// The literals that `rest` starts with.
    fn starting<'t>(&'t self, rest: &'t [u8]) -> impl Iterator<Item = &'t (&'static str, T)> {
        let rows = rest.first().map_or(&[][..], |byte| &self.0[usize::from(*byte)]);
        // The second byte rules out nearly every row without a call.
        rows.iter().filter(move |(literal, _)| {
            let literal = literal.as_bytes();
            literal.get(1).is_none_or(|byte| Some(byte) == rest.get(1)) && rest.starts_with(literal)
        })
    }
}
