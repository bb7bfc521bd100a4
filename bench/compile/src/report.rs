//! Medians and ratios, as a table in Markdown.

use crate::measure::Cost;
use crate::options::Options;
use crate::source::Framework;
use crate::subject::Subject;
use std::fmt::Write as _;

/// What was measured of one subject.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// Crates in the tree.
    pub(crate) crates: usize,
    /// Clean debug builds.
    pub(crate) clean: Vec<Cost>,
    /// `cargo check` after an edit.
    pub(crate) check: Vec<Cost>,
    /// `cargo build` after an edit.
    pub(crate) build: Vec<Cost>,
}

/// The report.
pub(crate) fn report(options: &Options, subjects: &[(Subject, Samples)]) -> String {
    let mut text = format!(
        "{} tools a server, {} rounds of {} edits; medians in seconds, clock / processor\n\n\
         | server | crates | clean build | check after an edit | build after an edit |\n|---|---|---|---|---|\n",
        options.tools, options.rounds, options.edits
    );
    for (subject, samples) in subjects {
        let [clean, check, build] = [&samples.clean, &samples.check, &samples.build].map(|costs| seconds(costs));
        let (name, crates) = (subject.name(), samples.crates);
        let _ = writeln!(text, "| {name} | {crates} | {clean} | {check} | {build} |");
    }
    for (ours, rmcp) in pairs(subjects) {
        let crates = ours.1.crates as f64 / rmcp.1.crates as f64;
        let (ours, rmcp, style) = (&ours.1, &rmcp.1, ours.0.style.name());
        let clean = ratios(&ours.clean, &rmcp.clean);
        let (check, build) = (ratios(&ours.check, &rmcp.check), ratios(&ours.build, &rmcp.build));
        let _ = writeln!(text, "| {style}: ours / rmcp | {crates:.2} | {clean} | {check} | {build} |");
    }
    text
}

/// Subjects of one style, ours first.
fn pairs(subjects: &[(Subject, Samples)]) -> impl Iterator<Item = (&(Subject, Samples), &(Subject, Samples))> {
    let of = |framework| subjects.iter().filter(move |(subject, _)| subject.framework == framework);
    of(Framework::Ours).zip(of(Framework::Rmcp))
}

fn seconds(costs: &[Cost]) -> String {
    let all = |of: fn(&Cost) -> f64| median(costs.iter().map(of).collect());
    match (all(|cost| cost.wall), all(|cost| cost.cpu)) {
        (Some(wall), Some(cpu)) => format!("{wall:.2} / {cpu:.2}"),
        _ => "-".to_owned(),
    }
}

/// The medians of the ratios of measurements that were made one after the other.
fn ratios(ours: &[Cost], rmcp: &[Cost]) -> String {
    let all = |of: fn(&Cost) -> f64| median(ours.iter().zip(rmcp).map(|(ours, rmcp)| of(ours) / of(rmcp)).collect());
    match (all(|cost| cost.wall), all(|cost| cost.cpu)) {
        (Some(wall), Some(cpu)) => format!("{wall:.2} / {cpu:.2}"),
        _ => "-".to_owned(),
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.get(values.len().checked_sub(1)? / 2)?, values.get(values.len() / 2)?);
    Some((low + high) / 2.0)
}
