//! A client over HTTP, without sockets: requests to the service, responses from it.

use crate::peer::{Received, run};
use crate::{fixture, oracle};
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use mcp_runtime::{HttpBody, HttpService};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use tower_service::Service as _;

/// What came back.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Sends a request to the fixture.
pub(crate) fn request(method: Method, headers: HeaderMap, body: &[u8]) -> Reply {
    thread_local! {
        static SERVICE: HttpService = fixture::server().clone().into_service();
    }
    let mut service = SERVICE.with(Clone::clone);
    run(ask(&mut service, method, headers, body))
}

/// Sends a request to a service.
pub(crate) async fn ask(service: &mut HttpService, method: Method, headers: HeaderMap, body: &[u8]) -> Reply {
    read(send(service, method, headers, body).await).await
}

/// The same, and reads nothing of the response yet.
pub(crate) async fn send(
    service: &mut HttpService,
    method: Method,
    headers: HeaderMap,
    body: &[u8],
) -> Response<HttpBody> {
    let mut request = Request::new(Full::new(Bytes::copy_from_slice(body)));
    *request.method_mut() = method;
    *request.headers_mut() = headers;
    let Ok(response) = service.call(request).await;
    response
}

/// Reads a response. Of a standing stream, that is what comes within a while: its client has heard enough then.
pub(crate) async fn read(response: Response<HttpBody>) -> Reply {
    let (parts, mut body) = response.into_parts();
    let (mut bytes, end) = (Vec::new(), Instant::now() + Duration::from_secs(5));
    while let Ok(Some(Ok(frame))) = timeout_at(end, body.frame()).await {
        bytes.extend_from_slice(frame.data_ref().map_or(&[], |data| data));
    }
    Reply { status: parts.status, headers: parts.headers, body: bytes.into() }
}

impl Reply {
    /// The media type, without parameters.
    pub(crate) fn media_type(&self) -> Option<&str> {
        self.headers.get("content-type")?.to_str().ok()?.split(';').next()
    }

    /// The messages of the body, judged.
    pub(crate) fn messages(&self) -> Received {
        let mut received = Received::default();
        let text = std::str::from_utf8(&self.body).expect("UTF-8");
        match self.media_type() {
            Some("application/json") => received.take(text),
            Some("text/event-stream") => {
                for line in text.split('\n') {
                    let field =
                        ["data: ", "event: ", "id: ", "retry: ", ":"].iter().find(|name| line.starts_with(**name));
                    assert!(line.is_empty() || line == "data:" || field.is_some(), "no line of an event: {line:?}");
                    if let Some(data) = line.strip_prefix("data: ").filter(|data| !data.is_empty()) {
                        received.take(data);
                    }
                }
            }
            None => assert!(text.is_empty(), "{text:?}"),
            other => panic!("{other:?}: {text:?}"),
        }
        received
    }

    /// Judges a response to a POST of that body: what must hold whatever the headers are.
    pub(crate) fn judge(&self, body: &[u8]) -> Received {
        assert_ne!(self.status, StatusCode::INTERNAL_SERVER_ERROR, "{:?}", self.body);
        let received = self.messages();
        let message = std::str::from_utf8(body).map_or(oracle::Message::NotJson, oracle::read);
        assert!(received.responses.len() <= 1, "{received:?}");
        for response in &received.responses {
            match (&message, &response.id) {
                (oracle::Message::Request(id), Some(answered)) => assert_eq!(id, answered),
                (oracle::Message::Refused(Some(id)), Some(answered)) => assert_eq!(id, answered),
                (_, None) => assert!(response.outcome.is_err()),
                _ => panic!("an answer to {message:?}: {response:?}"),
            }
        }
        if self.status.is_success() && matches!(message, oracle::Message::Request(_)) {
            assert!(received.responses.iter().all(|response| response.id.is_some()), "{received:?}");
        }
        if self.status == StatusCode::ACCEPTED {
            assert!(self.body.is_empty());
        }
        received
    }
}
