//! Standard streams: lines in any condition, and how the process ends.

use crate::support::{FIXTURE, META, Process, call};
use mcp_tests::fixture::SECRET;
use serde_json::{Value, json};
use std::collections::HashSet;

fn start() -> Process {
    Process::start(FIXTURE, &[])
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"))
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"))
}

#[test]
fn bad_lines_are_answered_once_and_the_stream_goes_on() {
    let mut process = start();
    process.write(b"\xEF\xBB\xBF");
    process.line(&call("1", "echo", r#"{"text":"first"}"#));
    process.write(b"\r\n\n   \n");
    process.line("garbage");
    process.line("{\"jsonrpc\":");
    process.write(b"\xff\xfe\n");
    process.write(format!("{}\r\n", call("2", "echo", r#"{"text":"last"}"#)).as_bytes());
    assert_eq!(text(&json(&process.read().expect("an answer"))), "first");
    for _ in 0..3 {
        let answer = json(&process.read().expect("an answer"));
        assert_eq!(answer["error"]["code"], -32700);
        assert!(answer.get("id").is_none());
    }
    assert_eq!(text(&json(&process.read().expect("an answer"))), "last");
    process.close();
    let (status, rest, _) = process.wait();
    assert!(status.success() && rest.is_empty());
}

#[test]
fn an_endless_line_is_skipped_and_a_long_message_is_served() {
    let mut process = start();
    let megabyte = vec![b'a'; 1024 * 1024];
    for _ in 0..64 {
        process.write(&megabyte);
    }
    process.write(b"\n");
    let answer = json(&process.read().expect("an answer"));
    assert_eq!(answer["error"]["code"], -32600);
    let long = "x".repeat(4 * 1024 * 1024);
    process.line(&call("1", "echo", &json!({"text": long}).to_string()));
    assert_eq!(text(&json(&process.read().expect("an answer"))), long);
    #[cfg(target_os = "linux")]
    {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", process.child.id())).expect("the process lives");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kilobytes: u64 = peak.trim().trim_end_matches("kB").trim().parse().expect("a number");
        assert!(kilobytes < 3 * 16 * 1024, "peak memory: {kilobytes} kB");
    }
}

#[test]
fn what_has_no_id_is_skipped_for_peers_that_know_no_error_without_one() {
    for (revision, answers) in [("2024-11-05", 0), ("2025-03-26", 0), ("2025-06-18", 0), ("2025-11-25", 3)] {
        let mut process = start();
        let params = json!({
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "tests", "version": "0"},
        });
        process.line(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string());
        assert_eq!(json(&process.read().expect("an answer"))["result"]["protocolVersion"], revision);
        process.line("garbage");
        process.write(b"\xff\xfe\n");
        process.write(&vec![b'a'; 17 * 1024 * 1024]);
        process.line("");
        process.line(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
        for _ in 0..answers {
            let answer = json(&process.read().expect("an answer"));
            assert!(answer.get("id").is_none() && answer["error"]["code"].is_i64(), "{revision}: {answer}");
        }
        assert_eq!(json(&process.read().expect("an answer"))["id"], 2, "{revision}");
        process.close();
        let (status, rest, _) = process.wait();
        assert!(status.success() && rest.is_empty(), "{revision}: {rest:?}");
    }
}

#[test]
fn pieces_of_a_message_are_put_together() {
    let mut process = start();
    process.line(&call("1", "nap", r#"{"ms":20}"#));
    for byte in call("2", "echo", r#"{"text":"é"}"#).as_bytes() {
        process.write(&[*byte]);
    }
    process.write(b"\n");
    let answers = [json(&process.read().expect("an answer")), json(&process.read().expect("an answer"))];
    assert!(answers.iter().any(|answer| answer["id"] == 2 && text(answer) == "é"));
}

#[test]
fn the_last_line_needs_no_line_break_and_what_is_in_flight_is_finished() {
    let mut process = start();
    process.line(&call("1", "nap", r#"{"ms":100}"#));
    process.write(call("2", "echo", r#"{"text":"x"}"#).as_bytes());
    process.close();
    let (status, lines, _) = process.wait();
    assert_eq!(status.code(), Some(0));
    let ids: HashSet<i64> = lines.iter().map(|line| json(line)["id"].as_i64().expect("an id")).collect();
    assert_eq!(ids, HashSet::from([1, 2]));
}

#[test]
fn the_process_ends_with_its_input() {
    let mut process = start();
    process.close();
    let (status, lines, errors) = process.wait();
    assert_eq!((status.code(), lines.len(), errors.as_str()), (Some(0), 0, ""));
}

#[test]
fn a_question_ends_with_the_input() {
    let mut process = start();
    process.line(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"0"}}}"#,
    );
    process.read().expect("an answer");
    process
        .line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"train":"x"}}}"#);
    assert_eq!(json(&process.read().expect("a question"))["method"], "elicitation/create");
    process.close();
    let (status, lines, _) = process.wait();
    assert!(status.success());
    let answer = json(&lines.concat());
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(1), &json!(true)), "{answer}");
}

#[test]
fn what_functions_print_never_reaches_the_protocol() {
    let mut process = start();
    process.line(&call("1", "noisy", "{}"));
    process.line(&call("2", "boom", "{}"));
    process.line(&call("3", "echo", r#"{"text":"x"}"#));
    process.close();
    let (status, lines, errors) = process.wait();
    assert!(status.success());
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(text(&json(&lines[0])), "printed: true");
    assert!(errors.contains("printed by the function") && errors.contains("printed by a child"), "{errors}");
    // The panic itself belongs on standard error, where the operator is.
    assert!(errors.contains(SECRET) && !lines.concat().contains(SECRET));
}

#[test]
fn slow_functions_hold_nobody_up() {
    let mut process = start();
    for id in 0..8 {
        process.line(&call(&id.to_string(), "snooze", r#"{"ms":400}"#));
    }
    process.line(&format!(r#"{{"jsonrpc":"2.0","id":"quick","method":"server/discover","params":{{{META}}}}}"#));
    let first = json(&process.read().expect("an answer"));
    assert_eq!(first["id"], "quick");
    let rest: HashSet<i64> =
        (0..8).map(|_| json(&process.read().expect("an answer"))["id"].as_i64().expect("an id")).collect();
    assert_eq!(rest.len(), 8);
}

#[test]
fn a_client_that_reads_late_gets_everything_whole() {
    let mut process = start();
    let long = "y".repeat(2 * 1024 * 1024);
    for id in 0..20 {
        process.line(&call(&id.to_string(), "echo", &json!({"text": long}).to_string()));
    }
    for id in 0..20 {
        let answer = json(&process.read().expect("an answer"));
        assert_eq!(answer["id"], id);
        assert_eq!(text(&answer).len(), long.len());
    }
}

#[test]
fn events_go_to_the_client_that_asked_and_warnings_to_standard_error() {
    let mut process = start();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/logLevel": "info",
    });
    let params = json!({"name": "traced", "_meta": meta});
    process.line(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
    let event = json(&process.read().expect("an event"));
    assert_eq!(event["params"]["data"], json!({"message": "watch out", "count": 3}));
    assert_eq!(json(&process.read().expect("an answer"))["id"], 1);
    process.close();
    let (status, rest, errors) = process.wait();
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
    assert!(errors.contains("watch out") && errors.contains("nobody's business"), "{errors}");
    assert!(!errors.contains("too fine"), "{errors}");
}

#[cfg(unix)]
#[test]
fn a_closed_output_ends_the_process_quietly() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(FIXTURE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("piped");
    use std::io::Write as _;
    writeln!(stdin, "{}", call("1", "echo", r#"{"text":"x"}"#)).expect("the server reads");
    // The input stays open: the process must end all the same.
    let output = child.wait_with_output().expect("the process ends");
    drop(stdin);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_process_in_the_middle_of_a_call() {
    let mut process = start();
    process.line(&call("1", "nap", r#"{"ms":600000}"#));
    process.line(&call("2", "echo", r#"{"text":"x"}"#));
    process.read().expect("an answer");
    let id = process.child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-TERM", &id]).status().expect("kill runs");
    assert!(sent.success());
    let (status, lines, errors) = process.wait();
    assert_eq!((status.code(), lines.len()), (Some(0), 0), "{errors}");
}
