use super::ask::Ask;
use super::fixture::{Stage, server, service};
use super::log::Log;
use crate::transport::http::HttpService;
use crate::transport::http::guard::Guard;
use serde_json::json;

fn discover() -> Ask {
    Ask::stateless(1, "server/discover", json!({}))
}

#[tokio::test]
async fn without_a_list_only_names_of_this_machine_are_hosts() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let good =
        ["localhost", "LOCALHOST:1", "localhost.", "localhost.:8080", "127.0.0.1:99", "[::1]:8", "[0:0:0:0:0:0:0:1]"];
    for host in good {
        assert_eq!(discover().header("host", host).of(&service).await.status, 200, "{host}");
    }
    let evil = [
        "evil.example",
        "evil.example:80",
        "0.0.0.0:8080",
        "localhost.evil.example",
        "evil@localhost",
        "localhost:80:80",
        "localhost:x",
        "[::2]",
        "[::1",
        "[::1]x",
        ":80",
        "",
        "\t",
    ];
    for host in evil {
        let reply = Ask::call(1, "bump", json!({})).header("host", host).of(&service).await;
        assert_eq!(reply.status, 403, "{host}");
        assert_eq!(reply.code(), -32600);
        assert!(reply.json().get("id").is_none(), "{}", reply.body);
    }
    assert_eq!(discover().without("host").of(&service).await.status, 403);
    assert_eq!(discover().also("host", "evil.example").of(&service).await.status, 403);
    assert_eq!(stage.hits(), 0);
}

#[tokio::test]
async fn the_authority_of_the_uri_counts_as_well() {
    let service = service();
    assert_eq!(discover().without("host").at("http://localhost:8080/mcp").of(&service).await.status, 200);
    assert_eq!(discover().without("host").at("http://evil.example/mcp").of(&service).await.status, 403);
    assert_eq!(discover().at("http://evil.example/mcp").of(&service).await.status, 403);
    assert_eq!(discover().header("host", "evil.example").at("http://localhost/mcp").of(&service).await.status, 403);
}

#[tokio::test]
async fn the_address_that_is_listened_on_is_a_host_as_well() {
    let bound = |address: &str| {
        let server = server(&Stage::new()).build().unwrap();
        let guard = Guard::new(&server.http, Some(address.parse().unwrap()));
        HttpService::new(server, guard)
    };
    for (address, host, status) in [
        ("192.0.2.7", "192.0.2.7:8080", 200),
        ("192.0.2.7", "localhost", 200),
        ("192.0.2.7", "192.0.2.8", 403),
        ("2001:db8::1", "[2001:db8::1]:80", 200),
        ("::ffff:192.0.2.7", "192.0.2.7", 200),
        ("0.0.0.0", "0.0.0.0:8080", 403),
        ("0.0.0.0", "127.0.0.1", 200),
        ("::", "[::]", 403),
    ] {
        assert_eq!(discover().header("host", host).of(&bound(address)).await.status, status, "{address} {host}");
    }
}

#[tokio::test]
async fn a_list_of_hosts_stands_in_for_the_usual_ones() {
    let hosts = ["mcp.example.com", "10.0.0.5:8080", "[fe80::1]", "tls.example.com:443"];
    let service = server(&Stage::new()).allowed_hosts(hosts).into_service().unwrap();
    for (host, status) in [
        ("MCP.example.com", 200),
        ("mcp.example.com:9", 200),
        ("10.0.0.5:8080", 200),
        ("10.0.0.5:8081", 403),
        ("10.0.0.5", 403),
        ("[FE80::1]:1", 200),
        ("tls.example.com", 200),
        ("tls.example.com:444", 403),
        ("localhost", 403),
    ] {
        assert_eq!(discover().header("host", host).of(&service).await.status, status, "{host}");
    }
    let any = server(&Stage::new()).allowed_hosts(["*"]).into_service().unwrap();
    assert_eq!(discover().header("host", "anything at all").of(&any).await.status, 200);
    assert_eq!(discover().without("host").of(&any).await.status, 200);
}

#[tokio::test]
async fn a_star_stands_for_what_is_below_a_name() {
    let hosts = ["*.example.com", "*.intern:8443", "any-port.example:*"];
    let service = server(&Stage::new()).allowed_hosts(hosts).into_service().unwrap();
    for (host, status) in [
        ("mcp.example.com", 200),
        ("a.b.c.Example.COM:8080", 200),
        ("mcp.example.com.", 200),
        ("example.com", 403),
        (".example.com", 403),
        ("..example.com", 403),
        ("badexample.com", 403),
        ("bad-example.com", 403),
        ("mcp.example.com.evil.example", 403),
        ("mcp.example.comx", 403),
        ("evil/.example.com", 403),
        ("*.example.com", 403),
        ("mcp.example.com..", 403),
        ("db.intern:8443", 200),
        ("db.intern:443", 403),
        ("db.intern", 403),
        ("any-port.example:1", 200),
        ("any-port.example", 200),
        ("localhost", 403),
    ] {
        assert_eq!(discover().header("host", host).of(&service).await.status, status, "{host}");
    }
}

