//! The span of a request.
//!
//! Source: OpenTelemetry semantic conventions for the Model Context Protocol, span `mcp.server`.

use super::facts::{Facts, Named, OTHER, Transport};
use super::{Ending, Malformed, Watchers};
use crate::contain::contain;
use crate::dispatch::{Carrier, Request};
use crate::revision::{Member, Revision};
use crate::session::Header;
use crate::trace_context::TraceContext;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt::Write;
use tracing::field::Empty;
use tracing::{Level, Span};

/// What peers choose freely is cut after so many characters.
const MOST: usize = 256;

/// Does anybody want the spans of requests?
#[inline]
pub(super) fn is_wanted() -> bool {
    tracing::span_enabled!(target: "mcp::request", Level::INFO)
}

/// Makes the span of a request. Its parent is the span that the transport runs in, if there is one, until `trace_parent` says
/// otherwise.
pub(super) fn begin(facts: &Facts, request: &Request<'_>, carrier: &Carrier<'_>, watchers: &Watchers) -> Span {
    let name = match facts.function {
        Some(Named::Tool(name) | Named::Prompt(name)) => Cow::Owned(format!("{} {name}", facts.method)),
        _ => Cow::Borrowed(facts.method),
    };
    let span = tracing::info_span!(
        target: "mcp::request",
        "mcp.request",
        otel.name = &*name,
        otel.kind = "server",
        otel.status_code = Empty,
        otel.status_description = Empty,
        mcp.method.name = facts.method,
        mcp.protocol.version = Empty,
        mcp.session.id = Empty,
        mcp.resource.uri = Empty,
        gen_ai.operation.name = Empty,
        gen_ai.tool.name = Empty,
        gen_ai.prompt.name = Empty,
        jsonrpc.request.id = cut(request.id.as_json().trim_matches('"')),
        network.transport = facts.transport.as_str(),
        network.protocol.name = carrier.headers.map(|_| "http"),
        client.address = carrier.caller.address.map(tracing::field::display),
        "http.request.header.x-request-id" = watchers.request_id(carrier.headers),
        rpc.response.status_code = Empty,
        error.type = Empty,
        traceparent = Empty,
        tracestate = Empty,
    );
    match facts.function {
        Some(Named::Tool(name)) => {
            span.record("gen_ai.operation.name", "execute_tool");
            span.record("gen_ai.tool.name", name);
        }
        Some(Named::Prompt(name)) => {
            span.record("gen_ai.prompt.name", name);
        }
        Some(Named::Resource(_)) | None => {}
    }
    if facts.method.starts_with("resources/")
        && let Ok(uri) = request.params.text(Member::Uri)
    {
        span.record("mcp.resource.uri", cut(&uri));
    }
    record_revision(&span, facts.revision);
    if let Some(session) = session(carrier) {
        span.record("mcp.session.id", session);
    }
    if let Some(context) = TraceContext::of(request.params.envelope.whole()) {
        span.record("traceparent", context.traceparent());
        span.record("tracestate", context.tracestate());
        let adopt = || watchers.adopt.as_ref().inspect(|adopt| adopt(&span, &context));
        if contain(adopt).is_err() {
            tracing::error!("what `trace_parent` does panicked: a request is not part of its trace");
        }
    }
    span
}

/// Makes the span of what is no message.
pub(super) fn malformed(message: &Malformed<'_>, transport: Transport) -> Span {
    tracing::info_span!(
        target: "mcp::request",
        "mcp.request",
        otel.name = OTHER,
        otel.kind = "server",
        otel.status_code = Empty,
        otel.status_description = "the message is malformed",
        mcp.method.name = OTHER,
        jsonrpc.request.id = message.id.map(|id| cut(id.as_json().trim_matches('"'))),
        network.transport = transport.as_str(),
        network.protocol.name = message.headers.map(|_| "http"),
        client.address = message.address.map(tracing::field::display),
        rpc.response.status_code = Empty,
        error.type = Empty,
    )
}

pub(super) fn record_revision(span: &Span, revision: Option<Revision>) {
    span.record("mcp.protocol.version", revision.map(Revision::as_str));
}

/// Records how the request ended; `body` is its answer.
pub(super) fn end(span: &Span, ending: Ending, body: Option<&[u8]>) {
    let Some(error) = ending.error_type() else { return };
    span.record("otel.status_code", "ERROR");
    span.record("error.type", &*error);
    if let Ending::Error(_) = ending {
        span.record("rpc.response.status_code", &*error);
        if let Some(message) = body.and_then(message) {
            span.record("otel.status_description", cut(&message));
        }
    }
}

/// The message of an error response.
fn message(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Response {
        error: Error,
    }
    #[derive(Deserialize)]
    struct Error {
        message: String,
    }
    serde_json::from_slice(body).ok().map(|response: Response| response.error.message)
}

/// What tells one session from others: who knows the id of a session may be able to use it, so that it is not written down.
fn session(carrier: &Carrier<'_>) -> Option<String> {
    carrier.peer?.handshake()?;
    let id = carrier.headers?.get(Header::Other("mcp-session-id")).ok()??;
    let digest = Sha256::digest(id);
    Some(digest[..8].iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

pub(super) fn cut(text: &str) -> &str {
    text.char_indices().nth(MOST).map_or(text, |(end, _)| &text[..end])
}
