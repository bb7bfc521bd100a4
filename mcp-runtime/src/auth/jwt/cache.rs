//! The keys of an issuer as they were fetched last.
//!
//! They are fetched by one request for all that wait, in a task of its own: a client that goes must not take the keys of the
//! others along. How often is bounded, whatever tokens name.

use super::keys::{JwtAlgorithm, Key, Keys};
use super::source::Source;
use http::Uri;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::Instant;

/// How long keys are used that cannot be fetched anew: a key that was withdrawn must not be good for ever.
const MAX_STALENESS: Duration = Duration::from_secs(24 * 60 * 60);
/// How soon keys are asked for again while there are none.
const RETRY: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(super) struct KeyCache {
    fetched: RwLock<Option<Arc<Fetched>>>,
    /// Whoever fetches holds it.
    flight: Arc<Mutex<Flight>>,
}

struct Fetched {
    keys: Keys,
    at: Instant,
}

#[derive(Default)]
struct Flight {
    /// When the last one began.
    begun: Option<Instant>,
    /// Where the metadata said that the keys are.
    uri: Option<Uri>,
}

/// Why there is no key.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoKey {
    /// The issuer has none of that name for the algorithm.
    Unknown,
    /// Nobody knows the issuer's keys.
    Unavailable,
}

impl KeyCache {
    /// The key for a token.
    pub(super) async fn find(
        self: &Arc<Self>,
        source: &Arc<Source>,
        id: Option<&str>,
        algorithm: JwtAlgorithm,
    ) -> Result<Arc<Key>, NoKey> {
        let known = self.known();
        if let Some(fetched) = &known
            && let Some(key) = fetched.keys.find(id, algorithm)
        {
            if fetched.at.elapsed() >= source.max_age
                && let Ok(flight) = Arc::clone(&self.flight).try_lock_owned()
            {
                self.fetch(source, flight, known.as_ref());
            }
            return Ok(Arc::clone(key));
        }
        let flight = Arc::clone(&self.flight).lock_owned().await;
        if let Some(fetching) = self.fetch(source, flight, known.as_ref()) {
            // A task that panicked has fetched nothing.
            let _ = fetching.await;
        }
        let fetched = self.known().ok_or(NoKey::Unavailable)?;
        fetched.keys.find(id, algorithm).cloned().ok_or(NoKey::Unknown)
    }

    /// The keys, unless they are too old.
    fn known(&self) -> Option<Arc<Fetched>> {
        let fetched = self.fetched.read().unwrap_or_else(PoisonError::into_inner).clone();
        fetched.filter(|fetched| fetched.at.elapsed() < MAX_STALENESS)
    }

    /// Fetches the keys, unless somebody has done so since they were `seen`, or it is too early.
    fn fetch(
        self: &Arc<Self>,
        source: &Arc<Source>,
        mut flight: OwnedMutexGuard<Flight>,
        seen: Option<&Arc<Fetched>>,
    ) -> Option<tokio::task::JoinHandle<()>> {
        let known = self.known();
        let is_news = known.as_ref().map(Arc::as_ptr) != seen.map(Arc::as_ptr);
        let interval = if known.is_some() { source.interval } else { source.interval.min(RETRY) };
        if is_news || flight.begun.is_some_and(|begun| begun.elapsed() < interval) {
            return None;
        }
        let (cache, source) = (Arc::clone(self), Arc::clone(source));
        Some(tokio::spawn(async move {
            flight.begun = Some(Instant::now());
            match source.fetch(&mut flight.uri).await {
                Ok(keys) => {
                    let fetched = Arc::new(Fetched { keys, at: Instant::now() });
                    *cache.fetched.write().unwrap_or_else(PoisonError::into_inner) = Some(fetched);
                }
                Err(problem) => {
                    let issuer = &*source.issuer;
                    tracing::warn!(issuer, problem, "the keys of an issuer of tokens cannot be fetched");
                }
            }
        }))
    }
}
