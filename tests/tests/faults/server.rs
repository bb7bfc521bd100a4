//! A process that serves HTTP, and clients of it.

use super::stdio::PATIENCE;
use mcp_tests::META;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

pub struct Server {
    pub child: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn start(program: &str, environment: &[(&str, &str)]) -> Server {
        // The shell raises the limit of open files, as an operator would.
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -n 8192; exec \"$0\" serve --http 127.0.0.1:0", program])
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
        // What else it says is read, lest it wait for us.
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        Server { child, address: address.parse().expect("an address") }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server accepts");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    pub fn signal(&self, name: &str) {
        super::signal(self.child.id(), name);
    }

    /// Waits for the process to end by itself.
    pub fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            match self.child.try_wait().expect("the process can be waited for") {
                Some(status) => return status,
                None if started.elapsed() > PATIENCE => panic!("the server does not end"),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Sends a request and gives status and body.
    pub fn exchange(&self, request: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("the server reads");
        read(&mut BufReader::new(stream))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A stateless request as HTTP/1.1 writes it.
pub fn post(method: &str, name: Option<&str>, params: &str) -> String {
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}{META}}}}}"#);
    let name = name.map(|name| format!("mcp-name: {name}\r\n")).unwrap_or_default();
    let headers = format!("mcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{name}");
    request("POST", &headers, &body)
}

/// A stateless call of a tool as HTTP/1.1 writes it.
pub fn call(tool: &str, arguments: &str) -> String {
    post("tools/call", Some(tool), &format!(r#""name":"{tool}","arguments":{arguments},"#))
}

/// A request as HTTP/1.1 writes it.
pub fn request(method: &str, headers: &str, body: &str) -> String {
    format!(
        "{method} /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Reads the head of a response, in lower case.
pub fn head(stream: &mut BufReader<TcpStream>) -> (u16, String) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(stream.read_line(&mut head).expect("the server answers") > 0, "{head}");
    }
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, head.to_ascii_lowercase())
}

/// Reads a response of known length.
pub fn read(stream: &mut BufReader<TcpStream>) -> (u16, String) {
    let (status, head) = head(stream);
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a number"))];
    stream.read_exact(&mut body).expect("the server answers");
    (status, String::from_utf8(body).expect("UTF-8"))
}
