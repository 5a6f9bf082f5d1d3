//! Reading `cargo metadata`.

use super::Workspace;

#[test]
fn members_keep_their_folder_and_the_kind_of_each_dependency() {
    let json = r#"{
        "workspace_root": "/r", "target_directory": "/t",
        "packages": [{
            "name": "oldhand-core", "manifest_path": "/r/crates/core/Cargo.toml",
            "dependencies": [{"name": "serde", "kind": null}, {"name": "proptest", "kind": "dev"}]
        }]
    }"#;
    let workspace = Workspace::parse(json).expect("valid metadata");
    let member = &workspace.members[0];
    assert_eq!((member.name.as_str(), member.folder.as_str()), ("oldhand-core", "crates/core"));
    let kinds: Vec<_> = member.dependencies.iter().map(|it| (it.name.as_str(), it.dev)).collect();
    assert_eq!(kinds, [("serde", false), ("proptest", true)]);
    assert!(workspace.binary("release").starts_with("/t/release"));
}

#[test]
fn something_else_is_no_workspace() {
    assert!(Workspace::parse("{}").is_none());
    assert!(Workspace::parse("error").is_none());
}
