//! `oldhand capture save`: drafts from the staging area become memories, or say why not.

use std::path::Path;

use serde_json::{Value, json};

use super::handover::{DECISION, asked, stage, staging};
use super::stage::Stage;
use crate::program::Ran;

/// A staging folder with an excerpt for each of these.
fn staged(stage: &Stage, categories: &[&str]) -> std::path::PathBuf {
    let session = stage.session("s");
    session.person(DECISION);
    let folder = staging(&asked(&session));
    for category in categories {
        let text =
            format!("Category: {category}\n<transcript_data>\n{DECISION}\n</transcript_data>\n");
        std::fs::write(folder.join(format!("context-{category}.txt")), text).unwrap();
    }
    folder
}

fn save(stage: &Stage, folder: &Path) -> Ran {
    stage.scratch.run(&["capture", "save", "--staging", folder.to_str().unwrap()])
}

#[track_caller]
fn line(ran: &Ran) -> String {
    let text = String::from_utf8(ran.stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "R253: one line: {text}");
    text
}

fn put(folder: &Path, category: &str, draft: &Value) {
    std::fs::write(folder.join(format!("draft-{category}.json")), draft.to_string()).unwrap();
}

fn decision() -> Value {
    json!({"title": "Use PostgreSQL for the orders", "tags": ["database"],
        "content": {"decision": "PostgreSQL for the orders",
            "rationale": ["it has transactions"]}})
}

/// R253, R254, R257: created, without a question, with one line that says why.
#[test]
fn a_good_draft_becomes_a_memory() {
    let stage = stage();
    let folder = staged(&stage, &["decision"]);
    put(&folder, "decision", &decision());
    let ran = save(&stage, &folder);
    assert_eq!(ran.code, 0, "{}", String::from_utf8_lossy(&ran.stderr));
    let text = line(&ran);
    assert!(text.contains("decision created use-postgresql-for-the-orders ("), "{text}");
    let memory = stage.show("use-postgresql-for-the-orders");
    assert_eq!(memory["origin"], "capture", "{memory}");
    assert!(!folder.join("draft-decision.json").exists());
    assert_eq!(line(&save(&stage, &folder)), "memory: no drafts\n", "twice is once");
    assert_eq!(stage.ids(&[]).len(), 1);
}

/// In fences, with the content one level deeper, under another category: models do that.
#[test]
fn a_draft_in_fences_is_read() {
    let stage = stage();
    let folder = staged(&stage, &["decision"]);
    let draft = json!({"category": "runbook", "partial_content": decision(), "id": "../../x"});
    std::fs::write(folder.join("draft-decision.json"), format!("```json\n{draft}\n```\n")).unwrap();
    let ran = save(&stage, &folder);
    let text = line(&ran);
    assert!(text.contains("decision created use-postgresql"), "{text}");
}

/// R253: nothing to save is an answer.
#[test]
fn a_noop_saves_nothing() {
    let stage = stage();
    let folder = staged(&stage, &["decision"]);
    put(&folder, "decision", &json!({"action": "noop", "noop_reason": "only a question"}));
    let ran = save(&stage, &folder);
    assert_eq!(ran.code, 0);
    assert!(line(&ran).contains("nothing to save (only a question)"));
    assert_eq!(stage.ids(&[]), Vec::<String>::new());
}

/// A draft that is wrong stops itself and no other.
#[test]
fn a_malformed_draft_stops_no_other() {
    for broken in ["", "{", "[1, 2]", "null", "\u{0}\u{0}", "{\"title\": []}", "{\"content\": []}"]
    {
        let stage = stage();
        let folder = staged(&stage, &["decision", "constraint"]);
        put(&folder, "decision", &decision());
        std::fs::write(folder.join("draft-constraint.json"), broken).unwrap();
        let ran = save(&stage, &folder);
        assert_eq!(ran.code, 1, "{broken:?}");
        let text = line(&ran);
        assert!(text.contains("decision created"), "{broken:?}: {text}");
        assert!(text.contains("constraint refused"), "{broken:?}: {text}");
        assert_eq!(stage.ids(&[]), ["use-postgresql-for-the-orders"]);
        assert!(folder.join("draft-constraint.json").exists(), "it can be mended");
    }
}

