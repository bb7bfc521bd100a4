//! TLS in front of HTTP: whose certificate the server shows, and how long a client may take to agree with it.
//!
//! Source: RFC 8446 and RFC 5246 (TLS 1.3 and 1.2, by rustls); RFC 7301 (ALPN).

mod certificate;

use crate::Server;
use certificate::Certificate;
use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// TLS for a server that listens itself ([`Server::serve_http`]): versions 1.2 and 1.3, HTTP/1.1 and, with the feature `http2`,
/// HTTP/2, as the client chooses.
///
/// ```no_run
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::Tls;
///
/// #[tokio::main]
/// async fn main() -> Result<(), mcp_runtime::ServeError> {
///     let tls = Tls::from_pem_files("/etc/mcp/fullchain.pem", "/etc/mcp/privkey.pem");
///     server!().allowed_hosts(["mcp.example.com"]).tls(tls).serve_http("0.0.0.0:443").await
/// }
/// ```
#[derive(Debug, Clone)]
#[must_use = "it does nothing before `Server::tls` gets it"]
pub struct Tls {
    chain: PathBuf,
    key: PathBuf,
    reload_interval: Duration,
    handshake_timeout: Duration,
}

impl Tls {
    /// With the certificates of a PEM file, the server's own first and then those that lead to one that clients know, and the
    /// private key of another (PKCS #8, PKCS #1 or SEC 1, not encrypted). Both are read when the server is bound to its address.
    pub fn from_pem_files(chain: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        Tls {
            chain: chain.into(),
            key: key.into(),
            reload_interval: Duration::from_secs(60),
            handshake_timeout: Duration::from_secs(10),
        }
    }

    /// How often the files are read again, so that a renewed certificate is shown to the clients that come after it without a
    /// restart. While they cannot be used, the log says why and the old certificate stays. A minute without this; not more
    /// often than ten times a second.
    pub fn reload_interval(mut self, interval: Duration) -> Self {
        self.reload_interval = interval.max(Duration::from_millis(100));
        self
    }

    /// How long a client may take for the handshake, before its connection is closed. Ten seconds without this.
    pub fn handshake_timeout(mut self, timeout: Duration) -> Self {
        self.handshake_timeout = timeout;
        self
    }

    /// Reads the files, and agrees with clients from then on.
    pub(super) fn acceptor(&self) -> io::Result<Acceptor> {
        let provider = Arc::new(default_provider());
        let certificate = Arc::new(Certificate::read(&self.chain, &self.key, &provider)?);
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.map_err(io::Error::other)?.with_no_client_auth();
        let mut config = config.with_cert_resolver(Arc::clone(&certificate) as _);
        let spoken: &[&[u8]] = if cfg!(feature = "http2") { &[b"h2", b"http/1.1"] } else { &[b"http/1.1"] };
        config.alpn_protocols = spoken.iter().map(|name| name.to_vec()).collect();
        Ok(Acceptor { tls: self.clone(), inner: TlsAcceptor::from(Arc::new(config)), certificate })
    }
}

/// Makes encrypted streams out of connections.
pub(super) struct Acceptor {
    tls: Tls,
    inner: TlsAcceptor,
    certificate: Arc<Certificate>,
}

impl Acceptor {
    /// Agrees with a client, if that comes about in time, and not later than `latest`.
    pub(super) async fn accept(&self, stream: TcpStream, latest: Instant) -> io::Result<TlsStream<TcpStream>> {
        timeout_at(latest, timeout(self.tls.handshake_timeout, self.inner.accept(stream))).await??
    }

    /// Keeps the certificate up to date; never ends.
    pub(super) async fn renew(self: Arc<Self>) {
        loop {
            sleep(self.tls.reload_interval).await;
            let certificate = Arc::clone(&self.certificate);
            // The files may lie behind a network.
            let renewing = tokio::task::spawn_blocking(move || certificate.renew());
            if let Err(error) = renewing.await {
                tracing::error!(%error, "the certificate was not read again");
            }
        }
    }
}

impl std::fmt::Debug for Acceptor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Acceptor").finish_non_exhaustive()
    }
}

/// # TLS
impl Server {
    /// Speaks TLS, and nothing else, where the server listens itself (feature `tls`). Without it the server speaks plain HTTP,
    /// which is for loopback, or for a network behind a proxy that speaks TLS. See [`Tls`].
    pub fn tls(mut self, tls: Tls) -> Self {
        self.http.tls = Some(tls);
        self
    }
}
