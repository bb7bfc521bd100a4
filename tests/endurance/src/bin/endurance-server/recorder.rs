//! A recorder of the `metrics` facade that remembers gauges and counters, for a server that tells them.

use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SetRecorderError, SharedString, Unit};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What a server has counted; all clones are one.
#[derive(Clone, Default)]
pub(crate) struct Gauges(Arc<Mutex<Values>>);

/// Values by the name of the metric, whatever its labels.
type Values = BTreeMap<(Kind, String), Arc<AtomicU64>>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Counter,
    Gauge,
}

/// Makes all metrics of the process go here.
///
/// # Errors
/// There is another recorder already.
pub(crate) fn install() -> Result<Gauges, SetRecorderError<Gauges>> {
    let gauges = Gauges::default();
    metrics::set_global_recorder(gauges.clone())?;
    Ok(gauges)
}

impl Gauges {
    /// All values as a JSON object, with the number of functions that run.
    pub(crate) fn text(&self, running: i64) -> String {
        let mut values = json!({"running": running});
        for ((kind, name), value) in self.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let bits = value.load(Ordering::SeqCst);
            values[name] = if *kind == Kind::Gauge { Value::from(f64::from_bits(bits)) } else { Value::from(bits) };
        }
        values.to_string()
    }

    fn at(&self, kind: Kind, key: &Key) -> Arc<AtomicU64> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(values.entry((kind, key.name().to_owned())).or_default())
    }
}

impl Recorder for Gauges {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.at(Kind::Counter, key))
    }
    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.at(Kind::Gauge, key))
    }
    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}