/// Deep nesting, too long, a link: nothing of it is taken in.
#[test]
fn a_hostile_draft_is_refused() {
    let stage = stage();
    let folder = staged(&stage, &["decision"]);
    let file = folder.join("draft-decision.json");
    for text in ["[".repeat(100_000), format!("{{\"title\": \"{}\"}}", "x".repeat(2_000_000))] {
        std::fs::write(&file, text).unwrap();
        let ran = save(&stage, &folder);
        assert_eq!(ran.code, 1);
        assert!(line(&ran).contains("decision refused"));
        std::fs::remove_file(&file).unwrap();
    }
    let outside = stage.home().join("outside.json");
    std::fs::write(&outside, decision().to_string()).unwrap();
    std::os::unix::fs::symlink(&outside, &file).unwrap();
    assert!(line(&save(&stage, &folder)).contains("no plain file"));
    std::fs::remove_file(&file).unwrap();
    std::fs::hard_link(&outside, &file).unwrap();
    assert!(line(&save(&stage, &folder)).contains("no plain file"));
    assert_eq!(stage.ids(&[]), Vec::<String>::new());
}

/// R244
#[test]
fn a_draft_without_its_excerpt_is_skipped() {
    let stage = stage();
    let folder = staged(&stage, &[]);
    put(&folder, "runbook", &json!({"title": "Restart", "content": {"steps": ["Restart it"]}}));
    let ran = save(&stage, &folder);
    assert_eq!(ran.code, 1);
    let text = line(&ran);
    assert!(text.contains("runbook skipped") && text.contains("context-runbook.txt"), "{text}");
    assert_eq!(stage.ids(&[]), Vec::<String>::new());
}

/// R252
#[test]
fn a_path_outside_of_the_staging_area_is_refused() {
    let stage = stage();
    let folder = staged(&stage, &["decision"]);
    let outside = stage.home().join("outside");
    std::fs::create_dir(&outside).unwrap();
    let copy = |to: &Path| {
        put(to, "decision", &decision());
        std::fs::write(to.join("context-decision.txt"), DECISION).unwrap();
    };
    copy(&outside);
    let area = folder.parent().unwrap();
    std::os::unix::fs::symlink(&outside, area.join("link")).unwrap();
    std::fs::create_dir_all(folder.join("deeper")).unwrap();
    copy(&folder.join("deeper"));
    let upward = folder.join("..").join(folder.file_name().unwrap());
    for path in [
        outside.as_path(),
        &area.join("link"),
        &upward,
        &folder.join("deeper"),
        area,
        Path::new("/"),
        Path::new("nowhere"),
        &folder.join("triage-data.json"),
    ] {
        let ran = save(&stage, path);
        assert_ne!(ran.code, 0, "{path:?}");
        let text = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(text.contains("--staging") && text.contains("hint: "), "{path:?}: {text}");
    }
    assert_eq!(stage.ids(&[]), Vec::<String>::new());
}

fn debt(stage: &Stage) {
    let add = [
        "tech_debt",
        "--title",
        "The mail queue has no retries",
        "--description",
        "Mails are lost when the server is away",
        "--acceptance-criteria",
        "Mails are sent later",
        "--tags",
        "mail",
        // A person's would wait for a person.
        "--origin",
        "agent",
    ];
    stage.scratch.ok(&[&["add"], &add[..]].concat());
}

fn debt_draft(action: &str) -> Value {
    json!({"title": "The mail queue has no retries", "tags": ["queue"],
        "intended_action": action,
        "new_info_summary": "the mail queue has no retries",
        "change_summary": "seen again",
        "content": {"acceptance_criteria": ["No mail is sent twice"]}})
}

/// R249, R254: lists grow, tags are merged, and the change is told.
#[test]
fn an_update_grows_what_is_there() {
    let stage = stage();
    debt(&stage);
    let folder = staged(&stage, &["tech_debt"]);
    put(&folder, "tech_debt", &debt_draft("update"));
    let ran = save(&stage, &folder);
    let text = line(&ran);
    assert_eq!(ran.code, 0, "{text}");
    assert!(text.contains("tech_debt updated the-mail-queue-has-no-retries ("), "{text}");
    let memory = stage.show("the-mail-queue-has-no-retries");
    let criteria = memory["content"]["acceptance_criteria"].clone();
    assert_eq!(criteria, json!(["Mails are sent later", "No mail is sent twice"]), "{memory}");
    assert_eq!(memory["tags"], json!(["mail", "queue"]), "{memory}");
    assert!(memory["changes"].to_string().contains("seen again"), "{memory}");
    assert_eq!(memory["content"]["description"], "Mails are lost when the server is away");
}

