//! How a process ends when it is told to, and that functions which never return do not keep it from that.

use super::server::{self, Server, call as over_http, head, read};
use super::stdio::Process;
use super::{OWN_MAIN, ROUGH, call, json, signal};
use mcp_tests::META;
use std::io::{BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

/// Longer than any test is waited for.
const NEVER: &str = "600000";

fn start(grace: Option<&str>) -> Process {
    match grace {
        Some(grace) => Process::start("env", &[&format!("ROUGH_GRACE={grace}"), ROUGH]),
        None => Process::start(ROUGH, &[]),
    }
}

#[test]
fn over_stdio_what_is_under_way_is_finished_and_nothing_else_begun() {
    for name in ["TERM", "INT"] {
        let mut process = start(Some(NEVER));
        let listen = format!(
            r#"{{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{{"notifications":{{"toolsListChanged":true}},{META}}}}}"#
        );
        process.line(&listen);
        assert!(process.read().expect("an acknowledgement").contains("acknowledged"));
        process.line(&call(1, "nap", r#"{"ms":700}"#));
        process.line(&call(2, "echo", r#"{"text":"x"}"#));
        assert_eq!(json(&process.read().expect("an answer"))["id"], 2);
        signal(process.child.id(), name);
        // The subscription ends with its result; from then on no call is taken.
        while json(&process.read().expect("the end of the subscription"))["id"] != "s" {}
        process.line(&call(3, "echo", r#"{"text":"x"}"#));
        let refused = json(&process.read().expect("an answer"));
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&3.into(), &(-32603).into()), "{refused}");
        assert_eq!(json(&process.read().expect("an answer"))["id"], 1, "what was under way");
        let (status, lines, errors) = process.wait();
        assert_eq!((status.code(), lines.len()), (Some(0), 0), "{errors}");
    }
}

#[test]
fn over_stdio_what_never_ends_is_given_up() {
    for tool in ["forever", "stuck_blocking"] {
        let mut process = start(None);
        process.line(&call(1, tool, "{}"));
        process.line(&call(2, "echo", r#"{"text":"x"}"#));
        assert_eq!(json(&process.read().expect("an answer"))["id"], 2);
        signal(process.child.id(), "TERM");
        let (status, lines, errors) = process.wait();
        assert_eq!((status.code(), lines.len()), (Some(0), 0), "{tool}: {errors}");
    }
    // This one holds the thread that reads.
    let mut process = start(None);
    process.line(&call(1, "echo", r#"{"text":"x"}"#));
    process.line(&call(2, "stuck", "{}"));
    assert_eq!(json(&process.read().expect("an answer"))["id"], 1);
    signal(process.child.id(), "TERM");
    let (status, ..) = process.wait();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn over_stdio_the_second_signal_ends_at_once() {
    for (mut process, tool) in [
        (start(Some(NEVER)), "forever"),
        (Process::start(OWN_MAIN, &[]), "forever"),
        (Process::start(OWN_MAIN, &[]), "stuck_blocking"),
    ] {
        process.line(&call(1, tool, "{}"));
        process.line(&call(2, "echo", r#"{"text":"x"}"#));
        assert_eq!(json(&process.read().expect("an answer"))["id"], 2);
        signal(process.child.id(), "TERM");
        // That calls are refused shows that the first signal has been seen.
        loop {
            process.line(&call(3, "echo", r#"{"text":"x"}"#));
            if json(&process.read().expect("an answer")).get("error").is_some() {
                break;
            }
        }
        signal(process.child.id(), "INT");
        let (status, lines, errors) = process.wait();
        assert_eq!((status.code(), lines.len()), (Some(0), 0), "{errors}");
    }
}

/// Waits until nobody accepts any more.
fn await_closed(server: &Server) {
    while TcpStream::connect(server.address).is_ok() {
        std::thread::yield_now();
    }
}

fn send(server: &Server, request: &str) -> BufReader<TcpStream> {
    let mut stream = server.connect();
    stream.write_all(request.as_bytes()).expect("the server reads");
    BufReader::new(stream)
}

#[test]
fn over_http_what_is_under_way_is_finished_and_nobody_else_let_in() {
    for name in ["TERM", "INT"] {
        let mut server = Server::start(ROUGH, &[("ROUGH_GRACE", NEVER)]);
        let listen = server::post("subscriptions/listen", None, r#""notifications":{"toolsListChanged":true},"#);
        let mut listening = send(&server, &listen);
        assert_eq!(head(&mut listening).0, 200);
        let mut napping = send(&server, &over_http("nap", r#"{"ms":700}"#));
        assert_eq!(server.exchange(&over_http("echo", r#"{"text":"x"}"#)).0, 200);
        server.signal(name);
        await_closed(&server);
        let mut rest = String::new();
        listening.read_to_string(&mut rest).expect("the stream ends");
        assert!(rest.contains(r#""resultType":"complete""#), "{rest}");
        let (status, body) = read(&mut napping);
        assert!(status == 200 && body.contains("slept"), "{body}");
        assert_eq!(server.wait().code(), Some(0));
    }
}

#[test]
fn over_http_what_never_ends_is_given_up() {
    // More than there are threads: nothing is left that could look at the clock.
    let threads = std::thread::available_parallelism().map_or(8, usize::from) + 2;
    for (tool, count) in [("forever", 1), ("stuck_blocking", 2), ("stuck", threads)] {
        let mut server = Server::start(ROUGH, &[("ROUGH_GRACE", "300")]);
        assert_eq!(server.exchange(&over_http("echo", r#"{"text":"x"}"#)).0, 200);
        let calls: Vec<_> = (0..count).map(|_| send(&server, &over_http(tool, "{}"))).collect();
        server.signal("TERM");
        assert_eq!(server.wait().code(), Some(0), "{tool}");
        drop(calls);
    }
}

#[test]
fn over_http_the_second_signal_ends_at_once() {
    for (program, tool) in [(ROUGH, "forever"), (OWN_MAIN, "forever"), (OWN_MAIN, "stuck_blocking")] {
        let mut server = Server::start(program, &[("ROUGH_GRACE", NEVER)]);
        let mut waiting = send(&server, &over_http(tool, "{}"));
        assert_eq!(server.exchange(&over_http("echo", r#"{"text":"x"}"#)).0, 200);
        server.signal("TERM");
        await_closed(&server);
        server.signal("TERM");
        assert_eq!(server.wait().code(), Some(0), "{program} {tool}");
        let _ = waiting.read_to_end(&mut Vec::new());
    }
}

#[test]
fn a_full_disk_for_the_log_stops_nobody() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").map(Stdio::from);
    // Not every system has one.
    let Ok(stderr) = full() else { return };
    let mut child = Command::new(ROUGH)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .expect("the server starts");
    let mut stdin = child.stdin.take().expect("piped");
    let calls = [
        call(1, "complains", r#"{"times":1000}"#),
        call(2, "takes", r#"{"bomb":"x"}"#),
        call(3, "prints", "{}"),
        call(4, "echo", r#"{"text":"x"}"#),
    ];
    stdin.write_all(format!("{}\n", calls.join("\n")).as_bytes()).expect("the server reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the process ends");
    let lines: Vec<_> = String::from_utf8(output.stdout).expect("UTF-8").lines().map(json).collect();
    let ids: Vec<_> = lines.iter().map(|line| line["id"].as_u64()).collect();
    assert_eq!((ids, output.status.code()), (vec![Some(1), Some(2), Some(3), Some(4)], Some(0)), "{lines:?}");
}
