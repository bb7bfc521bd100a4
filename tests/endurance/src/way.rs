//! The ways to a server over HTTP: with or without TLS, in either version.

use crate::within;
use hyper_util::rt::TokioIo;
use rcgen::CertifiedKey;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpSocket;
use tokio_rustls::TlsConnector;

/// How much the system keeps for a client that reads slowly, in bytes.
pub const SMALL_WINDOW: u32 = 8 * 1024;
/// The file of the certificate, in the folder for it.
pub const CHAIN: &str = "chain.pem";
/// The file of its key.
pub const KEY: &str = "key.pem";

/// A version of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// HTTP/1.1.
    One,
    /// HTTP/2, which is spoken from the first byte on, or agreed on by TLS.
    Two,
}

/// A way to a server.
#[derive(Clone)]
pub struct Way {
    /// Where the server listens.
    pub address: SocketAddr,
    /// The version that the client speaks.
    pub version: Version,
    tls: Option<TlsConnector>,
}

/// A connection, before anything is said on it.
pub trait Stream: AsyncRead + AsyncWrite + Send + Sync + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin> Stream for S {}

impl Way {
    /// A way without TLS.
    #[must_use]
    pub fn plain(address: SocketAddr, version: Version) -> Self {
        Way { address, version, tls: None }
    }

    /// A way with TLS, for a client that trusts this certificate alone.
    ///
    /// # Errors
    /// The certificate is none.
    pub fn tls(address: SocketAddr, version: Version, trusted: &CertificateDer<'_>) -> io::Result<Self> {
        let mut roots = RootCertStore::empty();
        roots.add(trusted.clone().into_owned()).map_err(io::Error::other)?;
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()));
        let config = config.with_safe_default_protocol_versions().map_err(io::Error::other)?;
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        let protocol: &[u8] = if version == Version::Two { b"h2" } else { b"http/1.1" };
        config.alpn_protocols = vec![protocol.to_vec()];
        Ok(Way { address, version, tls: Some(TlsConnector::from(Arc::new(config))) })
    }

    /// Connects, as a client for which the system keeps little if it is `narrow`.
    ///
    /// # Errors
    /// Nobody listens, or there is no agreement about TLS.
    pub async fn connect(&self, narrow: bool) -> io::Result<Box<dyn Stream>> {
        let socket = TcpSocket::new_v4()?;
        if narrow {
            socket.set_recv_buffer_size(SMALL_WINDOW)?;
        }
        let stream = within("a connection", socket.connect(self.address)).await??;
        let Some(tls) = &self.tls else { return Ok(Box::new(stream)) };
        let name = ServerName::try_from("localhost").map_err(io::Error::other)?;
        Ok(Box::new(within("an agreement about TLS", tls.connect(name, stream)).await??))
    }

    /// The scheme of its URLs.
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    pub(crate) async fn open(&self, narrow: bool) -> io::Result<TokioIo<Box<dyn Stream>>> {
        self.connect(narrow).await.map(TokioIo::new)
    }
}

/// Writes a new certificate for `localhost` into a folder, and its key.
///
/// # Errors
/// It cannot be made or written.
pub fn certify(folder: &Path) -> io::Result<CertificateDer<'static>> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]);
    let CertifiedKey { cert, signing_key } = made.map_err(io::Error::other)?;
    fs::create_dir_all(folder)?;
    fs::write(folder.join(CHAIN), cert.pem())?;
    fs::write(folder.join(KEY), signing_key.serialize_pem())?;
    Ok(cert.der().clone())
}
