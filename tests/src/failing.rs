//! Functions that fail, each in a way of its own.

use mcp_runtime::prelude::*;
use std::error::Error;
use std::fs::read_to_string;
use std::io;

/// Where there is no file, and what no client may ever see.
pub const PRIVATE: &str = "/no/such/private/path";

fn open() -> io::Result<String> {
    read_to_string(PRIVATE).map_err(|error| io::Error::new(error.kind(), format!("{PRIVATE}: {error}")))
}

/// Fails with an internal cause.
#[mcp_tool]
fn fails_inside() -> Result<String, ToolError> {
    Ok(open()?)
}

/// Fails with what the system says.
#[mcp_tool]
fn fails_as_the_system() -> io::Result<String> {
    open()
}

/// Fails with any error.
#[mcp_tool]
fn fails_somehow() -> Result<String, Box<dyn Error>> {
    Ok(open()?)
}

/// Fails with any error that can be sent.
#[mcp_tool]
async fn fails_somehow_later() -> Result<String, Box<dyn Error + Send + Sync>> {
    tokio::task::yield_now().await;
    Ok(open()?)
}

/// Fails with the panic of a task.
#[mcp_tool]
async fn fails_in_a_task() -> Result<(), tokio::task::JoinError> {
    tokio::spawn(async { panic!("{PRIVATE}") }).await
}

/// Fails with what the system says.
#[mcp_resource(uri = "fails://now")]
fn fails_as_a_resource() -> io::Result<String> {
    open()
}

/// Fails with what the system says.
#[mcp_prompt]
fn fails_as_a_prompt() -> io::Result<String> {
    open()
}

/// Fails with a text for the model.
#[mcp_tool]
fn fails_for_the_model() -> Result<String, UserError> {
    Err(UserError("pick another date"))
}

/// An error with a text that somebody has thought about.
#[derive(Debug)]
pub struct UserError(&'static str);

impl std::fmt::Display for UserError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for UserError {}
