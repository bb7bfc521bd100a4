//! What a command line reads from and writes to: the process's streams, or a test's buffers.

use std::future::Future;
use std::io::{self, IsTerminal as _, Read, Write};
use std::pin::Pin;

/// Becomes ready when the person wants to stop.
pub(super) type Interrupt<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// The streams, whether they are terminals, and the wish to stop.
pub(super) struct Console<'a> {
    pub(super) input: &'a mut (dyn Read + Send),
    pub(super) out: &'a mut (dyn Write + Send),
    pub(super) err: &'a mut (dyn Write + Send),
    pub(super) terminals: Terminals,
    pub(super) interrupt: Interrupt<'a>,
}

/// Which streams are terminals.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Terminals {
    pub(super) input: bool,
    pub(super) out: bool,
    pub(super) err: bool,
}

impl Terminals {
    /// Those of the process.
    pub(super) fn of_process() -> Self {
        Terminals { input: io::stdin().is_terminal(), out: io::stdout().is_terminal(), err: io::stderr().is_terminal() }
    }
}

/// Waits for Ctrl-C. From the first poll on it no longer ends the process by itself.
pub(super) fn ctrl_c() -> Interrupt<'static> {
    Box::pin(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
