//! The log of a program with [`mcp_main!`](crate::mcp_main).

use crate::ClientLogs;
use std::io;
use std::sync::OnceLock;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{Interest, Subscriber};
use tracing::{Event, Metadata};
use tracing_core::span::Current;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

type Made = Box<dyn Subscriber + Send + Sync>;

/// Sends the events of functions to their clients, and what the operator must know to standard error: warnings and errors,
/// or as `MCP_LOG` says (`error`, `warn`, `info`, `debug`, `trace`, `off`). A subscriber that is there already stays.
///
/// Commands that call a function print its log messages themselves; what else they log are the errors of the framework, such as the
/// causes that functions keep from their clients.
pub(crate) fn install() {
    let serves = std::env::args().nth(1).is_none_or(|command| command == "serve");
    let chosen: Option<LevelFilter> = std::env::var("MCP_LOG").ok().and_then(|level| level.parse().ok());
    let level = chosen.unwrap_or(if serves { LevelFilter::WARN } else { LevelFilter::ERROR });
    let shown = match chosen.is_some() || serves {
        true => Targets::new().with_default(level),
        false => Targets::new().with_target(env!("CARGO_CRATE_NAME"), level),
    };
    let clients = ClientLogs::new();
    let most = level.max(LevelFilter::DEBUG);
    // Spans are for whoever reads standard error: what clients are sent has none.
    let spans = level;
    let make = move || -> Made {
        let stderr = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
        let stderr = stderr.with_filter(shown.clone());
        Box::new(tracing_subscriber::registry().with(clients.clone()).with(stderr))
    };
    let _ = tracing::subscriber::set_global_default(Late { most, spans, make, made: OnceLock::new() });
}

/// A subscriber that is made when there is something to log, which for most programs is never: its tables take more memory
/// than all functions of a small server.
struct Late<M> {
    /// Nothing beyond this level is wanted.
    most: LevelFilter,
    /// Nor spans beyond this one.
    spans: LevelFilter,
    make: M,
    made: OnceLock<Made>,
}

impl<M: Fn() -> Made + Send + Sync + 'static> Late<M> {
    fn made(&self) -> &Made {
        self.made.get_or_init(&self.make)
    }

    fn wants(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= if metadata.is_span() { self.spans } else { self.most }
    }
}

impl<M: Fn() -> Made + Send + Sync + 'static> Subscriber for Late<M> {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if self.wants(metadata) { self.made().register_callsite(metadata) } else { Interest::never() }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.wants(metadata) && self.made().enabled(metadata)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.most)
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.made().new_span(span)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        self.made().record(span, values);
    }

    fn record_follows_from(&self, span: &Id, follows: &Id) {
        self.made().record_follows_from(span, follows);
    }

    fn event_enabled(&self, event: &Event<'_>) -> bool {
        self.made().event_enabled(event)
    }

    fn event(&self, event: &Event<'_>) {
        self.made().event(event);
    }

    fn enter(&self, span: &Id) {
        self.made().enter(span);
    }

    fn exit(&self, span: &Id) {
        self.made().exit(span);
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.made().clone_span(id)
    }

    fn try_close(&self, id: Id) -> bool {
        self.made().try_close(id)
    }

    fn current_span(&self) -> Current {
        // Nobody is in a span that nobody has made.
        self.made.get().map_or_else(Current::none, |made| made.current_span())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn the_subscriber_is_made_once_and_not_before_something_is_wanted() {
        let times: &'static AtomicUsize = Box::leak(Box::default());
        let make = || -> Made {
            times.fetch_add(1, Ordering::Relaxed);
            Box::new(tracing_subscriber::registry())
        };
        let (most, spans) = (LevelFilter::DEBUG, LevelFilter::INFO);
        let late = Late { most, spans, make, made: OnceLock::new() };
        assert_eq!(late.max_level_hint(), Some(LevelFilter::DEBUG));
        assert!(late.current_span().id().is_none());
        assert_eq!(times.load(Ordering::Relaxed), 0);
        tracing::subscriber::with_default(late, || {
            let unwanted = [tracing::trace_span!("unwanted"), tracing::debug_span!("unwanted")];
            assert!(unwanted.iter().all(tracing::Span::is_disabled));
            let wanted = tracing::info_span!("wanted");
            assert!(!wanted.is_disabled());
            let _inside = wanted.enter();
            assert_eq!(tracing::Span::current().metadata().map(Metadata::name), Some("wanted"));
        });
        assert_eq!(times.load(Ordering::Relaxed), 1);
    }
}
