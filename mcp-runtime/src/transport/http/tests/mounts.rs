use super::ask::{Ask, Reply};
use super::fixture::service;
use axum::Router;
use axum::response::Redirect;
use axum::routing::get;
use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use http_body_util::Full;
use serde_json::json;
use tower_service::Service;

async fn post<S, B>(router: &mut S, path: &str) -> Reply
where
    S: Service<Request<Full<Bytes>>, Response = Response<B>>,
    S::Error: std::fmt::Debug,
    B: Body<Data = Bytes, Error: std::fmt::Debug>,
{
    let ask = Ask::call(1, "echo", json!({"text": "x"})).at(path);
    let response = router.call(ask.request()).await.unwrap();
    Reply::read(response).await
}

#[tokio::test]
async fn a_mounted_service_answers_wherever_it_is_reached() {
    let router = || Router::new().route("/", get(|| async { Redirect::temporary("/x") }));
    let nested = Router::new().nest("/b", Router::new().nest_service("/mcp", service()));
    for (mut router, paths) in [
        (router().route_service("/mcp", service()).route_service("/mcp/", service()), ["/mcp", "/mcp/", "/mcp?x=1"]),
        (router().nest_service("/mcp", service()), ["/mcp", "/mcp/", "/mcp/deeper"]),
        (router().nest("/a", nested), ["/a/b/mcp", "/a/b/mcp/", "/a/b/mcp?x=1"]),
        (router().fallback_service(service()), ["/mcp", "/anything/else", "/mcp/"]),
    ] {
        for path in paths {
            let reply = post(&mut router, path).await;
            assert_eq!((reply.status, reply.header("location")), (200, None), "{path}");
            assert_eq!(reply.text(), "x", "{path}");
        }
    }
}

#[tokio::test]
async fn a_session_is_the_same_on_every_path() {
    let mut router = Router::new().fallback_service(service());
    let response = router.call(Ask::initialize("2025-11-25").at("/one").request()).await.unwrap();
    let session = Reply::read(response).await.session();
    let list = Ask::post(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).header("mcp-session-id", &session);
    let response = router.call(list.at("/other").request()).await.unwrap();
    assert_eq!(Reply::read(response).await.status, 200);
}
