//! Who may ask: tokens are known by their hash alone, before the tenant is, and end when they should (R402).

use jiff::Timestamp;
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::NewCredential;
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::bed::Bed;

pub(crate) const TESTS: &[Test] = &[("people::a_token_is_known_by_its_hash_until_it_ends", tokens)];

const FIRST: &str = "0191d3c8-7f5e-7c3a-9c1e-3f1f5f0f6a01";
const SECOND: &str = "0191d3c8-7f5e-7c3a-9c1e-3f1f5f0f6a02";

fn tokens(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store();
    let admin = Access::new(&bed.database, bed.caller(&[]));
    let ada = admin.create_principal("person", "ada").expect("a principal");
    assert!(admin.create_principal("robot", "r2").is_err(), "a kind that there is not");
    admin.grant(store, ada, "reviewer").expect("granted");
    let stores = admin.stores_of(ada).expect("readable");
    assert_eq!((stores.len(), stores[0].store, stores[0].role.as_str()), (1, store, "reviewer"));
    let new = |credential, hash, expires_at| NewCredential {
        credential,
        principal: ada,
        hash,
        scopes: &["memory:read"],
        stores: None,
        expires_at,
    };
    let far: Timestamp = "2999-01-01T00:00:00Z".parse().expect("an instant");
    admin.create_credential(&new(FIRST, b"one", far)).expect("made");
    admin.create_credential(&new(SECOND, b"two", Timestamp::UNIX_EPOCH)).expect("made");
    let known = |hash: &[u8]| bed.database.credential(hash).expect("asked");
    assert_eq!(known(b"three"), None);
    let one = known(b"one").expect("known");
    assert_eq!((one.tenant, one.principal, one.name.as_str()), (bed.tenant, ada, "ada"));
    assert!(one.is_valid && !known(b"two").expect("known").is_valid);
    let stranger = bed.create_tenant("stranger");
    let other = Caller { tenant: stranger, stores: Vec::new(), principal: None };
    let other = Access::new(&bed.database, other);
    assert!(!other.revoke_credential(FIRST).expect("asked"), "of another tenant");
    assert!(other.stores_of(ada).expect("asked").is_empty());
    assert!(other.grant(store, ada, "reader").is_err(), "a store of another tenant");
    assert!(admin.revoke_credential(FIRST).expect("revoked"));
    assert!(!known(b"one").expect("known").is_valid);
}
