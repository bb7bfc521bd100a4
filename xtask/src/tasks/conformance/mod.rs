//! The official conformance suite against `everything`, held to the baseline in both directions.

mod baseline;
mod suite;
mod verdict;

use crate::server::HttpServer;
use crate::{Result, cargo, fetch, table};

use baseline::Baseline;
use suite::Suite;
use verdict::Report;

pub(super) fn run() -> Result {
    let mut programs = cargo::build_examples(&["everything"])?;
    let program = programs.remove("everything").ok_or("cargo built no everything")?;
    let baseline = Baseline::load(&fetch::conformance_dir().join("baseline.toml"))?;
    let suite = Suite::install()?;
    let mut server = HttpServer::start(&program, &suite.results().join("server.log"))?;
    let url = server.localhost_url();
    let mut reports = Vec::new();
    for (set, expectations) in baseline.sets() {
        println!("{set} ...");
        let scored = suite.scored(set)?;
        let seen = suite.run_set(set, &url, scored.is_some(), &expectations.watched)?;
        server.check_alive()?;
        reports.push(verdict::judge(set, expectations, &scored.unwrap_or_default(), &seen));
    }
    println!("\n{}", table::render(&rows(&reports)));
    let problems: Vec<String> = reports.into_iter().flat_map(|report| report.problems).collect();
    if problems.is_empty() {
        return Ok(());
    }
    let problems = problems.join("\n");
    Err(format!("the suite and its baseline differ\n{problems}\nmore is in {}", suite.results().display()))
}

fn rows(reports: &[Report]) -> Vec<Vec<String>> {
    let heading = ["set", "passed", "failing", "warnings", "not counted"];
    let row = |report: &Report| {
        let passed = format!("{} of {}", report.passed, report.counted);
        let other = format!("{} of {} pass", report.other_passed, report.other);
        vec![report.set.clone(), passed, report.failing.join("\n"), report.warning.join("\n"), other]
    };
    std::iter::once(heading.map(str::to_owned).to_vec()).chain(reports.iter().map(row)).collect()
}
