//! What one call costs a server in instructions and allocations. Neither depends on how busy a machine is, so both are kept in a
//! table, and whatever changes them must change the table as well.

use crate::callgrind::{Counted, Counts};
use crate::cases::{Entrant, OURS, Transport};
use crate::load::Load;
use crate::measure::connect;
use crate::programs::Programs;
use crate::report::number;
use crate::work::{Dialect, Work};
use crate::{Result, machine, text};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, thread};

/// How far above the table a count may be: compilers and libraries that are nearly the same make nearly the same code.
const ABOVE: f64 = 0.05;
/// How far below. The table has to say what is true.
const BELOW: f64 = 0.15;
/// How many allocations more or less there may be, at least; of many, as large a part as instructions may be more. Into how many
/// pieces a large message falls on its way is a matter of luck.
const ALLOCATIONS: f64 = 0.25;

/// One kind of call.
struct Case {
    key: &'static str,
    transport: Transport,
    work: Work,
    dialect: Dialect,
    /// How many calls are counted: large ones take long under valgrind.
    calls: usize,
}

/// What one call costs.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cost {
    instructions: f64,
    allocations: f64,
}

fn cases() -> Vec<Case> {
    use Dialect::{Session, Stateless};
    use Transport::{Http, Stdio};
    const MANY: usize = 1024;
    let case = |key, transport, work, calls| Case { key, transport, work, dialect: Stateless, calls };
    vec![
        case("stdio-add", Stdio, Work::Add, MANY),
        Case { dialect: Session, ..case("stdio-add-2025-11-25", Stdio, Work::Add, MANY) },
        case("stdio-list-200", Stdio, Work::List(200), MANY / 4),
        case("stdio-echo-1k", Stdio, Work::Echo(1024), MANY),
        case("stdio-echo-1m", Stdio, Work::Echo(1024 * 1024), 16),
        case("http-add", Http, Work::Add, MANY),
        Case { dialect: Session, ..case("http-add-2025-11-25", Http, Work::Add, MANY) },
        case("http-list-200", Http, Work::List(200), MANY / 4),
        case("http-echo-1k", Http, Work::Echo(1024), MANY),
        case("http-echo-1m", Http, Work::Echo(1024 * 1024), 16),
    ]
}

impl Case {
    fn entrant(&self) -> Entrant {
        let (program, tools) = match self.work {
            Work::List(tools) => (format!("ours-{tools}"), tools),
            _ => ("ours-work".to_owned(), 1),
        };
        Entrant { label: OURS, program, dialect: self.dialect, tools }
    }

    /// What a server has done that started, answered so many calls, and ended.
    fn count(&self, programs: &Programs, calls: usize) -> Result<Counts> {
        let entrant = self.entrant();
        let args = programs.args(&entrant, self.transport, self.work)?;
        let report = programs.beside(&format!("{}-{calls}.callgrind", self.key));
        let mut counted = Counted::start(&programs.path(&entrant.program), &args, self.transport, report)?;
        let client = connect(&mut counted.server, self.transport, self.work, self.dialect, 1);
        let answered = client.and_then(|mut client| {
            let load = Load { in_flight: 1, time: Duration::ZERO, pace: None };
            (0..calls).try_for_each(|_| client.run(load).map(drop))
        });
        answered.map_err(|error| format!("{}: {error}\n{}", self.key, counted.server.complaint()))?;
        counted.end(&entrant)
    }

    /// The difference between many calls and twice as many: what starting and ending cost is not in it.
    fn cost(&self, programs: &Programs) -> Result<Cost> {
        let (once, twice) = thread::scope(|scope| {
            let once = scope.spawn(|| self.count(programs, self.calls));
            let twice = self.count(programs, self.calls * 2);
            (once.join().unwrap_or_else(|_| Err("a thread panicked".to_owned())), twice)
        });
        let (once, twice) = (once?, twice?);
        let each = |once: u64, twice: u64| (twice as f64 - once as f64) / self.calls as f64;
        Ok(Cost {
            instructions: each(once.instructions, twice.instructions),
            allocations: each(once.allocations, twice.allocations),
        })
    }
}

/// Where the table is kept.
pub(crate) fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../COUNTS.md")
}

/// Counts everything, and compares it with the table, or writes the table anew.
pub(crate) fn run(write: bool) -> Result {
    let programs = Programs::build_for_counts()?;
    let mut counted = Vec::new();
    for case in cases() {
        let cost = case.cost(&programs)?;
        eprintln!("{:<24} {:>14.1} instructions {:>8.2} allocations", case.key, cost.instructions, cost.allocations);
        counted.push((case.key, cost));
    }
    if write {
        return fs::write(path(), page(&counted)).map_err(text);
    }
    let kept = fs::read_to_string(path()).map_err(|error| format!("{}: {error}", path().display()))?;
    let problems: Vec<String> =
        counted.iter().filter_map(|(key, cost)| problem(key, *cost, costs(&kept, key))).collect();
    match problems.is_empty() {
        true => Ok(()),
        false => Err(format!("{}\n{}", problems.join("\n"), advice(&kept))),
    }
}

