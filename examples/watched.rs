//! A server whose traces, metrics and audit trail are written to standard error. With exporters of OpenTelemetry or Prometheus the
//! server itself stays as it is: they are other subscribers and other recorders.
//!
//! `cargo run --example watched --features examples/metrics -- call add a=2 b=3`

use mcp_runtime::Audit;
use mcp_runtime::prelude::*;
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use metrics::{CounterFn, GaugeFn, HistogramFn};
use std::process::ExitCode;
use std::sync::Arc;
use tracing_subscriber::fmt::format::FmtSpan;

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> i64 {
    tracing::info!("this line is inside of the span of the call");
    a + b
}

/// Divides one number by another.
#[mcp_tool]
async fn divide(a: i64, b: i64) -> Result<i64, &'static str> {
    a.checked_div(b).ok_or("this cannot be divided")
}

/// Writes every change of a metric as a line.
struct Console;

/// A metric, with its labels.
struct Line(String);

impl Console {
    fn line(key: &Key) -> Arc<Line> {
        let labels: Vec<_> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        Arc::new(Line(format!("{} {{{}}}", key.name(), labels.join(", "))))
    }
}

impl Recorder for Console {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(Console::line(key))
    }
    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(Console::line(key))
    }
    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(Console::line(key))
    }
}

impl CounterFn for Line {
    fn increment(&self, value: u64) {
        eprintln!("{} +{value}", self.0);
    }
    fn absolute(&self, value: u64) {
        eprintln!("{} = {value}", self.0);
    }
}

impl GaugeFn for Line {
    fn increment(&self, value: f64) {
        eprintln!("{} +{value}", self.0);
    }
    fn decrement(&self, value: f64) {
        eprintln!("{} -{value}", self.0);
    }
    fn set(&self, value: f64) {
        eprintln!("{} = {value}", self.0);
    }
}

impl HistogramFn for Line {
    fn record(&self, value: f64) {
        eprintln!("{} {value} s", self.0);
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    // A line for each span, when it ends.
    tracing_subscriber::fmt().with_span_events(FmtSpan::CLOSE).with_writer(std::io::stderr).with_ansi(false).init();
    if metrics::set_global_recorder(Console).is_err() {
        eprintln!("something else counts already");
    }
    server!().metrics().audit(Audit::new().arguments(true)).run().await
}