/// R256: what was judged to be gone is retired, where the kind allows it.
#[test]
fn a_delete_retires_a_debt() {
    let stage = stage();
    debt(&stage);
    let folder = staged(&stage, &["tech_debt"]);
    let mut draft = debt_draft("delete");
    draft["lifecycle_event"] = json!("resolved");
    put(&folder, "tech_debt", &draft);
    let text = line(&save(&stage, &folder));
    assert!(text.contains("tech_debt retired the-mail-queue-has-no-retries"), "{text}");
    let memory = stage.show("the-mail-queue-has-no-retries");
    assert_eq!(memory["record_status"], "retired", "{memory}");
    stage.scratch.ok(&["restore", "the-mail-queue-has-no-retries"]);
}

/// R256: judged to be another matter, it is one more memory.
#[test]
fn a_create_beside_a_candidate_is_created() {
    let stage = stage();
    debt(&stage);
    let folder = staged(&stage, &["tech_debt"]);
    let mut draft = debt_draft("create");
    draft["title"] = json!("The mail queue has no metrics");
    draft["content"]["description"] = json!("Nobody sees how long the queue is");
    put(&folder, "tech_debt", &draft);
    let text = line(&save(&stage, &folder));
    assert!(text.contains("tech_debt created the-mail-queue-has-no-metrics"), "{text}");
    assert_eq!(stage.ids(&[]).len(), 2);
}

/// R254, R255: nothing is there to be updated or removed.
#[test]
fn without_a_candidate_an_update_creates_and_a_delete_does_nothing() {
    let stage = stage();
    let folder = staged(&stage, &["decision", "tech_debt"]);
    let mut update = decision();
    update["intended_action"] = json!("update");
    put(&folder, "decision", &update);
    put(&folder, "tech_debt", &debt_draft("delete"));
    let text = line(&save(&stage, &folder));
    assert!(text.contains("decision created"), "{text}");
    assert!(text.contains("tech_debt unchanged nothing ("), "{text}");
    assert_eq!(stage.ids(&[]), ["use-postgresql-for-the-orders"]);
}

/// R254: a decision is never deleted by capture; that it no longer holds is noted in it.
#[test]
fn a_decision_is_protected() {
    let stage = stage();
    let args = ["decision", "--title", "Use PostgreSQL for the orders", "--decision", "PostgreSQL"];
    stage.scratch.ok(&[&["add"], &args[..]].concat());
    let folder = staged(&stage, &["decision"]);
    let mut draft = decision();
    draft["intended_action"] = json!("delete");
    draft["lifecycle_event"] = json!("reversed");
    put(&folder, "decision", &draft);
    let text = line(&save(&stage, &folder));
    assert!(!text.contains("retired"), "{text}");
    let memory = stage.show("use-postgresql-for-the-orders");
    assert_eq!(memory["record_status"], "active", "{memory}");
    assert_eq!(memory["state"], "stable", "{memory}");
}

/// R253: the same as JSON.
#[test]
fn the_result_as_json_says_action_and_why() {
    let stage = stage();
    let folder = staged(&stage, &["decision"]);
    put(&folder, "decision", &decision());
    let result = stage.scratch.json(&["capture", "save", "--staging", folder.to_str().unwrap()]);
    assert_eq!(result["status"], "success", "{result}");
    assert_eq!(result["results"][0]["result"], "saved");
    assert_eq!(result["results"][0]["action"], "created");
    assert!(!result["results"][0]["why"].as_str().unwrap().is_empty());
}

/// R52: drafts are an agent's word, whoever starts the command: a person's constraint stays, and its
/// text is not what a farewell says.
#[test]
fn a_draft_takes_nothing_from_a_person() {
    let stage = stage();
    let rule = "Use PostgreSQL for the orders";
    stage.scratch.ok(&["add", "constraint", "--title", rule, "--rule", rule, "--impact", "money"]);
    stage.scratch.ok(&["add", "preference", "--title", rule, "--value", rule, "--topic", "orders"]);
    let folder = staged(&stage, &["constraint", "preference"]);
    let gone = |field: &str| {
        json!({"title": rule, "content": {field: "PostgreSQL"}, "intended_action": "delete",
            "lifecycle_event": "removed", "new_info_summary": rule})
    };
    put(&folder, "constraint", &gone("rule"));
    put(&folder, "preference", &gone("value"));
    let text = line(&save(&stage, &folder));
    assert!(text.contains("constraint refused"), "{text}");
    let stable = stage.ids(&["--state", "stable"]);
    assert_eq!(stable.len(), 2, "{text}: {stable:?}");
    for id in &stable {
        let content = stage.show(id)["content"].to_string();
        assert!(content.contains(rule), "{id}: {content}");
    }
}
