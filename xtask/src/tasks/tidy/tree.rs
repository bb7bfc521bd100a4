//! What is compiled, by `cargo tree`.

use std::collections::BTreeSet;

use crate::{Result, cargo, process};

/// Every package of the build, one a line.
pub(super) fn read() -> Result<String> {
    let mut tree = cargo::command(["tree", "--workspace", "--all-features", "--prefix", "none", "--format", "{p}"]);
    process::stdout(&mut tree, cargo::BUILD_LIMIT)
}

/// `syn` is the heaviest part of a build with macros: one version of it is enough.
pub(super) fn more_than_one_syn(tree: &str) -> Vec<String> {
    let packages: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let versions: Vec<&str> = packages.into_iter().filter(|package| package.starts_with("syn v")).collect();
    if versions.len() == 1 { Vec::new() } else { vec![format!("cargo tree: {versions:?} instead of one syn")] }
}

#[cfg(test)]
mod tests {
    use super::more_than_one_syn;

    #[test]
    fn a_second_version_is_seen() {
        assert!(more_than_one_syn("a v1.0.0\nsyn v3.0.1\nsyn v3.0.1 (*)\nsynstructure v0.1.0\n").is_empty());
        assert_eq!(more_than_one_syn("syn v2.0.9\nsyn v3.0.1\n").len(), 1);
        assert_eq!(more_than_one_syn("a v1.0.0\n").len(), 1);
    }
}
