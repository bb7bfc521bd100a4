//! The fuzz targets: built with what the compiler itself has for them, run for a while.
//!
//! Instrumentation is a pass of LLVM, which every compiler has; libFuzzer is a library, which only needs a C++ compiler. No
//! nightly toolchain is needed, and no sanitizer: there is no `unsafe` code to be watched.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Result, cargo, process};

/// The targets, each with the inputs that a smoke run tries: a few seconds' worth.
const TARGETS: [(&str, u32); 10] = [
    ("envelope", 20_000),
    ("revisions", 60_000),
    ("uri_templates", 20_000),
    ("headers", 30_000),
    ("cursors", 15_000),
    ("request_state", 8_000),
    ("eras", 1_000),
    ("lines", 50_000),
    ("auth", 10_000),
    ("sessions", 1_000),
];

/// Counters at edges, a table of where they are, and the operands of comparisons.
const INSTRUMENTED: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// No input is longer.
const MAX_LENGTH: &str = "-max_len=4096";
/// One input that takes longer hangs.
const ONE_INPUT: &str = "-timeout=60";
/// What one program may have of memory.
const MEMORY: &str = "-rss_limit_mb=1536";
/// What a smoke run may take beyond all need.
const SMOKE_LIMIT: Duration = Duration::from_secs(10 * 60);
/// What a program may take to load its corpus and to end, beside the time that it is told to run for.
const AROUND: Duration = Duration::from_secs(10 * 60);

/// How long to run.
#[derive(Clone, Copy)]
enum Span {
    /// So many inputs, the same ones each time as far as the target allows.
    Inputs(u32),
    Seconds(u64),
}

/// Every target, for as many inputs as tell that it works.
pub(super) fn run() -> Result {
    if !cfg!(target_os = "linux") {
        println!("nothing is fuzzed here: the programs are tried on Linux only");
        return Ok(());
    }
    let programs = Programs::build()?;
    TARGETS.into_iter().try_for_each(|(target, inputs)| programs.run(target, Span::Inputs(inputs)))
}

/// `cargo xtask fuzz TARGET [--seconds N]`: one target for so long.
pub(crate) fn run_for(target: &str, arguments: &[&str]) -> Result {
    let known = || TARGETS.iter().map(|(target, _)| *target);
    if !known().any(|name| name == target) {
        return Err(format!("there is no target `{target}`: {}", known().collect::<Vec<_>>().join(", ")));
    }
    let seconds = match arguments {
        [] => Some(60),
        ["--seconds", seconds] => seconds.parse().ok(),
        _ => None,
    };
    let seconds = seconds.ok_or("behind the target comes nothing, or `--seconds` and how many")?;
    Programs::build()?.run(target, Span::Seconds(seconds))
}

/// Where the built programs are.
struct Programs(PathBuf);

impl Programs {
    fn build() -> Result<Programs> {
        // Named, so that procedural macros and build scripts are not instrumented.
        let host = host()?;
        let into = cargo::root().join("target/fuzz");
        let mut build = cargo::command(["build", "--locked", "--release", "--bins", "--target", &host]);
        build.arg("--manifest-path").arg(package().join("Cargo.toml"));
        build.arg("--target-dir").arg(&into).env("RUSTFLAGS", INSTRUMENTED).env_remove("CARGO_ENCODED_RUSTFLAGS");
        process::run(&mut build, cargo::BUILD_LIMIT)?;
        Ok(Programs(into.join(host).join("release")))
    }

    /// Runs a target, from its committed corpus on. What it finds of new inputs goes into a corpus of its own, which grows from
    /// long run to long run.
    fn run(&self, target: &str, span: Span) -> Result {
        let scratch = cargo::scratch("fuzz").join(target);
        let (limit, found) = match span {
            Span::Inputs(_) => (SMOKE_LIMIT, scratch.join("smoke")),
            Span::Seconds(seconds) => (Duration::from_secs(seconds) + AROUND, scratch.join("found")),
        };
        if let Span::Inputs(_) = span {
            // What an earlier run has found would make this one another.
            let _ = std::fs::remove_dir_all(&found);
        }
        std::fs::create_dir_all(&found).map_err(|error| format!("{}: {error}", found.display()))?;
        let mut command = Command::new(self.0.join(target));
        command.args([MAX_LENGTH, ONE_INPUT, MEMORY, "-print_final_stats=1"]);
        match span {
            Span::Inputs(inputs) => command.args(["-seed=1".to_owned(), format!("-runs={inputs}")]),
            Span::Seconds(seconds) => command.arg(format!("-max_total_time={seconds}")),
        };
        command.arg(format!("-artifact_prefix={}/", scratch.display()));
        let dictionary = package().join("dictionaries").join(target).with_extension("dict");
        if dictionary.is_file() {
            command.arg(format!("-dict={}", dictionary.display()));
        }
        command.arg(found).arg(package().join("corpus").join(target)).current_dir(cargo::root()).stderr(Stdio::piped());
        let output = process::output(&mut command, limit)?;
        if output.status.success() {
            println!("{}", summary(target, &output.stderr));
            return Ok(());
        }
        Err(format!("{}\n{target} found an input; it is named above", tail(&output.stderr)))
    }
}

