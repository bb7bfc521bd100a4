//! The report: a table for every case, ratios first.

use crate::cases::{Entrant, Transport};
use crate::crowd::CROWD;
use crate::measure::{Measured, Samples};
use crate::options::Options;
use crate::programs::Programs;
use crate::statistics::{median, quartiles, ratio};
use crate::streams::STREAMS;
use crate::work::{Dialect, Work};
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
    text.push_str(&goals::table(results, programs)?);
    for measured in &results.cases {
        section(&mut text, measured);
    }
    lists_section(&mut text, &results.cases);
    if !results.crowds.is_empty() {
        crowd_section(&mut text, results);
    }
    if !results.streams.is_empty() {
        streams_section(&mut text, results);
    }
    if !results.starts.is_empty() {
        start_section(&mut text, programs, results)?;
    }
    text.push_str(include_str!("../../profile.md"));
    Ok(text)
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

/// What lists cost, by their tools.
fn lists_section(text: &mut String, measured: &[Measured]) {
    let mut rows = String::new();
    for Measured { case, samples } in measured {
        let Work::List(tools) = case.work else { continue };
        let word = if case.transport == Transport::Stdio { "stdio" } else { "HTTP" };
        for (entrant, samples) in samples.iter().filter(|(entrant, _)| entrant.dialect == Dialect::Stateless) {
            let took = microseconds(&samples.rates);
            let _ = writeln!(
                rows,
                "| {word} | {} | {} | {} | {} | {} | {} |",
                number(tools as f64).trim_end_matches(".00"),
                entrant.label,
                number(samples.bytes as f64),
                number(samples.bytes as f64 / tools as f64),
                number(took),
                number(took / tools as f64),
            );
        }
    }
    if !rows.is_empty() {
        let _ = write!(
            text,
            "\n## What a list costs\n\nThe cases `list-*` once more, by the number of tools.\n\n\
             | transport | tools | server | bytes of the answer | a tool | µs for a list | a tool |\n|---|---:|---|---:|---:|---:|---:|\n{rows}"
        );
    }
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

fn streams_section(text: &mut String, results: &Results) {
    let _ = writeln!(
        text,
        "\n## {} subscriptions with an update each per second\n\n`streams`; over HTTP, server and client on a core each. Each stream \
         has its connection. Once a second a call changes the resource that all have subscribed to; the delay of an update is the \
         time from that call's request to its arrival, so the last to be told waits for all others. All of them, the right ones \
         and no others have to arrive.\n\n\
         | server | updates | delay p50 | p99 | server CPU, s per s | KiB per stream |\n|---|---:|---:|---:|---:|---:|",
        number(STREAMS as f64)
    );
    for (entrant, watched) in &results.streams {
        let [came, wanted] = watched.delivered.map(|count| number(count as f64));
        let updates = if came == wanted { format!("all of {wanted}") } else { format!("**{came} of {wanted}**") };
        let _ = writeln!(
            text,
            "| {} | {updates} | {} µs | {} µs | {:.4} | {} |",
            entrant.name(),
            number(watched.median),
            number(watched.p99),
            watched.cpu,
            number(watched.memory),
        );
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

/// Microseconds that one takes at these rates per second.
pub(crate) fn microseconds(rates: &[f64]) -> f64 {
    1e6 / median(rates)
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
