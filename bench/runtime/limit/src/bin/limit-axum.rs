//! The bare loop over HTTP, as a handler of axum.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Response, StatusCode};
use axum::routing::post;
use axum::serve::ListenerExt as _;
use http_body_util::channel::{Channel, Sender};
use hyper::body::Frame;
use limit::Todo;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Updates that one who listens may be behind.
const BUFFER: usize = 16;

static LISTENERS: Mutex<Vec<Sender<Bytes>>> = Mutex::new(Vec::new());

async fn respond(message: Bytes) -> Response<Body> {
    let mut out = Vec::with_capacity(256);
    match limit::answer(&message, &mut out) {
        Todo::Nothing => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::ACCEPTED;
            return response;
        }
        Todo::Wait => tokio::time::sleep(limit::SLOW).await,
        Todo::Listen => {
            out.push(b'\n');
            let (mut sender, body) = Channel::<Bytes>::new(BUFFER);
            let _ = sender.send_data(out.into()).await;
            lock(&LISTENERS).push(sender);
            return events(Body::new(body));
        }
        Todo::Touch => {
            let update = Bytes::from_static(limit::UPDATE.as_bytes());
            // Those who are gone, or are behind, are listened to no more.
            lock(&LISTENERS).retain_mut(|listener| listener.try_send(Frame::data(update.clone())).is_ok());
        }
        Todo::Send => {}
    }
    let kind = limit::body(&mut out);
    let mut response = Response::new(Body::from(out));
    response.headers_mut().insert("content-type", axum::http::HeaderValue::from_static(kind));
    response
}

fn events(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert("content-type", axum::http::HeaderValue::from_static("text/event-stream"));
    response
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let router = Router::new().route("/mcp", post(respond).layer(axum::extract::DefaultBodyLimit::disable()));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await
}
