//! A client that says exactly what it is told to, over one connection per request.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::fake::Running;

const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub(crate) struct Ask {
    method: &'static str,
    target: String,
    headers: Vec<(String, String)>,
    body: String,
}

/// A browser that came in: its cookie and the token of its forms.
pub(crate) struct Inside {
    pub(crate) cookie: String,
    pub(crate) token: String,
}

impl Ask {
    pub(crate) fn get(server: &Running, target: &str) -> Self {
        let ask =
            Self { method: "GET", target: target.into(), headers: Vec::new(), body: String::new() };
        ask.with("Host", &server.host).with("Sec-Fetch-Site", "same-origin")
    }

    pub(crate) fn post(server: &Running, target: &str, body: &str) -> Self {
        let ask = Self { method: "POST", body: body.into(), ..Self::get(server, target) };
        ask.with("Origin", &format!("http://{}", server.host))
            .with("Content-Type", "application/x-www-form-urlencoded")
    }

    pub(crate) fn method(self, method: &'static str) -> Self {
        Self { method, ..self }
    }

    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        let mut ask = self.without(name);
        ask.headers.push((name.into(), value.into()));
        ask
    }

    pub(crate) fn also(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(one, _)| !one.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn by(self, inside: &Inside) -> Self {
        self.with("Cookie", &inside.cookie)
    }

    pub(crate) fn send(&self, server: &Running) -> Told {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!("{} {} HTTP/1.1\r\nConnection: close\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !self.body.is_empty() {
            head += &format!("Content-Length: {}\r\n", self.body.len());
        }
        stream.write_all(format!("{head}\r\n{}", self.body).as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // A refused body may be cut off while it is still being sent.
        let _ = stream.read_to_end(&mut bytes);
        Told::parse(&bytes)
    }
}

pub(crate) struct Told {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Told {
    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let mut lines = head.lines();
        let status = lines.next().and_then(|it| it.split(' ').nth(1)).map(|it| it.parse().unwrap());
        let headers = lines.filter_map(|line| line.split_once(':'));
        let headers = headers.map(|(name, it)| (name.to_ascii_lowercase(), it.trim().to_owned()));
        Self { status: status.unwrap_or(0), headers: headers.collect(), body: body.to_owned() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }
}

pub(crate) fn enter(server: &Running) -> Inside {
    enter_with(server, &server.ticket)
}

pub(crate) fn enter_with(server: &Running, ticket: &str) -> Inside {
    let told = Ask::post(server, "/enter", &format!("ticket={ticket}")).send(server).is(303);
    let cookie = told.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let page = Ask::get(server, "/").with("Cookie", &cookie).send(server).is(200);
    let (_, rest) = page.body.split_once("name=\"form-token\" content=\"").unwrap();
    let token = rest.split('"').next().unwrap().to_owned();
    Inside { cookie, token }
}
