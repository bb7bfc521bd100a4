//! `serve`: over standard input and output, or over HTTP.

use super::console::Console;
use super::failure::Failure;
use crate::BuiltServer;
use clap::ArgMatches;

/// Runs `serve`.
pub(super) async fn serve(
    matches: &ArgMatches,
    console: &mut Console<'_>,
    server: &BuiltServer,
) -> Result<(), Failure> {
    #[cfg(feature = "http")]
    if let Some(address) = matches.get_one::<String>("http") {
        let failed = |error: std::io::Error| Failure::failed(format!("cannot serve HTTP at {address}: {error}"));
        let listener = server.bind_http(address.as_str()).await.map_err(failed)?;
        writeln!(console.err, "listening on {}", listener.url())?;
        console.err.flush()?;
        return listener.serve().await.map_err(failed);
    }
    let _ = (matches, console);
    stdio(server).await
}

/// Serves standard input and output.
pub(super) async fn stdio(server: &BuiltServer) -> Result<(), Failure> {
    crate::serve::stdio(server).await.map_err(|error| Failure::failed(format!("cannot serve: {error}")))
}

/// Reads `HOST:PORT`, `:PORT` or `PORT`. A port alone is one of this machine, which nobody else can reach.
#[cfg(feature = "http")]
pub(super) fn address(text: &str) -> Result<String, String> {
    let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
    let bracketed = host.starts_with('[') && host.ends_with(']');
    if !bracketed && host.contains(':') {
        return Err(format!("write the address as `[{}]:PORT`", text.trim_matches(['[', ']'])));
    }
    let port: u16 = port.parse().map_err(|_| "write HOST:PORT, or PORT alone".to_owned())?;
    Ok(format!("{}:{port}", if host.is_empty() { "127.0.0.1" } else { host }))
}

#[cfg(all(test, feature = "http"))]
mod tests {
    use super::address;

    #[test]
    fn a_port_alone_is_of_this_machine() {
        for (text, expected) in [
            ("8080", "127.0.0.1:8080"),
            (":8080", "127.0.0.1:8080"),
            ("0", "127.0.0.1:0"),
            ("0.0.0.0:80", "0.0.0.0:80"),
            ("localhost:80", "localhost:80"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(address(text).as_deref(), Ok(expected));
        }
        for wrong in ["", ":", "localhost", "localhost:", "localhost:http", "1:70000", "::1", "::1:80", "[::1]"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}
