//! Refusals that say what to do next.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use serde_json::json;

const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("5");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// An error response with a JSON body.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    body: Vec<u8>,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Refusal {
    pub fn new(status: StatusCode, text: &str) -> Self {
        Self::of_json(status, json!({ "error": text }).to_string().into_bytes())
    }

    pub fn of_json(status: StatusCode, body: Vec<u8>) -> Self {
        Self { status, body, header: None }
    }

    pub fn busy(text: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, text).with(RETRY_AFTER, RETRY_AFTER_SECONDS)
    }

    pub fn with(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { header: Some((name, value)), ..self }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        response.headers_mut().insert(CONTENT_TYPE, JSON);
        response.headers_mut().extend(self.header);
        response
    }
}
