//! An nginx that balances two servers while a task tries them.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::Running;
use crate::{Result, cargo, debian};

/// Debian's package with nothing in it that is not needed here.
const PACKAGE: &str = "nginx-light";
const START_LIMIT: Duration = Duration::from_secs(30);
/// How often a start is tried: a port that was free may be somebody's a moment later.
const STARTS: usize = 5;
/// How long to wait between two looks whether nginx listens; it tells nobody.
const LOOK: Duration = Duration::from_millis(20);

/// A running nginx; it is ended when this value goes away.
pub(crate) struct Nginx {
    _running: Running,
    address: SocketAddr,
}

impl Nginx {
    /// Starts `program` in `folder`, in front of two servers, and waits until it listens on a port of its own.
    pub(crate) fn start(program: &Path, folder: &Path, servers: [&str; 2]) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let template = cargo::root().join("tests/balancer/nginx.conf");
        let template = fs::read_to_string(&template).map_err(|error| format!("{}: {error}", template.display()))?;
        let mut outcome = Err("nginx was not started".to_owned());
        for _ in 0..STARTS {
            let address = free_address()?;
            let file = folder.join("nginx.conf");
            let text = configuration(&template, address, servers);
            fs::write(&file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
            outcome = Self::start_on(program, folder, address);
            if outcome.is_ok() {
                break;
            }
        }
        outcome
    }

    fn start_on(program: &Path, folder: &Path, address: SocketAddr) -> Result<Self> {
        let log = folder.join("error.log");
        let mut command = Command::new(program);
        command.arg("-p").arg(folder).args(["-c", "nginx.conf", "-e", "error.log"]);
        let mut running = Running::start(command.stdout(Stdio::null()).stderr(Stdio::null()))?;
        let deadline = Instant::now() + START_LIMIT;
        let why = loop {
            // An end is looked for first: who listens on the port may be somebody else.
            if let Some(status) = running.ended()? {
                break format!("ended with {status}");
            }
            if TcpStream::connect_timeout(&address, LOOK).is_ok() && running.ended()?.is_none() {
                return Ok(Self { _running: running, address });
            }
            if Instant::now() >= deadline {
                break "does not listen".to_owned();
            }
            thread::sleep(LOOK);
        };
        let said = fs::read_to_string(&log).unwrap_or_default();
        Err(format!("nginx {why}; {} says:\n{}", log.display(), said.trim_end()))
    }

    /// The balanced endpoint, `http://127.0.0.1:PORT/mcp`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }
}

/// The program: the one that is there, or the one of Debian's package. The second is where Debian puts it; not everybody's
/// path leads there.
pub(crate) fn program() -> Result<PathBuf> {
    debian::program(PACKAGE, &["nginx", "/usr/sbin/nginx"], "-v")
}

fn free_address() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    listener.and_then(|listener| listener.local_addr()).map_err(|error| format!("no free port: {error}"))
}

fn configuration(template: &str, address: SocketAddr, [first, second]: [&str; 2]) -> String {
    template.replace("@LISTEN@", &address.to_string()).replace("@FIRST@", first).replace("@SECOND@", second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_blank_of_the_configuration_is_filled_in() {
        let template = fs::read_to_string(cargo::root().join("tests/balancer/nginx.conf")).unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        let text = configuration(&template, address, ["127.0.0.1:2", "127.0.0.1:3"]);
        for line in ["listen 127.0.0.1:1;", "server 127.0.0.1:2;", "server 127.0.0.1:3;"] {
            assert_eq!(text.matches(line).count(), 1, "{line}");
        }
        assert!(!text.lines().any(|line| line.contains('@') && !line.starts_with('#')));
    }
}
