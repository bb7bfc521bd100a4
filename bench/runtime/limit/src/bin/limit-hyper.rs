//! The bare loop over HTTP, with hyper alone.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use limit::Todo;

async fn respond(request: Request<Incoming>) -> hyper::Result<Response<Full<Bytes>>> {
    let message = request.into_body().collect().await?.to_bytes();
    let mut out = Vec::with_capacity(256);
    match limit::answer(&message, &mut out) {
        Todo::Nothing => {
            let mut response = Response::new(Full::default());
            *response.status_mut() = StatusCode::ACCEPTED;
            return Ok(response);
        }
        Todo::Wait => tokio::time::sleep(limit::SLOW).await,
        Todo::Send | Todo::Listen | Todo::Touch => {}
    }
    let kind = limit::body(&mut out);
    let mut response = Response::new(Full::from(out));
    response.headers_mut().insert("content-type", hyper::header::HeaderValue::from_static(kind));
    Ok(response)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(
            hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), hyper::service::service_fn(respond)),
        );
    }
}
