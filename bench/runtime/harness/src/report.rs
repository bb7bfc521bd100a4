//! The report: a table for every case, ratios first.

use crate::cases::{Entrant, GROWTH, Transport};
use crate::crowd::CROWD;
use crate::measure::{Measured, Samples};
use crate::options::Options;
use crate::plot::{Curve, plot};
use crate::programs::Programs;
use crate::statistics::{median, quartiles, ratio};
use crate::work::Work;
use crate::{Result, Results, goals};
use std::fmt::Write as _;

const HEAD: &str = "# Results

Written by `cargo xtask bench`; `bench/runtime/README.md` says what is measured and how.

";

/// The whole report.
pub(crate) fn report(options: &Options, programs: &Programs, results: &Results, machine: &str) -> Result<String> {
    let mut text = HEAD.to_owned();
    text.push_str(machine);
    let _ = writeln!(
        text,
        "- release, fat LTO, one codegen unit, stripped; rmcp 3.11.0\n- {} rounds of {} ms each\n",
        options.rounds,
        options.time.as_millis()
    );
    text.push_str(&goals::table(&results.cases));
    for measured in &results.cases {
        section(&mut text, measured);
    }
    if !results.crowds.is_empty() {
        crowd_section(&mut text, results);
    }
    if !results.starts.is_empty() {
        start_section(&mut text, programs, results)?;
    }
    text.push_str(include_str!("../../profile.md"));
    Ok(text)
}

/// The curves of calls per second over connections.
pub(crate) fn growth(results: &Results) -> String {
    let mut curves: Vec<Curve> = Vec::new();
    for measured in results.cases.iter().filter(|measured| measured.case.key.starts_with("growth-")) {
        for (entrant, samples) in &measured.samples {
            let value = median(&samples.rates);
            match curves.iter_mut().find(|curve| curve.name == entrant.label) {
                Some(curve) => curve.values.push(value),
                None => curves.push(Curve { name: entrant.label.to_owned(), values: vec![value] }),
            }
        }
    }
    plot("HTTP `add`, calls per second, one core for the server", "connections", &GROWTH, &curves)
}

fn section(text: &mut String, measured: &Measured) {
    let case = &measured.case;
    let cores = if case.apart { "server and client on a core each" } else { "server and client on one core" };
    let _ = writeln!(text, "\n## {}\n\n`{}`; {cores}.\n", case.title, case.key);
    let large = matches!(case.work, Work::Echo(1_048_576) | Work::Read);
    let rate = if large { "MiB/s" } else { "calls/s" };
    let _ = writeln!(
        text,
        "| server | {rate} | quartiles | first / this | p50 | p99 | server CPU, s per 100,000 calls | peak MiB |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|"
    );
    let first = measured.samples.first().map(|(_, samples)| samples.rates.clone()).unwrap_or_default();
    for (entrant, samples) in &measured.samples {
        row(text, entrant, samples, &first);
    }
}

fn row(text: &mut String, entrant: &Entrant, samples: &Samples, first: &[f64]) {
    let [low, middle, high] = quartiles(&samples.rates).map(number);
    let lost = if samples.lost > 0 { format!(" ({} notifications lost)", samples.lost) } else { String::new() };
    let _ = writeln!(
        text,
        "| {}{lost} | {middle} | {low} to {high} | {:.2} | {} µs | {} µs | {:.2} | {:.1} |",
        entrant.name(),
        ratio(first, &samples.rates),
        number(median(&samples.medians)),
        number(median(&samples.p99s)),
        median(&samples.cpu),
        samples.peak,
    );
}

fn crowd_section(text: &mut String, results: &Results) {
    let _ = writeln!(
        text,
        "\n## Memory of a crowd\n\nResident memory that each of {CROWD} costs over HTTP, in KiB. A stream has its connection \
         included; `-` where a server has no such thing.\n\n\
         | server | connection | session of 2025-11-25 | `subscriptions/listen` stream |\n|---|---:|---:|---:|"
    );
    for (entrant, costs) in &results.crowds {
        let [connection, session, stream] = [costs.connection, costs.session, costs.stream].map(number);
        let _ = writeln!(text, "| {} | {connection} | {session} | {stream} |", entrant.label);
    }
}

fn start_section(text: &mut String, programs: &Programs, results: &Results) -> Result {
    text.push_str(
        "\n## Cold start and size\n\nFrom the start of the process to its first answered `tools/list`, and what is resident \
         then; the size of the stripped program.\n\n| server | start | quartiles | resident | program |\n\
         |---|---:|---:|---:|---:|\n",
    );
    for this in &results.starts {
        let [low, middle, high] = quartiles(&this.milliseconds);
        let transport = if this.transport == Transport::Stdio { "stdio" } else { "HTTP" };
        let _ = writeln!(
            text,
            "| {}, {transport} | {middle:.2} ms | {low:.2} to {high:.2} | {:.1} MiB | {:.1} MB |",
            this.entrant.name(),
            median(&this.resident),
            programs.megabytes(&this.entrant.program)?,
        );
    }
    Ok(())
}

/// A number as people read it: three digits that count, thousands apart.
pub(crate) fn number(value: f64) -> String {
    match value {
        value if !value.is_finite() => "-".to_owned(),
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => {
            let digits = format!("{value:.0}");
            let places = digits.len();
            let mut text = String::new();
            for (place, digit) in digits.chars().enumerate() {
                if place > 0 && (places - place) % 3 == 0 {
                    text.push(',');
                }
                text.push(digit);
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(
            [1.234, 12.34, 123.4, 1234.5, 1_234_567.0].map(super::number),
            ["1.23", "12.3", "123", "1,234", "1,234,567"]
        );
    }
}
