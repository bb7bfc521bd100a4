//! The trace that a request is a part of.
//!
//! Source: basic/index of 2026-07-28, "OpenTelemetry trace context"; W3C Trace Context.

use crate::Server;
use crate::wire::Json;
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::Arc;
use tracing::Span;

/// The longest `tracestate` that is taken over, in bytes: what W3C Trace Context asks everybody to pass on.
const MAX_STATE: usize = 512;

/// What is done with the span of a request whose client says which trace it belongs to.
pub(crate) type Adopt = Arc<dyn Fn(&Span, &TraceContext<'_>) + Send + Sync>;

/// The trace context of a request, from its `_meta`: `traceparent` and `tracestate` as W3C Trace Context writes them. One that is
/// not well-formed does not get here. See [`Server::trace_parent`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TraceContext<'a> {
    #[serde(borrow)]
    traceparent: Cow<'a, str>,
    #[serde(borrow, default)]
    tracestate: Option<Cow<'a, str>>,
}

impl<'a> TraceContext<'a> {
    /// What `_meta` says; nothing if it is malformed or says something twice.
    pub(crate) fn of(meta: Option<Json<'a>>) -> Option<Self> {
        let mut context: Self = meta?.decode().ok()?;
        let fits = |state: &Cow<'_, str>| state.len() <= MAX_STATE && state.bytes().all(|b| matches!(b, b' '..=b'~'));
        context.tracestate = context.tracestate.filter(fits);
        is_parent(&context.traceparent).then_some(context)
    }

    /// `traceparent`: version, trace id, id of the caller's span, and flags, for example
    /// `00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01`.
    #[must_use]
    pub fn traceparent(&self) -> &str {
        &self.traceparent
    }

    /// `tracestate`, if the client sends one: at most 512 bytes of printable ASCII.
    #[must_use]
    pub fn tracestate(&self) -> Option<&str> {
        self.tracestate.as_deref()
    }

    /// The value by its name, `traceparent` or `tracestate`: what a propagator of OpenTelemetry asks for.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        match name {
            "traceparent" => Some(self.traceparent()),
            "tracestate" => self.tracestate(),
            _ => None,
        }
    }
}

/// Is it a `traceparent` of version 00, or one of a later version that begins the same?
fn is_parent(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut hex = |digits: usize| {
        let part = parts.next().filter(|part| part.len() == digits)?;
        part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')).then_some(part)
    };
    let (version, trace, span, flags) = (hex(2), hex(32), hex(16), hex(2));
    let is_id = |part: Option<&str>| part.is_some_and(|part| part.bytes().any(|b| b != b'0'));
    let ends = match version {
        Some("00") => parts.next().is_none(),
        Some("ff") | None => false,
        Some(_) => text.len() <= MAX_STATE,
    };
    ends && is_id(trace) && is_id(span) && flags.is_some()
}

/// # Traces
/// See [the guide](crate::guide::watching).
impl Server {
    /// Says how the span of a request becomes part of the trace that its client names in `_meta`. It is called with the span, which
    /// nobody has entered yet, before anything else is done. The runtime depends on no tracing system; with
    /// `tracing-opentelemetry` and the W3C propagator of `opentelemetry_sdk` it reads
    ///
    /// ```text
    /// struct Carrier<'a>(&'a TraceContext<'a>);
    ///
    /// impl opentelemetry::propagation::Extractor for Carrier<'_> {
    ///     fn get(&self, key: &str) -> Option<&str> {
    ///         self.0.get(key)
    ///     }
    ///     fn keys(&self) -> Vec<&str> {
    ///         vec!["traceparent", "tracestate"]
    ///     }
    /// }
    ///
    /// let propagator = opentelemetry_sdk::propagation::TraceContextPropagator::new();
    /// let server = mcp_runtime::server!().trace_parent(move |span, context| {
    ///     let _ = span.set_parent(propagator.extract(&Carrier(context)));
    /// });
    /// ```
    ///
    /// Without this the span has the fields `traceparent` and `tracestate` all the same.
    pub fn trace_parent(mut self, adopt: impl Fn(&Span, &TraceContext<'_>) + Send + Sync + 'static) -> Self {
        self.watchers.adopt = Some(Arc::new(adopt));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

    #[test]
    fn only_what_w3c_allows_is_a_parent() {
        assert!(is_parent(PARENT));
        assert!(is_parent(&PARENT.replacen("00", "01", 1)));
        assert!(is_parent(&format!("{}-more", PARENT.replacen("00", "01", 1))), "a later version may say more");
        for wrong in [
            "",
            "00",
            &PARENT.replacen("00", "ff", 1),
            &format!("{PARENT}-more"),
            &PARENT.to_uppercase(),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7",
            "00-0af7651916cd43dd8448eb211c80319-000f067aa0ba902b7-01",
        ] {
            assert!(!is_parent(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_context_is_taken_whole_or_not_at_all() {
        let of = |meta: &'static str| TraceContext::of(Json::of(meta));
        let parent = r#"{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01","other":[1]}"#;
        assert_eq!(of(parent).as_ref().map(TraceContext::traceparent), Some(PARENT));
        let both = r#"{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01","tracestate":"a=1"}"#;
        assert_eq!(of(both).as_ref().and_then(TraceContext::tracestate), Some("a=1"));
        let lines = r#"{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01","tracestate":"a\nb"}"#;
        assert_eq!(of(lines).map(|context| context.tracestate), Some(None));
        for nothing in [r#"{"tracestate":"a=1"}"#, r#"{"traceparent":7}"#, "{}", "[]"] {
            assert_eq!(of(nothing), None, "{nothing}");
        }
    }
}
