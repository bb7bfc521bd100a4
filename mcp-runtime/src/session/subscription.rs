//! One subscriber: what it wants to know, and what of it it has not been told yet.
//!
//! No queue of messages waits for a subscriber, only marks: one for each list and one for each of its resources. However much
//! changes while it does not read, it takes no more memory than its filter, holds nobody up, and is told in the end that
//! each of these has changed.

use super::{NamedPlace, Outlet, Subscribers};
use crate::meter;
use crate::model::{Interests, ListKind, ListKinds};
use crate::registry::Access;
use crate::revision;
use crate::sync::{Mutex, MutexGuard};
use crate::wire::{Id, OwnedId};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

/// A subscription of the stateless era, or everything that a session of the handshake era is told.
pub(crate) struct Subscription {
    /// The request that opened it, whose id goes with every message; a session has none.
    id: Option<OwnedId>,
    /// Where messages are put as soon as there is room. Without it they wait for an event stream to fetch them.
    outlet: Option<Arc<dyn Outlet>>,
    /// Where it is entered.
    subscribers: OnceLock<(Weak<Subscribers>, meter::Open)>,
    state: Mutex<State>,
    /// What it takes of what its principal may have.
    place: Option<NamedPlace>,
}

struct State {
    /// It may be told of changes.
    open: bool,
    /// The acknowledgement has not been sent.
    unacknowledged: bool,
    lists: ListKinds,
    changed: ListKinds,
    resources: BTreeMap<Box<str>, Wanted>,
    /// How many of them have changed.
    updated: usize,
    /// What whoever reads now may be told of.
    access: Access,
    waker: Option<Waker>,
}

/// A resource that changes are to be told of.
#[derive(Default)]
struct Wanted {
    changed: bool,
    /// What it takes to be told: a session's later tokens may have less than the one it was wanted with.
    scopes: Box<[&'static str]>,
}

impl Default for State {
    fn default() -> Self {
        State {
            open: false,
            unacknowledged: false,
            lists: ListKinds::default(),
            changed: ListKinds::default(),
            resources: BTreeMap::new(),
            updated: 0,
            access: Access::Whole,
            waker: None,
        }
    }
}

impl Subscription {
    /// A subscription by request. `outlet` is where messages go, unless an event stream fetches them.
    pub(crate) fn listening(id: Id<'_>, interests: Interests, outlet: Option<Arc<dyn Outlet>>) -> Self {
        // It goes on for as long as its request does, and that may be told of all these.
        let resources = interests.resources.into_iter().map(|uri| (uri.into_boxed_str(), Wanted::default())).collect();
        let state = State { open: true, unacknowledged: true, lists: interests.lists, resources, ..Default::default() };
        Subscription {
            id: Some(id.into()),
            outlet,
            subscribers: OnceLock::new(),
            state: Mutex::new(state),
            place: None,
        }
    }

    /// Keeps a place for as long as it goes on.
    pub(crate) fn in_place(mut self, place: Option<NamedPlace>) -> Self {
        self.place = place;
        self
    }

    /// What a session is told. It begins with [`open`](Self::open).
    pub(crate) fn of_session(outlet: Option<Arc<dyn Outlet>>) -> Self {
        Subscription { id: None, outlet, subscribers: OnceLock::new(), state: Mutex::default(), place: None }
    }

    /// Enters it where changes are announced.
    pub(super) fn enter(&self, subscribers: &Arc<Subscribers>) {
        self.subscribers.get_or_init(|| (Arc::downgrade(subscribers), meter::Open::subscription()));
    }

    /// The session may be told of changes from now on, of these lists among others.
    pub(crate) fn open(&self, lists: ListKinds) {
        let mut state = self.lock();
        state.lists = lists;
        state.open = true;
    }

    /// Whoever reads from now on may be told of what these scopes are enough for.
    #[cfg(feature = "http")]
    pub(crate) fn admit(&self, access: Access) {
        self.lock().access = access;
    }

