//! What is sent back, with the headers that keep everything foreign out.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use maud::Markup;
use oldhand_text::strings::{visible, visible_as};
use serde_json::{Value, json};

use crate::house::{Answer, Trouble};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'; \
                      trusted-types 'none'";

/// On every answer, refusals too.
pub(crate) async fn seal(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let fixed = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Not `no-referrer`: browsers then send `Origin: null` with our own forms.
        (REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    headers.extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Hidden characters of any text are shown, as everywhere; here no place can forget it.
fn shown(page: Markup) -> String {
    let shown = |character| format!("&lt;U+{:04X}&gt;", u32::from(character));
    visible_as(&page.into_string(), shown)
}

pub(crate) fn page(status: StatusCode, page: Markup) -> Response {
    (status, Html(shown(page))).into_response()
}

/// The parts of a page that the script exchanges.
pub(crate) fn parts(status: StatusCode, title: &str, state: &str, page: Markup) -> Response {
    let Some(parts) = crate::tree::parts(&shown(page)) else {
        // The script then loads the page.
        return StatusCode::NOT_ACCEPTABLE.into_response();
    };
    let title = visible(title);
    json_text(status, json!({ "title": title, "state": state, "parts": parts }).to_string())
}

/// An answer of a command.
pub(crate) fn json_of(answer: Answer<String>) -> Response {
    match answer {
        Ok(text) => json_text(StatusCode::OK, text),
        Err(trouble) => json_text(status_of(&trouble), error_json(&trouble).to_string()),
    }
}

pub(crate) fn json_text(status: StatusCode, text: String) -> Response {
    let kind = HeaderValue::from_static("application/json");
    (status, [(CONTENT_TYPE, kind)], text).into_response()
}

pub(crate) fn error_json(trouble: &Trouble) -> Value {
    if !trouble.json.is_null() {
        return (*trouble.json).clone();
    }
    let Trouble { code, message, hint, .. } = trouble;
    json!({ "schema": "oldhand.error/1", "code": code, "message": message, "hint": hint })
}

/// The codes of failures, as statuses of HTTP.
pub(crate) fn status_of(trouble: &Trouble) -> StatusCode {
    match trouble.code.as_str() {
        "NOT_FOUND" => StatusCode::NOT_FOUND,
        "OCC_CONFLICT" => StatusCode::PRECONDITION_FAILED,
        "VALIDATION_ERROR" | "USAGE_ERROR" => StatusCode::UNPROCESSABLE_ENTITY,
        "STORE_ERROR" | "IO_ERROR" | "INTERNAL_ERROR" | "CONFIG_ERROR" => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
        "FORM_TOKEN" => StatusCode::FORBIDDEN,
        _ => StatusCode::CONFLICT,
    }
}

pub(crate) fn foreign_form() -> Trouble {
    Trouble {
        code: "FORM_TOKEN".to_owned(),
        message: "this form is not of your session".to_owned(),
        hint: "load the page again, then send it again; nothing was changed".to_owned(),
        ..Trouble::default()
    }
}
