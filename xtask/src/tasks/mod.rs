//! The tasks, each a step of `ci` that can be run on its own.

mod balancer;
pub(crate) mod bench;
pub(crate) mod chaos;
mod clients;
mod clippy;
mod conformance;
pub(crate) mod counts;
pub(crate) mod deny;
mod doc;
mod features;
mod fmt;
pub(crate) mod fuzz;
mod hygiene;
mod oauth;
mod otlp;
mod plugins;
mod readme;
mod schedules;
pub(crate) mod soak;
mod test;
mod tidy;

use std::time::Instant;

use crate::Result;

/// One task.
pub(crate) struct Task {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result,
}

/// Every task, in the order in which `ci` runs them.
pub(crate) const STEPS: &[Task] = &[
    Task { name: "fmt", about: "the sources are formatted", run: fmt::run },
    Task { name: "clippy", about: "no lint speaks up, with every feature", run: clippy::run },
    Task { name: "hygiene", about: "expansions are clean in crates as strange as they may be", run: hygiene::run },
    Task { name: "features", about: "the runtime builds without features, and with each alone", run: features::run },
    Task { name: "doc", about: "the documentation builds without a warning", run: doc::run },
    Task { name: "test", about: "all tests: unit, integration, UI and documentation tests", run: test::run },
    Task {
        name: "readme",
        about: "the README's first command does what it says, and every example runs",
        run: readme::run,
    },
    Task {
        name: "plugins",
        about: "functions of other crates are there, whatever the linker throws away",
        run: plugins::run,
    },
    Task { name: "conformance", about: "the official conformance suite against `everything`", run: conformance::run },
    Task { name: "clients", about: "the official clients against `quickstart` and `booking`", run: clients::run },
    Task {
        name: "oauth",
        about: "tokens of a real authorization server against `protected`; `public_server` runs",
        run: oauth::run,
    },
    Task { name: "otlp", about: "spans and metrics of `examples/otlp` reach a collector", run: otlp::run },
    Task { name: "balancer", about: "a call of several rounds across two instances behind nginx", run: balancer::run },
    Task { name: "schedules", about: "locks keep their promises in whatever order threads run", run: schedules::run },
    Task { name: "fuzz", about: "no input of a short run of each fuzz target breaks what must hold", run: fuzz::run },
    Task {
        name: "chaos",
        about: "a server over HTTP that is killed twenty times, and its clients that recover",
        run: chaos::run,
    },
    Task {
        name: "counts",
        about: "instructions and allocations of a call are those of bench/COUNTS.md",
        run: counts::run,
    },
    Task { name: "soak", about: "a busy server loses nothing, doubles nothing and keeps nothing", run: soak::run },
    Task { name: "deny", about: "licences, sources, versions and advisories of what is depended on", run: deny::run },
    Task { name: "tidy", about: "the repository's own rules", run: tidy::run },
];

/// The list of tasks, for people.
pub(crate) fn help() -> String {
    let mut text = String::from("cargo xtask TASK...\n\n  ci           every task below, in this order\n");
    for task in STEPS {
        text.push_str(&format!("  {:<12} {}\n", task.name, task.about));
    }
    text.push_str(
        "\nNo part of `ci`:\n\n  counts --write    bench/COUNTS.md anew\n  \
         deny --snapshot   xtask/advisories.txt anew, from the database of today\n  \
         bench             running servers beside others, in turn: [--rounds N] [--quick] [--only NAME]\n  \
         fuzz TARGET       one fuzz target for longer: [--seconds N]\n  \
         soak              the step `soak`, but for ten minutes: [--seconds N] [--seed N]",
    );
    text
}

/// Runs every task.
pub(crate) fn run_all() -> Result {
    run_steps(&STEPS.iter().collect::<Vec<_>>())
}

/// Runs the named tasks in the order given; a name that no task has is an error before anything runs.
pub(crate) fn run_named(names: &[&str]) -> Result {
    let find = |name: &&str| {
        let task = STEPS.iter().find(|task| task.name == *name);
        task.ok_or_else(|| format!("there is no task `{name}`\n\n{}", help()))
    };
    run_steps(&names.iter().map(find).collect::<Result<Vec<_>>>()?)
}

/// Runs tasks until one fails, says how long each took, and closes with a count of steps.
fn run_steps(steps: &[&Task]) -> Result {
    for (passed, step) in steps.iter().enumerate() {
        println!("\n== {}: {}", step.name, step.about);
        let start = Instant::now();
        let outcome = (step.run)();
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("== {}: {word} after {:.1} s", step.name, start.elapsed().as_secs_f64());
        if let Err(message) = outcome {
            eprintln!("\n{}: {message}", step.name);
            println!("\n{passed} passed, 1 failed");
            return Err(format!("the step `{}` failed", step.name));
        }
    }
    println!("\n{} passed, 0 failed", steps.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn help_names_every_task() {
        let help = help();
        assert!(STEPS.iter().all(|task| help.contains(&format!("  {} ", task.name))), "{help}");
    }

    #[test]
    fn an_unknown_task_is_refused_before_anything_runs() {
        assert!(run_named(&["tidy", "nonsense"]).unwrap_err().starts_with("there is no task `nonsense`"));
    }

    #[test]
    fn the_first_failure_ends_the_run() {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        fn passes() -> Result {
            RUNS.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }
        let pass = Task { name: "pass", about: "", run: passes };
        let fail = Task { name: "fail", about: "", run: || Err("broken".to_owned()) };
        assert_eq!(run_steps(&[&pass, &fail, &pass]).unwrap_err(), "the step `fail` failed");
        assert_eq!(RUNS.load(Ordering::Relaxed), 1);
        assert_eq!(run_steps(&[&pass, &pass]), Ok(()));
    }
}
