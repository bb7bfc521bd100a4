//! The limit of what each principal may call.

use super::limits::{Bucket, admit, bucket};
use crate::Principal;
use crate::handler::Rate;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// So many principals are counted apart. Whoever comes when there is no place for more is counted with all others without one.
const MOST: usize = 10_000;
/// A full table is looked through once in this time.
const SWEEP: Duration = Duration::from_secs(1);

/// How often each principal may call, over all functions.
pub(crate) struct CallerLimits {
    rate: Rate,
    table: Mutex<Table>,
}

struct Table {
    callers: HashMap<Arc<str>, Caller>,
    /// For those without a place, and those who are not known.
    others: Option<Bucket>,
    swept: Option<Instant>,
}

struct Caller {
    bucket: Option<Bucket>,
    last: Instant,
}

impl CallerLimits {
    pub(crate) fn new(rate: Rate) -> Self {
        let table = Table { callers: HashMap::new(), others: bucket(rate), swept: None };
        CallerLimits { rate, table: Mutex::new(table) }
    }

    /// Counts a call. An error says how long this caller has to wait before there may be another.
    pub(crate) fn admit(&self, principal: Option<&Principal>) -> Result<(), Duration> {
        // The table is whole after every statement.
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(name) = principal.map(Principal::name) else { return admit(table.others.as_ref()) };
        let now = Instant::now();
        if let Some(caller) = table.callers.get_mut(&**name) {
            caller.last = now;
            return admit(caller.bucket.as_ref());
        }
        if !table.has_room(now, self.rate.per) {
            return admit(table.others.as_ref());
        }
        let caller = Caller { bucket: bucket(self.rate), last: now };
        let admitted = admit(caller.bucket.as_ref());
        table.callers.insert(Arc::clone(name), caller);
        admitted
    }
}

impl Table {
    /// Is there a place for one more? Whoever has been quiet for the time of the rate may call as often as somebody new: nothing is
    /// lost when they are forgotten.
    fn has_room(&mut self, now: Instant, per: Duration) -> bool {
        if self.callers.len() >= MOST && self.swept.is_none_or(|swept| now.duration_since(swept) >= SWEEP) {
            self.swept = Some(now);
            self.callers.retain(|_, caller| now.duration_since(caller.last) < per);
        }
        self.callers.len() < MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    fn limits() -> CallerLimits {
        CallerLimits::new(Rate { calls: NonZeroU32::new(2).expect("two"), per: Duration::from_secs(10) })
    }

    fn admitted(limits: &CallerLimits, name: &str) -> bool {
        limits.admit(Some(&Principal::new(name))).is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn each_principal_has_its_own_and_the_unknown_share_one() {
        let limits = limits();
        assert!(admitted(&limits, "ada") && admitted(&limits, "ada") && !admitted(&limits, "ada"));
        assert!(admitted(&limits, "bob"));
        assert!(limits.admit(None).is_ok() && limits.admit(None).is_ok());
        assert_eq!(limits.admit(None), Err(Duration::from_secs(5)));
        tokio::time::advance(Duration::from_secs(5)).await;
        assert!(admitted(&limits, "ada") && !admitted(&limits, "ada"));
    }

    #[tokio::test(start_paused = true)]
    async fn the_table_is_bounded_and_the_quiet_make_room() {
        let limits = limits();
        let count = |limits: &CallerLimits| limits.table.lock().unwrap().callers.len();
        assert!((0..MOST).all(|number| admitted(&limits, &format!("caller {number}"))));
        let newcomers = ["x", "y", "z"].map(|name| admitted(&limits, name));
        assert_eq!(newcomers, [true, true, false], "those without a place share one");
        assert_eq!(count(&limits), MOST);
        tokio::time::advance(Duration::from_secs(9)).await;
        assert!(admitted(&limits, "caller 7"));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(admitted(&limits, "x") && admitted(&limits, "x") && !admitted(&limits, "x"), "it has a place now");
        assert_eq!(count(&limits), 2, "who was quiet has been forgotten, who was not has stayed");
    }
}
