//! The grammar: help, version, and what is not written as it should be.

use super::fixture::only_add;
use super::{Terminals, assert_failed, assert_printed, line, run};

#[tokio::test]
async fn version_is_that_of_the_server() {
    for flag in ["--version", "-V"] {
        assert_printed(&run([flag]).await, "fixture 1.2.3\n");
    }
}

#[tokio::test]
async fn help_goes_to_the_output_when_it_was_asked_for() {
    for args in [["--help"], ["-h"], ["help"]] {
        let help = run(args).await;
        assert_eq!((help.code, help.err.as_str()), (0, ""));
        for part in ["Has one of everything.", "Usage: fixture", "serve", "list", "call", "read", "get", "--version"] {
            assert!(help.out().contains(part), "{part} is missing in:\n{}", help.out());
        }
        assert!(help.out().ends_with('\n') && !help.out().ends_with("\n\n"), "{}", help.out());
    }
    let help = run(["help", "call"]).await;
    assert!(help.out().contains("Usage: fixture call"), "{}", help.out());
    assert_eq!(run(["call", "--help"]).await.code, 0);
}

#[tokio::test]
async fn on_a_terminal_nothing_to_do_means_help_to_standard_error() {
    let help = line([]).terminals(Terminals { input: true, ..Terminals::default() }).run().await;
    assert_eq!((help.code, help.out()), (2, ""));
    assert!(help.err.contains("Usage: fixture"), "{}", help.err);
}

#[tokio::test]
async fn a_server_without_a_description_has_help_all_the_same() {
    let help = line(["--help"]).server(only_add().build().expect("sound")).run().await;
    assert!(help.out().starts_with("small, a server of the Model Context Protocol\n"), "{}", help.out());
}

#[tokio::test]
async fn what_is_not_grammatical_is_told_on_standard_error() {
    for (args, part) in [
        (vec!["lst"], "list"),
        (vec!["call"], "<NAME>"),
        (vec!["read"], "<URI>"),
        (vec!["get"], "<NAME>"),
        (vec!["list", "tolls"], "tools"),
        (vec!["list", "--jsn"], "--json"),
        (vec!["call", "add", "a"], "name=value"),
        (vec!["call", "add", "=1"], "name=value"),
        (vec!["call", "add", "a=1", "--json", "{}"], "--json"),
        (vec!["call", "echo", "--log-level", "loud", "text=x"], "loud"),
        (vec!["read", "a://b", "c://d"], "c://d"),
    ] {
        let outcome = run(args.clone()).await;
        assert_eq!((outcome.code, outcome.out()), (2, ""), "{args:?}");
        assert!(outcome.err.starts_with("error: ") && outcome.err.contains(part), "{args:?}: {}", outcome.err);
    }
}

#[tokio::test]
async fn arguments_as_json_must_be_an_object() {
    for (json, input, text) in [
        ("[1]", "", "error: `--json`: expected an object of arguments, got [1]\n"),
        ("-", "5", "error: `--json`: expected an object of arguments, got 5\n"),
    ] {
        assert_failed(&line(["call", "add", "--json", json]).input(input).run().await, 2, text);
    }
    for (json, input) in [("{", ""), ("", ""), ("-", ""), ("{} {}", "")] {
        let outcome = line(["call", "add", "--json", json]).input(input).run().await;
        assert_eq!((outcome.code, outcome.out()), (2, ""));
        assert!(outcome.err.starts_with("error: `--json`: this is not JSON: "), "{}", outcome.err);
    }
}

#[cfg(feature = "http")]
#[tokio::test]
async fn an_address_without_a_port_is_refused() {
    let outcome = run(["serve", "--http", "localhost"]).await;
    assert_eq!((outcome.code, outcome.out()), (2, ""));
    assert!(outcome.err.contains("HOST:PORT"), "{}", outcome.err);
}

#[cfg(feature = "http")]
#[tokio::test]
async fn an_address_that_is_taken_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let outcome = run(["serve", "--http", &address]).await;
    assert_eq!((outcome.code, outcome.out()), (1, ""));
    assert!(outcome.err.starts_with(&format!("error: cannot serve HTTP at {address}: ")), "{}", outcome.err);
}
