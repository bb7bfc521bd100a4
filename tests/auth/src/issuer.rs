//! An authorization server on this machine, of which a test decides what it says.

use crate::Key;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::PrivatePkcs8KeyDer;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio_rustls::TlsAcceptor;

/// The server. It ends with this value.
#[derive(Debug)]
pub struct Issuer {
    url: String,
    shared: Arc<Shared>,
    serving: AbortHandle,
}

#[derive(Debug, Default)]
struct Shared {
    pages: Mutex<HashMap<String, (u16, String)>>,
    seen: Mutex<Vec<Seen>>,
    held: Mutex<Option<Arc<Notify>>>,
    arrived: Notify,
}

/// A request that has come.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Where it went.
    pub path: String,
    /// `Authorization`, if it was there.
    pub authorization: Option<String>,
    /// Its body.
    pub body: String,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Issuer {
    /// An issuer whose metadata (of the first kind) and keys are there.
    pub async fn start(keys: &[&Key]) -> Self {
        let issuer = Issuer::silent().await;
        issuer.describe();
        issuer.publish(keys);
        issuer
    }

    fn describe(&self) {
        let url = &self.url;
        self.page(
            "/.well-known/oauth-authorization-server",
            &json!({"issuer": url, "jwks_uri": format!("{url}/keys"), "token_endpoint": format!("{url}/token")}),
        );
    }

    /// An issuer that knows no page.
    pub async fn silent() -> Self {
        let (listener, address) = bind().await;
        let shared = Arc::new(Shared::default());
        let serving = tokio::spawn(serve(listener, Arc::clone(&shared), None)).abort_handle();
        Issuer { url: format!("http://{address}"), shared, serving }
    }

    /// An issuer that speaks HTTPS alone, with a certificate of its own making for `localhost`; gives that as PEM.
    pub async fn start_tls(keys: &[&Key]) -> (Self, String) {
        let certified = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let key = PrivatePkcs8KeyDer::from(certified.signing_key.serialize_der()).into();
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| {
                builder.with_no_client_auth().with_single_cert(vec![certified.cert.der().clone()], key)
            });
        let (listener, address) = bind().await;
        let shared = Arc::new(Shared::default());
        let acceptor = TlsAcceptor::from(Arc::new(config.expect("a configuration")));
        let serving = tokio::spawn(serve(listener, Arc::clone(&shared), Some(acceptor))).abort_handle();
        let issuer = Issuer { url: format!("https://localhost:{}", address.port()), shared, serving };
        issuer.describe();
        issuer.publish(keys);
        (issuer, certified.cert.pem())
    }

    /// Its identifier.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// What it answers at a path.
    pub fn page(&self, path: &str, document: &Value) {
        self.answer(path, 200, &document.to_string());
    }

    /// What it answers at a path, with this status.
    pub fn answer(&self, path: &str, status: u16, text: &str) {
        lock(&self.shared.pages).insert(path.to_owned(), (status, text.to_owned()));
    }

    /// Its keys from now on.
    pub fn publish(&self, keys: &[&Key]) {
        let keys: Vec<Value> = keys.iter().map(|key| key.public()).collect();
        self.page("/keys", &json!({"keys": keys}));
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        lock(&self.shared.seen).clone()
    }

    /// How many requests went to a path.
    pub fn count(&self, path: &str) -> usize {
        self.seen().iter().filter(|seen| seen.path == path).count()
    }

    /// Waits until a request has come.
    pub async fn arrival(&self) {
        self.shared.arrived.notified().await;
    }

    /// Lets requests wait until the gate is opened (`notify_waiters` for those that wait).
    pub fn hold(&self) -> Arc<Notify> {
        let gate = Arc::new(Notify::new());
        *lock(&self.shared.held) = Some(Arc::clone(&gate));
        gate
    }

    /// Requests do not wait any more.
    pub fn release(&self) {
        if let Some(gate) = lock(&self.shared.held).take() {
            gate.notify_waiters();
        }
    }

    /// Claims that are good for a resource.
    pub fn claims(&self, resource: &str) -> Value {
        let now = crate::now();
        json!({
            "iss": self.url(), "aud": resource, "sub": "ada", "client_id": "client", "iat": now, "exp": now + 600,
            "jti": "1", "scope": "read", "email": "ada@example.com",
        })
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        self.serving.abort();
        self.release();
    }
}

async fn bind() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    (listener, address)
}

async fn serve(listener: TcpListener, shared: Arc<Shared>, acceptor: Option<TlsAcceptor>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (shared, acceptor) = (Arc::clone(&shared), acceptor.clone());
        tokio::spawn(async move {
            match acceptor {
                None => converse(stream, shared).await,
                // A client that does not trust the certificate goes away, which is no fault.
                Some(acceptor) => {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        converse(stream, shared).await;
                    }
                }
            }
        });
    }
}

async fn converse(stream: impl AsyncRead + AsyncWrite + Unpin, shared: Arc<Shared>) {
    let service = service_fn(move |request| respond(Arc::clone(&shared), request));
    // Nor is one that goes away later.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn respond(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let path = parts.uri.path().to_owned();
    let authorization = parts.headers.get("authorization").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let body = String::from_utf8_lossy(&body).into_owned();
    lock(&shared.seen).push(Seen { path: path.clone(), authorization, body });
    shared.arrived.notify_one();
    let gate = lock(&shared.held).clone();
    if let Some(gate) = gate {
        gate.notified().await;
    }
    let (status, text) = lock(&shared.pages).get(&path).cloned().unwrap_or((404, "nothing".to_owned()));
    let mut response = Response::new(Full::from(text.clone()));
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    if (300..400).contains(&status) {
        // The text of a redirect is where it leads.
        response.headers_mut().insert("location", text.parse().expect("a URL"));
    }
    Ok(response)
}
