//! The official clients against `quickstart`, over both transports.

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
    client("npm client 2.4, pinned", Runtime::Node, "client.mjs", "pin", STATELESS),
    client("npm client 2.4, probing", Runtime::Node, "client.mjs", "auto", STATELESS),
    client("npm client 2.4, handshake", Runtime::Node, "client.mjs", "legacy", HANDSHAKE),
    client("npm inspector 2.12, legacy", Runtime::Node, "inspector.mjs", "legacy", HANDSHAKE),
    client("npm inspector 2.12, modern", Runtime::Node, "inspector.mjs", "modern", STATELESS),
    client("PyPI mcp 2.3, legacy", Runtime::Python, "pypi.py", "legacy", HANDSHAKE),
    client("PyPI mcp 2.3, probing", Runtime::Python, "pypi.py", "auto", STATELESS),
    client("PyPI mcp 2.3, pinned", Runtime::Python, "pypi.py", STATELESS, STATELESS),
];

/// What the scripts need: their interpreters, the server's program, its address, and a home folder of their own.
struct Bench {
    node: PathBuf,
    python: PathBuf,
    program: PathBuf,
    url: String,
    home: PathBuf,
}

pub(super) fn run() -> Result {
    let mut programs = cargo::build_examples(&["quickstart"])?;
    let folder = cargo::scratch("clients");
    let home = folder.join("home");
    std::fs::create_dir_all(&home).map_err(|error| format!("cannot make {}: {error}", home.display()))?;
    fetch::npm_install(&fetch::clients_dir())?;
    let (node, python) = (fetch::node()?, fetch::python(&fetch::clients_dir())?);
    let program = programs.remove("quickstart").ok_or("cargo built no quickstart")?;
    let mut server = HttpServer::start(&program, &folder.join("server.log"))?;
    let bench = Bench { node, python, program, url: server.url().to_owned(), home };
    let failures = run_clients(&bench);
    server.check_alive()?;
    if failures == 0 { Ok(()) } else { Err(format!("{failures} of {} runs failed", CLIENTS.len() * 2)) }
}

/// Runs every client over both transports, prints the table, and gives the number of failures.
fn run_clients(bench: &Bench) -> usize {
    let heading = ["client", "transport", "revision", "result", "time"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let mut failures = 0;
    for client in CLIENTS {
        for transport in ["stdio", "http"] {
            let start = Instant::now();
            let outcome = try_client(bench, client, transport);
            if let Err(message) = &outcome {
                println!("{} over {transport}: {message}\n", client.name);
                failures += 1;
            }
            let word = if outcome.is_ok() { "ok" } else { "FAILED" };
            let time = format!("{:.1} s", start.elapsed().as_secs_f64());
            rows.push([client.name, transport, client.revision, word, &time].map(str::to_owned).to_vec());
        }
    }
    println!("{}", table::render(&rows));
    failures
}

fn try_client(bench: &Bench, client: &Client, transport: &str) -> Result {
    let interpreter = if client.runtime == Runtime::Node { &bench.node } else { &bench.python };
    let target = if transport == "http" { OsStr::new(&bench.url) } else { bench.program.as_os_str() };
    let mut script = script(interpreter, client, transport, target);
    // The inspector keeps settings in the home folder: none of the user's may reach a run, nor the other way round.
    script.env("HOME", &bench.home).stderr(Stdio::piped());
    let output = process::output(&mut script, LIMIT)?;
    if output.status.success() && output.stdout.trim_end() == format!("negotiated {}", client.revision) {
        return Ok(());
    }
    Err(format!("{}\n{}{}", output.status, output.stdout, output.stderr.trim_end()))
}

fn script(interpreter: &Path, client: &Client, transport: &str, target: &OsStr) -> Command {
    let mut command = Command::new(interpreter);
    command.current_dir(fetch::clients_dir()).args([client.script, client.era, client.revision, transport]).arg(target);
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
        let command = script(Path::new("node"), &CLIENTS[1], "http", OsStr::new("http://127.0.0.1:1/mcp"));
        assert_eq!(process::spell(&command), "node client.mjs pin 2026-07-28 http http://127.0.0.1:1/mcp");
    }
}
