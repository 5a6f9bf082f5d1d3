//! Our own tokens: they end, are revoked on all servers at once, reach no other store, and are never said (R421).

use jiff::{Timestamp, ToSpan as _};
use oldhand_team::door::limits::LimitSettings;
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::bed::Bed;
use crate::client::{Answer, get};
use crate::logs;

pub(crate) const TESTS: &[Test] = &[
    ("tokens::only_one_in_force_lets_in", in_force),
    ("tokens::revoked_on_one_server_it_is_on_all", revoked_everywhere),
    ("tokens::it_reaches_its_own_stores_alone", own_stores),
    ("tokens::who_asks_too_often_waits", too_often),
];

fn ask(address: &str, path: &str, token: &str) -> Answer {
    get(&format!("{address}{path}"), &[("authorization", &format!("Bearer {token}"))])
}

fn in_force(programs: &Programs) {
    let bed = Bed::new(programs);
    let open = bed.open(None);
    let ada = bed.access(&[]).create_principal("agent", "ada").expect("made");
    bed.access(&[]).grant(bed.stores[0], ada, "writer").expect("granted");
    let (token, id) = bed.token(ada, &["memory:read", "memory:admin"], None);
    let let_in = ask(&open.address, "/v1/read/payments", &token);
    assert_eq!(let_in.status, 200, "{}", let_in.body);
    assert!(let_in.body.contains("scopes: [Read]"), "no administrator: {}", let_in.body);
    for path in ["/mcp", "/mcp/token"] {
        assert_eq!(ask(&open.address, path, &token).status, 200);
    }
    assert_eq!(ask(&open.address, "/page", &token).status, 401, "pages are for browsers");
    let lines = bed.access(&[]).credentials(Some(ada)).expect("listed");
    assert!(lines[0].last_day.is_some() && lines[0].credential == id);

    let past = Timestamp::now() - 1.hours();
    let (ended, _) = bed.token_until(ada, &["memory:read"], None, past);
    let unknown = oldhand_team::door::key::new_token().expect("made");
    let changed = token.replace(&token[10..12], if &token[10..12] == "aa" { "bb" } else { "aa" });
    let mut said = Vec::new();
    for wrong in [&ended, &unknown, &changed, "oht_", "abc", "", "oht_; drop table credential"] {
        for path in ["/mcp", "/mcp/token", "/v1/read/payments"] {
            let refused = ask(&open.address, path, wrong);
            assert_eq!((refused.status, refused.header("www-authenticate")), (401, "Bearer"));
            said.push(refused.body);
        }
    }
    bed.access(&[]).disable(ada).expect("disabled");
    assert_eq!(ask(&open.address, "/mcp", &token).status, 401);
    bed.access(&[]).enable(ada).expect("enabled");
    assert_eq!(ask(&open.address, "/mcp", &token).status, 200);

    let all = said.join("\n") + &open.door.metrics.text() + &logs::text();
    for secret in [&token, &ended, &unknown] {
        assert!(!all.contains(&secret[4..]), "a token was said");
    }
    assert!(all.contains("oldhand_refusals_total{why=\"unknown\"}"), "{all}");
    let dump = bed.as_owner(async |client| {
        let rows = client.query("select c::text from credential c", &[]).await.expect("readable");
        rows.iter().map(|row| row.get::<_, String>(0)).collect::<String>()
    });
    assert!(dump.contains(&id) && !dump.contains(&token[4..]));
}

fn revoked_everywhere(programs: &Programs) {
    let bed = Bed::new(programs);
    let (one, two) = (bed.open(None), bed.open(None));
    let bot = bed.access(&[]).create_principal("ci", "bot").expect("made");
    let (token, id) = bed.token(bot, &["memory:read"], None);
    for open in [&one, &two] {
        assert_eq!(ask(&open.address, "/mcp/token", &token).status, 200);
    }
    assert!(bed.access(&[]).revoke_credential(&id).expect("revoked"));
    for open in [&one, &two] {
        assert_eq!(ask(&open.address, "/mcp/token", &token).status, 401, "at the next request");
    }
    assert!(!bed.access(&[]).revoke_credential(&id).expect("asked"), "once");
}

fn own_stores(programs: &Programs) {
    let bed = Bed::new(programs);
    let open = bed.open(None);
    let bot = bed.access(&[]).create_principal("ci", "bot").expect("made");
    for store in bed.stores {
        bed.access(&[]).grant(store, bot, "reader").expect("granted");
    }
    let (wide, _) = bed.token(bot, &["memory:read"], None);
    let (narrow, _) = bed.token(bot, &["memory:read"], Some(&[bed.stores[1]]));
    let (blind, _) = bed.token(bot, &["memory:write"], None);
    let status =
        |store: &str, token: &str| ask(&open.address, &format!("/v1/read/{store}"), token).status;
    assert_eq!([status("payments", &wide), status("search", &wide)], [200, 200]);
    assert_eq!([status("payments", &narrow), status("search", &narrow)], [404, 200]);
    assert_eq!([status("payments", &blind), status("nowhere", &wide)], [403, 404]);
    let theirs = ask(&open.address, "/v1/read/payments", &narrow).body;
    let nobodys = ask(&open.address, "/v1/read/nowhere", &narrow).body;
    assert_eq!(theirs, nobodys, "nobody learns which stores there are");
    assert!(bed.access(&[]).ungrant(bed.stores[1], bot).expect("taken"));
    assert_eq!(status("search", &narrow), 404, "at the next request");
    let stranger = bed.create_tenant("stranger");
    bed.sql(&format!("update store set tenant = tenant where tenant = {stranger}"));
    assert_eq!(status("payments", &wide), 200);
}

fn too_often(programs: &Programs) {
    let bed = Bed::new(programs);
    let limits = LimitSettings { token_per_minute: 3, ..LimitSettings::default() };
    let open = bed.open_with(None, limits);
    let bot = bed.access(&[]).create_principal("ci", "bot").expect("made");
    let (one, _) = bed.token(bot, &["memory:read"], None);
    let (two, _) = bed.token(bot, &["memory:read"], None);
    for _ in 0..3 {
        assert_eq!(ask(&open.address, "/mcp/token", &one).status, 200);
    }
    let refused = ask(&open.address, "/mcp/token", &one);
    assert_eq!(refused.status, 429);
    let seconds: u64 = refused.header("retry-after").parse().expect("seconds");
    assert!((1..=20).contains(&seconds));
    assert_eq!(ask(&open.address, "/mcp/token", &two).status, 200, "another token");
}
