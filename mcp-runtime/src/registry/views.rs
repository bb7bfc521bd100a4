//! Lists as callers see them who do not have all scopes. Such a list is written when it is asked for with a set of scopes and
//! by a client of a revision for the first time, and kept until the list changes.

use super::access::Access;
use super::pages::{List, ListPages};
use crate::revision::Revision;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many lists are kept; then all of them make place for new ones. Servers have few sets of scopes.
const MOST: usize = 128;

type Key = (List, Revision, Box<[&'static str]>);

/// The lists of a server for parts of its scopes.
#[derive(Default)]
pub(super) struct Views {
    /// The scopes that functions of a list need.
    needed: HashMap<List, BTreeSet<&'static str>>,
    written: Mutex<HashMap<Key, Arc<ListPages>>>,
}

impl Views {
    /// Notes that a function of a list needs these scopes.
    pub(super) fn need(&mut self, list: List, scopes: &[&'static str]) {
        if !scopes.is_empty() {
            self.needed.entry(list).or_default().extend(scopes);
        }
    }

    /// Does what callers see depend on their scopes?
    pub(super) fn differ(&self) -> bool {
        !self.needed.is_empty()
    }

    /// The list as a caller sees it; `None` if the caller sees all of it. `write` writes it.
    pub(super) fn of(
        &self,
        list: List,
        revision: Revision,
        access: &Access,
        write: impl FnOnce() -> Arc<ListPages>,
    ) -> Option<Arc<ListPages>> {
        let needed = self.needed.get(&list)?;
        let held: Box<[&'static str]> = needed.iter().copied().filter(|scope| access.has(scope)).collect();
        if held.len() == needed.len() {
            return None;
        }
        // The lock is held while the list is written: a change that comes in between must find it here and drop it.
        let mut written = self.lock();
        let key = (list, revision, held);
        if let Some(pages) = written.get(&key) {
            return Some(Arc::clone(pages));
        }
        if written.len() >= MOST {
            written.clear();
        }
        let pages = write();
        written.insert(key, Arc::clone(&pages));
        Some(pages)
    }

    /// The list has changed.
    pub(super) fn forget(&self, list: List) {
        self.lock().retain(|(known, ..), _| *known != list);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Arc<ListPages>>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
