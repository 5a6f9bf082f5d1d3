//! A plain client: it follows nothing, and keeps no cookie by itself.

use ureq::Agent;

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: http::HeaderMap,
    pub(crate) body: String,
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

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).expect("JSON")
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

pub(crate) fn get(address: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = agent().get(address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(request.call())
}

pub(crate) fn post(address: &str, headers: &[(&str, &str)], form: &[(&str, &str)]) -> Answer {
    let mut request = agent().post(address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(request.send_form(form.iter().copied()))
}

/// Any method, with a body of JSON.
pub(crate) fn send(method: &str, address: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = http::Request::builder().method(method).uri(address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(agent().run(request.body(body.to_owned()).expect("a request")))
}
