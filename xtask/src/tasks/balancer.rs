//! Two instances of `everything` behind nginx, which sends each request to the next one in turn: a call of several rounds
//! goes from one to the other.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::nginx::{self, Nginx};
use crate::server::HttpServer;
use crate::{Result, cargo, fetch, process, table};

/// Longer than the script's own limit, so that its own speaks first.
const LIMIT: Duration = Duration::from_secs(90);

/// What the instances' keys must come to.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Finishes,
    Refused,
}

impl Outcome {
    fn word(self) -> &'static str {
        if self == Outcome::Finishes { "finishes" } else { "refused" }
    }

    /// Three requests end the call: the first, and one with each of two answers. A refusal ends it at the second.
    fn rounds(self) -> usize {
        if self == Outcome::Finishes { 3 } else { 2 }
    }
}

/// What the instances have as `MCP_STATE_KEYS`, by the letters of [`key`], and what comes of it.
const CASES: [(&str, [&str; 2], Outcome); 3] = [
    ("one key", ["a", "a"], Outcome::Finishes),
    ("both keys, each first once", ["a,b", "b,a"], Outcome::Finishes),
    ("different keys", ["a", "b"], Outcome::Refused),
];

/// The interpreter, the programs, and the folder for what they write.
struct Bench {
    node: PathBuf,
    nginx: PathBuf,
    everything: PathBuf,
    folder: PathBuf,
}

pub(super) fn run() -> Result {
    let everything = cargo::build_examples(&["everything"])?.remove("everything").ok_or("cargo built no everything")?;
    let folder = cargo::scratch("balancer");
    fetch::npm_install(&fetch::clients_dir())?;
    let bench = Bench { node: fetch::node()?, nginx: nginx::program()?, everything, folder };
    let mut rows = vec![["state keys", "call", "rounds answered by"].map(str::to_owned).to_vec()];
    for (number, (name, keys, outcome)) in CASES.into_iter().enumerate() {
        let folder = bench.folder.join(number.to_string());
        let rounds = try_keys(&bench, &folder, keys, outcome).map_err(|error| format!("{name}: {error}"))?;
        rows.push(vec![name.to_owned(), outcome.word().to_owned(), rounds.join(", ")]);
    }
    println!("{}", table::render(&rows));
    Ok(())
}

/// Starts everything for one case and gives who answered each round.
fn try_keys(bench: &Bench, folder: &Path, keys: [&str; 2], outcome: Outcome) -> Result<Vec<String>> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let start = |keys: &str, log: &str| {
        let keys: Vec<String> = keys.split(',').map(key).collect();
        HttpServer::start_with(&bench.everything, &folder.join(log), &[("MCP_STATE_KEYS", &keys.join(","))])
    };
    let mut first = start(keys[0], "first.log")?;
    let mut second = start(keys[1], "second.log")?;
    let servers = [first.authority().to_owned(), second.authority().to_owned()];
    let nginx = Nginx::start(&bench.nginx, folder, [&servers[0], &servers[1]])?;
    let mut script = Command::new(&bench.node);
    script.current_dir(fetch::clients_dir()).args(["balancer.mjs", outcome.word(), &nginx.url()]);
    let printed = process::stdout(script.stderr(Stdio::piped()), LIMIT)?;
    first.check_alive()?;
    second.check_alive()?;
    check(&printed, &servers, outcome.rounds())
}

/// The instances that a script has printed, if each round was answered by another one than the round before.
fn check(printed: &str, servers: &[String; 2], rounds: usize) -> Result<Vec<String>> {
    let seen: Vec<String> = printed.split_whitespace().skip(1).map(str::to_owned).collect();
    let known = seen.iter().all(|instance| servers.contains(instance));
    let alternate = seen.windows(2).all(|pair| pair[0] != pair[1]);
    if printed.starts_with("rounds ") && seen.len() == rounds && known && alternate {
        Ok(seen)
    } else {
        Err(format!("{rounds} rounds should go to {} in turn; the script printed: {printed}", servers.join(" and ")))
    }
}

/// A key by its letter: 32 equal bytes, in base64.
fn key(letter: &str) -> String {
    let (three, two) = if letter == "a" { ("AQEB", "AQE=") } else { ("AgIC", "AgI=") };
    format!("{}{two}", three.repeat(10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_must_go_from_one_instance_to_the_other() {
        let servers = ["127.0.0.1:1", "127.0.0.1:2"].map(str::to_owned);
        let check = |printed| check(printed, &servers, 3).is_ok();
        assert!(check("rounds 127.0.0.1:2 127.0.0.1:1 127.0.0.1:2\n"));
        for printed in [
            "",
            "rounds",
            "rounds 127.0.0.1:1 127.0.0.1:2",
            "rounds 127.0.0.1:1 127.0.0.1:1 127.0.0.1:2",
            "rounds 127.0.0.1:1 127.0.0.1:3 127.0.0.1:1",
            "failed 127.0.0.1:1 127.0.0.1:2 127.0.0.1:1",
        ] {
            assert!(!check(printed), "{printed}");
        }
    }

    #[test]
    fn keys_have_the_length_that_servers_take() {
        assert_eq!((key("a").len(), key("b").len()), (44, 44));
        assert_ne!(key("a"), key("b"));
    }
}
