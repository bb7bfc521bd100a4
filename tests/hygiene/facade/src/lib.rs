//! A framework of somebody's own that hands the runtime on.
pub use mcp_runtime;
