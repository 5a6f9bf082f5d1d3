//! Two servers and a command line on one store: nothing is lost, and each sees what the others wrote.

use std::collections::BTreeSet;

use serde_json::json;

use super::client::{Client, locked};
use crate::scratch::Scratch;

const EACH: usize = 60;

#[test]
fn two_servers_and_a_command_line_lose_nothing() {
    let scratch = Scratch::new();
    std::thread::scope(|scope| {
        for server in 0..2 {
            let scratch = &scratch;
            scope.spawn(move || {
                let mut client = Client::new(scratch);
                for number in 0..EACH {
                    let title = format!("Fact {number} of server {server}");
                    let text = format!("{number} and {server} belong together");
                    client.call(
                        "remember",
                        json!({"kind": "reference", "title": title, "text": text}),
                    );
                }
            });
        }
        let scratch = &scratch;
        scope.spawn(move || {
            for number in 0..EACH {
                let title = format!("Fact {number} of the shell");
                let text = format!("{number} was typed");
                let done = scratch
                    .program(&["add", "reference", "--title", &title, "--text", &text])
                    .output()
                    .unwrap();
                assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            }
        });
    });
    let listing = scratch.json(&["list", "--limit", "0"]);
    let titles: BTreeSet<&str> = listing["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles.len(), 3 * EACH);
    assert_eq!(scratch.json(&["doctor"])["findings"], json!([]));
    assert_eq!(scratch.json(&["doctor"])["events"], 3 * EACH);
}

#[test]
fn each_sees_the_others_at_the_next_call() {
    let scratch = Scratch::new();
    let (mut one, mut two) = (Client::new(&scratch), Client::new(&scratch));
    for round in 0..12 {
        let word = format!("zebra{round}");
        let text = format!("The {word} gate closes at {round}");
        match round % 3 {
            0 => drop(
                one.call("remember", json!({"kind": "reference", "title": text, "text": text})),
            ),
            1 => drop(
                two.call("remember", json!({"kind": "reference", "title": text, "text": text})),
            ),
            _ => drop(scratch.ok(&["add", "reference", "--title", &text, "--text", &text])),
        }
        for client in [&mut one, &mut two] {
            let found =
                client.call("recall", json!({"query": format!("when does the {word} gate close")}));
            let ids = found["structuredContent"]["memories"].to_string();
            assert!(ids.contains(&word), "round {round}: {found}");
        }
        let listed = scratch.json(&["list", "--limit", "0"]);
        assert!(listed.to_string().contains(&word));
    }
}

/// What was acknowledged is on disk, whatever happens to the server.
#[test]
fn a_killed_server_has_kept_what_it_acknowledged() {
    let scratch = Scratch::new();
    let mut kept = Vec::new();
    for round in 0..5 {
        let mut client = Client::new(&scratch);
        for number in 0..=round {
            let title = format!("Round {round} fact {number}");
            client.call(
                "remember",
                json!({"kind": "reference", "title": title, "text": format!("{round}.{number}")}),
            );
            kept.push(title);
        }
        client.begin(
            "tools/call",
            json!({"name": "remember", "arguments":
                   {"kind": "reference", "title": format!("Round {round} unanswered"), "text": "?"}}),
        );
        client.kill();
    }
    let listed = scratch.json(&["list", "--limit", "0"]).to_string();
    for title in kept {
        assert!(listed.contains(&title), "{title}");
    }
    scratch.assert_healthy("after five kills");
}

/// Many questions at once on one connection: each gets its own answer.
#[test]
fn answers_go_to_their_questions() {
    let scratch = Scratch::new();
    for word in ["amber", "basalt", "copper", "dolomite"] {
        scratch.ok(&["add", "reference", "--title", &format!("About {word}"), "--text", word]);
    }
    let mut client = Client::new(&scratch);
    let mut asked = Vec::new();
    for _ in 0..10 {
        for word in ["amber", "basalt", "copper", "dolomite"] {
            let arguments = json!({"ids": [format!("about-{word}")]});
            let id = client.begin("tools/call", json!({"name": "recall", "arguments": arguments}));
            asked.push((id, word));
        }
    }
    let mut answers = std::collections::BTreeMap::new();
    while answers.len() < asked.len() {
        let answer = client.hear();
        answers.insert(answer["id"].as_u64().unwrap(), answer);
    }
    for (id, word) in asked {
        let given = &answers[&id]["result"]["structuredContent"]["memories"][0]["id"];
        assert_eq!(given, &json!(format!("about-{word}")));
    }
}

/// Writes that wait for the lock leave room for those who only read.
#[test]
fn waiting_writes_keep_nobody_from_reading() {
    let scratch = Scratch::new();
    scratch.ok(&["remember", "--kind", "decision", "Use cents for money"]);
    let mut client = Client::new(&scratch);
    let lock = locked(&scratch);
    let waiting: Vec<u64> = (0..12)
        .map(|number| {
            let arguments =
                json!({"kind": "reference", "title": format!("Fact {number}"), "text": "x"});
            client.begin("tools/call", json!({"name": "remember", "arguments": arguments}))
        })
        .collect();
    let found = client.call("recall", json!({"query": "money"}));
    assert!(found.to_string().contains("cents"), "{found}");
    lock.unlock().unwrap();
    for id in waiting {
        let is_heard = client.notes.iter().any(|note| note["id"] == id);
        assert!(is_heard || client.answer_to(id)["result"].is_object());
    }
}

/// An editor knows nothing of us: what it saved is found at the next call.
#[test]
fn an_edit_by_hand_is_seen() {
    let scratch = Scratch::new();
    for number in 0..150 {
        let title = format!("Fact {number:03}");
        scratch.ok(&["add", "reference", "--title", &title, "--text", &format!("It is {number}")]);
    }
    let mut client = Client::new(&scratch);
    client.call("recall", json!({"query": "fact"}));
    for number in [3, 77, 149] {
        let path = scratch.store().join(format!("reference/fact-{number:03}.md"));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("It is", "The zanzibar number is")).unwrap();
        let found = client.call("recall", json!({"query": "zanzibar number"}));
        let told = found["structuredContent"]["memories"].to_string();
        assert!(told.contains(&format!("fact-{number:03}")), "{found}");
    }
}

/// What has begun is finished, also when its client has closed and gone.
#[test]
fn a_write_that_waits_is_written_behind_the_end() {
    let scratch = Scratch::new();
    scratch.ok(&["remember", "Something to begin with"]);
    let mut client = Client::new(&scratch);
    let lock = locked(&scratch);
    let arguments = json!({"kind": "reference", "title": "It waited", "text": "for the lock"});
    client.begin("tools/call", json!({"name": "remember", "arguments": arguments}));
    std::thread::sleep(std::time::Duration::from_millis(300));
    let ending = std::thread::spawn(move || client.end());
    // Longer than the SDK waits for its own.
    std::thread::sleep(std::time::Duration::from_secs(6));
    lock.unlock().unwrap();
    assert_eq!(ending.join().unwrap().0, Some(0));
    assert_eq!(scratch.json(&["show", "it-waited"])["title"], "It waited");
}
