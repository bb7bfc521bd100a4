//! What a command costs: time on the clock, and time of the processor in it and all its children.

use crate::Result;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What a command cost, in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// On the clock.
    pub(crate) wall: f64,
    /// Of the processor, in all its cores.
    pub(crate) cpu: f64,
}

/// Runs a command that must succeed.
pub(crate) fn measure(mut command: Command) -> Result<Cost> {
    let (begin, before) = (Instant::now(), cpu()?);
    let output = command.stdout(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot start {command:?}: {error}"))?;
    let cost = Cost { wall: begin.elapsed().as_secs_f64(), cpu: cpu()? - before };
    if output.status.success() {
        return Ok(cost);
    }
    Err(format!("{command:?} ended with {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// What a command that must succeed writes.
pub(crate) fn stdout(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot start {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} ended with {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{command:?}: {error}"))
}

/// The processor's time in all children that have ended, in seconds.
fn cpu() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| format!("cannot ask for usage: {error}"))?;
    let microseconds = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(microseconds as f64 / 1e6)
}
