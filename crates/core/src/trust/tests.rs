//! Who is trusted once is not asked again; nobody else is trusted.

use super::{Known, Record, StoreTrust, Trusted, judge, place_of_remote};

fn acme() -> Trusted {
    Trusted {
        remotes: vec!["github.com/acme".to_owned()],
        folders: vec!["/home/sam/work".to_owned()],
    }
}

#[track_caller]
fn check(known: &Known<'_>, want: StoreTrust) {
    assert_eq!(judge(known, &acme()), want, "{known:?}");
}

#[test]
fn a_clone_is_unknown() {
    check(&Known { folder: "/home/sam/tmp/x", ..Known::default() }, StoreTrust::Unknown);
    let remote = Some("https://github.com/evil/acme.git");
    check(&Known { remote, folder: "/x", ..Known::default() }, StoreTrust::Unknown);
}

#[test]
fn what_was_made_accepted_or_is_ones_own_is_trusted() {
    check(&Known { is_own: true, ..Known::default() }, StoreTrust::Own);
    check(&Known { record: Some(Record::Made), ..Known::default() }, StoreTrust::Made);
    check(&Known { record: Some(Record::Accepted), ..Known::default() }, StoreTrust::Accepted);
    check(&Known { by_environment: true, ..Known::default() }, StoreTrust::Environment);
}

#[test]
fn named_remotes_and_folders_are_trusted_with_what_is_below() {
    for address in [
        "git@github.com:acme/app.git",
        "https://sam@GitHub.com/acme/app",
        "ssh://git@github.com:22/acme/team/app.git",
    ] {
        let known = Known { remote: Some(address), folder: "/x", ..Known::default() };
        check(&known, StoreTrust::Remote("github.com/acme".to_owned()));
    }
    let below = Known { folder: "/home/sam/work/app", ..Known::default() };
    check(&below, StoreTrust::Folder("/home/sam/work".to_owned()));
    check(&Known { folder: "/home/sam/workshop", ..Known::default() }, StoreTrust::Unknown);
    let remote = Some("https://github.com/acme-evil/app");
    check(&Known { remote, folder: "/x", ..Known::default() }, StoreTrust::Unknown);
}

#[test]
fn an_address_that_climbs_or_stays_here_has_no_place() {
    for address in ["https://github.com/acme/../evil/x", "/srv/git/x", "file:///srv/x", "../x", ""]
    {
        assert_eq!(place_of_remote(address), None, "{address}");
    }
}
