//! Answers and cancellations of one call.

use super::*;
use crate::sync::schedules::explore;
use crate::wire::Json;
use shuttle::thread;

fn seven() -> Id<'static> {
    Json::of("7").and_then(Id::new).expect("an id")
}

#[test]
fn a_call_is_either_answered_or_cancelled() {
    explore("in flight, one call", || {
        let (table, token) = (Arc::<InFlight>::default(), CancellationToken::new());
        let ticket = table.enter(seven(), token.clone(), 9).expect("a place");
        assert!(table.contains(seven()));
        let by_client = thread::spawn({
            let table = Arc::clone(&table);
            move || table.cancel(seven())
        });
        let by_server = thread::spawn({
            let table = Arc::clone(&table);
            move || table.cancel_all()
        });
        let answered = ticket.leave();
        assert!(!ticket.leave(), "an answer goes out once");
        by_client.join().expect("it ends");
        by_server.join().expect("it ends");
        assert_ne!(answered, token.is_cancelled());
        assert!(!table.contains(seven()) && table.count.load(Ordering::SeqCst) == 0);
    });
}

#[test]
fn a_later_call_of_the_same_id_is_another_one() {
    explore("in flight, an id again", || {
        let (table, tokens) = (Arc::<InFlight>::default(), [CancellationToken::new(), CancellationToken::new()]);
        let first = table.enter(seven(), tokens[0].clone(), 9).expect("a place");
        let canceller = thread::spawn({
            let table = Arc::clone(&table);
            move || table.cancel(seven())
        });
        let answered = first.leave();
        let second = table.enter(seven(), tokens[1].clone(), 9);
        // Its place is given up a second time.
        drop(first);
        canceller.join().expect("it ends");
        let second = second.expect("the first has left");
        assert!(!(answered && tokens[0].is_cancelled()) && (answered || tokens[0].is_cancelled()));
        assert_eq!(second.leave(), !tokens[1].is_cancelled());
        assert!(!(tokens[0].is_cancelled() && tokens[1].is_cancelled()), "one cancellation ends one call");
    });
}
