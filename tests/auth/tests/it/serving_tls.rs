//! A server that speaks TLS itself.

use super::fixture::server;
use bytes::Bytes;
use http::{Method, StatusCode, Version};
use http_body_util::Full;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use mcp_auth_tests::{Ask, Reply};
use mcp_runtime::{Server, Tls};
use rcgen::CertifiedKey;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::fs;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Waits, but not for ever.
async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("it happens")
}

/// A certificate for `localhost`, which is its own authority.
fn certified() -> CertifiedKey<rcgen::KeyPair> {
    rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate")
}

/// The files of one test, which are gone after it.
struct Files(PathBuf);

impl Files {
    fn new(test: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Files(folder)
    }

    fn chain(&self) -> PathBuf {
        self.0.join("chain.pem")
    }

    fn key(&self) -> PathBuf {
        self.0.join("key.pem")
    }

    fn write(&self, certified: &CertifiedKey<rcgen::KeyPair>) {
        // The key last, as nobody promises that both change at once.
        fs::write(self.chain(), certified.cert.pem()).expect("it is written");
        fs::write(self.key(), certified.signing_key.serialize_pem()).expect("it is written");
    }

    fn tls(&self) -> Tls {
        Tls::from_pem_files(self.chain(), self.key())
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A server that is asked to end when this value is dropped.
struct Served {
    address: SocketAddr,
    url: String,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<()>,
}

impl Served {
    async fn start(tls: Tls) -> Self {
        Served::serve(server().tls(tls)).await
    }

    async fn serve(server: Server) -> Self {
        let server = server.build().expect("it builds");
        let listener = server.bind_http("127.0.0.1:0").await.expect("a port");
        let (address, url, (stop, stopped)) = (listener.local_addr(), listener.url(), oneshot::channel());
        let serving = tokio::spawn(listener.serve_until(async { drop(stopped.await) }));
        Served { address, url, stop: Some(stop), serving }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("a connection")
    }

    /// Agrees with the server about TLS, for a client that trusts this certificate and offers these protocols.
    async fn agree(&self, trusted: &CertificateDer<'_>, protocols: &[&str]) -> io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(trusted.clone().into_owned()).expect("a certificate");
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()));
        let config = config.with_safe_default_protocol_versions().expect("versions");
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        let name = ServerName::try_from("localhost").expect("a name");
        within(TlsConnector::from(Arc::new(config)).connect(name, self.connect().await)).await
    }
}

/// The response to a call over HTTP/1.1.
async fn call(stream: TlsStream<TcpStream>) -> Reply {
    let (mut client, driver) = within(http1::handshake(TokioIo::new(stream))).await.expect("HTTP/1.1");
    tokio::spawn(driver);
    let response = within(client.send_request(Ask::call("is_known").request())).await.expect("a response");
    Reply::read(response).await
}

#[tokio::test]
async fn clients_choose_the_version_of_http() {
    let (files, certified) = (Files::new("versions"), certified());
    files.write(&certified);
    let served = Served::start(files.tls()).await;
    assert_eq!(served.url, format!("https://127.0.0.1:{}/mcp", served.address.port()));
    for (offered, chosen) in [(&["http/1.1"][..], Some("http/1.1")), (&["h2", "http/1.1"], Some("h2")), (&[], None)] {
        let stream = served.agree(certified.cert.der(), offered).await.expect("an agreement");
        assert_eq!(stream.get_ref().1.alpn_protocol(), chosen.map(str::as_bytes));
        if chosen != Some("h2") {
            let reply = call(stream).await;
            assert_eq!((reply.status, reply.text()), (200, "false".to_owned()), "{chosen:?}");
            continue;
        }
        let handshake = http2::handshake::<_, _, Full<Bytes>>(TokioExecutor::new(), TokioIo::new(stream));
        let (mut client, driver) = within(handshake).await.expect("HTTP/2");
        tokio::spawn(driver);
        for (authority, status) in [("LocalHost", 200), ("localhost.:1", 200), ("evil.example", 403)] {
            let ask = Ask::call("is_known").at(&format!("https://{authority}/mcp"));
            let mut request = ask.request();
            request.headers_mut().remove("host");
            let response = within(client.send_request(request)).await.expect("a response");
            assert_eq!(
                (response.version(), response.status()),
                (Version::HTTP_2, StatusCode::from_u16(status).unwrap())
            );
        }
    }
    assert!(served.agree(certified.cert.der(), &["gopher"]).await.is_err(), "they have nothing in common");
}

#[tokio::test]
async fn a_client_that_does_not_agree_hurts_nobody() {
    let (files, own, strange) = (Files::new("disagreement"), certified(), certified());
    files.write(&own);
    let served = Served::start(files.tls().handshake_timeout(Duration::from_millis(200))).await;
    let (mut plain, mut silent, mut slow) = (served.connect().await, served.connect().await, served.connect().await);
    plain.write_all(b"GET /mcp HTTP/1.1\r\nhost: localhost\r\n\r\n").await.expect("it is read");
    // The beginning of a record that never comes.
    slow.write_all(&[22, 3, 1, 2, 0, 1]).await.expect("it is read");
    silent.write_all(&[]).await.expect("nothing");
    assert!(served.agree(strange.cert.der(), &["h2"]).await.is_err(), "the client knows another certificate");
    let good = served.agree(own.cert.der(), &["http/1.1"]).await.expect("an agreement");
    assert_eq!(call(good).await.status, 200);
    for stream in [&mut plain, &mut slow] {
        let mut said = Vec::new();
        // Whether the server says that it does not understand or just goes, it says nothing in plain text.
        let _ = within(stream.read_to_end(&mut said)).await;
        assert!(!said.starts_with(b"HTTP/"), "{said:?}");
    }
    assert_eq!(call(served.agree(own.cert.der(), &[]).await.expect("an agreement")).await.status, 200);
}

