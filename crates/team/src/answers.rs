//! What a command says, as an answer over HTTP: the same JSON, with the status that clients expect.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue};
use http::{HeaderName, StatusCode};
use oldhand::Answered;
use serde_json::{Value, json};

use crate::door::refusal::again_later;
use crate::rest::Misshapen;

/// An answer that can be given again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    pub status: u16,
    pub json: String,
}

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
/// Says that the answer is that of an earlier request with the same key.
const REPEATED: HeaderName = HeaderName::from_static("idempotency-replayed");

impl Told {
    pub(crate) fn of(answered: Answered) -> Self {
        let json = answered.json;
        let answer: Value = serde_json::from_str(&json).unwrap_or_default();
        let is_error = answer["schema"] == "oldhand.error/1";
        let status = if is_error { status_of(answer["code"].as_str()) } else { StatusCode::OK };
        Self { status: status.as_u16(), json }
    }

    pub(crate) fn error(status: StatusCode, code: &str, message: &str, hint: &str) -> Self {
        let body = json!({
            "schema": "oldhand.error/1", "code": code, "message": message, "hint": hint,
        });
        Self { status: status.as_u16(), json: body.to_string() }
    }

    /// The writes are there, and the server went away before it could answer.
    pub(crate) fn lost() -> Self {
        let body = json!({ "schema": "oldhand.repeated/1", "written": true });
        Self { status: StatusCode::OK.as_u16(), json: body.to_string() }
    }

    pub(crate) fn again(self) -> Response {
        let mut response = self.into_response();
        response.headers_mut().insert(REPEATED, HeaderValue::from_static("true"));
        response
    }
}

fn status_of(code: Option<&str>) -> StatusCode {
    match code.unwrap_or_default() {
        "NOT_FOUND" => StatusCode::NOT_FOUND,
        "OCC_CONFLICT" => StatusCode::PRECONDITION_FAILED,
        // The pending name is in the answer.
        "CONFLICT"
        | "JUDGE"
        | "STATE_ERROR"
        | "AMBIGUOUS_ERROR"
        | "MERGE_ERROR"
        | "CREATE_OVERWRITE_ERROR"
        | "ANTI_RESURRECTION_ERROR" => StatusCode::CONFLICT,
        "USAGE_ERROR" => StatusCode::BAD_REQUEST,
        "STORE_ERROR" => StatusCode::SERVICE_UNAVAILABLE,
        "INTERNAL_ERROR" | "IO_ERROR" | "CONFIG_ERROR" => StatusCode::INTERNAL_SERVER_ERROR,
        // A rule says no.
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

impl From<Misshapen> for Told {
    fn from(it: Misshapen) -> Self {
        let status = StatusCode::from_u16(it.status).unwrap_or(StatusCode::BAD_REQUEST);
        Self::error(status, "USAGE_ERROR", &it.message, &it.hint)
    }
}

impl IntoResponse for Told {
    fn into_response(self) -> Response {
        let answer: Value = serde_json::from_str(&self.json).unwrap_or_default();
        let tag = answer["hash"].as_str().and_then(|it| format!("\"{it}\"").parse().ok());
        let mut response = Response::new(Body::from(self.json));
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, JSON);
        headers.insert(CACHE_CONTROL, NO_STORE);
        headers.extend(tag.map(|tag: HeaderValue| (ETAG, tag)));
        again_later(response)
    }
}

/// Without its quotes; one of several is none.
pub(crate) fn if_match(value: &str) -> Option<&str> {
    let hash = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    hash.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(hash)
}
