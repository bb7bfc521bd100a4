//! What the suite saw against what the baseline expects.

use std::collections::{BTreeMap, BTreeSet};

use super::baseline::Expectations;
use super::suite::Seen;

/// The outcome of one set.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) set: String,
    /// Counted scenarios that passed.
    pub(super) passed: usize,
    /// Scored and watched scenarios.
    pub(super) counted: usize,
    /// Counted scenarios that did not pass, expected or not.
    pub(super) failing: Vec<String>,
    /// Counted scenarios with warnings.
    pub(super) warning: Vec<String>,
    /// Scenarios that ran without being counted, and how many of them passed.
    pub(super) other: usize,
    pub(super) other_passed: usize,
    /// Differences from the baseline, each of which fails the run.
    pub(super) problems: Vec<String>,
}

/// Compares one set. Counted are the scored scenarios and the watched ones; one that left no result has failed.
pub(super) fn judge(
    set: &str,
    expectations: &Expectations,
    scored: &[String],
    seen: &BTreeMap<String, Seen>,
) -> Report {
    let counted: BTreeSet<&String> = scored.iter().chain(&expectations.watched).collect();
    let mut report = Report { set: set.to_owned(), counted: counted.len(), ..Report::default() };
    for scenario in &counted {
        judge_one(&mut report, scenario, seen.get(*scenario), expectations.failing.contains(scenario));
    }
    for scenario in expectations.failing.iter().filter(|scenario| !counted.contains(scenario)) {
        report.problems.push(format!("{set} {scenario}: stands in the baseline but does not count in this set"));
    }
    let others = seen.iter().filter(|(scenario, _)| !counted.contains(scenario));
    for (_, seen) in others {
        report.other += 1;
        report.other_passed += usize::from(seen.passed());
    }
    report
}

fn judge_one(report: &mut Report, scenario: &str, seen: Option<&Seen>, expected_to_fail: bool) {
    let passed = seen.is_some_and(Seen::passed);
    if passed {
        report.passed += 1;
    } else {
        report.failing.push(scenario.to_owned());
    }
    if seen.is_some_and(|seen| !seen.warnings.is_empty()) {
        report.warning.push(scenario.to_owned());
    }
    let set = &report.set;
    match (passed, expected_to_fail) {
        (false, false) => report.problems.push(format!("{set} {scenario}: fails{}", reasons(seen))),
        (true, true) => report.problems.push(format!("{set} {scenario}: passes now, so take it off the baseline")),
        _ => {}
    }
}

fn reasons(seen: Option<&Seen>) -> String {
    let Some(seen) = seen else { return ", for it left no result".to_owned() };
    let failures = seen.failures.iter().map(|failure| format!("\n    {failure}"));
    let warnings = seen.warnings.iter().map(|warning| format!("\n    warning: {warning}"));
    let reasons: String = failures.chain(warnings).collect();
    if reasons.is_empty() { ", for it checked nothing".to_owned() } else { reasons }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn pass() -> Seen {
        Seen { successes: 2, ..Seen::default() }
    }

    fn fail() -> Seen {
        Seen { successes: 1, failures: words(&["check: why"]), ..Seen::default() }
    }

    fn warn() -> Seen {
        Seen { successes: 1, warnings: words(&["check: should"]), ..Seen::default() }
    }

    fn judge_with(watched: &[&str], failing: &[&str], seen: &[(&str, Seen)]) -> Report {
        let seen = seen.iter().map(|(name, seen)| {
            let copy = Seen { failures: seen.failures.clone(), warnings: seen.warnings.clone(), ..*seen };
            ((*name).to_owned(), copy)
        });
        let expectations = Expectations { watched: words(watched), failing: words(failing) };
        judge("set", &expectations, &words(&["one", "two"]), &seen.collect())
    }

    #[test]
    fn what_is_as_expected_is_no_problem() {
        let seen = [("one", pass()), ("two", fail()), ("three", pass()), ("four", fail())];
        let report = judge_with(&["three"], &["two"], &seen);
        assert_eq!(report.problems, words(&[]));
        assert_eq!((report.passed, report.counted, report.other, report.other_passed), (2, 3, 1, 0));
        assert_eq!(report.failing, words(&["two"]));
    }

    #[test]
    fn an_unexpected_failure_is_a_problem_with_its_reasons() {
        let report = judge_with(&[], &[], &[("one", pass()), ("two", fail())]);
        assert_eq!(report.problems, words(&["set two: fails\n    check: why"]));
    }

    #[test]
    fn an_unexpected_success_is_a_problem() {
        let report = judge_with(&[], &["one"], &[("one", pass()), ("two", pass())]);
        assert_eq!(report.problems, words(&["set one: passes now, so take it off the baseline"]));
    }

    #[test]
    fn a_warning_counts_as_a_failure_unless_listed() {
        let seen = [("one", warn()), ("two", pass())];
        let report = judge_with(&[], &[], &seen);
        assert_eq!(report.problems, words(&["set one: fails\n    warning: check: should"]));
        assert_eq!(report.warning, words(&["one"]));
        assert_eq!(judge_with(&[], &["one"], &seen).problems, words(&[]));
    }

    #[test]
    fn a_missing_or_empty_result_is_a_failure() {
        let report = judge_with(&["gone"], &[], &[("one", pass()), ("two", Seen::default())]);
        let wanted = ["set gone: fails, for it left no result", "set two: fails, for it checked nothing"];
        assert_eq!(report.problems, words(&wanted));
    }

    #[test]
    fn a_baseline_entry_outside_the_set_is_a_problem() {
        let report = judge_with(&[], &["three"], &[("one", pass()), ("two", pass()), ("three", fail())]);
        assert_eq!(report.problems, words(&["set three: stands in the baseline but does not count in this set"]));
    }
}
