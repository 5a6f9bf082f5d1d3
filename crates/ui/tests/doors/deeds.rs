//! What forms and scripts ask for becomes a deed, and its outcome an answer.

use oldhand_ui::Deed;

use crate::client::{Ask, enter};
use crate::fake::{HASH, start};

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

#[test]
fn a_memory_that_changed_is_not_decided_over() {
    let server = start();
    let inside = enter(&server);
    let body = format!("token={}&id=a&reason=my+reason&if_match=0000", inside.token);
    let told = Ask::post(&server, "/do/retire", &body).by(&inside).send(&server).is(412);
    assert!(told.body.contains("my reason"), "{}", told.body);
    assert!(server.house.deeds.lock().unwrap().is_empty());
}
