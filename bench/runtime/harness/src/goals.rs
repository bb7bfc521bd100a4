//! What this framework wants to reach, and whether it did in this run.

use crate::cases::Transport::{self, Http, Stdio};
use crate::cases::{OURS, RMCP, TUNED, USUAL, limits};
use crate::measure::{Measured, Samples, Started};
use crate::programs::Programs;
use crate::statistics::{median, ratio};
use crate::work::Dialect::{self, Session, Stateless};
use crate::{Result, Results, counts};
use std::fmt::Write as _;
use std::path::Path;

/// One line of the table.
struct Row {
    what: String,
    of: String,
    to: String,
    wanted: Wanted,
    got: f64,
    /// The same by what calls cost the servers alone.
    cpu: Option<f64>,
}

#[derive(Clone, Copy)]
enum Wanted {
    AtLeast(f64),
    AtMost(f64),
}

impl Row {
    fn write(&self, text: &mut String) {
        let (wanted, reached) = match self.wanted {
            Wanted::AtLeast(least) => (format!("≥ {least:.2}"), self.got >= least),
            Wanted::AtMost(most) => (format!("≤ {most:.2}"), self.got <= most),
        };
        let word = if reached { "yes" } else { "**no**" };
        let cpu = self.cpu.map_or_else(|| "-".to_owned(), |cpu| format!("{cpu:.2}"));
        let Row { what, of, to, got, .. } = self;
        let _ = writeln!(text, "| {what} | {of} | {to} | {wanted} | {got:.2} | {word} | {cpu} |");
    }
}

/// Who of which case.
#[derive(Clone, Copy)]
struct Side<'c> {
    case: &'c str,
    label: &'static str,
    dialect: Dialect,
    tools: usize,
}

impl Side<'_> {
    fn find<'m>(&self, measured: &'m [Measured]) -> Option<&'m Samples> {
        let case = measured.iter().find(|this| this.case.key == self.case)?;
        let fits = |label, dialect, tools| label == self.label && dialect == self.dialect && tools == self.tools;
        let found = case.samples.iter().find(|(entrant, _)| fits(entrant.label, entrant.dialect, entrant.tools));
        found.map(|(_, samples)| samples)
    }

    fn name(&self) -> String {
        match self.tools {
            1 => format!("{}, {}", self.label, self.dialect.version()),
            tools => format!("{}, {}, {tools} tools", self.label, self.dialect.version()),
        }
    }
}

/// The table of goals of what was measured.
pub(crate) fn table(results: &Results, programs: &Programs) -> Result<String> {
    let mut rows = rates(&results.cases);
    rows.extend(latency(&results.cases));
    rows.extend(copies(&results.cases));
    rows.extend(starts(&results.starts, programs)?);
    // These two are not measured by this run: they only stand in the table of a whole one.
    if !rows.is_empty() && !results.starts.is_empty() {
        rows.extend(allocations());
        rows.extend(compiling());
    }
    let mut text = String::new();
    if rows.is_empty() {
        return Ok(text);
    }
    text.push_str(
        "## Goals\n\nRatios of calls per second, the median of the ratios of all rounds, unless a line says otherwise. The last column \
         compares what a call costs the servers alone, without the client: what the ratio would be if nothing else took time.\n\n\
         | work | of | to | wanted | got | reached | by the server's CPU |\n|---|---|---|---:|---:|---|---:|\n",
    );
    rows.iter().for_each(|row| row.write(&mut text));
    Ok(text)
}

fn word(transport: Transport) -> &'static str {
    if transport == Stdio { "stdio" } else { "HTTP" }
}

/// Calls per second: against others, and against ourselves.
fn rates(measured: &[Measured]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut compare = |what: &str, these: Side<'_>, others: Side<'_>, least: f64| {
        let Some((this, other)) = these.find(measured).zip(others.find(measured)) else { return };
        let (of, to, wanted) = (these.name(), others.name(), Wanted::AtLeast(least));
        let (got, cpu) = (ratio(&this.rates, &other.rates), Some(ratio(&other.cpu, &this.cpu)));
        rows.push(Row { what: what.to_owned(), of, to, wanted, got, cpu });
    };
    let ours = |case, dialect, tools| Side { case, label: OURS, dialect, tools };
    let [tokio, axum] = [Stdio, Http].map(|transport| limits(transport)[0].0);
    for (what, case, tools, rivals) in [
        ("HTTP `add`, 16 connections", "http-add-16", 1, &[(axum, 0.80), (RMCP, 5.0), (TUNED, 3.0)][..]),
        ("stdio `add`, one at a time", "stdio-add-1", 1, &[(tokio, 0.80), (RMCP, 6.0), (TUNED, 2.3)]),
        ("stdio `add`, 64 in flight", "stdio-add-64", 1, &[(tokio, 0.75), (RMCP, 12.0), (TUNED, 3.0)]),
        ("stdio `tools/list`, 200 tools", "stdio-list-200", 200, &[(tokio, 0.90), (RMCP, 20.0), (TUNED, 6.0)]),
        ("HTTP `tools/list`, 200 tools", "http-list-200", 200, &[(axum, 0.90), (RMCP, 20.0), (TUNED, 6.0)]),
        ("stdio `echo` of 1 MiB", "stdio-echo-1m", 1, &[(tokio, 0.70)]),
        ("HTTP `echo` of 1 MiB", "http-echo-1m", 1, &[(axum, 0.70)]),
    ] {
        let these = ours(case, Stateless, tools);
        rivals.iter().for_each(|(label, least)| compare(what, these, Side { label, ..these }, *least));
    }
    let sessions = [Session, Stateless].map(|dialect| ours("http-add-16", dialect, 1));
    compare("HTTP `add` with a session", sessions[0], sessions[1], 0.85);
    for (transport, case) in [(Stdio, "stdio-beside"), (Http, "http-beside")] {
        for tools in [200, 2000] {
            let what = format!("{} `add` beside other tools", word(transport));
            compare(&what, ours(case, Stateless, tools), ours(case, Stateless, 1), 0.98);
        }
    }
    for (transport, case) in [(Stdio, "stdio-backwards"), (Http, "http-backwards")] {
        let what = format!("{} `add`, members in the reverse order", word(transport));
        let these = ours(case, Stateless, 1);
        compare(&what, these, Side { label: USUAL, ..these }, 0.95);
    }
    rows
}

