//! The threads of stdio around the outbox, and a peer that reads and writes.

use super::*;
use crate::sync::schedules::explore_at_random;
use shuttle::thread;
use std::sync::Arc;

/// The system's streams, made of what the model checker knows.
pub(super) mod streams {
    use crate::sync::{Condvar, Mutex};
    use std::cell::RefCell;
    use std::fs::File;
    use std::io;
    use std::sync::Arc;

    /// What one can go on with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in super::super) enum Ready {
        Input,
        Output,
    }

    #[derive(Default)]
    pub(super) struct Pipes {
        pub(super) state: Mutex<State>,
        pub(super) changed: Condvar,
    }

    #[derive(Default)]
    pub(super) struct State {
        /// On their way to the peer.
        pub(super) out: Vec<u8>,
        /// How many bytes may be on their way.
        room: usize,
        /// How many messages of the peer can be read.
        pub(super) input: usize,
        /// The peer has gone.
        pub(super) broken: bool,
    }

    thread_local! {
        /// Those of the scenario that is running: all of its threads are one of the system.
        static CURRENT: RefCell<Arc<Pipes>> = RefCell::default();
    }

    /// Pipes of which the one to the peer takes so many bytes.
    pub(super) fn begin(room: usize) -> Arc<Pipes> {
        let pipes = Arc::<Pipes>::default();
        pipes.state.lock().expect("whole").room = room;
        CURRENT.set(Arc::clone(&pipes));
        pipes
    }

    fn pipes() -> Arc<Pipes> {
        CURRENT.with_borrow(Arc::clone)
    }

    pub(in super::super) fn write_some(_: &File, bytes: &[u8]) -> io::Result<usize> {
        let pipes = pipes();
        let mut state = pipes.state.lock().expect("whole");
        if state.broken {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let count = bytes.len().min(state.room - state.out.len());
        state.out.extend_from_slice(&bytes[..count]);
        pipes.changed.notify_all();
        Ok(count)
    }

    pub(in super::super) fn write_whole(output: &File, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let count = write_some(output, rest)?;
            rest = &rest[count..];
            let pipes = pipes();
            let state = pipes.state.lock().expect("whole");
            drop(pipes.changed.wait_while(state, |state| state.out.len() == state.room && !state.broken));
        }
        Ok(bytes.len())
    }

    pub(in super::super) fn await_either(_: &File, _: &File) -> io::Result<Ready> {
        let pipes = pipes();
        let state = pipes.state.lock().expect("whole");
        let wait = |state: &mut State| state.input == 0 && state.out.len() == state.room && !state.broken;
        let state = pipes.changed.wait_while(state, wait).expect("whole");
        Ok(if state.input > 0 { Ready::Input } else { Ready::Output })
    }
}

fn nowhere() -> File {
    File::open("/dev/null").expect("it is there")
}

/// Reads until so many bytes have come, and gives the lines.
fn peer(pipes: &streams::Pipes, bytes: usize) -> Vec<String> {
    let mut got = Vec::new();
    while got.len() < bytes {
        let state = pipes.state.lock().expect("whole");
        let mut state = pipes.changed.wait_while(state, |state| state.out.is_empty()).expect("whole");
        got.append(&mut state.out);
        pipes.changed.notify_all();
    }
    let text = String::from_utf8(got).expect("UTF-8");
    text.lines().map(str::to_owned).collect()
}

/// The thread that reads: so many messages of the peer, each with two answers, of which the first can wait for the second.
fn reader(pipes: &streams::Pipes, outbox: &Outbox, messages: usize) {
    let input = nowhere();
    for number in 0..messages {
        assert!(outbox.settle(&input));
        {
            let state = pipes.state.lock().expect("whole");
            let mut state = pipes.changed.wait_while(state, |state| state.input == 0).expect("whole");
            state.input -= 1;
        }
        outbox.put(format!("r{number}a").into_bytes(), When::Soon);
        outbox.put(format!("r{number}b").into_bytes(), When::BeforeReading);
    }
    assert!(outbox.settle(&input));
}

