//! The fixture behind a layer that counts what passes it.

use crate::fixture;
use mcp_runtime::{CallRequest, CallResponse, Server};
use serde_json::Value;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::watch;
use tower_layer::Layer;
use tower_service::Service;

/// A tool that there is not: it is answered in front of the layer, when nothing is on its way through it any more, with an error
/// whose text is what has passed since the last time.
pub const PASSAGES: &str = "passages";

/// The fixture.
pub fn server() -> Server {
    let counting = Counting::default();
    let log = Arc::clone(&counting.0);
    fixture::server().layer(counting).around(move |request, next| {
        let log = Arc::clone(&log);
        async move {
            if request.name() != Some(PASSAGES) {
                return Ok(next.run(request).await);
            }
            let is_quiet = |log: &Log| log.entered == log.left.len();
            log.subscribe().wait_for(is_quiet).await.expect("the log is there");
            Err(Value::from(std::mem::take(&mut log.send_replace(Log::default()).left)).to_string())
        }
    })
}

#[derive(Default)]
struct Log {
    entered: usize,
    left: Vec<String>,
}

#[derive(Clone)]
struct Counting(Arc<watch::Sender<Log>>);

impl Default for Counting {
    fn default() -> Self {
        Counting(Arc::new(watch::Sender::new(Log::default())))
    }
}

impl<S> Layer<S> for Counting {
    type Service = Counted<S>;

    fn layer(&self, inner: S) -> Counted<S> {
        Counted { inner, log: Arc::clone(&self.0) }
    }
}

#[derive(Clone)]
struct Counted<S> {
    inner: S,
    log: Arc<watch::Sender<Log>>,
}

/// One request on its way. What does not come back is dropped.
struct Passage {
    log: Arc<watch::Sender<Log>>,
    subject: String,
    outcome: String,
}

impl Passage {
    fn comes_to(&mut self, response: &CallResponse) {
        self.outcome = match (response.error_code(), response.is_error()) {
            (Some(code), _) => code.to_string(),
            (None, true) => "failed".to_owned(),
            (None, false) => "fine".to_owned(),
        };
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        let line = format!("{}: {}", self.subject, self.outcome);
        self.log.send_modify(|log| log.left.push(line));
    }
}

impl<S> Service<CallRequest> for Counted<S>
where
    S: Service<CallRequest, Response = CallResponse>,
    S::Future: Send + 'static,
{
    type Response = CallResponse;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<CallResponse, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: CallRequest) -> Self::Future {
        self.log.send_modify(|log| log.entered += 1);
        let subject = format!("{} {}", request.method(), request.function().unwrap_or("-"));
        let mut passage = Passage { log: Arc::clone(&self.log), subject, outcome: "dropped".to_owned() };
        let response = self.inner.call(request);
        Box::pin(async move {
            let response = response.await?;
            passage.comes_to(&response);
            Ok(response)
        })
    }
}
