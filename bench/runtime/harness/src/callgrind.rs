//! A server under valgrind's tool that counts: every instruction of every thread, and every call of one function by another.

use crate::cases::{Entrant, Transport};
use crate::server::Server;
use crate::{Result, text};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What is called to get memory.
const ALLOCATING: [&str; 6] = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"];

/// From which sizes on the C library copies in another way depends on the caches of the machine: here they are the same everywhere.
const COPIES: &str = "GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=4096:glibc.cpu.x86_rep_stosb_threshold=4096:\
    glibc.cpu.x86_non_temporal_threshold=16777216";

/// What a process has done from its start to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Counts {
    pub(crate) instructions: u64,
    /// Calls that gave memory, wherever they stand.
    pub(crate) allocations: u64,
}

/// A server that is counted.
pub(crate) struct Counted {
    pub(crate) server: Server,
    report: PathBuf,
}

impl Counted {
    /// Starts a program; `report` is where valgrind writes what it has seen.
    pub(crate) fn start(program: &Path, args: &[String], transport: Transport, report: PathBuf) -> Result<Self> {
        let out = format!("--callgrind-out-file={}", report.display());
        // One worker: with several, who of them looks for work and finds none is a matter of luck.
        let words = [COPIES, "TOKIO_WORKER_THREADS=1", "valgrind", "--tool=callgrind", "--log-file=/dev/null", &out];
        let program = program.to_string_lossy();
        let words = words.into_iter().chain([&*program]).map(str::to_owned).chain(args.iter().cloned());
        let server = Server::start(Path::new("env"), &words.collect::<Vec<_>>(), transport)?;
        server.widen_pipes()?;
        Ok(Counted { server, report })
    }

    /// Ends the server in peace, and reads what was counted. Whoever holds its streams lets go of them before.
    pub(crate) fn end(mut self, entrant: &Entrant) -> Result<Counts> {
        self.server.end().map_err(|error| format!("{}: {error}", entrant.name()))?;
        let report = fs::read_to_string(&self.report).map_err(|error| format!("{}: {error}", self.report.display()))?;
        fs::remove_file(&self.report).map_err(text)?;
        counts(&report).ok_or_else(|| format!("{} holds no counts", self.report.display()))
    }
}

/// Reads callgrind's format: a name in full stands behind its number once, and its number alone from then on. A line
/// `calls=` says how often the function of the line `cfn=` before it was called.
fn counts(report: &str) -> Option<Counts> {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let (mut instructions, mut allocations, mut called) = (None, 0, "");
    for line in report.lines() {
        if let Some((key, number, name)) = numbered(line) {
            if !name.is_empty() {
                names.insert(number, name);
            }
            if key == "cfn" {
                called = names.get(number).copied().unwrap_or_default();
            }
        } else if let Some(calls) = line.strip_prefix("calls=") {
            // Names can have the version of a symbol, or the mark of a recursion, behind them.
            let name = called.split(['@', '\'']).next().unwrap_or_default();
            if ALLOCATING.contains(&name) {
                allocations += calls.split(' ').next()?.parse::<u64>().ok()?;
            }
        } else if let Some(total) = line.strip_prefix("totals: ") {
            instructions = total.trim().parse().ok();
        }
    }
    Some(Counts { instructions: instructions?, allocations })
}

/// The parts of a line such as `cfn=(12) malloc` about a function; files and objects have numbers of their own.
fn numbered(line: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = line.split_once("=(")?;
    let (number, name) = rest.split_once(')')?;
    ["fn", "cfn"].contains(&key).then_some((key, number, name.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_for_memory_are_added_up() {
        let report = "version: 1\nevents: Ir\n\nob=(1) /bin/server\nfl=(1) ???\nfn=(1) main\n16 4\ncob=(2) libc\ncfn=(2) malloc\n\
            calls=3 0\n0 300\ncfn=(3) free\ncalls=9 0\n0 90\n\nfn=(4) other\n0 1\ncfn=(2)\ncalls=2 +4\n0 200\n\
            cfn=(5) realloc@@GLIBC_2.2.5\ncalls=1 0\n0 40\n\ntotals: 12345\n";
        assert_eq!(counts(report), Some(Counts { instructions: 12_345, allocations: 6 }));
        assert_eq!(counts("version: 1\n"), None);
    }
}
