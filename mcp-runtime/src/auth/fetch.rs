//! Fetches a document of an authorization server: bounded in size and time, without following it elsewhere.

use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::crypto::ring::default_provider;
use rustls::{ClientConfig, RootCertStore};
use serde::de::DeserializeOwned;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::time::timeout;

/// How long a document may take, from the first packet to the last.
const PATIENCE: Duration = Duration::from_secs(5);
/// How large it may be.
const MAX_SIZE: usize = 256 * 1024;
/// How long a connection is kept that nobody uses.
const IDLE: Duration = Duration::from_secs(30);

type HttpClient = Client<HttpsConnector<HttpConnector>, String>;

/// The client of the process. A connection is not kept for long; that there is one at all is for introspection.
static CLIENT: LazyLock<Result<HttpClient, String>> = LazyLock::new(client);

/// Gets a document.
pub(super) async fn get<T: DeserializeOwned>(uri: &Uri) -> Result<T, String> {
    let request =
        Request::builder().method(Method::GET).uri(uri).header(ACCEPT, "application/json").body(String::new());
    send(uri, request).await
}

/// Sends a form with the credentials of this server; gives the answer.
pub(super) async fn post_form<T: DeserializeOwned>(
    uri: &Uri,
    credentials: &HeaderValue,
    form: String,
) -> Result<T, String> {
    let request = Request::builder()
        .method(Method::POST)
        .uri(uri)
        .header(ACCEPT, "application/json")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(AUTHORIZATION, credentials)
        .body(form);
    send(uri, request).await
}

async fn send<T: DeserializeOwned>(uri: &Uri, request: http::Result<Request<String>>) -> Result<T, String> {
    let (request, client) = (request.map_err(|error| error.to_string())?, CLIENT.as_ref()?);
    let fetching = async {
        let response = client.request(request).await.map_err(|error| spell(&error))?;
        // A redirect leads away from the server that was meant, and whatever else there is is no document.
        if response.status() != StatusCode::OK {
            return Err(format!("the status is {}", response.status().as_u16()));
        }
        let body = Limited::new(response.into_body(), MAX_SIZE).collect().await;
        Ok(body.map_err(|error| spell(&*error))?.to_bytes())
    };
    let fetched = timeout(PATIENCE, fetching).await.unwrap_or_else(|_| Err("it takes too long".to_owned()));
    let bytes = fetched.map_err(|problem| format!("{uri}: {problem}"))?;
    // What exactly is wrong with a document may quote it; that it is none has to do.
    serde_json::from_slice(&bytes).map_err(|_| format!("{uri}: the answer is not what it should be"))
}

fn client() -> Result<HttpClient, String> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (_, unusable) = roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        tracing::warn!(unusable, "this machine has no root certificates: no server can be reached by HTTPS");
    }
    let tls = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connector = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().build();
    let mut client = Client::builder(TokioExecutor::new());
    Ok(client.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE).build(connector))
}

/// An error with its causes: the outermost of the client says nothing alone.
fn spell(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
