use super::pending::LARGE;
use super::*;
use std::io::{BufRead, Read, Write};
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
fn what_has_gathered_goes_out_before_more_is_read() {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let (input, _sender) = std::io::pipe().expect("a pipe");
    let (outbox, input) = (Outbox::new(OwnedFd::from(writer).into()), File::from(OwnedFd::from(input)));
    assert!(outbox.settle(&input));
    outbox.put(b"1".to_vec(), When::Soon);
    outbox.put(b"2".to_vec(), When::Soon);
    // There is no thread that looks after it.
    assert!(outbox.settle(&input));
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
fn the_reader_writes_until_there_is_something_to_read() {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let (input, mut sender) = std::io::pipe().expect("a pipe");
    let (outbox, input) = (Outbox::new(OwnedFd::from(writer).into()), File::from(OwnedFd::from(input)));
    let large = vec![b'x'; 1024 * 1024];
    let mut got = vec![0; large.len() + 1];
    // The peer reads, and sends nothing: all of it goes out, though there is no thread.
    outbox.put(large.clone(), When::BeforeReading);
    std::thread::scope(|scope| {
        scope.spawn(|| reader.read_exact(&mut got).expect("it comes"));
        assert!(outbox.settle(&input));
    });
    assert!(got.starts_with(&large) && got.ends_with(b"\n"));
    // The peer sends, and reads nothing: it is heard, and gets the rest from the thread.
    outbox.put(large.clone(), When::BeforeReading);
    sender.write_all(b"{}\n").expect("the pipe has room");
    assert!(outbox.settle(&input));
    std::thread::scope(|scope| {
        scope.spawn(|| outbox.write_all());
        reader.read_exact(&mut got).expect("it comes");
        outbox.close();
    });
    assert!(got.starts_with(&large) && got.ends_with(b"\n"));
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
    let (input, _sender) = std::io::pipe().expect("a pipe");
    let input = File::from(OwnedFd::from(input));
    let outbox = Arc::new(Outbox::new(OwnedFd::from(writer).into()));
    let thread = std::thread::spawn({
        let outbox = Arc::clone(&outbox);
        move || outbox.write_all()
    });
    drop(reader);
    outbox.put(b"{}".to_vec(), When::Now);
    thread.join().expect("the thread ends, though nothing was closed");
    assert!(!outbox.settle(&input));
    assert!(!outbox.send(b"{}".to_vec()));
    outbox.put(vec![b'x'; 2 * FULL], When::Now);
    assert!(!outbox.settle(&input), "and what is put in all the same is waited for by nobody");
}

#[test]
fn what_the_reader_puts_in_while_somebody_else_writes_goes_out() {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let (input, _sender) = std::io::pipe().expect("a pipe");
    let (outbox, input) = (Outbox::new(OwnedFd::from(writer).into()), File::from(OwnedFd::from(input)));
    outbox.lock().writing = true;
    outbox.put(b"1".to_vec(), When::BeforeReading);
    assert!(outbox.settle(&input), "the reader goes on");
    outbox.lock().writing = false;
    std::thread::scope(|scope| {
        scope.spawn(|| outbox.write_all());
        let mut line = [0; 2];
        reader.read_exact(&mut line).expect("it comes");
        assert_eq!(&line, b"1\n");
        outbox.close();
    });
}
