//! The official clients against `quickstart` and `booking`, over both transports, and those that check schemas against the
//! server of all schemas.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::server::HttpServer;
use crate::{Result, cargo, fetch, process, table};

/// Longer than the scripts' own limit, so that theirs speaks first.
const LIMIT: Duration = Duration::from_secs(120);

/// What runs a script.
#[derive(Clone, Copy, PartialEq)]
enum Runtime {
    Node,
    Python,
}

/// One client in one way of negotiating.
struct Client {
    name: &'static str,
    runtime: Runtime,
    script: &'static str,
    /// The script's word for how to negotiate.
    era: &'static str,
    /// The revision that must come out of it.
    revision: &'static str,
}

const fn client(
    name: &'static str,
    runtime: Runtime,
    script: &'static str,
    era: &'static str,
    revision: &'static str,
) -> Client {
    Client { name, runtime, script, era, revision }
}

const HANDSHAKE: &str = "2025-11-25";
const STATELESS: &str = "2026-07-28";

const CLIENTS: &[Client] = &[
    client("npm sdk 1.32", Runtime::Node, "sdk.mjs", "legacy", HANDSHAKE),
    client("npm sdk 1.32, HTTP+SSE", Runtime::Node, "sse.mjs", "legacy", HANDSHAKE),
    client("npm client 2.4, pinned", Runtime::Node, "client.mjs", "pin", STATELESS),
    client("npm client 2.4, probing", Runtime::Node, "client.mjs", "auto", STATELESS),
    client("npm client 2.4, handshake", Runtime::Node, "client.mjs", "legacy", HANDSHAKE),
    client("npm inspector 2.12, legacy", Runtime::Node, "inspector.mjs", "legacy", HANDSHAKE),
    client("npm inspector 2.12, modern", Runtime::Node, "inspector.mjs", "modern", STATELESS),
    client("PyPI mcp 2.3, legacy", Runtime::Python, "pypi.py", "legacy", HANDSHAKE),
    client("PyPI mcp 2.3, probing", Runtime::Python, "pypi.py", "auto", STATELESS),
    client("PyPI mcp 2.3, pinned", Runtime::Python, "pypi.py", STATELESS, STATELESS),
];

/// A tool for every form of argument and result.
const SCHEMAS: &str = "schema-fixture";

/// The servers.
const EXAMPLES: [&str; 3] = ["quickstart", "booking", SCHEMAS];
const TRANSPORTS: [&str; 2] = ["stdio", "http"];

impl Client {
    /// The inspector has nobody to ask in its command-line mode, and HTTP+SSE is no stdio.
    fn runs(&self, example: &str, transport: &str) -> bool {
        let nobody_to_ask = example == "booking" && self.script == "inspector.mjs";
        let no_such_transport = transport == "stdio" && self.script == "sse.mjs";
        // What schemas are like has nothing to do with how they travel; a command of the inspector needs no process of
        // the server's for itself over HTTP.
        let usual = if self.script == "inspector.mjs" { "http" } else { "stdio" };
        let other_question = example == SCHEMAS && (transport != usual || self.runtime != Runtime::Node);
        !nobody_to_ask && !no_such_transport && !other_question
    }
}

/// One line of the table.
struct Run<'a> {
    example: &'static str,
    client: &'a Client,
    transport: &'static str,
}

/// What the scripts need: their interpreters, the servers' programs, and a folder for logs with a home of their own.
struct Bench {
    node: PathBuf,
    python: PathBuf,
    programs: BTreeMap<String, PathBuf>,
    folder: PathBuf,
}

pub(super) fn run() -> Result {
    let kind = |name| if name == SCHEMAS { "--bin" } else { "--example" };
    let programs = cargo::build_programs(&EXAMPLES.map(|name| (kind(name), name)))?;
    let folder = cargo::scratch("clients");
    let home = folder.join("home");
    std::fs::create_dir_all(&home).map_err(|error| format!("cannot make {}: {error}", home.display()))?;
    fetch::npm_install(&fetch::clients_dir())?;
    let (node, python) = (fetch::node()?, fetch::python(&fetch::clients_dir())?);
    let runs = runs();
    let failures = run_clients(&Bench { node, python, programs, folder }, &runs);
    if failures == 0 { Ok(()) } else { Err(format!("{failures} of {} runs failed", runs.len())) }
}

