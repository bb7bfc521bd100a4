//! The example against a collector that keeps what it gets.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::mpsc;

const ASK: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"traceparent":"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"}}}"#;
const TRACE: [u8; 16] = 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c_u128.to_be_bytes();
const PARENT: [u8; 8] = 0x00f0_67aa_0ba9_02b7_u64.to_be_bytes();

/// Answers one request after the other; gives their paths and bodies.
fn serve(connection: TcpStream, posts: &mpsc::Sender<(String, Vec<u8>)>) -> std::io::Result<()> {
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut writer = connection;
    loop {
        let (mut request, mut length) = (String::new(), 0);
        if reader.read_line(&mut request)? == 0 {
            return Ok(());
        }
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.split_once(':') else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        // Before the answer: the server may end with it. (The test may have seen enough.)
        let _ = posts.send((path, body));
        writer.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n")?;
    }
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn spans_and_metrics_reach_the_collector_and_belong_to_the_trace_of_the_client() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("it is bound"));
    let (posts, received) = mpsc::channel();
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let posts = posts.clone();
            std::thread::spawn(move || serve(connection, &posts));
        }
    });
    let mut server = Command::new(env!("CARGO_BIN_EXE_otlp"))
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = server.stdin.take().expect("a pipe");
    writeln!(input, "{ASK}").expect("it reads");
    let mut answer = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut answer).expect("an answer");
    assert!(answer.contains(r#""text":"5""#), "{answer}");
    drop(input);
    assert!(server.wait().expect("it ends").success());

    // It sends everything before it ends.
    let posts: Vec<(String, Vec<u8>)> = received.try_iter().collect();
    let of =
        |path: &str| posts.iter().filter(|(to, _)| to == path).flat_map(|(_, body)| body.clone()).collect::<Vec<_>>();
    let (traces, metrics) = (of("/v1/traces"), of("/v1/metrics"));
    for part in [&b"tools/call add"[..], b"total", b"gen_ai.tool.name", &TRACE, &PARENT] {
        assert!(has(&traces, part), "{part:?} is missing in {}", String::from_utf8_lossy(&traces));
    }
    for part in ["mcp.server.operation.duration", "mcp.server.requests.in_flight", "execute_tool"] {
        assert!(has(&metrics, part.as_bytes()), "{part} is missing in {}", String::from_utf8_lossy(&metrics));
    }
}
