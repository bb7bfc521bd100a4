//! The document that leads clients to the authorization server.

use super::fixture::{METADATA, RESOURCE, server};
use http::Method;
use mcp_auth_tests::{Ask, Reply};
use mcp_runtime::{Authorization, JwtVerifier, MetadataService};
use serde_json::json;
use tower_service::Service as _;

const ISSUER: &str = "https://login.example.com";
const PATHS: [&str; 2] = ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"];

fn authorization(resource: &str) -> Authorization {
    Authorization::new(resource, JwtVerifier::new(ISSUER))
}

async fn read(mut metadata: MetadataService, method: Method) -> Reply {
    Reply::read(metadata.call(Ask::new(method).request()).await.unwrap_or_else(|never| match never {})).await
}

#[tokio::test]
async fn it_says_what_clients_need() {
    let full = authorization(RESOURCE)
        .authorization_server(ISSUER)
        .authorization_server("https://other.example.com")
        .required_scopes(["base"])
        .scopes_supported(["base", "read"])
        .resource_name("Notes")
        .documentation("https://example.com/docs");
    let all = json!({
        "resource": RESOURCE, "authorization_servers": [ISSUER, "https://other.example.com"],
        "scopes_supported": ["base", "read"], "bearer_methods_supported": ["header"],
        "resource_name": "Notes", "resource_documentation": "https://example.com/docs",
    });
    let least =
        json!({"resource": RESOURCE, "authorization_servers": [ISSUER], "bearer_methods_supported": ["header"]});
    for (authorization, expected) in [(full, all), (authorization(RESOURCE), least)] {
        let service = server().authorization(authorization).into_service().expect("it builds");
        let metadata = service.metadata();
        assert_eq!(metadata.paths().collect::<Vec<_>>(), PATHS);
        let reply = read(metadata.clone(), Method::GET).await;
        assert_eq!((reply.status, reply.json()), (200, expected.clone()));
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "pages need it as well");
        let preflight = read(metadata.clone(), Method::OPTIONS).await;
        assert_eq!((preflight.status, preflight.header("access-control-allow-headers")), (204, Some("*")));
        assert_eq!(read(metadata, Method::POST).await.status, 405);
        for path in PATHS {
            // As the fallback of a router the service itself is asked.
            let reply = Ask::new(Method::GET).at(path).of(&service).await;
            assert_eq!((reply.status, reply.json()), (200, expected.clone()), "{path}");
        }
        assert_eq!(Ask::new(Method::GET).at(&format!("{}/other", PATHS[0])).of(&service).await.status, 401);
    }
}

#[tokio::test]
async fn its_paths_are_those_of_the_resource() {
    for (resource, path) in [
        ("https://mcp.example.com", ""),
        ("https://mcp.example.com/", ""),
        ("https://mcp.example.com:8443/a/b", "/a/b"),
        ("http://localhost:8080/mcp", "/mcp"),
    ] {
        let service = server().authorization(authorization(resource)).into_service().expect("it builds");
        let paths: Vec<String> = service.metadata().paths().map(str::to_owned).collect();
        assert!(paths.contains(&format!("{}{path}", PATHS[0])) && paths.contains(&PATHS[0].to_owned()), "{paths:?}");
        let origin = resource.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
        let expected = format!("Bearer resource_metadata=\"{origin}{}{path}\"", PATHS[0]);
        assert_eq!(Ask::call("whoami").of(&service).await.refusal(), (401, Some(&*expected)));
        assert_eq!(read(service.metadata(), Method::GET).await.json()["resource"], resource, "to the letter");
    }
}

#[tokio::test]
async fn it_is_mounted_beside_the_service() {
    let service = server().authorization(authorization(RESOURCE)).into_service().expect("it builds");
    let metadata = service.metadata();
    let router = axum::Router::new().route_service("/mcp", service);
    let mut router = metadata.paths().fold(router, |router, path| router.route_service(path, metadata.clone()));
    for path in PATHS {
        let reply = router.call(Ask::new(Method::GET).at(path).request()).await.unwrap_or_else(|never| match never {});
        assert_eq!(reply.status(), 200, "{path}");
    }
    let reply = router.call(Ask::call("whoami").request()).await.unwrap_or_else(|never| match never {});
    assert_eq!(reply.headers()["www-authenticate"], format!("Bearer {METADATA}"));
}

#[tokio::test]
async fn without_authorization_there_is_none() {
    let service = server().into_service().expect("it builds");
    assert_eq!(service.metadata().paths().count(), 0);
    assert_eq!(read(service.metadata(), Method::GET).await.status, 404);
    assert_eq!(Ask::call("is_known").of(&service).await.text(), "false");
    let reply = Ask::call("write_notes").of(&service).await;
    assert_eq!((reply.status, reply.json()["error"]["code"].clone()), (200, json!(-32602)), "unknown");
}
