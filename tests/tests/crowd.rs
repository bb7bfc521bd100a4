//! Two thousand open subscriptions and two thousand idle sessions on one server: what each costs, and that nothing of it
//! stays. Memory and descriptors are read from `/proc`.

#![cfg(target_os = "linux")]
#![allow(missing_docs)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const CROWD: usize = 2_000;
/// Longer than anything may take; only a failing test waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// The fixture as a process that serves HTTP.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start() -> Server {
        // The shell raises the limit of open files, as an operator would.
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -n 8192 && exec \"$0\" serve --http 127.0.0.1:0", env!("CARGO_BIN_EXE_fixture")])
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("piped")).read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
        Server { child, address: address.parse().expect("an address") }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server accepts");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    fn resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("the server lives");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
        line.trim().trim_end_matches("kB").trim().parse().expect("a number")
    }

    fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).expect("the server lives").count()
    }

    /// Waits until the server has closed what its clients have closed.
    fn await_descriptors(&self, most: usize) {
        let started = Instant::now();
        while self.descriptors() > most {
            assert!(started.elapsed() < PATIENCE, "{} descriptors stay open, {most} were before", self.descriptors());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn request(method: &str, headers: &str, body: &str) -> String {
    format!(
        "{method} /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Opens a subscription and reads up to its acknowledgement.
fn listen(server: &Server, id: usize) -> TcpStream {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{{"resourceSubscriptions":["notes://1"]}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    let headers = "mcp-protocol-version: 2026-07-28\r\nmcp-method: subscriptions/listen\r\n";
    let mut stream = server.connect();
    stream.write_all(request("POST", headers, &body).as_bytes()).expect("the server reads");
    let (mut seen, mut buffer) = (Vec::new(), [0; 1024]);
    while !String::from_utf8_lossy(&seen).contains("notifications/subscriptions/acknowledged") {
        let count = stream.read(&mut buffer).expect("the server answers");
        assert!(count > 0, "{}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&buffer[..count]);
    }
    stream
}

/// Sends a request over a connection that stays, and gives the head of the response.
fn exchange(connection: &mut BufReader<TcpStream>, request: &str) -> String {
    connection.get_mut().write_all(request.as_bytes()).expect("the server reads");
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(connection.read_line(&mut head).expect("the server answers") > 0, "{head}");
    }
    let lower = head.to_ascii_lowercase();
    let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a number"))];
    connection.read_exact(&mut body).expect("the server answers");
    lower
}

fn open_session(connection: &mut BufReader<TcpStream>) -> String {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"crowd","version":"0"}}}"#;
    let head = exchange(connection, &request("POST", "", body));
    let id = head.split("mcp-session-id: ").nth(1).and_then(|rest| rest.lines().next()).expect("a session");
    id.to_owned()
}

/// One crowd comes and goes; gives the cost of each in KiB, of streams and of sessions.
fn round(server: &Server) -> (f64, f64) {
    let (empty, descriptors) = (server.resident_kib(), server.descriptors());
    let streams: Vec<TcpStream> = (0..CROWD).map(|id| listen(server, id)).collect();
    let with_streams = server.resident_kib();
    drop(streams);
    server.await_descriptors(descriptors);
    let before_sessions = server.resident_kib();
    let mut connection = BufReader::new(server.connect());
    let sessions: Vec<String> = (0..CROWD).map(|_| open_session(&mut connection)).collect();
    let with_sessions = server.resident_kib();
    for session in &sessions {
        let headers = format!("mcp-session-id: {session}\r\n");
        let head = exchange(&mut connection, &request("DELETE", &headers, ""));
        assert!(head.starts_with("http/1.1 204"), "{head}");
    }
    drop(connection);
    server.await_descriptors(descriptors);
    #[allow(clippy::cast_precision_loss)]
    let each = |after: u64, before: u64| after.saturating_sub(before) as f64 / CROWD as f64;
    (each(with_streams, empty), each(with_sessions, before_sessions))
}

#[test]
fn a_crowd_costs_little_and_leaves_nothing_behind() {
    let server = Server::start();
    let idle = server.resident_kib();
    let (stream, session) = round(&server);
    println!("{CROWD} open subscriptions: {stream:.1} KiB each; {CROWD} idle sessions: {session:.1} KiB each");
    // The first crowd leaves what the allocator keeps for the next one; later crowds must find it there.
    let after_first = server.resident_kib();
    for _ in 0..2 {
        round(&server);
    }
    let after_last = server.resident_kib();
    println!("resident: {idle} KiB idle, {after_first} KiB after the first crowd, {after_last} KiB after the third");
    assert!(after_last <= after_first + after_first / 10 + 1024, "memory grows from crowd to crowd");
}
