//! The suite's command line and the files it reads and leaves.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::process::Running;
use crate::{Result, cargo, fetch};

/// The suite ends a scenario after 30 s by itself; this ends the suite.
const LIMIT: Duration = Duration::from_secs(10 * 60);
const PACKAGE: &str = "node_modules/@modelcontextprotocol/conformance";

/// The installed suite with a folder for its results.
pub(super) struct Suite {
    node: PathBuf,
    package: PathBuf,
    results: PathBuf,
}

/// What one scenario's checks came to.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) successes: usize,
    /// Failed checks, each with its message.
    pub(super) failures: Vec<String>,
    /// Checks that ended with a warning, each with its message.
    pub(super) warnings: Vec<String>,
}

impl Seen {
    /// Whether something was checked and nothing, warnings included, was found wanting.
    pub(super) fn passed(&self) -> bool {
        self.successes > 0 && self.failures.is_empty() && self.warnings.is_empty()
    }
}

/// A check as the suite writes it to `checks.json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    id: String,
    status: String,
    #[serde(default)]
    description: String,
    error_message: Option<String>,
}

impl Suite {
    /// Installs the pinned suite and empties the folder of results.
    pub(super) fn install() -> Result<Self> {
        let node = fetch::node()?;
        let results = cargo::scratch("conformance");
        if results.exists() {
            fs::remove_dir_all(&results).map_err(|error| format!("cannot empty {}: {error}", results.display()))?;
        }
        fs::create_dir_all(&results).map_err(|error| format!("cannot make {}: {error}", results.display()))?;
        Ok(Self { node, package: fetch::conformance_dir().join(PACKAGE), results })
    }

    /// Where logs and results go.
    pub(super) fn results(&self) -> &Path {
        &self.results
    }

    /// The server scenarios that the suite scores for a revision, or nothing if it has no requirements for it.
    pub(super) fn scored(&self, set: &str) -> Result<Option<Vec<String>>> {
        let path = self.package.join(format!("requirements/{set}.yaml"));
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let scored = server_scenarios(&text);
        if scored.is_empty() { Err(format!("{} lists no server scenario", path.display())) } else { Ok(Some(scored)) }
    }

    /// Runs the requirements of a revision or, where there are none, the watched scenarios alone, and gives what every
    /// scenario that ran came to. The suite's own exit code is not asked: the files say more.
    pub(super) fn run_set(
        &self,
        set: &str,
        url: &str,
        requirements: bool,
        watched: &[String],
    ) -> Result<BTreeMap<String, Seen>> {
        if requirements {
            self.run(set, url, &["--requirements", set])?;
        } else {
            for scenario in watched {
                self.run(set, url, &["--scenario", scenario, "--spec-version", set])?;
            }
        }
        read_results(&self.results.join(set))
    }

    fn run(&self, set: &str, url: &str, which: &[&str]) -> Result {
        let path = self.results.join(format!("{set}.log"));
        let log = File::options().create(true).append(true).open(&path);
        let log = log.and_then(|log| Ok((log.try_clone()?, log)));
        let (out, err) = log.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        let mut suite = Command::new(&self.node);
        suite.arg(self.package.join("dist/index.js")).args(["server", "--url", url]).args(which);
        suite.arg("--output-dir").arg(self.results.join(set)).stdout(out).stderr(err);
        // A suite that hangs is cut off here; what it has not come to counts as failed for want of a result.
        if let Err(message) = Running::start(&mut suite)?.wait(LIMIT) {
            println!("{message}");
        }
        Ok(())
    }
}

/// The list under `server:` of a requirements file.
fn server_scenarios(yaml: &str) -> Vec<String> {
    let lines = yaml.lines().skip_while(|line| line.trim_end() != "server:").skip(1);
    let items = lines.take_while(|line| line.is_empty() || line.starts_with([' ', '#']));
    items.filter_map(|line| Some(line.trim().strip_prefix("- ")?.trim().to_owned())).collect()
}

/// Every scenario's checks in a folder that the suite has filled. A folder that never came up is no result at all.
fn read_results(folder: &Path) -> Result<BTreeMap<String, Seen>> {
    let mut seen = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(scenario) = scenario_of(&name) else { continue };
        // Without the file the scenario counts as one that has checked nothing.
        let Ok(text) = fs::read_to_string(entry.path().join("checks.json")) else { continue };
        seen.insert(scenario.to_owned(), read_checks(&text).map_err(|error| format!("{name}/checks.json: {error}"))?);
    }
    Ok(seen)
}

/// The scenario in a result folder's name, `server-SCENARIO-2026-01-31T12-00-00-000Z`.
fn scenario_of(folder: &str) -> Option<&str> {
    const STAMP: &str = "-0000-00-00T00-00-00-000Z";
    let rest = folder.strip_prefix("server-")?;
    let (scenario, stamp) = rest.split_at_checked(rest.len().checked_sub(STAMP.len())?)?;
    let same = |(seen, model): (u8, u8)| if model == b'0' { seen.is_ascii_digit() } else { seen == model };
    stamp.bytes().zip(STAMP.bytes()).all(same).then_some(scenario)
}

fn read_checks(json: &str) -> Result<Seen> {
    let checks: Vec<Check> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let mut seen = Seen::default();
    for check in checks {
        let message = format!("{}: {}", check.id, check.error_message.unwrap_or(check.description));
        match check.status.as_str() {
            "SUCCESS" => seen.successes += 1,
            "WARNING" => seen.warnings.push(message),
            "INFO" | "SKIPPED" => {}
            _ => seen.failures.push(message),
        }
    }
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scored_server_scenarios_are_read() {
        let yaml = "# about\n\nserver:\n  - server-initialize\n  # why\n  - ping\n\nclient:\n  - initialize\n\n\
            not_scored:\n  - scenario: later\n    leg: server\n";
        assert_eq!(server_scenarios(yaml), ["server-initialize", "ping"]);
        assert!(server_scenarios("client:\n  - ping\n").is_empty());
    }

    #[test]
    fn a_scenario_is_read_from_its_folder() {
        assert_eq!(scenario_of("server-server-stateless-2026-11-30T16-47-20-635Z"), Some("server-stateless"));
        assert_eq!(scenario_of("server-json-schema-2020-12-2026-11-30T16-47-20-635Z"), Some("json-schema-2020-12"));
        for other in ["server.log", "server-", "server-ping", "client-ping-2026-11-30T16-47-20-635Z"] {
            assert_eq!(scenario_of(other), None, "{other}");
        }
    }

    #[test]
    fn checks_are_sorted_by_status() {
        let seen = read_checks(
            r#"[{"id":"a","status":"SUCCESS","description":"fine"},
                {"id":"b","status":"FAILURE","description":"said","errorMessage":"why"},
                {"id":"c","status":"WARNING","description":"should"},
                {"id":"d","status":"INFO"},{"id":"e","status":"SKIPPED"},{"id":"f","status":"NEW"}]"#,
        );
        let wanted = Seen {
            successes: 1,
            failures: vec!["b: why".to_owned(), "f: ".to_owned()],
            warnings: vec!["c: should".to_owned()],
        };
        assert_eq!(seen, Ok(wanted));
        assert!(read_checks("{}").is_err());
    }

    #[test]
    fn nothing_checked_is_not_passed() {
        assert!(!Seen::default().passed());
        assert!(Seen { successes: 1, ..Seen::default() }.passed());
        assert!(!Seen { successes: 1, warnings: vec!["w".to_owned()], ..Seen::default() }.passed());
    }
}
