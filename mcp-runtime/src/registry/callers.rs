//! The limits of what each principal may call, and of what all of them may call together.

use super::limits::{Bucket, Turns, admit, bucket, turns};
use crate::Principal;
use crate::handler::{Rate, Shared};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// So many principals are counted apart. Whoever comes when there is no place for more is counted with all others without one.
const MOST: usize = 10_000;
/// A full table is looked through once in this time.
const SWEEP: Duration = Duration::from_secs(1);

/// What limits the calls of all functions of a server together.
pub(crate) struct SharedLimits {
    callers: Option<Callers>,
    rate: Option<Bucket>,
    /// A call that runs holds one of these.
    pub(crate) turns: Turns,
}

impl SharedLimits {
    /// None if nothing is limited.
    pub(crate) fn new(per_principal: Shared, per_server: Shared) -> Option<Box<Self>> {
        let limits = || SharedLimits {
            callers: (!per_principal.is_none()).then(|| Callers::new(per_principal)),
            rate: per_server.rate.and_then(bucket),
            turns: turns(per_server.concurrency),
        };
        (!per_principal.is_none() || !per_server.is_none()).then(|| Box::new(limits()))
    }

    /// Counts a call: for its caller, for its function, and then, if these let it through, for the server, so that nobody beyond a
    /// limit of their own takes anything away from others. An error says how long this caller has to wait before there may be
    /// another.
    pub(crate) fn admit(
        &self,
        principal: Option<&Principal>,
        function: impl FnOnce() -> Result<(), Duration>,
    ) -> Result<(), Duration> {
        if let Some(callers) = self.callers.as_ref().filter(|callers| callers.limits.rate.is_some()) {
            callers.of(principal, |caller| admit(caller.bucket.as_ref()))?;
        }
        function()?;
        admit(self.rate.as_ref())
    }

    /// The turns of a principal.
    pub(crate) fn turns_of(&self, principal: Option<&Principal>) -> Turns {
        let callers = self.callers.as_ref().filter(|callers| callers.limits.concurrency.is_some())?;
        callers.of(principal, |caller| caller.turns.clone())
    }
}

/// What each principal may call, over all functions.
struct Callers {
    limits: Shared,
    table: Mutex<Table>,
}

struct Table {
    callers: HashMap<Arc<str>, Caller>,
    /// For those without a place, and those who are not known.
    others: Caller,
    swept: Option<Instant>,
}

struct Caller {
    bucket: Option<Bucket>,
    turns: Turns,
    last: Instant,
}

impl Caller {
    fn new(limits: Shared) -> Self {
        Caller { bucket: limits.rate.and_then(bucket), turns: turns(limits.concurrency), last: Instant::now() }
    }

    /// Does a call of it run, or wait?
    fn is_calling(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| Arc::strong_count(turns) > 1)
    }
}

impl Callers {
    fn new(limits: Shared) -> Self {
        let table = Table { callers: HashMap::new(), others: Caller::new(limits), swept: None };
        Callers { limits, table: Mutex::new(table) }
    }

    /// Looks at what is known of a caller.
    fn of<R>(&self, principal: Option<&Principal>, look: impl FnOnce(&Caller) -> R) -> R {
        // The table is whole after every statement.
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(name) = principal.map(Principal::name) else { return look(&table.others) };
        let now = Instant::now();
        if let Some(caller) = table.callers.get_mut(&**name) {
            caller.last = now;
            return look(caller);
        }
        if !table.has_room(now, self.limits.rate) {
            return look(&table.others);
        }
        look(table.callers.entry(Arc::clone(name)).or_insert(Caller::new(self.limits)))
    }
}

impl Table {
    /// Is there a place for one more? Whoever has been quiet for the time of the rate may call as often as somebody new: nothing is
    /// lost when they are forgotten.
    fn has_room(&mut self, now: Instant, rate: Option<Rate>) -> bool {
        if self.callers.len() >= MOST && self.swept.is_none_or(|swept| now.duration_since(swept) >= SWEEP) {
            self.swept = Some(now);
            let per = rate.map_or(Duration::ZERO, |rate| rate.per);
            self.callers.retain(|_, caller| caller.is_calling() || now.duration_since(caller.last) < per);
        }
        self.callers.len() < MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    const TWO: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);