/// What is wrong with one count, in words.
fn problem(key: &str, cost: Cost, kept: Option<Cost>) -> Option<String> {
    let Some(kept) = kept else { return Some(format!("{key}: the table does not have it; write the new figure down")) };
    let part = cost.instructions / kept.instructions - 1.0;
    let (more, allowed) = (cost.allocations - kept.allocations, (kept.allocations * ABOVE).max(ALLOCATIONS));
    let figures = format!(
        "{} instructions and {:.2} allocations instead of {} and {:.2}",
        number(cost.instructions),
        cost.allocations,
        number(kept.instructions),
        kept.allocations
    );
    if part > ABOVE || more > allowed {
        return Some(format!("{key}: a call costs more: {figures}"));
    }
    (part < -BELOW || more < -allowed)
        .then(|| format!("{key}: a call costs less than the table says; write the new figure down: {figures}"))
}

/// What to do about problems.
fn advice(kept: &str) -> String {
    let here = tools();
    let there = kept.lines().find_map(|line| line.strip_prefix("- ")).unwrap_or_default();
    let other = match here == there {
        true => String::new(),
        false => format!("The table was written with {there}; here are {here}.\n"),
    };
    format!("{other}`cargo xtask counts --write` writes the table, bench/COUNTS.md, anew.")
}

/// What counts depend on besides the code.
fn tools() -> String {
    let rustc = machine::said("rustc", &["--version"]);
    let rustc = rustc.split(" (").next().unwrap_or_default();
    format!(
        "{rustc}, {}, {}",
        machine::said("valgrind", &["--version"]),
        machine::said("getconf", &["GNU_LIBC_VERSION"])
    )
}

/// The table as a page.
fn page(counted: &[(&str, Cost)]) -> String {
    let mut page = format!(
        "# What a call costs\n\n\
         Instructions and allocations of one call in the whole server, on all of its threads: counted with `valgrind\n\
         --tool=callgrind`, not timed. `cargo xtask counts`, a step of `cargo xtask ci`, compares this table with what the\n\
         code does: {:.0} % more or {:.0} % fewer instructions are an error, and so is an allocation more or less.\n\
         `cargo xtask counts --write` writes this page anew; `runtime/README.md` says what is counted and how.\n\n\
         - {}\n\n| work | instructions | allocations |\n|---|---:|---:|\n",
        ABOVE * 100.0,
        BELOW * 100.0,
        tools()
    );
    for (key, cost) in counted {
        let _ = writeln!(page, "| {key} | {} | {:.2} |", number(cost.instructions), cost.allocations);
    }
    page
}

/// One line of the table in a page.
fn costs(page: &str, key: &str) -> Option<Cost> {
    let mut rows = page.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let row = rows.find(|cells| cells.get(1) == Some(&key))?;
    let figure = |place: usize| row.get(place)?.replace(',', "").parse().ok();
    Some(Cost { instructions: figure(2)?, allocations: figure(3)? })
}

/// The allocations of one kind of call, from the kept table.
pub(crate) fn allocations(key: &str) -> Option<f64> {
    costs(&fs::read_to_string(path()).ok()?, key).map(|cost| cost.allocations)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: Cost = Cost { instructions: 10_000.0, allocations: 4.0 };

    #[test]
    fn a_page_is_read_as_it_was_written() {
        let page = page(&[("one", KEPT), ("other", Cost { instructions: 12_345_678.4, allocations: 0.25 })]);
        assert_eq!(costs(&page, "one"), Some(KEPT));
        assert_eq!(costs(&page, "other"), Some(Cost { instructions: 12_345_678.0, allocations: 0.25 }));
        assert_eq!(costs(&page, "work"), None);
    }

    #[test]
    fn counts_that_are_far_off_are_told() {
        let seen = |instructions, allocations| problem("x", Cost { instructions, allocations }, Some(KEPT));
        assert_eq!([seen(10_400.0, 4.1), seen(8_600.0, 3.9)], [None, None]);
        for (seen, wanted) in [
            (seen(10_600.0, 4.0), "costs more"),
            (seen(10_000.0, 5.0), "costs more"),
            (seen(8_400.0, 4.0), "write the new figure down"),
            (seen(10_000.0, 3.0), "write the new figure down"),
            (problem("x", KEPT, None), "write the new figure down"),
        ] {
            assert!(seen.as_ref().is_some_and(|text| text.contains(wanted)), "{seen:?}");
        }
    }
}
