//! A server whose traces and metrics go to an OpenTelemetry collector (OTLP over HTTP, `http://localhost:4318` unless
//! `OTEL_EXPORTER_OTLP_ENDPOINT` says otherwise). The span of a request is a part of the trace that its client names.
//!
//! `cargo run --manifest-path examples/otlp/Cargo.toml -- call add a=2 b=3`

mod recorder;

use mcp_runtime::TraceContext;
use mcp_runtime::prelude::*;
use opentelemetry::metrics::MeterProvider as _;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{MetricExporter, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use recorder::OpenTelemetry;
use std::error::Error;
use std::process::ExitCode;
use tracing::Instrument as _;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// Adds two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    // A step with a span of its own, inside of that of the call.
    total(a, b).instrument(tracing::info_span!("total")).await
}

async fn total(a: i64, b: i64) -> i64 {
    tokio::task::yield_now().await;
    a + b
}

/// What a propagator reads.
struct Headers<'a>(&'a TraceContext<'a>);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent", "tracestate"]
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let resource = Resource::builder().with_service_name(env!("CARGO_PKG_NAME")).build();
    let spans = SpanExporter::builder().with_http().build()?;
    let traces = SdkTracerProvider::builder().with_resource(resource.clone()).with_batch_exporter(spans).build();
    let values = MetricExporter::builder().with_http().build()?;
    let meters = SdkMeterProvider::builder().with_resource(resource).with_periodic_exporter(values).build();

    // Only what the server and this program say: what the exporter does to send it would make more to send.
    let wanted =
        Targets::new().with_target("mcp::request", tracing::Level::INFO).with_target("otlp", tracing::Level::INFO);
    let layer = tracing_opentelemetry::layer().with_tracer(traces.tracer("mcp")).with_filter(wanted);
    tracing_subscriber::registry().with(layer).init();
    metrics::set_global_recorder(OpenTelemetry::new(meters.meter("mcp")))?;

    let propagator = TraceContextPropagator::new();
    let server = server!().metrics().trace_parent(move |span, context| {
        // It fails for spans that nobody exports.
        let _ = span.set_parent(propagator.extract(&Headers(context)));
    });
    let code = tokio::runtime::Runtime::new()?.block_on(server.run());

    // What has not been sent yet is.
    traces.shutdown()?;
    meters.shutdown()?;
    Ok(code)
}
