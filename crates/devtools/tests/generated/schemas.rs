//! The JSON schemas of the answers.

use std::collections::BTreeMap;

use super::{docs, is_update};

#[test]
fn the_committed_schemas_are_those_of_the_answers() {
    let folder = docs().join("formats/schema");
    let wanted: BTreeMap<String, String> = super::answers::schemas()
        .into_iter()
        .map(|(name, schema)| (format!("{name}.json"), format!("{schema:#}\n")))
        .collect();
    if is_update() {
        std::fs::remove_dir_all(&folder).expect("a folder that is there");
        std::fs::create_dir_all(&folder).expect("a new folder");
        for (name, text) in &wanted {
            std::fs::write(folder.join(name), text).expect("a file is written");
        }
    }
    let found: BTreeMap<String, String> = std::fs::read_dir(&folder)
        .expect("a folder that is there")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        wanted.keys().collect::<Vec<_>>(),
        "run `cargo xtask docs`"
    );
    for (name, text) in wanted {
        assert_eq!(found[&name], text, "{name} differs: run `cargo xtask docs`");
    }
}
