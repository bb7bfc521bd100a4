//! Sessions and whose they are.

use super::ask::{Ask, Reply, Session};
use super::fixture::{Stage, server};
use crate::Principal;
use crate::transport::http::HttpService;
use serde_json::json;

/// The response to a request that somebody sends who is known by that name.
async fn of(ask: Ask, service: &HttpService, principal: Option<&str>) -> Reply {
    ask.sent_by(principal.map(Principal::new), service).await
}

async fn open(service: &HttpService, principal: Option<&str>) -> Session {
    let reply = of(Ask::initialize("2025-11-25"), service, principal).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    Session { id: reply.session(), version: "2025-11-25".to_owned() }
}

#[tokio::test]
async fn a_session_is_for_the_principal_that_opened_it() {
    let service = server(&Stage::new()).into_service().unwrap();
    for (owner, others) in [(Some("ada"), [Some("bob"), None]), (None, [Some("ada"), Some("")])] {
        let session = open(&service, owner).await;
        let echo = || session.watched_call(1, "steps", json!({"k": 1}));
        let begun = of(echo(), &service, owner).await;
        let id = begun.body.lines().find_map(|line| line.strip_prefix("id: ")).unwrap();
        for other in others {
            for ask in [
                echo(),
                session.post(json!({"jsonrpc": "2.0", "method": "notifications/cancelled"})),
                session.post(json!({"jsonrpc": "2.0", "id": 1, "result": {}})),
                session.get(),
                session.get().header("last-event-id", id),
                session.delete(),
            ] {
                let reply = of(ask.clone(), &service, other).await;
                assert_eq!((reply.status, reply.code()), (404, -32600), "{other:?} {ask:?}");
            }
        }
        assert_eq!(of(echo(), &service, owner).await.events().len(), 2, "nothing has happened to it");
        assert_eq!(of(session.delete(), &service, owner).await.status, 204);
    }
}

#[tokio::test]
async fn a_principal_has_only_so_many_sessions() {
    let service = server(&Stage::new()).max_sessions(4).max_sessions_per_principal(2).into_service().unwrap();
    let session = open(&service, Some("ada")).await;
    open(&service, Some("ada")).await;
    let initialize = || Ask::initialize("2025-11-25");
    let refused = of(initialize(), &service, Some("ada")).await;
    assert_eq!((refused.status, refused.code(), refused.header("mcp-session-id")), (503, -32603, None));
    open(&service, Some("bob")).await;
    assert_eq!(of(session.delete(), &service, Some("ada")).await.status, 204);
    open(&service, Some("ada")).await;
    open(&service, None).await;
    assert_eq!(of(initialize(), &service, None).await.status, 503, "there are four");
}

#[tokio::test]
async fn a_state_is_for_the_principal_that_it_was_given_to() {
    let service = server(&Stage::new()).into_service().unwrap();
    let call = |more: &serde_json::Value| {
        let mut params = json!({
            "name": "confirm",
            "_meta": {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}},
            "inputResponses": {"form-1": {"action": "accept", "content": {"sure": true}}},
        });
        match more.as_str() {
            Some(_) => params["requestState"] = more.clone(),
            None => drop(params.as_object_mut().unwrap().remove("inputResponses")),
        }
        Ask::stateless(1, "tools/call", params)
    };
    let state = of(call(&json!(null)), &service, Some("ada")).await.json()["result"]["requestState"].clone();
    assert!(state.is_string());
    for other in [Some("bob"), Some(""), None] {
        assert_eq!(of(call(&state), &service, other).await.code(), -32602, "{other:?}");
    }
    assert_eq!(of(call(&state), &service, Some("ada")).await.text(), "paid 100");
}
