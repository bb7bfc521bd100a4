//! What is shown as pictures, and in which files beside the report.

use crate::Results;
use crate::cases::{GROWTH, LISTS, Transport};
use crate::measure::Measured;
use crate::plot::{Scale, Series, bars, curves};
use crate::report::microseconds;
use crate::statistics::median;
use crate::work::Work;

/// All of them: name of the file, and its text.
pub(crate) fn all(results: &Results) -> [(&'static str, String); 3] {
    [("growth.svg", growth(results)), ("memory.svg", memory(results)), ("lists.svg", lists(results))]
}

/// Calls per second over connections.
fn growth(results: &Results) -> String {
    let series = over(results.cases.iter().filter(|this| this.case.key.starts_with("growth-")), median);
    let title = "HTTP `add`, calls per second, one core for the server";
    curves(title, "connections", &GROWTH, &series, Scale::linear(&series))
}

/// What a connection, a session and a stream cost.
fn memory(results: &Results) -> String {
    let series = results.crowds.iter().map(|(entrant, costs)| Series {
        name: entrant.label.to_owned(),
        values: vec![costs.connection, costs.session, costs.stream],
    });
    let title = "HTTP, resident memory that one more costs, KiB";
    bars(title, &["connection", "session", "stream"], &series.collect::<Vec<_>>())
}

/// What a list costs over the number of its tools.
fn lists(results: &Results) -> String {
    let lists = |this: &&Measured| this.case.transport == Transport::Stdio && matches!(this.case.work, Work::List(_));
    let series = over(results.cases.iter().filter(lists), microseconds);
    let title = "stdio `tools/list`, µs per list";
    curves(title, "tools", &LISTS, &series, Scale::logarithmic(&series))
}

/// A value of each entrant of each case, under its label: those of the first dialect that it speaks there.
fn over<'m>(cases: impl Iterator<Item = &'m Measured>, value: fn(&[f64]) -> f64) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for (place, measured) in cases.enumerate() {
        for (entrant, samples) in &measured.samples {
            let value = value(&samples.rates);
            match all.iter_mut().find(|series| series.name == entrant.label) {
                Some(series) if series.values.len() == place => series.values.push(value),
                None if place == 0 => all.push(Series { name: entrant.label.to_owned(), values: vec![value] }),
                _ => {}
            }
        }
    }
    // Who does not take part in all cases has no curve.
    let places = all.iter().map(|series| series.values.len()).max().unwrap_or(0);
    all.retain(|series| series.values.len() == places);
    all
}
