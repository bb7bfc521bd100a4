//! The runtime without features and with each feature alone: nothing may lean on a feature it does not ask for.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{Result, cargo, process};

const PACKAGE: &str = "mcp-runtime";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    features: BTreeMap<String, Vec<String>>,
}

pub(super) fn run() -> Result {
    let mut metadata = cargo::command(["metadata", "--no-deps", "--format-version=1"]);
    let features = features(&process::stdout(&mut metadata, cargo::BUILD_LIMIT)?)?;
    lint_with("")?;
    features.iter().try_for_each(|feature| lint_with(feature))
}

fn lint_with(feature: &str) -> Result {
    println!("{PACKAGE} with {}", if feature.is_empty() { "no feature" } else { feature });
    cargo::run(["clippy", "-p", PACKAGE, "--no-default-features", "--features", feature, "--", "-D", "warnings"])
}

/// Every feature of the runtime but `default`, from `cargo metadata`.
fn features(metadata: &str) -> Result<Vec<String>> {
    let metadata: Metadata = serde_json::from_str(metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let package = metadata.packages.into_iter().find(|package| package.name == PACKAGE);
    let package = package.ok_or_else(|| format!("the workspace has no package {PACKAGE}"))?;
    Ok(package.features.into_keys().filter(|feature| feature != "default").collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_features_of_the_runtime_are_read() {
        let metadata = r#"{"packages":[{"name":"other","features":{"x":[]}},
            {"name":"mcp-runtime","features":{"default":["http"],"stdio":["dep:rustix"],"http":[]}}]}"#;
        assert_eq!(features(metadata).unwrap(), ["http", "stdio"]);
    }

    #[test]
    fn a_workspace_without_the_runtime_is_an_error() {
        assert!(features(r#"{"packages":[]}"#).is_err());
    }
}
