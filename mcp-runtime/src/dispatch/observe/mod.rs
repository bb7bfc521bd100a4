//! What is seen of a request from outside, from where it is dispatched to where its answer is known: a span, metrics, the audit
//! trail.
//!
//! Every request passes [`Core::observed`] once, whatever transport and era it comes from, alone or in a batch. While nobody
//! watches, that is one look at a flag.

mod facts;
mod malformed;
mod span;

use super::{Answer, Carrier, Core, Reaction, Request};
use crate::audit::{Audit, AuditEvent};
use crate::handler::BoxFuture;
use crate::meter;
use crate::revision::{Member, Revision};
use crate::session::Header;
use crate::session::RequestHeaders;
use crate::trace_context::Adopt;
use crate::wire;
use facts::Facts;
pub(super) use facts::{Named, named};
pub(crate) use malformed::Malformed;
use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant, SystemTime};
use tracing::Span;

/// The header in which a transport has put the id of a request, if requests have ids.
pub(crate) const REQUEST_ID: &str = "x-request-id";

/// Who watches, beside the subscribers of `tracing`.
#[derive(Default)]
pub(crate) struct Watchers {
    pub(crate) adopt: Option<Adopt>,
    pub(crate) audit: Option<Audit>,
    /// Requests are timed and counted.
    pub(crate) metered: bool,
    /// Requests over HTTP have ids.
    pub(crate) request_ids: bool,
}

impl Watchers {
    fn are_there(&self) -> bool {
        self.metered || self.audit.is_some()
    }

    /// The id that the transport has given a request.
    fn request_id<'h>(&self, headers: Option<&'h dyn RequestHeaders>) -> Option<&'h str> {
        headers.filter(|_| self.request_ids)?.get(Header::Other(REQUEST_ID)).ok()?
    }
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Fine,
    /// A result that tells of an error.
    ToolError,
    /// An error response of this code.
    Error(i32),
    /// It was given up by its client, and not answered.
    Cancelled,
}

impl Ending {
    /// The code of an error response.
    fn code(self) -> Option<i32> {
        match self {
            Ending::Error(code) => Some(code),
            _ => None,
        }
    }

    /// What `error.type` says of it.
    fn error_type(self) -> Option<Cow<'static, str>> {
        match self {
            Ending::Fine => None,
            Ending::ToolError => Some("tool_error".into()),
            Ending::Error(code) => Some(code.to_string().into()),
            Ending::Cancelled => Some("cancelled".into()),
        }
    }
}

impl Core {
    /// Answers a request under the eyes of whoever watches.
    pub(super) fn observed(
        self: &Arc<Self>,
        request: &Request<'_>,
        carrier: &Carrier<'_>,
        answer: impl FnOnce() -> Reaction,
    ) -> Reaction {
        if !(self.watchers.are_there() || span::is_wanted()) {
            return answer();
        }
        let mut operation = Operation::begin(self, request, carrier);
        let span = operation.span.clone();
        let reaction = span.in_scope(answer);
        operation.settle(carrier);
        match reaction {
            Reaction::Later(future) => {
                Reaction::Later(Box::pin(Observed { future: Some(future), operation: Some(operation) }))
            }
            Reaction::Answer(answer) => {
                operation.end(Some(&answer));
                Reaction::Answer(answer)
            }
            // A subscription that has begun.
            begun @ (Reaction::Listen(_) | Reaction::Silence) => {
                operation.close(Ending::Fine, None);
                begun
            }
        }
    }
}

/// A request that is watched.
struct Operation {
    span: Span,
    facts: Facts,
    begun: Instant,
    /// For the audit trail, if there is one.
    record: Option<(Audit, AuditEvent)>,
    /// It counts as in flight, if requests are counted.
    open: Option<meter::Open>,
    is_over: bool,
}