fn package() -> PathBuf {
    cargo::root().join("fuzz")
}

/// The triple of this machine.
fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = process::stdout(Command::new(Path::new(&rustc)).arg("-vV"), Duration::from_secs(60))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say what it runs on".to_owned())
}

/// What a run came to, from libFuzzer's own figures.
fn summary(target: &str, log: &str) -> String {
    let figure = |name: &str| {
        let line = log.lines().rev().find_map(|line| line.strip_prefix(&format!("stat::{name}:")));
        line.map_or("?", str::trim).to_owned()
    };
    let last = log.lines().rev().find(|line| line.contains(" cov: ")).unwrap_or_default();
    let word = |name: &str| last.split_whitespace().skip_while(|word| *word != name).nth(1).unwrap_or("?").to_owned();
    format!(
        "{target:<14} {:>9} inputs, {:>6} a second, {:>6} edges, {:>6} features, corpus {}, {} MB",
        figure("number_of_executed_units"),
        figure("average_exec_per_sec"),
        word("cov:"),
        word("ft:"),
        word("corp:"),
        figure("peak_rss_mb"),
    )
}

/// The end of a log, from the panic on.
fn tail(log: &str) -> String {
    let from = log.find("panicked at").map_or(log.len().saturating_sub(4_000), |at| log[..at].rfind('\n').unwrap_or(0));
    let from = (from..=log.len()).find(|at| log.is_char_boundary(*at)).unwrap_or(0);
    log[from..].trim().chars().take(12_000).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "#2\tINITED cov: 10 ft: 11 corp: 1/1b exec/s: 0 rss: 40Mb\n\
        #5\tDONE   cov: 12 ft: 13 corp: 3/20b lim: 4 exec/s: 2 rss: 41Mb\n\
        Done 5 runs in 2 second(s)\nstat::number_of_executed_units: 5\nstat::average_exec_per_sec:     2\n\
        stat::peak_rss_mb:              41\n";

    #[test]
    fn a_run_is_summed_up_by_its_last_figures() {
        let words: Vec<String> = summary("eras", LOG).split_whitespace().map(str::to_owned).collect();
        let expected = "eras 5 inputs, 2 a second, 12 edges, 13 features, corpus 3/20b, 41 MB";
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn a_finding_is_told_from_its_panic_on() {
        assert_eq!(tail("noise\nthread panicked at x:\nwrong\n"), "thread panicked at x:\nwrong");
        assert_eq!(tail("no panic"), "no panic");
    }

    #[test]
    fn unknown_targets_are_refused_before_anything_is_built() {
        assert!(run_for("nothing", &[]).unwrap_err().starts_with("there is no target `nothing`: envelope, "));
        for wrong in [&["--seconds"][..], &["--seconds", "long"], &["--minutes", "1"]] {
            assert!(run_for("eras", wrong).unwrap_err().starts_with("behind the target"));
        }
    }

    #[test]
    fn every_target_has_a_program_and_a_corpus() {
        let programs = std::fs::read_dir(package().join("fuzz_targets")).unwrap();
        let mut programs: Vec<_> = programs.map(|file| file.unwrap().path().file_stem().unwrap().to_owned()).collect();
        programs.sort();
        let mut targets: Vec<_> = TARGETS.iter().map(|(target, _)| std::ffi::OsString::from(target)).collect();
        targets.sort();
        assert_eq!(programs, targets);
        assert!(TARGETS.iter().all(|(target, _)| package().join("corpus").join(target).is_dir()));
    }
}
