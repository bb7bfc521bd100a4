//! The macros that need no parsing.

/// Starts a [`Server`](crate::Server) with the name, version, description and home page of the crate that calls it.
///
/// ```
/// let server = mcp_runtime::server!().instructions("Ask for what you need.");
/// # let _ = server;
/// ```
#[macro_export]
macro_rules! server {
    () => {
        $crate::Server::new(::core::env!("CARGO_PKG_NAME"), ::core::env!("CARGO_PKG_VERSION"))
            .description(::core::env!("CARGO_PKG_DESCRIPTION"))
            .website(::core::env!("CARGO_PKG_HOMEPAGE"))
    };
}

/// The whole `main` of a server: `mcp_main!();`, or with the server to run, `mcp_main!(server!().state(cache))`. What may
/// fail goes into a function: `mcp_main!(open())` takes a `Result<Server, E>` with any `E` that can be shown.
///
/// The program speaks stdio when its input is not a terminal, and has the command line of
/// [`Server::run`](crate::Server::run).
///
/// ```no_run
/// use mcp_runtime::prelude::*;
///
/// /// Adds two numbers.
/// #[mcp_tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// mcp_main!(server!().instructions("Use `add` for sums."));
/// ```
#[macro_export]
macro_rules! mcp_main {
    () => {
        $crate::mcp_main!($crate::server!());
    };
    ($server:expr) => {
        fn main() -> ::std::process::ExitCode {
            $crate::__private::main(|| $server)
        }
    };
}

/// Lists `#[mcp_tool]` functions by path: `tools![add, math::sub]`.
#[macro_export]
macro_rules! tools {
    ($($tool:path),* $(,)?) => {
        [$(<$tool as $crate::__private::Tool>::ENTRY),*]
    };
}

/// Lists `#[mcp_resource]` functions by path: `resources![readme, files::file]`.
#[macro_export]
macro_rules! resources {
    ($($resource:path),* $(,)?) => {
        [$(<$resource as $crate::__private::Resource>::ENTRY),*]
    };
}

/// Lists `#[mcp_prompt]` functions by path: `prompts![review]`.
#[macro_export]
macro_rules! prompts {
    ($($prompt:path),* $(,)?) => {
        [$(<$prompt as $crate::__private::Prompt>::ENTRY),*]
    };
}
