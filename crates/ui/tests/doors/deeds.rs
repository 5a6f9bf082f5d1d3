//! What forms and scripts ask for becomes a deed, and its outcome an answer.

use oldhand_ui::Deed;

use crate::client::{Ask, enter};
use crate::fake::{FakeHouse, HASH, start, start_with};

/// R343
#[test]
fn a_form_becomes_a_deed_and_leads_back() {
    let server = start();
    let inside = enter(&server);
    let body = format!(
        "token={}&id=use-cents&decision=keep&reason=it+holds&if_match={HASH}&back=%2Freview%3Fat%3Da",
        inside.token
    );
    let told = Ask::post(&server, "/do/review", &body).by(&inside).send(&server).is(303);
    assert_eq!(told.header("location"), Some("/review?at=a&said=done%20%26%20dusted"));
    let deeds = server.house.deeds.lock().unwrap();
    let want = Deed::Review {
        id: "use-cents".into(),
        decision: "keep".into(),
        reason: "it holds".into(),
        more: String::new(),
    };
    assert_eq!(*deeds, [(want, Some(HASH.to_owned()))]);
}

#[test]
fn nobody_is_led_elsewhere() {
    let server = start();
    let inside = enter(&server);
    for back in ["https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2F%5Cevil.example"] {
        let body = format!("token={}&back={back}", inside.token);
        let told = Ask::post(&server, "/do/undo", &body).by(&inside).send(&server).is(303);
        assert!(told.header("location").unwrap().starts_with("/?said="));
    }
}

/// R344
#[test]
fn a_refusal_keeps_its_code_and_what_was_typed() {
    let server = start();
    let inside = enter(&server);
    let codes = [
        ("OCC_CONFLICT", 412),
        ("CONFLICT", 409),
        ("VALIDATION_ERROR", 422),
        ("NOT_FOUND", 404),
        ("STATE_ERROR", 409),
        ("STORE_ERROR", 500),
    ];
    for (code, status) in codes {
        let body = format!("token={}&id=CODE-{code}&reason=because+%3Cb%3E", inside.token);
        let told = Ask::post(&server, "/do/retire", &body).by(&inside).send(&server).is(status);
        assert!(
            told.body.contains(code) && told.body.contains("because &lt;b&gt;"),
            "{}",
            told.body
        );
        let body = format!("{{\"id\":\"CODE-{code}\",\"reason\":\"x\"}}");
        let ask = Ask::post(&server, "/do/retire", &body).by(&inside);
        let ask = ask.with("Content-Type", "application/json");
        let told = ask.clone().with("X-Form-Token", &inside.token).send(&server).is(status);
        assert!(told.body.contains("oldhand.error/1") && told.body.contains(code), "{}", told.body);
        ask.send(&server).is(403);
    }
}

/// R365: the script gets the parts of the same page, and what came of a deed, without parsing HTML.
#[test]
fn the_script_is_answered_in_trees() {
    let server = start_with(FakeHouse { text: "<b> \u{202e}".to_owned(), ..FakeHouse::default() });
    let inside = enter(&server);
    let ask = |ask: Ask| ask.by(&inside).with("X-Parts", "1").send(&server);
    let told = ask(Ask::get(&server, "/review")).is(200);
    assert_eq!(told.header("content-type"), Some("application/json"));
    let page: serde_json::Value = serde_json::from_str(&told.body).unwrap();
    assert_eq!(page["title"], "Inbox · oldhand");
    assert_eq!(page["parts"]["said"], serde_json::json!(["div", { "data-part": "said" }]));
    let said = page["parts"]["inbox-link"][1]["href"].as_str();
    assert_eq!((said, page["state"].as_str().map(str::len)), (Some("/review"), Some(16)));

    let body = format!("token={}&id=a&reason=x&next=%2Freview%3Fat%3Db", inside.token);
    let told = ask(Ask::post(&server, "/do/archive", &body)).is(200);
    let told: serde_json::Value = serde_json::from_str(&told.body).unwrap();
    let page = "/review?at=b&said=done%20%26%20dusted";
    let want = serde_json::json!({ "said": "done & dusted", "next": "/review?at=b", "page": page });
    assert_eq!(told, want);
    let body = format!("token={}&id=CODE-OCC_CONFLICT&reason=x", inside.token);
    let told = ask(Ask::post(&server, "/do/retire", &body)).is(412);
    assert!(told.body.contains("\"code\":\"OCC_CONFLICT\""), "{}", told.body);
}

#[test]
fn a_memory_that_changed_is_not_decided_over() {
    let server = start();
    let inside = enter(&server);
    let body = format!("token={}&id=a&reason=my+reason&if_match=0000", inside.token);
    let told = Ask::post(&server, "/do/retire", &body).by(&inside).send(&server).is(412);
    assert!(told.body.contains("my reason"), "{}", told.body);
    assert!(server.house.deeds.lock().unwrap().is_empty());
}