#[tokio::test]
async fn addresses_are_the_same_however_they_are_written_and_nothing_else_is_one() {
    let service = server(&Stage::new()).allowed_hosts(["192.0.2.7", "[2001:db8::1]:8080"]).into_service().unwrap();
    for (host, status) in [
        ("192.0.2.7:1", 200),
        ("192.0.2.7.", 200),
        ("[::ffff:192.0.2.7]", 200),
        ("[2001:0DB8:0:0::0:1]:8080", 200),
        ("[2001:db8::1]:8081", 403),
        ("2001:db8::1", 403),
        ("[192.0.2.7]", 403),
        ("192.0.2.07", 403),
        ("192.0.519", 403),
        ("0xc0000207", 403),
        ("[2001:db8::1%eth0]:8080", 403),
        ("192.0.2.7:99999", 403),
        ("192.0.2.7:+80", 403),
        ("sub.192.0.2.7", 403),
    ] {
        assert_eq!(discover().header("host", host).of(&service).await.status, status, "{host}");
    }
}

#[tokio::test]
async fn stars_in_origins_stand_for_names_below_and_for_ports() {
    let origins = ["https://*.example.com", "http://localhost:*", "http://*.dev.example:*"];
    let service = server(&Stage::new()).allowed_origins(origins).into_service().unwrap();
    for (origin, status) in [
        ("https://app.example.com", 200),
        ("https://a.b.example.com:443", 200),
        ("https://app.example.com:8443", 403),
        ("http://app.example.com", 403),
        ("https://example.com", 403),
        ("https://badexample.com", 403),
        ("https://app.example.com.evil.example", 403),
        ("https://evil.example/.example.com", 403),
        ("https://evil.example#.example.com", 403),
        ("https://user@app.example.com", 403),
        ("https://*.example.com", 403),
        ("http://localhost", 200),
        ("http://localhost:5173", 200),
        ("http://localhost:*", 403),
        ("https://localhost:5173", 403),
        ("http://x.dev.example:1", 200),
        ("null", 403),
    ] {
        assert_eq!(discover().header("origin", origin).of(&service).await.status, status, "{origin}");
    }
}

#[tokio::test]
async fn pages_of_other_hosts_are_refused() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    for (origin, status) in [
        ("http://localhost:5173", 200),
        ("https://LOCALHOST", 200),
        ("http://127.0.0.1:1", 200),
        ("http://[::1]", 200),
        ("http://evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("chrome-extension://localhost", 403),
        ("localhost", 403),
        ("null", 403),
        ("", 403),
    ] {
        let reply = Ask::call(1, "echo", json!({"text": "x"})).header("origin", origin).of(&service).await;
        assert_eq!(reply.status, status, "{origin}");
    }
    let two =
        Ask::call(1, "bump", json!({})).header("origin", "http://localhost").also("origin", "http://evil.example");
    assert_eq!(two.of(&service).await.status, 403);
    assert_eq!(stage.hits(), 0);
    for method in [http::Method::GET, http::Method::DELETE, http::Method::OPTIONS] {
        let reply = Ask::new(method).header("origin", "http://evil.example").of(&service).await;
        assert_eq!(reply.status, 403);
    }
}

#[tokio::test]
async fn a_list_of_origins_stands_in_for_the_hosts() {
    let origins = ["https://app.example.com", "http://localhost:5173", "vscode-webview://abc"];
    let service = server(&Stage::new()).allowed_origins(origins).into_service().unwrap();
    for (origin, status) in [
        ("https://app.example.com", 200),
        ("HTTPS://App.Example.com:443", 200),
        ("http://app.example.com", 403),
        ("https://app.example.com:8443", 403),
        ("http://localhost:5173", 200),
        ("http://localhost", 403),
        ("vscode-webview://abc", 200),
        ("null", 403),
    ] {
        assert_eq!(discover().header("origin", origin).of(&service).await.status, status, "{origin}");
    }
    let null = server(&Stage::new()).allowed_origins(["null"]).into_service().unwrap();
    assert_eq!(discover().header("origin", "null").of(&null).await.status, 200);
    let any = server(&Stage::new()).allowed_origins(["*"]).into_service().unwrap();
    assert_eq!(discover().header("origin", "http://evil.example").of(&any).await.status, 200);
}

#[tokio::test]
async fn what_is_refused_is_logged_and_not_told() {
    let log = Log::catch();
    let service = service();
    let reply = discover().header("host", "rebound.example:81").of(&service).await;
    assert!(!reply.body.contains("rebound"), "{}", reply.body);
    discover().header("origin", "https://rebound.example").of(&service).await;
    let lines = log.lines();
    let logged = |value: &str, option: &str| lines.iter().any(|line| line.contains(value) && line.contains(option));
    assert!(logged("rebound.example:81", "allowed_hosts"), "{lines:?}");
    assert!(logged("https://rebound.example", "allowed_origins"), "{lines:?}");
}

#[test]
fn entries_that_mean_nothing_are_found_when_the_server_is_built() {
    let server = server(&Stage::new()).tools(crate::tools![super::fixture::twice::echo]);
    let bad_hosts =
        ["https://not.example", "a.*.example", "*example", "**.example", "*.", "*.1.2.3.4", "*:80", "::1", "x:y"];
    let bad_origins =
        ["not.example", "https://*", "https://a.*.example", "https://x.example/path", "*.example", "http://x:y"];
    let hosts = bad_hosts.into_iter().chain(["fine.example", "*.fine.example:80"]);
    let server =
        server.allowed_hosts(hosts).allowed_origins(bad_origins.into_iter().chain(["https://*.fine.example:*"]));
    let error = server.build().unwrap_err();
    let problems = error.problems().join("\n");
    assert!(problems.contains("`echo`"), "{problems}");
    for entry in bad_hosts.into_iter().chain(bad_origins) {
        assert!(problems.contains(&format!("`{entry}`")), "{entry}: {problems}");
    }
    assert!(!problems.contains("fine.example"));
}
