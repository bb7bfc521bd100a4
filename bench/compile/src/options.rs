//! The command line.

use crate::Result;
use crate::source::Style;
use std::str::FromStr;

/// What is to be measured.
#[derive(Debug)]
pub(crate) struct Options {
    /// How often everything is done.
    pub(crate) rounds: usize,
    /// Edits in a round.
    pub(crate) edits: usize,
    /// Tools in a server.
    pub(crate) tools: usize,
    /// Are clean builds measured?
    pub(crate) clean: bool,
    /// The only style, if not all.
    style: Option<Style>,
}

const USAGE: &str = "usage: bench-compile [--rounds 3] [--edits 3] [--tools 200] [--no-clean] [--only plain|struct]";

impl Options {
    /// Reads the arguments of the process.
    pub(crate) fn of_process() -> Result<Self> {
        let mut options = Options { rounds: 3, edits: 3, tools: 200, clean: true, style: None };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--no-clean" => options.clean = false,
                "--rounds" => options.rounds = at_least_one(arguments.next())?,
                "--edits" => options.edits = at_least_one(arguments.next())?,
                "--tools" => options.tools = at_least_one(arguments.next())?,
                "--only" => options.style = Some(arguments.next().as_deref().and_then(Style::named).ok_or(USAGE)?),
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }

    /// The styles to measure.
    pub(crate) fn styles(&self) -> Vec<Style> {
        self.style.map_or_else(|| Style::ALL.to_vec(), |style| vec![style])
    }
}

fn at_least_one(argument: Option<String>) -> Result<usize> {
    argument
        .as_deref()
        .map(usize::from_str)
        .and_then(std::result::Result::ok)
        .filter(|n| *n > 0)
        .ok_or(USAGE.to_owned())
}