#[tokio::test]
async fn a_server_that_is_full_says_so_and_answers_probes() {
    let (files, certified) = (Files::new("full"), certified());
    files.write(&certified);
    let server = server().tls(files.tls()).health("/healthz", "/readyz").max_connections(1);
    let served = Served::serve(server).await;
    let _first = served.agree(certified.cert.der(), &[]).await.expect("an agreement");
    for (path, status) in [("/mcp", 503), ("/healthz", 200)] {
        let ask = |authority: &str| Ask::new(Method::GET).at(&format!("{authority}{path}")).request();
        let stream = served.agree(certified.cert.der(), &["http/1.1"]).await.expect("an agreement");
        let (mut client, driver) = within(http1::handshake(TokioIo::new(stream))).await.expect("HTTP/1.1");
        tokio::spawn(driver);
        let response = within(client.send_request(ask(""))).await.expect("a response");
        assert_eq!(response.status(), status, "{path}");

        let stream = served.agree(certified.cert.der(), &["h2"]).await.expect("an agreement");
        let handshake = http2::handshake::<_, _, Full<Bytes>>(TokioExecutor::new(), TokioIo::new(stream));
        let (mut client, driver) = within(handshake).await.expect("HTTP/2");
        tokio::spawn(driver);
        let mut request = ask("https://localhost");
        request.headers_mut().remove("host");
        let response = within(client.send_request(request)).await.expect("a response");
        assert_eq!((response.version(), response.status().as_u16()), (Version::HTTP_2, status), "{path}");
    }
}

#[tokio::test]
async fn a_renewed_certificate_is_shown_without_a_restart() {
    let (files, first, second) = (Files::new("renewal"), certified(), certified());
    files.write(&first);
    let served = Served::start(files.tls().reload_interval(Duration::ZERO)).await;
    let old = served.agree(first.cert.der(), &["http/1.1"]).await.expect("an agreement");
    // A chain without its key changes nothing.
    fs::write(files.chain(), second.cert.pem()).expect("it is written");
    fs::write(files.key(), "half of a key").expect("it is written");
    assert!(served.agree(first.cert.der(), &[]).await.is_ok());
    files.write(&second);
    let renewed = async { while served.agree(second.cert.der(), &[]).await.is_err() {} };
    within(renewed).await;
    assert!(served.agree(first.cert.der(), &[]).await.is_err());
    assert_eq!(call(old).await.status, 200, "what was agreed upon stays");
    fs::remove_file(files.chain()).expect("it was there");
    assert!(served.agree(second.cert.der(), &[]).await.is_ok());
}

#[tokio::test]
async fn what_cannot_be_used_is_found_when_the_address_is_bound() {
    let (files, own, other) = (Files::new("unusable"), certified(), certified());
    let chain = own.cert.pem();
    let (key, strange) = (own.signing_key.serialize_pem(), other.signing_key.serialize_pem());
    let missing = Files::new("missing");
    for (chain, key, blamed) in [
        (None, Some(&*key), "chain.pem"),
        (Some(&*chain), None, "key.pem"),
        (Some("no PEM"), Some(&*key), "chain.pem"),
        (Some(&*key), Some(&*key), "chain.pem"),
        (Some(&*chain), Some(&*chain), "key.pem"),
        (Some(&*chain), Some("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), "key.pem"),
        (Some(&*chain), Some(&*strange), "key.pem"),
    ] {
        for (path, text) in [(files.chain(), chain), (files.key(), key)] {
            match text {
                Some(text) => fs::write(path, text).expect("it is written"),
                None => drop(fs::remove_file(path)),
            }
        }
        let server = server().tls(files.tls()).build().expect("files are not looked at before");
        let error = server.bind_http("127.0.0.1:0").await.expect_err(blamed).to_string();
        assert!(error.contains(blamed) && !error.contains("AAAA"), "{error}");
    }
    let server = server().tls(missing.tls()).build().expect("it builds");
    assert_eq!(server.bind_http("127.0.0.1:0").await.expect_err("no files").kind(), io::ErrorKind::NotFound);
}

#[tokio::test]
async fn a_shutdown_ends_encrypted_connections_as_well() {
    let (files, certified) = (Files::new("shutdown"), certified());
    files.write(&certified);
    let mut served = Served::start(files.tls()).await;
    let mut idle = served.agree(certified.cert.der(), &["http/1.1"]).await.expect("an agreement");
    idle.write_all(b"DELETE /mcp HTTP/1.1\r\nhost: evil.example\r\n\r\n").await.expect("it is read");
    let mut said = [0; 12];
    within(idle.read_exact(&mut said)).await.expect("a response");
    assert_eq!(&said, b"HTTP/1.1 403");
    let halfway = served.connect().await;
    drop(served.stop.take());
    within(&mut served.serving).await.expect("it ends");
    let mut rest = Vec::new();
    within(idle.read_to_end(&mut rest)).await.expect("the end is said, as TLS says it");
    drop(halfway);
}