    /// Adds a resource that one is told of who has these scopes; false if there are too many.
    pub(crate) fn want(&self, uri: &str, scopes: &[&'static str], limit: usize) -> bool {
        let mut state = self.lock();
        if state.resources.contains_key(uri) {
            return true;
        }
        let has_room = state.resources.len() < limit;
        if has_room {
            state.resources.insert(uri.into(), Wanted { changed: false, scopes: scopes.into() });
        }
        has_room
    }

    /// How many resources it names.
    pub(super) fn resources(&self) -> usize {
        self.lock().resources.len()
    }

    /// Takes a resource out.
    pub(crate) fn forget(&self, uri: &str) {
        let mut state = self.lock();
        if state.resources.remove(uri).is_some_and(|wanted| wanted.changed) {
            state.updated -= 1;
        }
    }

    /// Lists have changed.
    pub(crate) fn lists_changed(&self, kinds: ListKinds) {
        let mut state = self.lock();
        let news = kinds.and(state.lists);
        if state.open && !news.is_empty() {
            state.changed = state.changed.or(news);
            self.stir(state);
        }
    }

    /// A resource has changed.
    pub(crate) fn resource_updated(&self, uri: &str) {
        let mut guard = self.lock();
        let state = &mut *guard;
        if state.open
            && let Some(wanted) = state.resources.get_mut(uri)
        {
            state.updated += usize::from(!std::mem::replace(&mut wanted.changed, true));
            self.stir(guard);
        }
    }

    /// Puts out what waits, if messages are put and there is room.
    pub(crate) fn flush(&self) {
        self.put(&mut self.lock());
    }

    /// Everything that waits, as soon as there is something.
    pub(crate) fn poll(&self, cx: &mut Context<'_>) -> Poll<Vec<Vec<u8>>> {
        let mut state = self.lock();
        let messages = self.take(&mut state);
        if messages.is_empty() {
            state.waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(messages)
    }

    /// Nothing more is to be told. Gives the id, and what would have been.
    pub(crate) fn end(&self) -> (Option<Id<'_>>, Vec<Vec<u8>>) {
        let mut state = self.lock();
        let rest = self.take(&mut state);
        state.open = false;
        (self.id.as_ref().map(OwnedId::borrow), rest)
    }

    /// After a change: puts it out, or wakes the stream that fetches it.
    fn stir(&self, mut state: MutexGuard<'_, State>) {
        if self.outlet.is_some() {
            self.put(&mut state);
            return;
        }
        let waker = state.waker.take();
        // What a waker does is its own affair.
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Under the lock, so that messages go out in their order. Outlets never block.
    fn put(&self, state: &mut State) {
        let Some(outlet) = &self.outlet else { return };
        if state.has_news() && outlet.has_room() {
            for message in self.take(state) {
                outlet.send(message);
            }
        }
    }

    /// The messages for everything that is marked; the marks are gone.
    fn take(&self, state: &mut State) -> Vec<Vec<u8>> {
        let mut messages = Vec::new();
        if !state.open || !state.has_news() {
            return messages;
        }
        let id = self.id.as_ref().map(OwnedId::borrow);
        if let Some(id) = id.filter(|_| std::mem::take(&mut state.unacknowledged)) {
            messages.push(revision::acknowledged(id, state.lists, state.resources.keys().map(|uri| &**uri)));
        }
        messages
            .extend(std::mem::take(&mut state.changed).iter().map(|kind: ListKind| revision::list_changed(kind, id)));
        if std::mem::take(&mut state.updated) > 0 {
            for (uri, wanted) in &mut state.resources {
                if std::mem::take(&mut wanted.changed) && state.access.admits(&wanted.scopes) {
                    messages.push(revision::resource_updated(uri, id));
                }
            }
        }
        messages
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The marks are whole after every statement.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has_news(&self) -> bool {
        self.unacknowledged || !self.changed.is_empty() || self.updated > 0
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(subscribers) = self.subscribers.get().and_then(|(subscribers, _)| subscribers.upgrade()) {
            subscribers.remove(self);
        }
    }
}

#[cfg(all(test, shuttle))]
mod schedules;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Json;
    use serde_json::Value;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// An outlet whose room a test controls.
    #[derive(Default)]
    struct Reader {
        full: AtomicBool,
        got: Mutex<Vec<Value>>,
    }

    impl Outlet for Reader {
        fn send(&self, message: Vec<u8>) -> bool {
            self.got.lock().expect("whole").push(serde_json::from_slice(&message).expect("JSON"));
            true
        }

        fn has_room(&self) -> bool {
            !self.full.load(Ordering::SeqCst)
        }
    }

    impl Reader {
        fn methods(&self) -> Vec<String> {
            let got = std::mem::take(&mut *self.got.lock().expect("whole"));
            got.iter().map(|message| message["method"].as_str().expect("a method").to_owned()).collect()
        }
    }

    fn listening(id: &str, uris: &[&str], reader: &Arc<Reader>) -> Arc<Subscription> {
        let id = Json::of(id).and_then(Id::new).expect("an id");
        let resources = uris.iter().map(|uri| (*uri).to_owned()).collect();
        let interests = Interests { lists: [ListKind::Tools].into_iter().collect(), resources };
        let outlet: Arc<dyn Outlet> = Arc::<Reader>::clone(reader);
        Arc::new(Subscription::listening(id, interests, Some(outlet)))
    }

    #[test]
    fn the_acknowledgement_comes_first_even_when_a_change_is_faster() {
        let reader = Arc::new(Reader::default());
        let subscription = listening("\"s\"", &[], &reader);
        subscription.lists_changed(ListKind::ALL.into_iter().collect());
        let expected = ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"];
        assert_eq!(reader.methods(), expected, "and prompts were not asked for");
        subscription.flush();
        assert!(reader.methods().is_empty());
    }

    #[test]
    fn whoever_does_not_read_is_told_once_of_each_change() {
        let reader = Arc::new(Reader::default());
        let subscription = listening("1", &["a://1", "a://2", "a://3"], &reader);
        subscription.flush();
        reader.methods();
        reader.full.store(true, Ordering::SeqCst);
        for _ in 0..10_000 {
            subscription.lists_changed([ListKind::Tools].into_iter().collect());
            subscription.resource_updated("a://1");
            subscription.resource_updated("a://2");
            subscription.resource_updated("a://other");
        }
        subscription.forget("a://2");
        assert!(reader.methods().is_empty());
        reader.full.store(false, Ordering::SeqCst);
        subscription.flush();
        assert_eq!(reader.methods(), ["notifications/tools/list_changed", "notifications/resources/updated"]);
    }

    #[test]
    fn whoever_has_ended_is_told_nothing_and_leaves_no_trace() {
        let (reader, subscribers) = (Arc::new(Reader::default()), Arc::new(Subscribers::default()));
        let (one, other) = (listening("1", &[], &reader), listening("2", &[], &reader));
        subscribers.add(&one);
        subscribers.add(&other);
        assert_eq!(one.end().0.map(Id::as_json), Some("1"));
        subscribers.lists_changed([ListKind::Tools].into_iter().collect());
        let ids: Vec<Value> = std::mem::take(&mut *reader.got.lock().expect("whole"))
            .iter()
            .map(|message| message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].clone())
            .collect();
        assert_eq!(ids, [2, 2]);
        drop((one, other));
        assert_eq!(subscribers.count(), 0);
    }
}
