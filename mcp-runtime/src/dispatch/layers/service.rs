//! The layers as one service.

use super::{CallRequest, CallResponse};
use crate::Server;
use crate::handler::BoxFuture;
use crate::reply::IntoToolError;
use std::convert::Infallible;
use std::error::Error as StdError;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_layer::Layer;
use tower_service::Service;

/// What a [layer](Server::layer) stands around: the function, and the layers that stand around it already. It is always ready, and
/// does not fail: what goes wrong is in the response.
#[derive(Clone, Default)]
pub struct CallService(Option<Arc<dyn Stack>>);

trait Stack: Send + Sync {
    fn start(&self, request: CallRequest) -> BoxFuture<CallResponse>;
}

impl CallService {
    /// Sends a request on; gives what it came to.
    pub async fn run(self, request: CallRequest) -> CallResponse {
        self.start(request).await
    }

    pub(super) fn start(&self, request: CallRequest) -> BoxFuture<CallResponse> {
        match &self.0 {
            Some(stack) => stack.start(request),
            None => Box::pin(async {
                let number = request.number();
                CallResponse::answered(request.run().await, number)
            }),
        }
    }
}

impl Service<CallRequest> for CallService {
    type Response = CallResponse;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<CallResponse, Infallible>> + Send>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: CallRequest) -> Self::Future {
        let response = self.start(request);
        Box::pin(async { Ok(response.await) })
    }
}

impl fmt::Debug for CallService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallService").finish_non_exhaustive()
    }
}

/// A service of a layer. Each request has a clone.
struct Layered<S>(S);

impl<S> Stack for Layered<S>
where
    S: Service<CallRequest, Response = CallResponse> + Clone + Send + Sync + 'static,
    S::Error: Into<Box<dyn StdError + Send + Sync>>,
    S::Future: Send + 'static,
{
    fn start(&self, request: CallRequest) -> BoxFuture<CallResponse> {
        let mut service = self.0.clone();
        Box::pin(async move {
            let failed = |error: S::Error| CallResponse::failed(error.into());
            if let Err(response) = poll_fn(|cx| service.poll_ready(cx).map_err(failed)).await {
                return response;
            }
            service.call(request).await.unwrap_or_else(failed)
        })
    }
}

/// A function in place of a layer.
struct Around<F> {
    function: F,
    inner: CallService,
}

impl<F, Fut, E> Stack for Around<F>
where
    F: Fn(CallRequest, CallService) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<CallResponse, E>> + Send + 'static,
    E: IntoToolError,
{
    fn start(&self, request: CallRequest) -> BoxFuture<CallResponse> {
        let response = (self.function)(request, self.inner.clone());
        Box::pin(async move { response.await.unwrap_or_else(CallResponse::refused) })
    }
}

/// # Layers
/// Policies of your own around every call: see [the guide](crate::guide::policies).
impl Server {
    /// Puts a layer of `tower` around the calls of all functions, and around the layers that are there already: the last one sees a
    /// request first.
    ///
    /// Every request to a function passes it exactly once, over any transport and in any era: a [`CallRequest`] on the way in, a
    /// [`CallResponse`] on the way out. That holds for names that no function has, for arguments that do not fit and for functions
    /// that panic, too; their response says what went wrong. A request that is cancelled drops its future. Lists are no calls, and
    /// what HTTP refuses (a wrong host, a token with too few scopes) comes nowhere near. Each round of a call that
    /// [asks its client](crate::guide::asking) without a session is a request.
    ///
    /// Errors of a layer that are [`Refused`](crate::Refused) are told to the client; of all others it learns that there was one.
    /// Layers come before the limits of functions, so that the time spent in them is in no function's `timeout`. While a server has
    /// none, a request costs nothing for it.
    ///
    /// What stands behind a layer is always ready: whether an inner layer is, an outer one does not see. Layers that act on that
    /// (`LoadShedLayer` around a `ConcurrencyLimitLayer`) belong together into one `tower::ServiceBuilder`, which is a layer itself.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    /// use std::time::Duration;
    ///
    /// /// Adds two numbers.
    /// #[mcp_tool]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let server = mcp_runtime::server!()
    ///     .tools(tools![add])
    ///     .layer(tower::limit::ConcurrencyLimitLayer::new(100))
    ///     .layer(tower::timeout::TimeoutLayer::new(Duration::from_secs(30)));
    /// # server.build().unwrap();
    /// ```
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<CallService>,
        L::Service: Service<CallRequest, Response = CallResponse> + Clone + Send + Sync + 'static,
        <L::Service as Service<CallRequest>>::Error: Into<Box<dyn StdError + Send + Sync>>,
        <L::Service as Service<CallRequest>>::Future: Send + 'static,
    {
        let service = layer.layer(self.layers.take().unwrap_or_default());
        self.layers = Some(CallService(Some(Arc::new(Layered(service)))));
        self
    }

    /// Puts a function around the calls of all functions: a [layer](Self::layer) for policies that need nothing of `tower`. It gets
    /// each request and what stands behind it, and gives the response. An `Err` refuses the request with that text: see
    /// [`CallResponse::refused`].
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Pays an invoice.
    /// #[mcp_tool(destructive)]
    /// fn pay(invoice: u32) -> String {
    ///     format!("Invoice {invoice} is paid.")
    /// }
    ///
    /// let server = mcp_runtime::server!().tools(tools![pay]).around(|request, next| async move {
    ///     if request.function() == Some("pay") && request.arguments()["invoice"].as_u64() > Some(1000) {
    ///         return Err("A person has to pay this invoice.");
    ///     }
    ///     Ok(next.run(request).await)
    /// });
    /// # server.build().unwrap();
    /// ```
    pub fn around<F, Fut, E>(mut self, function: F) -> Self
    where
        F: Fn(CallRequest, CallService) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<CallResponse, E>> + Send + 'static,
        E: IntoToolError + 'static,
    {
        let inner = self.layers.take().unwrap_or_default();
        self.layers = Some(CallService(Some(Arc::new(Around { function, inner }))));
        self
    }
}
