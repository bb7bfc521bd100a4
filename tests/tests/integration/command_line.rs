//! The command line of a server, as a process.

use crate::support::FIXTURE;
use std::process::Command;

/// Runs the command line; gives the exit code, standard output and standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(FIXTURE).args(arguments).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn a_call_prints_its_result_alone() {
    assert_eq!(run(&["call", "count", "n=5"]), (0, "counted to 5\n".into(), String::new()));
    assert_eq!(run(&["call", "echo", "text=5"]).1, "5\n");
    assert_eq!(run(&["call", "page", "--json", r#"{"q":"x"}"#]).1, "x 10 None\n");
    assert_eq!(run(&["read", "notes://7"]).1, "note 7\n");
    assert!(run(&["get", "greet", "name=Ada", "times=1"]).1.contains("Hello, Ada!"));
    let bytes = Command::new(FIXTURE).args(["read", "bin://all"]).output().expect("the program runs").stdout;
    assert_eq!(bytes, (0..=255).collect::<Vec<u8>>());
}

#[test]
fn an_error_names_the_argument_on_standard_error() {
    for (arguments, name) in [
        (vec!["call", "count", "n=x"], "n"),
        (vec!["call", "count"], "n"),
        (vec!["call", "count", "m=5"], "m"),
        (vec!["get", "greet", "name=Ada"], "times"),
        (vec!["call", "cuont", "n=1"], "count"),
        (vec!["read", "notes://100"], "notes://100"),
    ] {
        let (code, out, err) = run(&arguments);
        assert!(code != 0 && out.is_empty() && err.contains(name), "{arguments:?}: {code} {out} {err}");
    }
}

#[test]
fn an_internal_cause_is_in_the_log_under_the_number_that_the_error_names() {
    let (code, out, err) = run(&["call", "fails_inside"]);
    let (_, rest) = err.split_once("its log has the cause under ").unwrap_or_else(|| panic!("{err}"));
    let number = rest.split('.').next().unwrap_or_default();
    assert!(code != 0 && out.is_empty() && number.len() == 8, "{err}");
    let logged = err.lines().find(|line| line.contains("a function failed")).unwrap_or_else(|| panic!("{err}"));
    assert!(logged.contains(&format!("reference=\"{number}\"")) && logged.contains("No such file"), "{logged}");
}

#[test]
fn lists_are_for_people_or_for_programs() {
    let (code, out, _) = run(&["list"]);
    assert_eq!(code, 0);
    for expected in ["echo", "notes://{id}", "greet", "Greets somebody several times."] {
        assert!(out.contains(expected), "{expected} in {out}");
    }
    let (code, out, _) = run(&["list", "tools", "--json"]);
    let tools: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(code, 0);
    assert!(tools.to_string().contains(r#""name":"echo""#));
}
