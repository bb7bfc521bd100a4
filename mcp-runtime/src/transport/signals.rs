//! The wishes of the system and of its user that the process end.

use std::future::Future;
use std::io;
use std::time::Duration;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// What has been asked for so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Ending {
    /// To end when what is under way is done.
    pub(super) soon: CancellationToken,
    /// To end at once.
    pub(super) now: CancellationToken,
}

/// Does some work that ends by itself when it is asked to: by the first signal to end soon, and by the second one, or when
/// `grace` has passed, to end at once.
///
/// A thread of its own sees to that: functions that never return may hold every thread of the runtime, and its clock with
/// them.
///
/// # Errors
/// The signals cannot be seen.
pub(super) async fn obeying<F: Future>(grace: Duration, work: impl FnOnce(Ending) -> F) -> io::Result<F::Output> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut signals = {
        let _inside = runtime.enter();
        Signals::listen()?
    };
    let (ending, over) = (Ending::default(), CancellationToken::new());
    let watch = {
        let (ending, over) = (ending.clone(), over.clone());
        async move {
            let asked = async {
                signals.next().await;
                ending.soon.cancel();
                let _ = timeout(grace, signals.next()).await;
                ending.now.cancel();
            };
            over.run_until_cancelled(asked).await;
        }
    };
    let _over = over.drop_guard();
    std::thread::Builder::new().name("mcp-signals".to_owned()).spawn(move || runtime.block_on(watch))?;
    Ok(work(ending).await)
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Ctrl-C is all that there is.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Signals)
    }

    async fn next(&mut self) {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::error!(%error, "Ctrl-C cannot be seen");
            std::future::pending::<()>().await;
        }
    }
}
