//! Messages, readers and the end of a stream.

use super::*;
use crate::sync::schedules::explore;
use shuttle::future::block_on;
use shuttle::thread;
use std::future::poll_fn;

/// Everything that a reader gets until its time is over.
fn read(queue: &Queue, reader: Reader) -> Vec<Vec<u8>> {
    let mut got = Vec::new();
    while let Some(queued) = block_on(poll_fn(|cx| queue.poll(reader, cx))) {
        assert!(!queued.is_empty(), "a reader is woken for something");
        got.extend(queued.into_iter().map(|queued| queued.message));
    }
    got
}

/// Two messages in a row and one of another thread, of which the last finishes the stream.
fn senders(queue: &Arc<Queue>) -> [thread::JoinHandle<()>; 2] {
    let (call, beside) = (Arc::clone(queue), Arc::clone(queue));
    let beside = thread::spawn(move || {
        beside.send(b"beside".to_vec());
    });
    let call = thread::spawn(move || {
        assert!(call.send(b"first".to_vec()));
        call.finish(Some(b"answer".to_vec()));
    });
    [beside, call]
}

fn judge(got: &[Vec<u8>]) {
    let count = |message: &[u8]| got.iter().filter(|got| **got == message).count();
    let own: Vec<_> = got.iter().filter(|message| **message != b"beside").collect();
    assert_eq!(own, [&b"first"[..], b"answer"], "once and in order");
    // Nothing is taken after the end.
    assert!(count(b"beside") <= 1);
    assert_eq!(got.last().map(Vec::as_slice), Some(&b"answer"[..]), "the answer is the last message");
}

#[test]
fn a_reader_gets_everything_once_and_finds_the_end() {
    explore("queue, one reader", || {
        let queue = Arc::new(Queue::default());
        let sending = senders(&queue);
        let got = read(&queue, queue.claim());
        for thread in sending {
            thread.join().expect("it ends");
        }
        assert!(queue.is_empty() && !queue.send(b"late".to_vec()));
        judge(&got);
    });
}

#[test]
fn a_reader_that_comes_later_goes_on_where_the_other_was() {
    explore("queue, two readers", || {
        let queue = Arc::new(Queue::default());
        let reader = queue.claim();
        let sending = senders(&queue);
        let earlier = thread::spawn({
            let queue = Arc::clone(&queue);
            move || read(&queue, reader)
        });
        let later = read(&queue, queue.claim());
        let mut got = earlier.join().expect("the earlier reader finds its end");
        got.extend(later);
        for thread in sending {
            thread.join().expect("it ends");
        }
        judge(&got);
    });
}

#[test]
fn whoever_waits_for_the_first_message_is_woken() {
    explore("queue, the first message", || {
        let queue = Arc::new(Queue::default());
        let sending = thread::spawn({
            let queue = Arc::clone(&queue);
            move || queue.finish(Some(b"answer".to_vec()))
        });
        block_on(poll_fn(|cx| queue.poll_filled(cx)));
        assert_eq!(queue.take().len(), 1);
        sending.join().expect("it ends");
    });
}
