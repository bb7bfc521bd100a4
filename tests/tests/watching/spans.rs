//! A layer that keeps what is known of each span and event.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Fields by name.
pub(crate) type Fields = BTreeMap<String, String>;

/// What has been seen, in the order in which it ended.
#[derive(Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Vec<Noted>>>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Noted {
    /// A span of a request has ended.
    Span(Fields),
    /// An event in the span of that name (`otel.name`), or in none.
    Event(String, Option<String>, Fields),
}

impl Seen {
    fn note(&self, noted: Noted) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(noted);
    }

    /// Takes out what has been seen.
    pub(crate) fn take(&self) -> Vec<Noted> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes out the spans that have ended.
    pub(crate) fn spans(&self) -> Vec<Fields> {
        let spans = self.take().into_iter().filter_map(|noted| match noted {
            Noted::Span(fields) => Some(fields),
            Noted::Event(..) => None,
        });
        spans.collect()
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Seen {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut visitor = Visitor(Fields::new());
        attributes.record(&mut visitor);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(visitor.0);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let span = context.span(id).expect("the span is there");
        let mut extensions = span.extensions_mut();
        let mut visitor = Visitor(extensions.remove::<Fields>().unwrap_or_default());
        values.record(&mut visitor);
        extensions.insert(visitor.0);
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut visitor = Visitor(Fields::new());
        event.record(&mut visitor);
        let name = |fields: &Fields| fields.get("otel.name").cloned();
        let within = context.event_span(event).and_then(|span| span.extensions().get::<Fields>().and_then(name));
        self.note(Noted::Event(event.metadata().target().to_owned(), within, visitor.0));
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let span = context.span(&id).expect("the span is there");
        if span.metadata().target() == "mcp::request" {
            let fields = span.extensions().get::<Fields>().cloned().unwrap_or_default();
            self.note(Noted::Span(fields));
        }
    }
}

struct Visitor(Fields);

impl Visit for Visitor {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}
