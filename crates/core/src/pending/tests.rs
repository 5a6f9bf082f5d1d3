//! A pending file is read back as it was meant, whatever the proposal holds.

use proptest::prelude::*;

use super::*;

fn conflict(proposal: &str) -> Pending {
    Pending {
        id: Pending::conflict_id("use-mysql"),
        by: "ada".into(),
        via: crate::actor::Via::Shell,
        at: Timestamp::from_second(1_700_000_000).unwrap(),
        matter: Matter::Conflict {
            action: Action::Create,
            memory: "use-mysql".into(),
            title: "Use MySQL".into(),
            against: vec![Against {
                id: "use-postgresql".into(),
                title: "Use PostgreSQL: always".into(),
                date: "2026-11-15".into(),
                why: "both choose a database".into(),
                ours: "Use MySQL".into(),
                theirs: "Use \"PostgreSQL\"".into(),
            }],
            proposal: proposal.into(),
            base: Some("61ab24".into()),
        },
    }
}

#[test]
fn a_conflict_comes_back() {
    for proposal in [
        "---\nid: use-mysql\n---\n\n## Decision\nMySQL\n",
        "## Proposal\n```\ncode\n```\n",
        "````\n````\n",
        "\n## Proposal\n```markdown\n",
    ] {
        let pending = conflict(proposal);
        assert_eq!(Pending::parse(pending.id.as_str(), &pending.render()).unwrap(), pending);
    }
}

#[test]
fn an_approval_comes_back() {
    let at = Timestamp::from_second(1_700_000_000).unwrap();
    let pending = Pending {
        id: Pending::approval_id("use-cents"),
        by: "ada".into(),
        via: crate::actor::Via::Unknown,
        at,
        matter: Matter::Approval {
            memory: "use-cents".into(),
            to: State::Canonical,
            reason: "it held: twice".into(),
            votes: vec![Vote { by: "ada".into(), role: "architect".into(), at }],
        },
    };
    assert_eq!(Pending::parse("promote-use-cents", &pending.render()).unwrap(), pending);
}

#[test]
fn what_nobody_wrote_here_is_refused() {
    for text in ["", "---\npending: wish\n---\n", "---\npending: conflict\naction: create\n---\n"] {
        assert!(Pending::parse("x", text).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn any_proposal_comes_back(proposal in "[ -~\n`#]{0,200}\n") {
        prop_assume!(!proposal.contains("<<<<<<<"));
        let pending = conflict(&proposal);
        prop_assert_eq!(Pending::parse(pending.id.as_str(), &pending.render()).unwrap(), pending);
    }
}