fn runs() -> Vec<Run<'static>> {
    let mut runs = Vec::new();
    for example in EXAMPLES {
        for client in CLIENTS {
            let transports = TRANSPORTS.into_iter().filter(|transport| client.runs(example, transport));
            runs.extend(transports.map(|transport| Run { example, client, transport }));
        }
    }
    runs
}

/// Does every run, prints the table, and gives the number of failures.
fn run_clients(bench: &Bench, runs: &[Run<'_>]) -> usize {
    let heading = ["example", "client", "transport", "revision", "result", "time"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let mut failures = 0;
    for (number, run) in runs.iter().enumerate() {
        let Run { example, client, transport } = run;
        let start = Instant::now();
        let outcome = try_client(bench, run, number);
        if let Err(message) = &outcome {
            println!("{} against {example} over {transport}: {message}\n", client.name);
            failures += 1;
        }
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        let time = format!("{:.1} s", start.elapsed().as_secs_f64());
        rows.push([example, client.name, transport, client.revision, word, &time].map(str::to_owned).to_vec());
    }
    println!("{}", table::render(&rows));
    failures
}

/// Runs one script. Over HTTP it has a server for itself, as it has over stdio: what one client has booked is no other's
/// business.
fn try_client(bench: &Bench, run: &Run<'_>, number: usize) -> Result {
    let program = bench.programs.get(run.example).ok_or("cargo built no such example")?;
    if run.transport == "stdio" {
        return run_script(bench, run, program.as_os_str());
    }
    let log = bench.folder.join(format!("server-{number}.log"));
    let mut server = HttpServer::start(program, &log)?;
    run_script(bench, run, OsStr::new(&server.url().to_owned()))?;
    server.check_alive()
}

fn run_script(bench: &Bench, run: &Run<'_>, target: &OsStr) -> Result {
    let interpreter = if run.client.runtime == Runtime::Node { &bench.node } else { &bench.python };
    let mut script = script(interpreter, run, target);
    // The inspector keeps settings in the home folder: none of the user's may reach a run, nor the other way round.
    script.env("HOME", bench.folder.join("home")).env("PYTHONDONTWRITEBYTECODE", "1").stderr(Stdio::piped());
    let output = process::output(&mut script, LIMIT)?;
    if output.status.success() && output.stdout.trim_end() == format!("negotiated {}", run.client.revision) {
        return Ok(());
    }
    Err(format!("{}\n{}{}", output.status, output.stdout, output.stderr.trim_end()))
}

fn script(interpreter: &Path, run: &Run<'_>, target: &OsStr) -> Command {
    let Client { script, era, revision, .. } = run.client;
    let mut command = Command::new(interpreter);
    command.current_dir(fetch::clients_dir()).args([script, run.example, era, revision, run.transport]).arg(target);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_is_there() {
        for client in CLIENTS {
            assert!(fetch::clients_dir().join(client.script).is_file(), "{}", client.script);
        }
    }

    #[test]
    fn a_script_gets_its_words_in_order() {
        let run = Run { example: "booking", client: &CLIENTS[2], transport: "http" };
        let command = script(Path::new("node"), &run, OsStr::new("http://127.0.0.1:1/mcp"));
        assert_eq!(process::spell(&command), "node client.mjs booking pin 2026-07-28 http http://127.0.0.1:1/mcp");
    }

    #[test]
    fn every_client_that_can_be_asked_books() {
        let runs = runs();
        let booking = runs.iter().filter(|run| run.example == "booking");
        // All but the inspector's two, and the one over HTTP+SSE once.
        assert_eq!(booking.count(), (CLIENTS.len() - 2) * TRANSPORTS.len() - 1);
        let schemas = runs.iter().filter(|run| run.example == SCHEMAS).count();
        assert_eq!(schemas, CLIENTS.iter().filter(|client| client.runtime == Runtime::Node).count() - 1);
        assert_eq!(runs.len(), (2 * CLIENTS.len() - 2) * TRANSPORTS.len() - 2 + schemas);
    }
}
