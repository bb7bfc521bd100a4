//! Standard streams belong to the protocol; and clients that are gone, or do not read.

use super::server::{Server, call as over_http, read};
use super::stdio::Process;
use super::{ROUGH, call, json};
use std::io::{BufReader, Write as _};
use std::process::{Command, Stdio};

#[test]
fn nothing_that_prints_reaches_the_protocol_and_nothing_that_reads_takes_from_it() {
    let mut process = Process::start(ROUGH, &[]);
    process.line(&call(1, "prints", "{}"));
    process.line(&call(2, "reads", "{}"));
    process.line(&call(3, "echo", r#"{"text":"x"}"#));
    process.close();
    let (status, lines, errors) = process.wait();
    let texts: Vec<_> =
        lines.iter().map(|line| json(line)["result"]["content"][0]["text"].as_str().map(str::to_owned)).collect();
    let expected = ["true", "0", "x"].map(|text| Some(text.to_owned()));
    assert_eq!((texts, status.code()), (expected.to_vec(), Some(0)), "{lines:?}");
    for printed in ["printed by the function", "written to the descriptor", "printed by a child"] {
        assert!(errors.contains(printed), "{errors}");
    }
}

#[test]
fn a_client_that_is_gone_in_the_middle_of_a_call_ends_the_process_quietly() {
    let mut child = Command::new(ROUGH)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut stdin = child.stdin.take().expect("piped");
    writeln!(stdin, "{}", call(1, "nap", r#"{"ms":100}"#)).expect("the server reads");
    drop(child.stdout.take());
    // The input stays open: the answer that nobody takes is all that tells.
    let output = child.wait_with_output().expect("the process ends");
    drop(stdin);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("panicked"), "{errors}");
}

#[test]
fn clients_over_http_that_vanish_or_do_not_read_hold_nobody_up() {
    let server = Server::start(ROUGH, &[]);
    let large = over_http("echo", &format!(r#"{{"text":"{}"}}"#, "x".repeat(3_000_000)));
    let mut silent = Vec::new();
    for _ in 0..20 {
        // One says half of a request and goes, one goes before the answer, one never reads its answer.
        let mut gone = server.connect();
        gone.write_all(&large.as_bytes()[..large.len() / 2]).expect("the server reads");
        drop(gone);
        let mut impatient = server.connect();
        impatient.write_all(over_http("nap", r#"{"ms":600000}"#).as_bytes()).expect("the server reads");
        drop(impatient);
        let mut deaf = server.connect();
        deaf.write_all(large.as_bytes()).expect("the server reads");
        silent.push(deaf);
    }
    let mut stream = BufReader::new(server.connect());
    for _ in 0..10 {
        stream.get_mut().write_all(over_http("echo", r#"{"text":"x"}"#).as_bytes()).expect("the server reads");
        assert_eq!(read(&mut stream).0, 200);
    }
}