    fn limits() -> SharedLimits {
        let rate = Some(Rate { calls: TWO, per: Duration::from_secs(10) });
        *SharedLimits::new(Shared { rate, concurrency: None }, Shared::default()).expect("there is a limit")
    }

    fn admit(limits: &SharedLimits, name: Option<&str>) -> Result<(), Duration> {
        limits.admit(name.map(Principal::new).as_ref(), || Ok(()))
    }

    fn admitted(limits: &SharedLimits, name: &str) -> bool {
        admit(limits, Some(name)).is_ok()
    }

    fn known(limits: &SharedLimits) -> usize {
        limits.callers.as_ref().expect("callers are counted").table.lock().unwrap().callers.len()
    }

    #[tokio::test(start_paused = true)]
    async fn each_principal_has_its_own_and_the_unknown_share_one() {
        let limits = limits();
        assert!(admitted(&limits, "ada") && admitted(&limits, "ada") && !admitted(&limits, "ada"));
        assert!(admitted(&limits, "bob"));
        assert!(admit(&limits, None).is_ok() && admit(&limits, None).is_ok());
        assert_eq!(admit(&limits, None), Err(Duration::from_secs(5)));
        tokio::time::advance(Duration::from_secs(5)).await;
        assert!(admitted(&limits, "ada") && !admitted(&limits, "ada"));
    }

    #[tokio::test(start_paused = true)]
    async fn the_table_is_bounded_and_the_quiet_make_room() {
        let limits = limits();
        assert!((0..MOST).all(|number| admitted(&limits, &format!("caller {number}"))));
        let newcomers = ["x", "y", "z"].map(|name| admitted(&limits, name));
        assert_eq!(newcomers, [true, true, false], "those without a place share one");
        assert_eq!(known(&limits), MOST);
        tokio::time::advance(Duration::from_secs(9)).await;
        assert!(admitted(&limits, "caller 7"));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(admitted(&limits, "x") && admitted(&limits, "x") && !admitted(&limits, "x"), "it has a place now");
        assert_eq!(known(&limits), 2, "who was quiet has been forgotten, who was not has stayed");
    }

    #[tokio::test(start_paused = true)]
    async fn who_calls_keeps_its_place_and_its_turns() {
        let per_principal = Shared { rate: None, concurrency: Some(TWO) };
        let limits = SharedLimits::new(per_principal, Shared::default()).expect("there is a limit");
        let turns = |name: &str| limits.turns_of(Some(&Principal::new(name))).expect("turns are counted");
        let ada = turns("ada").try_acquire_owned().expect("a turn");
        (1..MOST).for_each(|number| drop(turns(&format!("caller {number}"))));
        assert_eq!(turns("x").available_permits(), 2);
        assert_eq!(known(&limits), 2, "all but those whose calls run have made room");
        assert_eq!(turns("ada").available_permits(), 1);
        drop(ada);
        assert_eq!(turns("ada").available_permits(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_beyond_a_limit_takes_nothing_away_from_others() {
        let rate = |calls| Some(Rate { calls, per: Duration::from_secs(10) });
        let one = Shared { rate: rate(NonZeroU32::MIN), concurrency: None };
        let limits = SharedLimits::new(one, Shared { rate: rate(TWO), concurrency: None }).expect("there are limits");
        assert!(admitted(&limits, "ada"));
        assert!((0..100).all(|_| !admitted(&limits, "ada")));
        assert!(
            limits.admit(Some(&Principal::new("eve")), || Err(Duration::ZERO)).is_err(),
            "her function is too busy"
        );
        assert!(admitted(&limits, "bob"));
        assert!(!admitted(&limits, "cleo"), "that is all for the server");
    }
}
