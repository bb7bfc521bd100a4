use super::*;
use std::io::{BufRead, Read};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::mpsc::channel;

#[test]
fn what_goes_out_soon_goes_out_though_nothing_follows() {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let outbox = Arc::new(Outbox::new(OwnedFd::from(writer).into()));
    let thread = std::thread::spawn({
        let outbox = Arc::clone(&outbox);
        move || outbox.write_all()
    });
    let mut line = [0; 3];
    for _ in 0..3 {
        outbox.put(b"{}".to_vec(), When::Soon);
        reader.read_exact(&mut line).expect("it comes");
        assert_eq!(&line, b"{}\n");
    }
    outbox.close();
    thread.join().expect("the thread ends");
}

#[test]
fn what_has_gathered_goes_out_at_once_when_nothing_follows_after_all() {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let outbox = Outbox::new(OwnedFd::from(writer).into());
    outbox.flush();
    outbox.put(b"1".to_vec(), When::Soon);
    outbox.put(b"2".to_vec(), When::Soon);
    // There is no thread that looks after it.
    outbox.flush();
    drop(outbox);
    let mut all = String::new();
    reader.read_to_string(&mut all).expect("the pipe is whole");
    assert_eq!(all, "1\n2\n");
}

#[test]
fn whoever_has_an_answer_does_not_wait_for_the_peer() {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let outbox = Arc::new(Outbox::new(OwnedFd::from(writer).into()));
    let messages: Vec<Vec<u8>> = (0..200).map(|n| format!("{n}:{}", "x".repeat(n * 100)).into_bytes()).collect();
    // Nobody reads, and nobody else writes.
    for (n, message) in messages.iter().enumerate() {
        outbox.put(message.clone(), if n % 3 == 0 { When::Soon } else { When::Now });
    }
    let thread = std::thread::spawn({
        let outbox = Arc::clone(&outbox);
        move || outbox.write_all()
    });
    outbox.close();
    let reading = std::thread::spawn(move || {
        let mut all = Vec::new();
        reader.read_to_end(&mut all).expect("the pipe is whole");
        all
    });
    thread.join().expect("the thread ends");
    drop(outbox);
    let expected: Vec<u8> = messages.into_iter().flat_map(|message| [message, b"\n".to_vec()].concat()).collect();
    assert!(reading.join().expect("the reader ends") == expected, "whole and in order");
}

#[test]
fn news_are_kept_back_until_the_peer_has_read() {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let outbox = Arc::new(Outbox::new(OwnedFd::from(writer).into()));
    let (resumed, resume) = channel();
    outbox.when_roomy(Box::new(move || resumed.send(()).expect("the test waits")));
    let writing = std::thread::spawn({
        let outbox = Arc::clone(&outbox);
        move || outbox.write_all()
    });
    let message = vec![b'x'; BUSY];
    let mut sent = 0;
    // The pipe takes some, the writer holds some, and the rest waits.
    while outbox.has_room() {
        assert!(outbox.send(message.clone()));
        sent += 1;
    }
    assert!(sent < 16, "{sent} messages were taken from a peer that does not read");
    assert!(resume.try_recv().is_err());
    assert!(!outbox.has_room(), "nobody else gets ahead of what is kept back");
    let reading = std::thread::spawn(move || {
        let mut all = Vec::new();
        reader.read_to_end(&mut all).expect("the pipe is whole");
        all.len()
    });
    resume.recv().expect("there is room again");
    assert!(outbox.has_room());
    outbox.close();
    writing.join().expect("the writer ends");
    drop(outbox);
    assert_eq!(reading.join().expect("the reader ends"), sent * (BUSY + 1));
}

#[test]
fn many_who_write_at_once_lose_nothing_and_keep_their_order() {
    /// How many write, and how much each.
    const WRITERS: usize = 4;
    const EACH: usize = 600;
    let size = |writer: usize, n: usize| if n % 50 == writer { 3 * LARGE } else { n };
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let outbox = Arc::new(Outbox::new(OwnedFd::from(writer).into()));
    let thread = std::thread::spawn({
        let outbox = Arc::clone(&outbox);
        move || outbox.write_all()
    });
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let outbox = Arc::clone(&outbox);
            std::thread::spawn(move || {
                for n in 0..EACH {
                    let message = format!("{writer} {n} {}", "x".repeat(size(writer, n))).into_bytes();
                    outbox.put(message, if (n + writer) % 3 == 0 { When::Now } else { When::Soon });
                    if n % 7 == 0 {
                        outbox.flush();
                    }
                }
            })
        })
        .collect();
    // The pipe is full most of the time, and nothing is closed before all is there.
    let mut seen = [0; WRITERS];
    for line in io::BufReader::with_capacity(1_021, reader).lines().take(WRITERS * EACH) {
        let line = line.expect("the pipe is whole");
        let mut words = line.split(' ');
        let mut number = || words.next().and_then(|word| word.parse::<usize>().ok());
        let (Some(writer), Some(n)) = (number(), number()) else { panic!("{line}") };
        assert_eq!(n, seen[writer], "of writer {writer}");
        assert_eq!(words.next().map(str::len), Some(size(writer, n)), "of writer {writer}, message {n}");
        seen[writer] += 1;
    }
    assert_eq!(seen, [EACH; WRITERS]);
    writers.into_iter().for_each(|writer| writer.join().expect("it has put in everything"));
    outbox.close();
    thread.join().expect("the thread ends");
}

#[test]
fn a_peer_that_is_gone_is_written_to_no_more() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let outbox = Arc::new(Outbox::new(OwnedFd::from(writer).into()));
    let thread = std::thread::spawn({
        let outbox = Arc::clone(&outbox);
        move || outbox.write_all()
    });
    drop(reader);
    outbox.put(b"{}".to_vec(), When::Now);
    thread.join().expect("the thread ends, though nothing was closed");
    assert!(!outbox.wait_for_room());
    assert!(!outbox.send(b"{}".to_vec()));
    outbox.put(vec![b'x'; 2 * FULL], When::Now);
    assert!(!outbox.wait_for_room(), "and what is put in all the same is waited for by nobody");
}
