//! Changes while somebody reads.

use super::*;
use crate::model::ListKind;
use crate::sync::schedules::explore;
use crate::wire::Json;
use shuttle::future::block_on;
use shuttle::thread;
use std::future::poll_fn;

fn listening(outlet: Option<Arc<dyn Outlet>>) -> Arc<Subscription> {
    let id = Json::of("1").and_then(Id::new).expect("an id");
    let interests = Interests { lists: [ListKind::Tools].into_iter().collect(), resources: vec!["a://1".to_owned()] };
    Arc::new(Subscription::listening(id, interests, outlet))
}

/// Two changes, each on a thread of its own.
fn changes(subscription: &Arc<Subscription>) -> [thread::JoinHandle<()>; 2] {
    let (one, other) = (Arc::clone(subscription), Arc::clone(subscription));
    [
        thread::spawn(move || one.lists_changed([ListKind::Tools].into_iter().collect())),
        thread::spawn(move || other.resource_updated("a://1")),
    ]
}

fn is_of(message: &[u8], method: &str) -> bool {
    String::from_utf8_lossy(message).contains(method)
}

#[test]
fn a_stream_that_fetches_is_woken_for_every_change() {
    explore("subscription, fetched", || {
        let subscription = listening(None);
        let changing = changes(&subscription);
        let mut got: Vec<Vec<u8>> = Vec::new();
        while got.len() < 3 {
            got.extend(block_on(poll_fn(|cx| subscription.poll(cx))));
        }
        for thread in changing {
            thread.join().expect("it ends");
        }
        assert!(is_of(&got[0], "acknowledged"));
        for method in ["tools/list_changed", "resources/updated"] {
            assert_eq!(got.iter().filter(|message| is_of(message, method)).count(), 1, "{method}");
        }
        assert!(subscription.end().1.is_empty());
    });
}

/// An outlet that takes one message at a time, and calls back when it has been taken.
#[derive(Default)]
struct Narrow {
    state: Mutex<(Vec<Vec<u8>>, bool)>,
}

impl Outlet for Narrow {
    fn send(&self, message: Vec<u8>) -> bool {
        self.state.lock().expect("whole").0.push(message);
        true
    }

    fn has_room(&self) -> bool {
        let mut state = self.state.lock().expect("whole");
        state.1 |= !state.0.is_empty();
        !state.1
    }
}

impl Narrow {
    /// Everything that waits; true if something is kept back, which may come now.
    fn take(&self) -> (Vec<Vec<u8>>, bool) {
        let mut state = self.state.lock().expect("whole");
        (std::mem::take(&mut state.0), std::mem::take(&mut state.1))
    }
}

#[test]
fn what_was_kept_back_goes_out_when_there_is_room() {
    explore("subscription, put out", || {
        let outlet = Arc::new(Narrow::default());
        let subscription = listening(Some(Arc::<Narrow>::clone(&outlet)));
        let changing = changes(&subscription);
        let reader = thread::spawn({
            let (outlet, subscription) = (Arc::clone(&outlet), Arc::clone(&subscription));
            move || {
                let (got, kept_back) = outlet.take();
                if kept_back {
                    subscription.flush();
                }
                got
            }
        });
        for thread in changing {
            thread.join().expect("it ends");
        }
        let mut got = reader.join().expect("it ends");
        // Whoever reads once more has everything.
        for _ in 0..2 {
            let (more, kept_back) = outlet.take();
            got.extend(more);
            if kept_back {
                subscription.flush();
            }
        }
        got.extend(outlet.take().0);
        assert!(is_of(&got[0], "acknowledged"));
        for method in ["tools/list_changed", "resources/updated"] {
            assert_eq!(got.iter().filter(|message| is_of(message, method)).count(), 1, "{method}");
        }
    });
}

#[test]
fn whoever_goes_is_told_no_more_and_leaves_no_trace() {
    explore("subscription, ended", || {
        let (subscribers, subscription) = (Arc::<Subscribers>::default(), listening(None));
        subscribers.add(&subscription);
        let announcing = thread::spawn({
            let subscribers = Arc::clone(&subscribers);
            move || subscribers.resource_updated("a://1")
        });
        let told = subscription.end().1.iter().filter(|message| is_of(message, "resources/updated")).count();
        let later = subscription.end().1;
        assert!(told <= 1 && later.is_empty());
        drop(subscription);
        announcing.join().expect("it ends");
        assert_eq!(subscribers.count(), 0);
    });
}
