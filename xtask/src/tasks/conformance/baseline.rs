//! The file that says which scenarios count and which of them are known to fail.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::Result;

/// What is expected of each set, by the set's name (a protocol revision).
#[derive(Debug)]
pub(super) struct Baseline(BTreeMap<String, Expectations>);

/// What is expected of one set.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expectations {
    /// Scenarios that count here although the suite does not score them.
    #[serde(default)]
    pub(super) watched: Vec<String>,
    /// Counted scenarios that are known to fail.
    #[serde(default)]
    pub(super) failing: Vec<String>,
}

impl Baseline {
    pub(super) fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Self::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).map(Self).map_err(|error| error.to_string())
    }

    pub(super) fn sets(&self) -> impl Iterator<Item = (&str, &Expectations)> {
        self.0.iter().map(|(set, expectations)| (set.as_str(), expectations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_their_lists_are_read() {
        let baseline =
            Baseline::parse("[2026-07-28]\nwatched = [\"a\"]\nfailing = [\"b\", \"c\"]\n[2025-06-18]\n").unwrap();
        let sets: Vec<_> = baseline.sets().map(|(set, of)| (set, of.watched.len(), of.failing.len())).collect();
        assert_eq!(sets, [("2025-06-18", 0, 0), ("2026-07-28", 1, 2)]);
    }

    #[test]
    fn a_misspelled_list_is_refused() {
        assert!(Baseline::parse("[2026-07-28]\nfailling = []\n").unwrap_err().contains("failling"));
    }
}
