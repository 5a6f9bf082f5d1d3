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

    /// What a `Set-Cookie` of that name begins with: its value, and the line.
    pub(crate) fn cookie(&self, name: &str) -> Option<(String, String)> {
        let lines = self.headers.get_all("set-cookie").iter().filter_map(|it| it.to_str().ok());
        let mut found = lines.filter_map(|line| {
            let value = line.strip_prefix(name)?.strip_prefix('=')?;
            Some((value.split(';').next()?.to_owned(), line.to_owned()))
        });
        found.next()
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

/// One request, with a body of any text.
pub(crate) fn send(
    method: &str,
    address: &str,
    headers: &[(&str, &str)],
    body: impl ureq::AsSendBody,
) -> Answer {
    let mut request = http::Request::builder().method(method).uri(address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(agent().run(request.body(body).expect("a request")))
}

/// One request; a body is JSON.
pub(crate) fn ask(
    method: &str,
    address: &str,
    headers: &[(&str, &str)],
    body: Option<&Value>,
) -> Answer {
    match body {
        Some(body) => {
            let headers = [headers, &[("content-type", "application/json")]].concat();
            send(method, address, &headers, body.to_string())
        }
        None => send(method, address, headers, ()),
    }
}

pub(crate) fn get(address: &str, headers: &[(&str, &str)]) -> Answer {
    send("GET", address, headers, ())
}

pub(crate) fn post_form(address: &str, headers: &[(&str, &str)], form: &[(&str, &str)]) -> Answer {
    let mut request = agent().post(address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(request.send_form(form.iter().copied()))
}