impl Operation {
    fn begin(core: &Core, request: &Request<'_>, carrier: &Carrier<'_>) -> Self {
        let facts = Facts::of(core, request, carrier);
        let span = match span::is_wanted() {
            true => span::begin(&facts, request, carrier, &core.watchers),
            false => Span::none(),
        };
        let record = core
            .watchers
            .audit
            .as_ref()
            .map(|audit| (audit.clone(), draft(&core.watchers, audit, &facts, request, carrier)));
        Operation {
            span,
            facts,
            begun: Instant::now(),
            record,
            open: core.watchers.metered.then(meter::Open::request),
            is_over: false,
        }
    }

    /// Notes what `initialize` has settled.
    fn settle(&mut self, carrier: &Carrier<'_>) {
        if self.facts.revision.is_none() {
            self.facts.revision = carrier.peer.and_then(|peer| super::settled(peer));
            span::record_revision(&self.span, self.facts.revision);
        }
    }

    /// The end; without an answer the request was cancelled.
    fn end(&mut self, answer: Option<&Answer>) {
        match answer {
            Some(answer) => self.close(answer.ending, Some(&answer.body)),
            None => self.close(Ending::Cancelled, None),
        }
    }

    fn close(&mut self, ending: Ending, body: Option<&[u8]>) {
        self.is_over = true;
        let (duration, error) = (self.begun.elapsed(), ending.error_type());
        if let Some((audit, mut event)) = self.record.take() {
            event.error = error.clone();
            (event.duration, event.response_bytes) = (duration, body.map_or(0, <[u8]>::len));
            self.span.in_scope(|| audit.tell(&event));
        }
        if self.open.take().is_some() {
            let facts = &self.facts;
            let function = facts.function.map(|function| (function.attribute(), function.name()));
            let revision = facts.revision.map(Revision::as_str);
            meter::ended(facts.method, function, revision, facts.transport.as_str(), (error, ending.code()), duration);
        }
        span::end(&self.span, ending, body);
    }
}

/// What is known of a request for the audit trail before it has ended.
fn draft(
    watchers: &Watchers,
    audit: &Audit,
    facts: &Facts,
    request: &Request<'_>,
    carrier: &Carrier<'_>,
) -> AuditEvent {
    let uri = || Some(format!(r#"{{"uri":{}}}"#, request.params.get(Member::Uri)?.get()));
    let arguments = match request.params.get(Member::Arguments) {
        Some(arguments) => Some(Cow::Borrowed(arguments.get())),
        None => uri().map(Cow::Owned),
    };
    AuditEvent {
        at: SystemTime::now(),
        principal: AuditEvent::name(carrier.caller.principal),
        client: carrier.caller.address,
        http_request_id: watchers.request_id(carrier.headers).map(str::to_owned),
        method: facts.method,
        function: facts.function.map(Named::name),
        request_id: span::cut(request.id.as_json()).to_owned(),
        transport: facts.transport.as_str(),
        error: None,
        duration: Duration::ZERO,
        argument_bytes: arguments.as_deref().map_or(0, str::len),
        response_bytes: 0,
        arguments: audit.show(arguments.as_deref()),
    }
}

impl Drop for Operation {
    fn drop(&mut self) {
        if !self.is_over {
            // Whoever panics in here is answered with this error by `Core::receive`.
            let panics = std::thread::panicking();
            self.close(if panics { Ending::Error(wire::INTERNAL_ERROR) } else { Ending::Cancelled }, None);
        }
    }
}

/// An answer that will be there, each of its polls inside of the span.
struct Observed {
    /// There until the end of it.
    future: Option<BoxFuture<Option<Answer>>>,
    operation: Option<Operation>,
}

impl Future for Observed {
    type Output = Option<Answer>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Answer>> {
        let this = &mut *self;
        let (Some(future), Some(operation)) = (&mut this.future, &mut this.operation) else { return Poll::Ready(None) };
        let polled = operation.span.in_scope(|| future.as_mut().poll(cx));
        if let Poll::Ready(answer) = &polled {
            operation.end(answer.as_ref());
            drop(this.operation.take());
        }
        polled
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        // What a function drops when it is given up still belongs to its span.
        if let (Some(operation), Some(future)) = (&self.operation, self.future.take()) {
            operation.span.in_scope(|| drop(future));
        }
    }
}
