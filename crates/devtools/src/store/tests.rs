//! What documents become, read back by the codec.

use oldhand_core::codec::markdown::{Origin as At, parse};
use oldhand_core::kind::Kind;
use oldhand_text::time::format_instant;

use super::*;
use crate::tests::ok;

fn document(id: &str, text: &str) -> Document {
    Document {
        id: id.to_owned(),
        scope: "Conv 26".to_owned(),
        title: None,
        text: text.to_owned(),
        kind: Kind::Reference,
        at: None,
        session: None,
    }
}

/// By document id, from the files.
fn stored(documents: &[Document]) -> BTreeMap<String, Memory> {
    let documents: Vec<&Document> = documents.iter().collect();
    let scratch = ok(make(&documents));
    let kinds = Kinds::default();
    let mut memories = BTreeMap::new();
    for spec in kinds.iter() {
        let Ok(files) = std::fs::read_dir(scratch.root().join(&spec.folder)) else { continue };
        for file in files {
            let path = file.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let parsed = parse(&text, At { stem, folder: &spec.folder }, &kinds).unwrap();
            assert!(parsed.problems.is_empty(), "{:?}", parsed.problems);
            memories.insert(scratch.names[stem].clone(), parsed.memory);
        }
    }
    assert_eq!(memories.len(), documents.len());
    memories
}

#[test]
fn a_document_becomes_a_stable_memory() {
    let mut spoken =
        document("conv-26/D1:3", "Caroline: I went to a support group\n\n## Then\nhome");
    spoken.session = Some("1".to_owned());
    spoken.at = "2023-05-08T13:56:00Z".parse().ok();
    let memory = &stored(&[spoken])["conv-26/D1:3"];
    assert_eq!(memory.id.as_str(), "caroline-i-went-to-a-support-group-then-home-1");
    assert_eq!(memory.title, "Caroline: I went to a support group ## Then home");
    assert_eq!((memory.state, memory.origin), (State::Stable, Origin::User));
    assert_eq!(memory.created_at.map(format_instant).unwrap(), "2023-05-08T13:56:00Z");
    assert_eq!(memory.evidence, ["session:conv-26-1"]);
    let text = "Caroline: I went to a support group\n\n## Then\nhome";
    assert_eq!(memory.content.text("text"), Some(text));
}

#[test]
fn every_kind_keeps_the_text() {
    for kind in Kind::BUILT_IN {
        let mut one = document("d", "first line\nsecond line");
        one.kind = kind.clone();
        let memory = &stored(&[one])["d"];
        assert_eq!(memory.kind, kind);
        let kept: Vec<String> = memory.content.iter().map(|(_, value)| value.plain()).collect();
        assert!(kept.iter().any(|text| text.contains("second line")), "{kind}: {kept:?}");
    }
}

#[test]
fn same_titles_and_empty_texts_are_told_apart() {
    let mut titled = document("b", "");
    titled.title = Some("Cents".to_owned());
    let mut twin = document("c", "other");
    twin.title = Some("Cents".to_owned());
    let memories = stored(&[document("a/1", ""), titled, twin]);
    let ids: Vec<&str> = memories.values().map(|memory| memory.id.as_str()).collect();
    assert_eq!(ids, ["a-1-1", "cents-2", "cents-3"]);
}

#[test]
fn the_order_of_documents_is_kept_within_a_date() {
    let dated = |at: &str| {
        let mut one = document("d", "t");
        one.at = at.parse().ok();
        one
    };
    let documents = [
        document("d", "t"),
        document("d", "t"),
        dated("2023-05-08T00:00:00Z"),
        document("d", "t"),
        dated("2023-05-01T00:00:00Z"),
        dated("2023-05-08T00:00:00Z"),
    ];
    let documents: Vec<&Document> = documents.iter().collect();
    let instants: Vec<String> = instants(&documents).into_iter().map(format_instant).collect();
    assert_eq!(
        instants,
        [
            "2024-01-01T00:00:00Z",
            "2024-01-01T00:01:00Z",
            "2023-05-08T00:00:00Z",
            "2023-05-08T00:01:00Z",
            "2023-05-01T00:00:00Z",
            "2023-05-08T00:02:00Z",
        ]
    );
}

#[test]
fn what_would_not_be_read_is_refused() {
    let large = document("large", &"word ".repeat(250_000));
    let Err(Fail { message, .. }) = make(&[&large]) else {
        panic!("a document of that size was taken")
    };
    assert!(message.ends_with("fit: `large`"), "{message}");
}

#[test]
fn the_folder_goes_with_the_scratch() {
    let one = document("d", "t");
    let scratch = ok(make(&[&one]));
    let root = scratch.root().to_owned();
    assert!(root.join("config.toml").is_file());
    drop(scratch);
    assert!(!root.exists());
}
