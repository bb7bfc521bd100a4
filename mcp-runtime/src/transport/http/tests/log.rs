//! Catches what a thread logs.

use std::cell::RefCell;
use std::fmt::{Debug, Write as _};
use std::sync::Once;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

thread_local! {
    static LINES: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Everything that this thread logs while the value lives.
pub(super) struct Log(());

impl Log {
    pub(super) fn catch() -> Self {
        install();
        LINES.set(Some(Vec::new()));
        Log(())
    }

    pub(super) fn lines(&self) -> Vec<String> {
        LINES.with_borrow(Clone::clone).unwrap_or_default()
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        LINES.set(None);
    }
}

/// Makes every thread's log one that can be caught. It must come before anything is logged: what a place in the code has
/// to do with a log is decided when it is first reached, on whatever thread, and kept.
pub(super) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| tracing::subscriber::set_global_default(Catcher).expect("nobody else does this"));
}

struct Catcher;

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").expect("strings take all");
    }
}

impl Subscriber for Catcher {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        LINES.with_borrow_mut(|lines| {
            if let Some(lines) = lines {
                let mut line = Line(event.metadata().level().to_string());
                event.record(&mut line);
                lines.push(line.0);
            }
        });
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
