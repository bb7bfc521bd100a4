//! The `metrics` facade on the instruments of OpenTelemetry.

use metrics::{Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn};
use metrics::{Key, KeyName, Metadata, Recorder, SharedString, Unit};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{self as otel, Meter};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Records through a meter.
pub(crate) struct OpenTelemetry {
    meter: Meter,
    counters: Known<otel::Counter<u64>>,
    gauges: Known<otel::UpDownCounter<f64>>,
    histograms: Known<otel::Histogram<f64>>,
}

/// Instruments by name.
type Known<I> = Mutex<HashMap<String, I>>;

/// An instrument for values with these attributes.
struct Series<I>(I, Vec<KeyValue>);

impl OpenTelemetry {
    pub(crate) fn new(meter: Meter) -> Self {
        OpenTelemetry { meter, counters: Known::default(), gauges: Known::default(), histograms: Known::default() }
    }
}

fn series<I: Clone>(known: &Known<I>, key: &Key, make: impl FnOnce(String) -> I) -> Arc<Series<I>> {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let instrument = known.entry(key.name().to_owned()).or_insert_with_key(|name| make(name.clone()));
    let attribute = |label: &metrics::Label| KeyValue::new(label.key().to_owned(), label.value().to_owned());
    Arc::new(Series(instrument.clone(), key.labels().map(attribute).collect()))
}

impl Recorder for OpenTelemetry {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(series(&self.counters, key, |name| self.meter.u64_counter(name).build()))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(series(&self.gauges, key, |name| self.meter.f64_up_down_counter(name).build()))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        // All histograms of the framework are times.
        Histogram::from_arc(series(&self.histograms, key, |name| self.meter.f64_histogram(name).with_unit("s").build()))
    }
}

impl CounterFn for Series<otel::Counter<u64>> {
    fn increment(&self, value: u64) {
        self.0.add(value, &self.1);
    }

    /// The framework's counters only grow.
    fn absolute(&self, _: u64) {}
}

impl GaugeFn for Series<otel::UpDownCounter<f64>> {
    fn increment(&self, value: f64) {
        self.0.add(value, &self.1);
    }

    fn decrement(&self, value: f64) {
        self.0.add(-value, &self.1);
    }

    /// The framework's gauges go up and down.
    fn set(&self, _: f64) {}
}

impl HistogramFn for Series<otel::Histogram<f64>> {
    fn record(&self, value: f64) {
        self.0.record(value, &self.1);
    }
}
