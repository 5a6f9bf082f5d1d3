//! Sets of a few lines, right and wrong.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;
use crate::tests::ok;

const GOLD: Choice<'_> = Choice { gold_field: "gold", limit: None, k: 10 };
const DOCUMENTS: &str = r#"{"id": "d1", "scope": "s", "title": "Cents", "text": "Money is kept in cents", "kind": "decision", "meta": {"date": "8 May, 2023", "session": 1}}

{"id": 2, "text": "A gateway takes ten messages"}
"#;
const QUERIES: &str = r#"{"id": "q1", "scope": "s", "text": "how is money kept", "category": "easy", "gold": ["d1", "d1"], "gold_audited": [2], "exclude": ["d9"]}
{"text": "what does the gateway take", "gold": [2]}
"#;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = File::create(folder.path().join(name)).unwrap();
        if name.ends_with(".gz") {
            let mut packed = GzEncoder::new(file, Compression::fast());
            packed.write_all(text.as_bytes()).unwrap();
            packed.finish().unwrap();
        } else {
            (&file).write_all(text.as_bytes()).unwrap();
        }
    }
    folder
}

fn read_of(files: &[(&str, &str)], gold: &str) -> Result<Set, Fail> {
    let folder = folder(files);
    read(folder.path(), &Choice { gold_field: gold, limit: None, k: 10 })
}

#[track_caller]
fn check_refused(files: &[(&str, &str)], want: &str) {
    match read_of(files, "gold") {
        Err(Fail { message, hint }) => {
            assert!(message.contains(want), "{message:?} should say {want:?}");
            assert!(!hint.is_empty());
        }
        Ok(_) => panic!("it was taken"),
    }
}

#[track_caller]
fn check_bad_document(line: &str, want: &str) {
    check_refused(&[("docs.jsonl", line), ("queries.jsonl", QUERIES)], want);
}

#[test]
fn plain_and_packed_files_say_the_same() {
    let plain = ok(read_of(&[("docs.jsonl", DOCUMENTS), ("queries.jsonl", QUERIES)], "gold"));
    let packed =
        ok(read_of(&[("docs.jsonl.gz", DOCUMENTS), ("queries.jsonl.gz", QUERIES)], "gold"));
    assert_eq!(plain.documents, packed.documents);
    assert_eq!(plain.questions, packed.questions);
    let [first, second] = plain.documents.as_slice() else { panic!("two documents") };
    assert_eq!((first.kind.as_str(), first.session.as_deref()), ("decision", Some("1")));
    assert_eq!(first.at, dates::parse("2023-05-08"));
    let second = (second.id.as_str(), second.scope.as_str(), second.kind.as_str());
    assert_eq!(second, ("2", "all", "reference"));
    let [first, second] = plain.questions.as_slice() else { panic!("two questions") };
    assert_eq!(
        (first.gold.as_slice(), first.exclude.as_slice()),
        (&["d1".to_owned()][..], &["d9".to_owned()][..])
    );
    assert_eq!((second.id.as_str(), second.category.as_str()), ("line-2", "question"));
}

#[test]
fn another_gold_field_falls_back_to_gold() {
    let files = [("docs.jsonl", DOCUMENTS), ("queries.jsonl", QUERIES)];
    let set = ok(read_of(&files, "gold_audited"));
    assert_eq!(set.questions[0].gold, ["2"]);
    assert_eq!(set.questions[1].gold, ["2"]);
    let Err(Fail { message, .. }) = read_of(&files, "silver") else {
        panic!("a field that nobody has was taken")
    };
    assert!(message.ends_with("has the field `silver`"), "{message}");
}

#[test]
fn unanswerable_questions_join() {
    let abstention = r#"{"id": "q9", "scope": "s", "text": "who was it"}"#;
    let files =
        [("docs.jsonl", DOCUMENTS), ("queries.jsonl", QUERIES), ("abstention.jsonl", abstention)];
    let set = ok(read_of(&files, "gold"));
    let last = set.questions.last().unwrap();
    assert_eq!((last.category.as_str(), last.gold.len()), ("abstention", 0));
}

