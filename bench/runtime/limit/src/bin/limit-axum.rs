//! The bare loop over HTTP, as a handler of axum.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Response, StatusCode};
use axum::routing::post;
use axum::serve::ListenerExt as _;
use limit::Todo;

async fn respond(message: Bytes) -> Response<Body> {
    let mut out = Vec::with_capacity(256);
    match limit::answer(&message, &mut out) {
        Todo::Nothing => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::ACCEPTED;
            return response;
        }
        Todo::Wait => tokio::time::sleep(limit::SLOW).await,
        Todo::Send => {}
    }
    let kind = limit::body(&mut out);
    let mut response = Response::new(Body::from(out));
    response.headers_mut().insert("content-type", axum::http::HeaderValue::from_static(kind));
    response
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
