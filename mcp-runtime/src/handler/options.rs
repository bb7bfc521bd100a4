//! What a description says of every kind of function: how lists show it, what it belongs to, how its calls are limited.

use super::{Describe, Rate};
use crate::model::Icon;
use serde::Serialize;
use std::num::NonZeroU32;
use std::time::Duration;

impl Describe {
    /// One more icon.
    pub fn icon(&mut self, icon: Icon) {
        self.icons.push(icon);
    }

    /// A member of `_meta`.
    pub fn meta<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) {
        match serde_json::to_value(value) {
            Ok(value) => drop(self.meta.get_or_insert_default().insert(key.to_owned(), value)),
            Err(error) => self.problems.push(format!("the value of `{key}` in `meta` is no JSON: {error}")),
        }
    }

    /// Something that the function belongs to.
    pub fn tag(&mut self, tag: &'static str) {
        self.tags.push(tag);
    }

    /// A scope that a caller must have.
    pub fn scope(&mut self, scope: &'static str) {
        self.scopes.push(scope);
    }

    /// A call is given up when it takes longer.
    pub fn timeout(&mut self, milliseconds: u64) {
        self.limits.timeout = Some(Duration::from_millis(milliseconds));
    }

    /// So many calls run at a time; the others wait.
    pub fn concurrency(&mut self, calls: u32) {
        self.limits.concurrency = NonZeroU32::new(calls);
        if calls == 0 {
            self.problems.push("`concurrency` takes a whole number from 1".to_owned());
        }
    }

    /// So many calls may begin in a time.
    pub fn rate_limit(&mut self, calls: u32, milliseconds: u64) {
        let per = Duration::from_millis(milliseconds);
        self.limits.rate = NonZeroU32::new(calls).map(|calls| Rate { calls, per });
    }

    /// A reply has at most so many bytes.
    pub fn max_output(&mut self, bytes: u64) {
        self.limits.max_output = Some(usize::try_from(bytes).unwrap_or(usize::MAX));
    }

    /// A call whose failure may pass is tried again so often.
    pub fn retry(&mut self, attempts: u32) {
        self.limits.retry = Some(attempts);
        if !(1..=10).contains(&attempts) {
            self.problems.push(format!("`retry` takes a whole number from 1 to 10, not {attempts}"));
        }
    }
}