#[test]
fn what_is_missing_is_named() {
    check_refused(&[("queries.jsonl", QUERIES)], "there is no `docs.jsonl`");
    check_refused(&[("docs.jsonl", DOCUMENTS)], "there is no `queries.jsonl`");
    let Err(Fail { message, .. }) = read(Path::new("/nowhere/at/all"), &GOLD) else {
        panic!("a folder that is not there was read")
    };
    assert_eq!(message, "there is no folder `/nowhere/at/all`");
}

#[test]
fn a_wrong_document_is_named_by_its_line() {
    check_bad_document("\n{\"id\": \"a\"", "docs.jsonl` line 2: expected a JSON object");
    check_bad_document("[1]", "line 1: `line`: expected a JSON object, found `[1]`");
    check_bad_document(
        r#"{"text": "t"}"#,
        "line 1: `id`: expected a line of text, found `nothing`",
    );
    check_bad_document(r#"{"id": "a"}"#, "line 1: `text`: expected text, found `nothing`");
    check_bad_document(r#"{"id": {}, "text": "t"}"#, "`id`: expected a line of text, found `{}`");
    check_bad_document(r#"{"id": "a", "text": "t", "meta": 7}"#, "`meta`: expected an object");
    check_bad_document(r#"{"id": "a", "text": "t", "kind": "decisoin"}"#, "`kind`: expected");
    check_bad_document(
        "{\"id\": \"a\", \"text\": \"t\"}\n{\"id\": \"a\", \"text\": \"u\"}",
        "line 2: the id is taken by line 1: `a`",
    );
}

#[test]
fn one_id_in_two_scopes_is_two_documents() {
    let documents =
        "{\"id\": \"a\", \"scope\": \"s\", \"text\": \"t\"}\n{\"id\": \"a\", \"text\": \"u\"}";
    let set = ok(read_of(&[("docs.jsonl", documents), ("queries.jsonl", QUERIES)], "gold"));
    assert_eq!(set.documents.len(), 2);
}

#[test]
fn a_wrong_question_is_named_by_its_file_and_line() {
    check_refused(
        &[("docs.jsonl", DOCUMENTS), ("queries.jsonl", r#"{"text": "t"}"#)],
        "queries.jsonl` line 1: `gold`: expected a list of ids",
    );
    let check = |line: &str, want: &str| {
        check_refused(&[("docs.jsonl", DOCUMENTS), ("queries.jsonl", line)], want);
    };
    check(r#"{"text": "t", "gold": "d1"}"#, "expected a list of ids, found `\"d1\"`");
    check(r#"{"text": "t", "gold": [1.5]}"#, "expected a list of ids, found `1.5`");
    check(r#"{"text": " ", "gold": []}"#, "`text`: expected a line of text");
    check(
        "{\"id\": 1, \"text\": \"t\", \"gold\": []}\n{\"id\": \"1\", \"text\": \"t\", \"gold\": []}",
        "line 2: the id is taken by line 1: `1`",
    );
    let abstention = r#"{"text": "t", "gold": ["d1"]}"#;
    check_refused(
        &[("docs.jsonl", DOCUMENTS), ("queries.jsonl", QUERIES), ("abstention.jsonl", abstention)],
        "abstention.jsonl` line 1: `gold`: expected an empty list",
    );
}

#[test]
fn a_torn_archive_is_an_error() {
    let folder = folder(&[("docs.jsonl.gz", DOCUMENTS), ("queries.jsonl", QUERIES)]);
    let path = folder.path().join("docs.jsonl.gz");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 12]).unwrap();
    assert!(read(folder.path(), &GOLD).is_err());
    std::fs::write(&path, "not packed").unwrap();
    assert!(read(folder.path(), &GOLD).is_err());
}

#[test]
fn a_line_without_an_end_is_not_read_for_ever() {
    let endless = " ".repeat(lines::LINE_BYTES_MAX as usize + 10);
    check_bad_document(&endless, "line 1: expected at most");
}
