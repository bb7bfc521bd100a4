//! Tests of servers: a [`Client`] without ports or pipes, and [`golden`] files for what it sees.
//!
//! ```
//! use mcp_runtime::prelude::*;
//! use mcp_runtime::testing::Client;
//! use serde_json::json;
//!
//! /// Adds two numbers.
//! #[mcp_tool]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut client = Client::new(&server!().tools(tools![add]).build()?);
//! let sum: i64 = client.call("add", json!({"a": 2, "b": 3})).await?;
//! assert_eq!(sum, 5);
//! # Ok(())
//! # }
//! ```

mod client;
mod error;
mod golden;

pub use client::Client;
pub use error::ClientError;
pub use golden::golden;
