//! The worst that each limit lets in, sent to a real process whose peak memory is looked at.

use super::server::{Server, call as over_http, head, request};
use super::stdio::Process;
use super::{ROUGH, call, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

const MIB: usize = 1024 * 1024;

/// The most memory that the process has had, in MiB.
fn peak(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process lives");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    peak.trim().trim_end_matches("kB").trim().parse::<usize>().expect("a number") / 1024
}

fn code(line: &str) -> i64 {
    json(line)["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {line}"))
}

/// One line at its limit takes a buffer of twice its size while it grows; what is decoded of it, the answer, and what waits for a
/// reader come on top, each not larger than a line.
#[test]
fn over_stdio_the_worst_takes_what_a_few_lines_take() {
    const BOUND: usize = 5 * 16 + 16;
    let mut process = Process::start(ROUGH, &[]);
    let mebibyte = vec![b'['; MIB];
    (0..64).for_each(|_| process.write(&mebibyte));
    process.write(b"\n");
    assert_eq!(code(&process.read().expect("an answer")), -32600, "an endless line");

    let room = 16 * MIB - 1_000;
    let deep = format!(r#"{{"value":{}{}}}"#, "[".repeat(room / 2), "]".repeat(room / 2));
    process.line(&call(1, "echo", &deep));
    assert_eq!(code(&process.read().expect("an answer")), -32600, "a deep message");
    process.line(&format!("[{}1]", "1,".repeat(room / 2)));
    assert_eq!(code(&process.read().expect("an answer")), -32600, "a long batch");
    let wide = format!(r#"{{"text":"x"{}}}"#, r#","a":1"#.repeat(room / 6));
    process.line(&call(2, "echo", &wide));
    assert_eq!(json(&process.read().expect("an answer"))["result"]["isError"], true, "many members");
    process.line(&call(3, "echo", &format!(r#"{{"text":"{}"}}"#, "x".repeat(room))));
    assert!(process.read().expect("an answer").len() > room, "the largest message");
    let reached = peak(process.child.id());
    assert!(reached < BOUND, "{reached} MiB");
}

/// A client that does not read is sent 16 MiB of notifications at most, and no more requests of it are read.
#[test]
fn over_stdio_a_client_that_does_not_read_takes_little_more_than_is_kept_for_it() {
    const BOUND: usize = 16 + 32;
    let mut child = std::process::Command::new(ROUGH)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut stdin = child.stdin.take().expect("piped");
    let initialize = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
    let flood =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"floods","arguments":{"times":10000}}}"#;
    writeln!(stdin, "{initialize}\n{flood}").expect("the server reads");
    writeln!(stdin, r#"{{"jsonrpc":"2.0","id":2,"method":"ping"}}"#).expect("the pipe takes it");
    let mut told = String::new();
    BufReader::new(child.stderr.take().expect("piped")).read_line(&mut told).expect("the flood ends");
    assert_eq!(told, "flooded\n");
    let reached = peak(child.id());
    assert!(reached < BOUND, "{reached} MiB");
    let mut output = child.stdout.take().expect("piped");
    drop(stdin);
    let mut all = String::new();
    output.read_to_string(&mut all).expect("UTF-8");
    let answers = all.lines().map(json).filter(|line| line.get("id").is_some()).count();
    assert_eq!((answers, child.wait().expect("it ends").code()), (3, Some(0)), "no answer is dropped");
}

fn session(server: &Server, filling: usize) -> String {
    let filling = "x".repeat(filling);
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{{"name":"{filling}","version":"0"}}}}}}"#
    );
    let mut stream = BufReader::new(server.connect());
    stream.get_mut().write_all(request("POST", "", &body).as_bytes()).expect("the server reads");
    let (status, head) = head(&mut stream);
    assert_eq!(status, 200, "{head}");
    head.split("mcp-session-id: ").nth(1).and_then(|rest| rest.lines().next()).expect("a session").to_owned()
}

/// What is refused takes nothing. What is taken in is: unfinished heads, sessions with all that they may keep, the events of
/// sessions whose clients have gone, and answers that nobody reads.
#[test]
fn over_http_the_worst_takes_what_the_limits_say() {
    const HEADS: usize = 200;
    const SESSIONS: usize = 300;
    const LOGS: usize = 20;
    const DEAF: usize = 20;
    const BOUND: usize = 64 + (HEADS * 64 + SESSIONS * 2 * 64) / 1024 + LOGS * 2 * 4 + DEAF * 3 * 4;
    let server = Server::start(ROUGH, &[]);

    let mut endless = server.connect();
    let head = request("POST", "", "").replace("content-length: 0", "transfer-encoding: chunked");
    endless.write_all(head.as_bytes()).expect("the server reads");
    let chunk = [format!("{MIB:x}\r\n").as_bytes(), &vec![b' '; MIB], b"\r\n"].concat();
    // The server reads on for a while, lest its answer be lost, and then no more.
    let _ = (0..64).try_for_each(|_| endless.write_all(&chunk));
    assert_eq!(super::server::head(&mut BufReader::new(endless)).0, 413);

    let deep = format!("{}{}", "[".repeat(2 * MIB - 500), "]".repeat(2 * MIB - 500));
    let (status, body) = server.exchange(&over_http("echo", &format!(r#"{{"text":{deep}}}"#)));
    assert_eq!((status, code(&body)), (400, -32600));

    let unfinished = format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\nx-long: {}", "x".repeat(60_000));
    let heads: Vec<TcpStream> = (0..HEADS)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(unfinished.as_bytes()).expect("the server reads");
            stream
        })
        .collect();
    let sessions: Vec<String> = (0..SESSIONS).map(|_| session(&server, 60_000)).collect();
    for id in &sessions[..LOGS] {
        let body =
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"floods","arguments":{"times":500}}}"#;
        let mut stream = BufReader::new(server.connect());
        let request = request("POST", &format!("mcp-session-id: {id}\r\n"), body);
        stream.get_mut().write_all(request.as_bytes()).expect("the server reads");
        assert_eq!(super::server::head(&mut stream).0, 200);
    }
    let large = over_http("echo", &format!(r#"{{"text":"{}"}}"#, "x".repeat(4 * MIB - 1_000)));
    let deaf: Vec<TcpStream> = (0..DEAF)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(large.as_bytes()).expect("the server reads");
            stream
        })
        .collect();
    assert_eq!(server.exchange(&over_http("echo", r#"{"text":"x"}"#)).0, 200);
    let reached = peak(server.child.id());
    assert!(reached < BOUND, "{reached} MiB of {BOUND}");
    drop((heads, deaf));
}
