//! What a server counts, in the text format of Prometheus. No label is a tenant, a store or a text: each is one of a
//! few words that the program knows.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use serde_json::Value;

/// Seconds, from a millisecond to the longest that a statement may take.
const BUCKETS: [f64; 12] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    route: String,
    code: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Part {
    part: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Why {
    why: &'static str,
}

type Seconds<L> = Family<L, Histogram, fn() -> Histogram>;

pub struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    request_seconds: Seconds<Part>,
    recall_seconds: Seconds<Part>,
    recalls: Counter,
    silent: Counter,
    write_seconds: Histogram,
    lock_seconds: Histogram,
    conflicts: Counter,
    refusals: Family<Why, Counter>,
    jobs: Gauge,
    job_age: Gauge<f64, AtomicU64>,
    connections: Family<Part, Gauge>,
    promoted: Gauge,
    missing: Gauge,
}

fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

fn seconds() -> Seconds<Part> {
    Family::new_with_constructor(histogram)
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    pub fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("oldhand"),
            requests: Family::default(),
            request_seconds: seconds(),
            recall_seconds: seconds(),
            recalls: Counter::default(),
            silent: Counter::default(),
            write_seconds: histogram(),
            lock_seconds: histogram(),
            conflicts: Counter::default(),
            refusals: Family::default(),
            jobs: Gauge::default(),
            job_age: Gauge::default(),
            connections: Family::default(),
            promoted: Gauge::default(),
            missing: Gauge::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let all = &mut self.registry;
        all.register("requests", "Requests by route and code", self.requests.clone());
        all.register("request_seconds", "Time to an answer by route", self.request_seconds.clone());
        all.register("recall_seconds", "Time of recall by part", self.recall_seconds.clone());
        all.register("recalls", "Questions asked", self.recalls.clone());
        all.register("recalls_silent", "Questions answered with nothing", self.silent.clone());
        all.register("write_seconds", "Time of a write", self.write_seconds.clone());
        all.register("lock_seconds", "Wait for the lock of a store", self.lock_seconds.clone());
        all.register("conflicts", "Writes that found a changed file", self.conflicts.clone());
        all.register(
            "refusals",
            "Requests that the door refused, by reason",
            self.refusals.clone(),
        );
        all.register("jobs", "Jobs that wait for a worker", self.jobs.clone());
        all.register("job_age_seconds", "Age of the oldest job", self.job_age.clone());
        all.register("connections", "Connections to the database", self.connections.clone());
        all.register(
            "promoted_tenants",
            "Tenants with a vector index of their own",
            self.promoted.clone(),
        );
        all.register("missing_indexes", "Tenants that should have one", self.missing.clone());
    }

    /// `route` is the pattern of the route, never an address that somebody asked for.
    pub fn answered(&self, route: String, code: u16, took: Duration) {
        self.requests.get_or_create(&Request { route: route.clone(), code }).inc();
        self.request_seconds.get_or_create(&Part { part: route }).observe(took.as_secs_f64());
    }

    pub fn refused(&self, why: &'static str) {
        self.refusals.get_or_create(&Why { why }).inc();
    }

    /// A question, and its answer as JSON: without memories and cautions it is silent.
    pub fn recalled(&self, answer: &Value, took: Duration) {
        let part = "all".to_owned();
        self.recall_seconds.get_or_create(&Part { part }).observe(took.as_secs_f64());
        self.recalls.inc();
        let is_empty = |key: &str| answer[key].as_array().is_none_or(Vec::is_empty);
        if ["memories", "cautions"].into_iter().all(is_empty) {
            self.silent.inc();
        }
    }

    pub fn wrote(&self, took: Duration, waited: Duration) {
        self.write_seconds.observe(took.as_secs_f64());
        self.lock_seconds.observe(waited.as_secs_f64());
    }

    pub fn conflicted(&self) {
        self.conflicts.inc();
    }

    pub fn waiting(&self, jobs: i64, oldest: Duration) {
        self.jobs.set(jobs);
        self.job_age.set(oldest.as_secs_f64());
    }

    pub fn connected(&self, open: usize, idle: usize) {
        let set = |part: &str, count| {
            let part = part.to_owned();
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            self.connections.get_or_create(&Part { part }).set(count);
        };
        set("open", open);
        set("idle", idle);
    }

    pub fn indexed(&self, promoted: usize, missing: usize) {
        self.promoted.set(i64::try_from(promoted).unwrap_or(i64::MAX));
        self.missing.set(i64::try_from(missing).unwrap_or(i64::MAX));
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::Value;

    use super::Metrics;

    #[test]
    fn everything_has_a_line() {
        let metrics = Metrics::new();
        metrics.answered("/v1/recall".to_owned(), 200, Duration::from_millis(3));
        metrics.refused("unknown");
        metrics.recalled(&Value::Null, Duration::from_millis(3));
        metrics.waiting(3, Duration::from_secs(2));
        metrics.connected(4, 1);
        metrics.indexed(3, 1);
        let text = metrics.text();
        for line in [
            "oldhand_requests_total{route=\"/v1/recall\",code=\"200\"} 1",
            "oldhand_request_seconds_bucket{le=\"0.005\",part=\"/v1/recall\"} 1",
            "oldhand_refusals_total{why=\"unknown\"} 1",
            "oldhand_recalls_silent_total 1",
            "oldhand_jobs 3",
            "oldhand_job_age_seconds 2.0",
            "oldhand_connections{part=\"idle\"} 1",
            "oldhand_promoted_tenants 3",
            "oldhand_missing_indexes 1",
            "# EOF",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
    }
}
