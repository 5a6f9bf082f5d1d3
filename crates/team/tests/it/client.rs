//! A plain client: it follows nothing, and keeps no cookie.

use serde_json::Value;
use ureq::Agent;

pub(crate) struct Answer {
    pub status: u16,
    pub headers: http::HeaderMap,
    pub body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        // An answer may come as the last event of a stream.
        let mut data = self.body.lines().filter_map(|line| line.strip_prefix("data: "));
        let text = data.next_back().unwrap_or(&self.body);
        serde_json::from_str(text).unwrap_or_else(|_| panic!("JSON: {}", self.body))
    }

    #[track_caller]
    pub(crate) fn must_be(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }
}

fn agent() -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .build()
        .into()
}

fn answer(said: Result<http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let mut said = said.expect("an answer");
    Answer {
        status: said.status().as_u16(),
        headers: said.headers().clone(),
        body: said.body_mut().read_to_string().expect("text"),
    }
}

/// One request; a body is JSON.
pub(crate) fn ask(
    method: &str,
    address: &str,
    headers: &[(&str, &str)],
    body: Option<&Value>,
) -> Answer {
    let mut request = http::Request::builder().method(method).uri(address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    match body {
        Some(body) => {
            let request = request.header("content-type", "application/json");
            answer(agent().run(request.body(body.to_string()).expect("a request")))
        }
        None => answer(agent().run(request.body(()).expect("a request"))),
    }
}

pub(crate) fn post_form(address: &str, headers: &[(&str, &str)], form: &[(&str, &str)]) -> Answer {
    let mut request = agent().post(address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(request.send_form(form.iter().copied()))
}