/// The 99th percentile at half of the peak.
fn latency(measured: &[Measured]) -> Option<Row> {
    let these = Side { case: "http-half", label: OURS, dialect: Stateless, tools: 1 };
    let others = Side { label: limits(Http)[0].0, ..these };
    let (this, other) = these.find(measured).zip(others.find(measured))?;
    Some(Row {
        what: "HTTP `add` at half of the peak: p99, ours by the other's".to_owned(),
        of: these.name(),
        to: others.name(),
        wanted: Wanted::AtMost(2.0),
        got: ratio(&this.p99s, &other.p99s),
        cpu: None,
    })
}

/// What echoing a large text takes beyond what echoing a small one does.
fn copies(measured: &[Measured]) -> Vec<Row> {
    let row = |transport, large, small| {
        let of = |case| Side { case, label: OURS, dialect: Stateless, tools: 1 };
        let (most, least) = of(large).find(measured).zip(of(small).find(measured))?;
        Some(Row {
            what: format!("{} `echo` of 1 MiB: copies of it in memory at most", word(transport)),
            of: of(large).name(),
            to: "the same server echoing 1 KiB".to_owned(),
            wanted: Wanted::AtMost(4.0),
            got: most.peak - least.peak,
            cpu: None,
        })
    };
    [row(Stdio, "stdio-echo-1m", "stdio-echo-1k"), row(Http, "http-echo-1m", "http-echo-1k")]
        .into_iter()
        .flatten()
        .collect()
}

/// Start, memory and size: where we are on the way from the bare loop (0) to the official SDK (1).
fn starts(started: &[Started], programs: &Programs) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for transport in [Stdio, Http] {
        let limit = limits(transport)[0].0;
        let find = |label| started.iter().find(|this| this.transport == transport && this.entrant.label == label);
        let [Some(ours), Some(low), Some(high)] = [OURS, limit, RMCP].map(find) else { continue };
        let mut add = |what: &str, [ours, low, high]: [f64; 3]| {
            rows.push(Row {
                what: format!("{}: {what}", word(transport)),
                of: OURS.to_owned(),
                to: format!("{limit} is 0, {RMCP} is 1"),
                wanted: Wanted::AtMost(0.5),
                got: (ours - low) / (high - low),
                cpu: None,
            });
        };
        let all = [ours, low, high];
        add("cold start", all.map(|this| median(&this.milliseconds)));
        add("resident then", all.map(|this| median(&this.resident)));
        let [ours, low, high] = all.map(|this| programs.megabytes(&this.entrant.program));
        add("stripped program", [ours?, low?, high?]);
    }
    Ok(rows)
}

/// From the table of counts.
fn allocations() -> Option<Row> {
    Some(Row {
        what: "stdio `add`: allocations".to_owned(),
        of: format!("{OURS}, all that it uses included"),
        to: "`bench/COUNTS.md`".to_owned(),
        wanted: Wanted::AtMost(3.0),
        got: counts::allocations("stdio-add")?,
        cpu: None,
    })
}

/// From the last result of `bench/compile`: the processor's time of ours by theirs.
fn compiling() -> Vec<Row> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../compile/README.md");
    let page = std::fs::read_to_string(page).unwrap_or_default();
    let mut rows = Vec::new();
    for (style, called) in [("plain", "plain arguments"), ("struct", "structs")] {
        let begin = format!("| {style}: ours / rmcp |");
        let Some(line) = page.lines().find(|line| line.starts_with(&begin)) else { continue };
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        for (place, what) in [(3, "clean build"), (4, "check after an edit"), (5, "build after an edit")] {
            let cpu = cells.get(place).and_then(|cell| cell.split('/').nth(1)?.trim().parse().ok());
            let Some(got) = cpu else { continue };
            rows.push(Row {
                what: format!("{what}, 200 tools with {called}: processor's time"),
                of: OURS.to_owned(),
                to: format!("{RMCP}; `bench/compile/README.md`"),
                wanted: Wanted::AtMost(1.0),
                got,
                cpu: None,
            });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_look_both_ways() {
        let row = |wanted, got| Row { what: "w".into(), of: "a".into(), to: "b".into(), wanted, got, cpu: None };
        for (row, wanted) in [
            (row(Wanted::AtLeast(0.8), 0.81), "| w | a | b | ≥ 0.80 | 0.81 | yes | - |\n"),
            (row(Wanted::AtLeast(0.8), 0.79), "| w | a | b | ≥ 0.80 | 0.79 | **no** | - |\n"),
            (row(Wanted::AtMost(0.5), 0.51), "| w | a | b | ≤ 0.50 | 0.51 | **no** | - |\n"),
            (row(Wanted::AtMost(0.5), f64::NAN), "| w | a | b | ≤ 0.50 | NaN | **no** | - |\n"),
        ] {
            let mut text = String::new();
            row.write(&mut text);
            assert_eq!(text, wanted);
        }
    }

    #[test]
    fn what_compiling_costs_is_read_from_its_page() {
        assert_eq!(compiling().len(), 6);
    }
}
