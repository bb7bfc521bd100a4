//! The command line.

use crate::Result;
use crate::cases::PEERS;
use std::time::Duration;

/// What is to be measured, and for how long.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) rounds: usize,
    /// Of one load.
    pub(crate) time: Duration,
    /// How often servers are started for the cold start.
    pub(crate) starts: usize,
    /// Cases whose key contains this; all without it.
    pub(crate) only: Option<String>,
    /// Is this short run worth to be kept?
    pub(crate) quick: bool,
}

const USAGE: &str = "usage: cargo xtask bench [--rounds 5] [--quick] [--only NAME]

  --rounds  how often every server has its turn
  --quick   about a minute: shows that everything runs; writes no results
  --only    cases whose name contains NAME, for example http-add-16; writes no results";

impl Options {
    /// Reads the words of the command line.
    pub(crate) fn parse(words: &[&str]) -> Result<Self> {
        let mut options = Options { rounds: 5, time: Duration::from_millis(500), starts: 30, only: None, quick: false };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--quick" => {
                    options = Options { rounds: 2, time: Duration::from_millis(80), starts: 5, quick: true, ..options };
                }
                "--rounds" => {
                    let rounds = words.next().and_then(|rounds| rounds.parse().ok()).filter(|rounds| *rounds > 0);
                    options.rounds = rounds.ok_or(USAGE)?;
                }
                "--only" => options.only = Some((*words.next().ok_or(USAGE)?).to_owned()),
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }

    /// Is this part of the run? A quick one installs nothing.
    pub(crate) fn wants(&self, key: &str) -> bool {
        let slow = self.quick && self.only.is_none() && key == PEERS;
        !slow && self.only.as_ref().is_none_or(|only| key.contains(only.as_str()))
    }
}
