//! From a server under construction to a program that serves.

use crate::{BuildError, BuiltServer, Server};
use std::error::Error as StdError;
use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Why a server does not serve.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The server cannot be built.
    Build(BuildError),
    /// Its streams or its socket fail.
    Io(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Build(error) => error.fmt(f),
            ServeError::Io(error) => error.fmt(f),
        }
    }
}

impl StdError for ServeError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            ServeError::Build(error) => error.source(),
            ServeError::Io(error) => error.source(),
        }
    }
}

impl From<BuildError> for ServeError {
    fn from(error: BuildError) -> Self {
        ServeError::Build(error)
    }
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        ServeError::Io(error)
    }
}

impl Server {
    /// Builds the server and runs the command line of the process; gives the exit code for `main`.
    ///
    /// Without arguments it serves standard input and output, unless the input is a terminal: then it prints its help. The
    /// commands are `serve` (over stdio, or over HTTP with `--http ADDR`), `list`, `call`, `read` and `get`; `--help` tells
    /// more. Errors go to standard error. The code is 0, 1 for what failed, 2 for a command line that is not written as it
    /// should be, and 130 after Ctrl-C. Without the feature `cli` it serves standard input and output.
    ///
    /// It needs a tokio runtime with all drivers; [`mcp_main!`](crate::mcp_main) makes one. A tool that does not wait runs on
    /// a thread of its own, and after Ctrl-C that thread is left behind.
    ///
    /// ```no_run
    /// #[tokio::main]
    /// async fn main() -> std::process::ExitCode {
    ///     mcp_runtime::server!().run().await
    /// }
    /// ```
    pub async fn run(self) -> ExitCode {
        match self.build() {
            Ok(server) => run(&server).await,
            Err(error) => {
                complain(&format!("the server cannot be built: {error}"));
                ExitCode::FAILURE
            }
        }
    }

    /// Builds the server and serves standard input and output until the input ends, or the process is asked to end (Ctrl-C, SIGTERM):
    /// then what is under way may finish, for a second or as long as [`shutdown_grace`](Server::shutdown_grace) says; the second
    /// signal ends it at once. A `main` of its own has something to do then: see [the guide](crate::guide::limits#the-end-of-the-process).
    ///
    /// From the first message on, whatever else writes to standard output writes to standard error.
    ///
    /// # Errors
    /// A server that cannot be built, and streams that fail.
    #[cfg(feature = "stdio")]
    pub async fn serve_stdio(self) -> Result<(), ServeError> {
        Ok(stdio(&self.build()?).await?)
    }

    /// Builds the server and serves Streamable HTTP at an address such as `127.0.0.1:8080`, until the process is told to end.
    ///
    /// # Errors
    /// A server that cannot be built, and an address that cannot be listened on.
    #[cfg(feature = "http")]
    pub async fn serve_http(self, address: impl tokio::net::ToSocketAddrs) -> Result<(), ServeError> {
        Ok(self.build()?.bind_http(address).await?.serve().await?)
    }
}

#[cfg(feature = "cli")]
async fn run(server: &BuiltServer) -> ExitCode {
    ExitCode::from(crate::cli::of_process(server).await)
}

#[cfg(not(feature = "cli"))]
async fn run(server: &BuiltServer) -> ExitCode {
    match stdio(server).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("cannot serve: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Serves standard input and output.
#[cfg(feature = "stdio")]
pub(crate) async fn stdio(server: &BuiltServer) -> io::Result<()> {
    crate::transport::stdio::serve(std::sync::Arc::clone(&server.core)).await
}

/// Tells that the transport is missing.
#[cfg(not(feature = "stdio"))]
pub(crate) async fn stdio(_: &BuiltServer) -> io::Result<()> {
    let text = "this program was built without the feature `stdio` of `mcp-runtime`";
    Err(io::Error::new(io::ErrorKind::Unsupported, text))
}

/// The `main` of [`mcp_main!`](crate::mcp_main): makes a runtime, makes the server inside of it, and runs it.
pub fn main<S: IntoServer>(make: impl FnOnce() -> S) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            complain(&format!("no runtime: {error}"));
            return ExitCode::FAILURE;
        }
    };
    #[cfg(feature = "log")]
    crate::program_log::install();
    let server = {
        // Connections that the author opens for a state may need the runtime.
        let _inside = runtime.enter();
        make().into_server()
    };
    let server = match server {
        Ok(server) => server,
        Err(problem) => {
            complain(&problem);
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(server.run());
    // A function that blocks for ever must not keep the process from ending.
    runtime.shutdown_background();
    code
}

/// What [`mcp_main!`](crate::mcp_main) runs: a server, or the attempt to make one.
#[diagnostic::on_unimplemented(
    message = "`mcp_main!` cannot run `{Self}`",
    label = "neither a `Server` nor a `Result` of one",
    note = "give it a server under construction: `mcp_main!(server!().state(..))`; a call of a function that returns \
            `Result<Server, E>` will do as well"
)]
pub trait IntoServer {
    /// The server, or a text on why there is none.
    #[doc(hidden)]
    fn into_server(self) -> Result<Server, String>;
}

impl IntoServer for Server {
    fn into_server(self) -> Result<Server, String> {
        Ok(self)
    }
}

impl<E: fmt::Display> IntoServer for Result<Server, E> {
    fn into_server(self) -> Result<Server, String> {
        self.map_err(|error| error.to_string())
    }
}

fn complain(text: &str) {
    // Nobody is left to be told that standard error takes nothing.
    let _ = writeln!(io::stderr(), "error: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server without functions.
    fn empty() -> Server {
        Server::new("empty", "0").tools([])
    }

    #[cfg(feature = "stdio")]
    #[tokio::test]
    async fn what_cannot_be_built_is_not_served_over_stdio() {
        let error = empty().serve_stdio().await.expect_err("no functions");
        assert!(matches!(&error, ServeError::Build(_)), "{error:?}");
        assert!(error.to_string().starts_with("the server has no functions."), "{error}");
    }

    #[cfg(feature = "http")]
    #[tokio::test]
    async fn what_cannot_be_built_or_bound_is_not_served_over_http() {
        use crate::prelude::*;

        /// Says hello.
        #[mcp_tool]
        fn hello() -> &'static str {
            "hello"
        }

        let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = taken.local_addr().expect("an address");
        let error = empty().serve_http(address).await.expect_err("no functions");
        assert!(matches!(error, ServeError::Build(_)), "{error:?}");
        let error = Server::new("s", "0").tools(tools![hello]).serve_http(address).await.expect_err("a taken address");
        assert!(matches!(&error, ServeError::Io(error) if error.kind() == io::ErrorKind::AddrInUse), "{error:?}");
    }
}
