//! How the servers of the official SDK are served. With the argument `http` over HTTP, without over stdio.

use axum::serve::ListenerExt as _;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, ServiceExt as _};
use std::error::Error;
use tokio::net::TcpListener;

type Outcome = Result<(), Box<dyn Error>>;

/// As the documentation says, but for one thing: without `TCP_NODELAY` a call over a kept connection takes 44 ms, and there
/// would be nothing to compare.
pub fn serve<S: ServerHandler>(make: impl Fn() -> S + Send + Sync + 'static) -> Outcome {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        if std::env::args().nth(1).as_deref() != Some("http") {
            make().serve(rmcp::transport::stdio()).await?.waiting().await?;
            return Ok(());
        }
        let service = StreamableHttpService::new(
            move || Ok(make()),
            LocalSessionManager::default().into(),
            StreamableHttpServerConfig::default(),
        );
        let router = axum::Router::new().nest_service("/mcp", service);
        let listener = listen().await?.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        Ok(axum::serve(listener, router).await?)
    })
}

/// As fast as the options go: one thread, pipes without the blocking pool; over HTTP no sessions, JSON answers, hyper alone.
pub fn serve_tuned<S: ServerHandler + Clone>(server: S) -> Outcome {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        if std::env::args().nth(1).as_deref() != Some("http") {
            server.serve(rmcp::transport::io::stdio_pipes()).await?.waiting().await?;
            return Ok(());
        }
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_sse_keep_alive(None)
            .with_sse_retry(None);
        let service =
            StreamableHttpService::new(move || Ok(server.clone()), LocalSessionManager::default().into(), config);
        let listener = listen().await?;
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let service = TowerToHyperService::new(service.clone());
            tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    })
}

async fn listen() -> std::io::Result<TcpListener> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    Ok(listener)
}
