//! Two thousand open subscriptions and two thousand idle sessions on one server: what each costs, and that nothing of it
//! stays. Memory is what the server has allocated and not given back; descriptors are read from `/proc`.

#![cfg(target_os = "linux")]
#![allow(missing_docs)]

use mcp_tests::META;
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

    /// The bytes that the server has allocated and not given back, as it tells itself.
    fn heap(&self) -> i64 {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"heap",{META}}}}}"#);
        let headers = "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: heap\r\n";
        let (_, body) = exchange(&mut BufReader::new(self.connect()), &request("POST", headers, &body));
        let text = body.split(r#""text":""#).nth(1).and_then(|rest| rest.split('"').next());
        text.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no number: {body}"))
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
        r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{{"resourceSubscriptions":["notes://1"]}},{META}}}}}"#
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

/// Sends a request over a connection that stays, and gives head (in lower case) and body of the response.
fn exchange(connection: &mut BufReader<TcpStream>, request: &str) -> (String, String) {
    connection.get_mut().write_all(request.as_bytes()).expect("the server reads");
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(connection.read_line(&mut head).expect("the server answers") > 0, "{head}");
    }
    let lower = head.to_ascii_lowercase();
    let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a number"))];
    connection.read_exact(&mut body).expect("the server answers");
    (lower, String::from_utf8(body).expect("UTF-8"))
}

fn open_session(connection: &mut BufReader<TcpStream>) -> String {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"crowd","version":"0"}}}"#;
    let (head, _) = exchange(connection, &request("POST", "", body));
    let id = head.split("mcp-session-id: ").nth(1).and_then(|rest| rest.lines().next()).expect("a session");
    id.to_owned()
}

/// One crowd comes and goes; gives the cost of each in bytes, of streams and of sessions.
fn round(server: &Server) -> (i64, i64) {
    let (empty, descriptors) = (server.heap(), server.descriptors());
    let streams: Vec<TcpStream> = (0..CROWD).map(|id| listen(server, id)).collect();
    let with_streams = server.heap();
    drop(streams);
    server.await_descriptors(descriptors);
    let mut connection = BufReader::new(server.connect());
    let before_sessions = server.heap();
    let sessions: Vec<String> = (0..CROWD).map(|_| open_session(&mut connection)).collect();
    let with_sessions = server.heap();
    for session in &sessions {
        let headers = format!("mcp-session-id: {session}\r\n");
        let (head, _) = exchange(&mut connection, &request("DELETE", &headers, ""));
        assert!(head.starts_with("http/1.1 204"), "{head}");
    }
    drop(connection);
    server.await_descriptors(descriptors);
    ((with_streams - empty) / CROWD as i64, (with_sessions - before_sessions) / CROWD as i64)
}

/// States a figure in the test's output, which would otherwise swallow what passing tests print.
fn tell(figure: &str) {
    writeln!(std::io::stderr(), "crowd: {figure}").expect("standard error takes it");
}

#[test]
fn a_crowd_costs_little_and_leaves_nothing_behind() {
    let server = Server::start();
    let (idle, resident) = (server.heap(), server.resident_kib());
    let (stream, session) = round(&server);
    let peak = server.resident_kib();
    tell(&format!("{CROWD} open subscriptions: {stream} bytes each; {CROWD} idle sessions: {session} bytes each"));
    // Tables that have grown keep their size: a second crowd must find room in what the first has left.
    let after_first = server.heap();
    round(&server);
    let after_second = server.heap();
    tell(&format!(
        "allocated: {idle} bytes idle, {after_first} after the first crowd, {after_second} after the second"
    ));
    tell(&format!("resident: {resident} KiB idle, {peak} KiB after the first crowd (what the allocator keeps)"));
    assert!(after_first - idle < 512 * 1024, "the crowd left {} bytes behind", after_first - idle);
    assert!(after_second - after_first < 64 * 1024, "memory grows from crowd to crowd");
}
