//! The programs: how they are built, where they are, what they are told.

use crate::cases::{Entrant, Transport};
use crate::load::Load;
use crate::server::Server;
use crate::work::{Dialect, Work};
use crate::{Result, stdio, text};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

/// The packages with servers. Each is built on its own, so that none gets another's features.
const PACKAGES: [(&str, &[&str]); 4] = [
    ("limit", &["limit-stdio", "limit-stdio-tokio", "limit-hyper", "limit-axum"]),
    ("ours", &["ours-add", "ours-work", "ours-200", "ours-2000"]),
    ("slim", &["ours-slim-add"]),
    (
        "rmcp-servers",
        &["rmcp-add", "rmcp-tuned-add", "rmcp-work", "rmcp-200", "rmcp-tuned-200", "rmcp-2000", "rmcp-tuned-2000"],
    ),
];

/// What brings the servers in other languages.
const INSTALL: [&str; 3] = [
    "npm install --no-package-lock --no-audit --no-fund @modelcontextprotocol/sdk@1.32 @modelcontextprotocol/server@2.4 \
     @modelcontextprotocol/node@2 zod@4",
    "python3 -m venv venv",
    "venv/bin/python -m pip install --quiet fastmcp>=4,<5",
];

/// Built programs.
pub(crate) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Builds those of these programs that are not up to date.
    pub(crate) fn build(wanted: &BTreeSet<String>) -> Result<Self> {
        Self::build_with("release", wanted)
    }

    /// Builds what calls are counted of, which need not be as fast as can be.
    pub(crate) fn build_for_counts() -> Result<Self> {
        Self::build_with("counts", &["ours-work", "ours-200"].map(str::to_owned).into())
    }

    fn build_with(profile: &str, wanted: &BTreeSet<String>) -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no workspace")?;
        for (package, programs) in PACKAGES {
            let programs: Vec<&str> = programs.iter().copied().filter(|program| wanted.contains(*program)).collect();
            if programs.is_empty() {
                continue;
            }
            let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.current_dir(root).args(["build", "--profile", profile, "--package", package]);
            cargo.args(programs.iter().flat_map(|program| ["--bin", program])).stdin(Stdio::null());
            let status = cargo.status().map_err(|error| format!("cannot start cargo: {error}"))?;
            if !status.success() {
                return Err(format!("{package} was not built"));
            }
        }
        Ok(Programs { folder: root.join("target").join(profile) })
    }

    /// Where a program is.
    pub(crate) fn path(&self, program: &str) -> PathBuf {
        match program {
            "peer-sdk" | "peer-server" => PathBuf::from("node"),
            "peer-fastmcp" => self.peers().join("venv/bin/python"),
            program => self.folder.join(program),
        }
    }

    /// A file beside the programs.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where the servers in other languages are installed.
    fn peers(&self) -> PathBuf {
        self.folder.with_file_name("peers")
    }

    /// Installs the servers in other languages by name, from npm and PyPI, unless that was done before.
    pub(crate) fn install_peers(&self) -> Result {
        let (peers, sources) = (self.peers(), Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("peers"));
        fs::create_dir_all(&peers).map_err(text)?;
        for script in ["sdk.mjs", "server.mjs", "fastmcp_server.py"] {
            fs::copy(sources.join(script), peers.join(script)).map_err(text)?;
        }
        let done = peers.join("installed");
        if done.exists() {
            return Ok(());
        }
        for line in INSTALL {
            let mut words = line.split_whitespace();
            let mut command = Command::new(words.next().unwrap_or_default());
            let status = command.args(words).current_dir(&peers).stdin(Stdio::null()).stdout(Stdio::null()).status();
            if !status.map_err(|error| format!("{line}: {error}"))?.success() {
                return Err(format!("`{line}` failed"));
            }
        }
        fs::write(done, "").map_err(text)
    }

    /// The size of a program in MB.
    pub(crate) fn megabytes(&self, program: &str) -> Result<f64> {
        Ok(fs::metadata(self.path(program)).map_err(text)?.len() as f64 / 1e6)
    }

    /// What a program is told at its start.
    pub(crate) fn args(&self, entrant: &Entrant, transport: Transport, work: Work) -> Result<Vec<String>> {
        let http = transport == Transport::Http;
        Ok(match entrant.program.split('-').next() {
            Some("limit") => match work {
                Work::List(tools) => {
                    let path = self.beside(&format!("list-{tools}.json"));
                    fs::write(&path, self.list(tools)?).map_err(text)?;
                    vec![path.to_string_lossy().into_owned()]
                }
                _ => vec![],
            },
            Some("peer") => {
                let script = match entrant.program.as_str() {
                    "peer-sdk" => "sdk.mjs",
                    "peer-server" => "server.mjs",
                    _ => "fastmcp_server.py",
                };
                vec![self.peers().join(script).to_string_lossy().into_owned()]
            }
            Some("ours") if http => ["serve", "--http", "127.0.0.1:0"].map(str::to_owned).to_vec(),
            Some("rmcp") if http => vec!["http".to_owned()],
            _ => vec![],
        })
    }

    /// The result of `tools/list`, as this framework's server writes it.
    fn list(&self, tools: usize) -> Result<Vec<u8>> {
        let program = if tools == 1 { "ours-add".to_owned() } else { format!("ours-{tools}") };
        let mut server = Server::start(&self.path(&program), &[], Transport::Stdio)?;
        let mut client = stdio::Client::connect(&mut server, Work::List(tools), Dialect::Stateless)?;
        client.run(Load { in_flight: 1, time: Duration::ZERO, pace: None })?;
        let answer = client.answer().ok_or("no list")?;
        let at = memchr::memmem::find(answer, b"\"result\":").ok_or("no result")? + b"\"result\":".len();
        Ok(answer[at..answer.len() - 1].to_vec())
    }
}