/// Whatever the order of threads, all that is put in goes out, whole, once, and in the order of each thread, though nobody closes
/// the outbox and nobody puts in anything more.
#[test]
fn everything_goes_out_once_and_without_another_push() {
    explore_at_random("outbox", || {
        let pipes = streams::begin(5);
        let outbox = Arc::new(Outbox::new(nowhere()));
        let writing = thread::spawn({
            let outbox = Arc::clone(&outbox);
            move || outbox.write_all()
        });
        let reading = thread::spawn({
            let (pipes, outbox) = (Arc::clone(&pipes), Arc::clone(&outbox));
            move || reader(&pipes, &outbox, 2)
        });
        let calling = thread::spawn({
            let outbox = Arc::clone(&outbox);
            move || {
                assert!(outbox.send(b"news".to_vec()));
                outbox.answer(b"done".to_vec());
            }
        });
        pipes.state.lock().expect("whole").input = 2;
        pipes.changed.notify_all();
        let lines = peer(&pipes, 4 * "r0a\n".len() + 2 * "news\n".len());
        reading.join().expect("it ends");
        calling.join().expect("it ends");
        outbox.close();
        writing.join().expect("the writer ends");
        let of = |first: &str| lines.iter().filter(|line| line.starts_with(first)).cloned().collect::<Vec<_>>();
        assert_eq!(of("r"), ["r0a", "r0b", "r1a", "r1b"]);
        assert_eq!((of("n"), of("d")), (vec!["news".to_owned()], vec!["done".to_owned()]));
        assert!(lines.iter().position(|line| line == "news") < lines.iter().position(|line| line == "done"));
    });
}

/// When the peer goes, everybody learns of it: the reader, whoever has an answer, and the thread that may wait.
#[test]
fn nobody_waits_for_a_peer_that_has_gone() {
    explore_at_random("outbox, the peer goes", || {
        let pipes = streams::begin(5);
        let outbox = Arc::new(Outbox::new(nowhere()));
        let writing = thread::spawn({
            let outbox = Arc::clone(&outbox);
            move || outbox.write_all()
        });
        let calling = thread::spawn({
            let outbox = Arc::clone(&outbox);
            move || {
                outbox.answer(b"a long answer".to_vec());
                outbox.answer(b"and another one".to_vec());
            }
        });
        pipes.state.lock().expect("whole").broken = true;
        pipes.changed.notify_all();
        outbox.settle(&nowhere());
        calling.join().expect("it ends");
        outbox.close();
        writing.join().expect("the writer ends");
    });
}

/// News that were kept back come when the peer has read, though nothing else happens.
#[test]
fn what_is_kept_back_comes_when_there_is_room() {
    explore_at_random("outbox, news kept back", || {
        let pipes = streams::begin(BUSY / 3);
        let outbox = Arc::new(Outbox::new(nowhere()));
        let (told, kept) = (Arc::new(Mutex::new(false)), Arc::downgrade(&outbox));
        outbox.when_roomy(Box::new({
            let told = Arc::clone(&told);
            move || {
                if let Some(outbox) = kept.upgrade()
                    && outbox.has_room()
                    && !std::mem::replace(&mut *told.lock().expect("whole"), true)
                {
                    outbox.send(b"news".to_vec());
                }
            }
        }));
        let writing = thread::spawn({
            let outbox = Arc::clone(&outbox);
            move || outbox.write_all()
        });
        let large = BUSY + 1;
        let reading = thread::spawn({
            let pipes = Arc::clone(&pipes);
            move || peer(&pipes, large + 1 + "news\n".len())
        });
        // More waits than news may wait behind.
        outbox.put(vec![b'x'; large], When::Soon);
        if outbox.has_room() && !std::mem::replace(&mut *told.lock().expect("whole"), true) {
            outbox.send(b"news".to_vec());
        }
        let lines = reading.join().expect("it ends");
        assert_eq!(lines.last().map(String::as_str), Some("news"));
        outbox.close();
        writing.join().expect("the writer ends");
    });
}
