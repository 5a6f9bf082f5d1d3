//! Operations on a port of their own: whether the process lives, whether it is ready, what it counts. And what has to
//! be right before it listens at all.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::database::Database;
use oldhand_pg::error::PgError;
use serde_json::json;

use crate::metrics::Metrics;

/// Workers that are behind by more make the server not ready.
const JOB_AGE_MAX: Duration = Duration::from_secs(5 * 60);
/// How soon a write is a line of the audit.
const AUDIT_EVERY: Duration = Duration::from_secs(2);
/// Stores that are looked at in one go.
const AUDIT_STORES: i32 = 100;
const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Clone)]
pub struct Operations {
    pub database: Database,
    pub metrics: Arc<Metrics>,
}

/// For the second port, which is not for the world.
pub fn routes(operations: Operations) -> Router {
    Router::new()
        .route("/health/live", get(|| async { Json(json!({ "live": true })) }))
        .route("/health/ready", get(ready))
        .route("/metrics", get(metrics))
        .with_state(operations)
}

async fn ready(State(of): State<Operations>) -> Response {
    let asked = tokio::task::spawn_blocking(move || of.problems()).await;
    let problems = asked.unwrap_or_else(|_| vec!["the check failed inside the server".to_owned()]);
    let status = match problems.is_empty() {
        true => StatusCode::OK,
        false => StatusCode::SERVICE_UNAVAILABLE,
    };
    (status, Json(json!({ "ready": problems.is_empty(), "problems": problems }))).into_response()
}

async fn metrics(State(of): State<Operations>) -> Response {
    let text = tokio::task::spawn_blocking(move || {
        of.look();
        of.metrics.text()
    });
    ([(CONTENT_TYPE, TEXT)], text.await.unwrap_or_default()).into_response()
}

impl Operations {
    /// Why this server should get no requests now.
    fn problems(&self) -> Vec<String> {
        let mut problems = match self.database.check() {
            Ok(problems) => problems,
            Err(error) => {
                tracing::warn!(error = %error, "the database can't be asked");
                return vec!["the database can't be asked".to_owned()];
            }
        };
        match self.database.waiting() {
            Ok((_, age)) if age > JOB_AGE_MAX => {
                problems.push("workers are behind by more than 5 minutes: start more".to_owned());
            }
            Ok(_) => {}
            Err(_) => problems.push("the jobs can't be counted".to_owned()),
        }
        problems
    }

    /// What is only known when somebody looks.
    fn look(&self) {
        let (open, idle) = self.database.connections();
        self.metrics.connected(open, idle);
        // Without an answer the last one stays; `ready` says that something is wrong.
        if let Ok((jobs, age)) = self.database.waiting() {
            self.metrics.waiting(jobs, age);
        }
        if let Ok(indexes) = self.database.indexes() {
            self.metrics.indexed(indexes.kept.len(), indexes.make.len());
        }
    }
}

/// Counts every request by the pattern of its route.
pub async fn measure(
    State(metrics): State<Arc<Metrics>>,
    request: Request,
    next: Next,
) -> Response {
    let matched = request.extensions().get::<MatchedPath>();
    let route = matched.map_or_else(|| "other".to_owned(), |it| it.as_str().to_owned());
    let began = Instant::now();
    let response = next.run(request).await;
    metrics.answered(route, response.status().as_u16(), began.elapsed());
    response
}

/// Makes lines of the audit out of all writes that are none yet; returns how many.
pub fn complete_audit(database: &Database) -> Result<u64, PgError> {
    let mut lines = 0;
    for (tenant, store) in database.unaudited(AUDIT_STORES)? {
        let caller = Caller { tenant, stores: vec![store], principal: None };
        lines += Access::new(database, caller).audit_writes(store)?;
    }
    Ok(lines)
}

/// Does so for as long as it is polled.
pub async fn keep_audit(database: Database) {
    loop {
        tokio::time::sleep(AUDIT_EVERY).await;
        let database = database.clone();
        let done = tokio::task::spawn_blocking(move || complete_audit(&database)).await;
        if let Ok(Err(error)) = done {
            tracing::warn!(error = %error, "the audit waits");
        }
    }
}

/// Why a server must not listen there. The server speaks plain HTTP: TLS is the proxy's in front of it.
pub fn listen_problems(listen: SocketAddr, address: &str, is_behind_proxy: bool) -> Vec<String> {
    let mut problems = Vec::new();
    if !listen.ip().is_loopback() && !is_behind_proxy {
        problems.push(format!(
            "{listen} can be reached from other machines without TLS: put a proxy with TLS in front and add \
             `--behind-proxy`, or listen on 127.0.0.1"
        ));
    }
    let is_local = ["http://127.0.0.1", "http://localhost", "http://[::1]"].iter().any(|it| {
        address == *it || address.strip_prefix(it).is_some_and(|rest| rest.starts_with(':'))
    });
    if !address.starts_with("https://") && !is_local {
        problems.push(format!(
            "`--address` must begin with https://, because browsers keep the cookie of a sign-in for TLS alone: \
             `{address}`"
        ));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::listen_problems;

    #[track_caller]
    fn check(listen: &str, address: &str, is_behind_proxy: bool, want: &[&str]) {
        let listen = listen.parse().expect("an address");
        let problems = listen_problems(listen, address, is_behind_proxy);
        assert_eq!(problems.len(), want.len(), "{problems:?}");
        for (problem, want) in problems.iter().zip(want) {
            assert!(problem.contains(want), "{want} in {problem}");
        }
    }

    #[test]
    fn without_tls_only_this_machine_is_served() {
        check("127.0.0.1:8080", "http://127.0.0.1:8080", false, &[]);
        check("[::1]:8080", "http://localhost", false, &[]);
        check("0.0.0.0:8080", "https://memory.example.com", false, &["`--behind-proxy`"]);
        check("0.0.0.0:8080", "https://memory.example.com", true, &[]);
        check("10.0.0.1:80", "http://memory.example.com", true, &["https://"]);
        check(
            "10.0.0.1:80",
            "http://localhost.evil.test",
            false,
            &["`--behind-proxy`", "https://"],
        );
    }
}
