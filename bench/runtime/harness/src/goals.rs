//! What this framework wants to reach, and whether it did in this run.

use crate::cases::{OURS, RMCP, TUNED, USUAL, limits};
use crate::measure::{Measured, Samples};
use crate::statistics::ratio;
use crate::work::Dialect;
use std::fmt::Write as _;

/// A ratio of calls per second, of two servers of one case or of two cases.
struct Goal {
    what: &'static str,
    these: Side,
    others: Side,
    at_least: f64,
    /// Compares the 99th percentiles of latencies instead, upside down: more is better.
    latency: bool,
}

/// Who of which case.
struct Side {
    case: &'static str,
    label: &'static str,
    dialect: Dialect,
    tools: usize,
}

const fn side(case: &'static str, label: &'static str, dialect: Dialect, tools: usize) -> Side {
    Side { case, label, dialect, tools }
}

impl Side {
    fn find<'m>(&self, measured: &'m [Measured]) -> Option<&'m Samples> {
        let case = measured.iter().find(|this| this.case.key == self.case)?;
        let fits = |label, dialect, tools| label == self.label && dialect == self.dialect && tools == self.tools;
        let found = case.samples.iter().find(|(entrant, _)| fits(entrant.label, entrant.dialect, entrant.tools));
        found.map(|(_, samples)| samples)
    }
}

fn goals() -> Vec<Goal> {
    use crate::cases::Transport::{Http, Stdio};
    use Dialect::{Session, Stateless};
    let mut all = Vec::new();
    let mut against = |what, case, tools, rivals: [(&'static str, f64); 3]| {
        for (label, at_least) in rivals.into_iter().filter(|(_, at_least)| *at_least > 0.0) {
            let (these, others) = (side(case, OURS, Stateless, tools), side(case, label, Stateless, tools));
            all.push(Goal { what, these, others, at_least, latency: false });
        }
    };
    let ([axum, _], [tokio, _]) = (limits(Http), limits(Stdio));
    let (axum, tokio) = (axum.0, tokio.0);
    against("HTTP `add`, 16 connections", "http-add-16", 1, [(axum, 0.80), (RMCP, 5.0), (TUNED, 3.0)]);
    against("stdio `add`, one at a time", "stdio-add-1", 1, [(tokio, 0.80), (RMCP, 6.0), (TUNED, 2.3)]);
    against("stdio `add`, 64 in flight", "stdio-add-64", 1, [(tokio, 0.75), (RMCP, 12.0), (TUNED, 3.0)]);
    against("stdio `tools/list`, 200 tools", "stdio-list-200", 200, [(tokio, 0.90), (RMCP, 20.0), (TUNED, 6.0)]);
    against("HTTP `tools/list`, 200 tools", "http-list-200", 200, [(axum, 0.90), (RMCP, 20.0), (TUNED, 6.0)]);
    against("stdio `echo` of 1 MiB", "stdio-echo-1m", 1, [(tokio, 0.70), (RMCP, 0.0), (TUNED, 0.0)]);
    against("HTTP `echo` of 1 MiB", "http-echo-1m", 1, [(axum, 0.70), (RMCP, 0.0), (TUNED, 0.0)]);
    let mut own = |what, these, others, at_least| all.push(Goal { what, these, others, at_least, latency: false });
    let alone = |case, dialect| side(case, OURS, dialect, 1);
    own("HTTP `add` with a session", alone("http-add-16", Session), alone("http-add-16", Stateless), 0.85);
    for case in ["stdio-beside", "http-beside"] {
        for tools in [200, 2000] {
            own("`add` beside other tools", side(case, OURS, Stateless, tools), alone(case, Stateless), 0.98);
        }
    }
    for case in ["stdio-backwards", "http-backwards"] {
        own("members in the reverse order", alone(case, Stateless), side(case, USUAL, Stateless, 1), 0.95);
    }
    all.push(Goal {
        what: "p99 at half of the peak, the other's to ours",
        these: side("http-half", OURS, Stateless, 1),
        others: side("http-half", axum, Stateless, 1),
        at_least: 0.50,
        latency: true,
    });
    all
}

/// The table of goals whose cases were measured.
pub(crate) fn table(measured: &[Measured]) -> String {
    let mut rows = String::new();
    for Goal { what, these, others, at_least, latency } in goals() {
        let Some((this, other)) = these.find(measured).zip(others.find(measured)) else { continue };
        let got = if latency { ratio(&other.p99s, &this.p99s) } else { ratio(&this.rates, &other.rates) };
        let cpu = ratio(&other.cpu, &this.cpu);
        let word = if got >= at_least { "yes" } else { "**no**" };
        let who = |side: &Side| match side.tools {
            1 => format!("{}, {}", side.label, side.dialect.version()),
            tools => format!("{}, {}, {tools} tools", side.label, side.dialect.version()),
        };
        let _ = writeln!(
            rows,
            "| {what} | {} | {} | {at_least:.2} | {got:.2} | {word} | {cpu:.2} |",
            who(&these),
            who(&others)
        );
    }
    if rows.is_empty() {
        return rows;
    }
    format!(
        "## Goals\n\nRatios of calls per second, the median of the ratios of all rounds. The last column compares what a call costs the servers \
         alone, without the client: what the ratio would be if nothing else took time.\n\n\
         | work | of | to | wanted | got | reached | by the server's CPU |\n|---|---|---|---:|---:|---|---:|\n{rows}"
    )
}
