//! `read` and `get`.

use super::{Terminals, assert_failed, assert_printed, line, run};
use serde_json::{Value, json};

#[tokio::test]
async fn text_is_printed_as_it_is() {
    assert_printed(&run(["read", "greeting://Ada"]).await, "Hello, Ada!\n");
    assert_printed(&run(["read", "greeting://Ada%20L"]).await, "Hello, Ada L!\n");
    assert_printed(&run(["read", "page://1"]).await, "Page 1.\n\n");
}

#[tokio::test]
async fn bytes_are_for_programs_and_notes_for_people() {
    assert_eq!(run(["read", "site://logo"]).await.out, [0, 255, 10]);
    let terminals = Terminals { out: true, ..Terminals::default() };
    let outcome = line(["read", "site://logo"]).terminals(terminals).run().await;
    assert_printed(&outcome, "[application/octet-stream, 3 bytes]\n");
}

#[tokio::test]
async fn an_unknown_resource_is_told_with_the_one_that_was_meant() {
    for (uri, text) in [
        ("site://loga", "error: there is no resource `site://loga`: did you mean `site://logo`?\n"),
        ("greting://Ada", "error: there is no resource `greting://Ada`: did you mean `greeting://{name}`?\n"),
        ("page://11", "error: Resource not found: page://11\n"),
        ("ftp://x", "error: Resource not found: ftp://x\n"),
    ] {
        assert_failed(&run(["read", uri]).await, 1, text);
    }
    let outcome = run(["read", "page://x"]).await;
    assert_eq!((outcome.code, outcome.out()), (1, ""));
    assert!(outcome.err.starts_with("error: ") && outcome.err.contains("`number`"), "{}", outcome.err);
}

#[tokio::test]
async fn a_message_of_the_person_alone_is_its_text() {
    assert_printed(&run(["get", "review", "code=1 + 1"]).await, "Review this code:\n1 + 1\n");
    assert_printed(&run(["get", "review", "code=5", "style=!"]).await, "Review this code:\n5!\n");
}

#[tokio::test]
async fn several_messages_say_who_speaks() {
    assert_printed(&run(["get", "talk", "times=3"]).await, "user:\n3 times?\n\nassistant:\nNo.\n");
}

#[tokio::test]
async fn arguments_of_a_prompt_are_named_when_they_are_wrong() {
    let text = "error: argument `cod`: not known, did you mean `code`?\n\
                error: argument `code`: missing, expected a text\n";
    assert_failed(&run(["get", "review", "cod=x"]).await, 1, text);
    let outcome = run(["get", "talk", "times=x"]).await;
    assert_eq!((outcome.code, outcome.out()), (1, ""));
    assert!(outcome.err.starts_with("error: ") && outcome.err.contains("`times`"), "{}", outcome.err);
    assert_failed(&run(["get", "revew"]).await, 1, "error: there is no prompt `revew`: did you mean `review`?\n");
}

#[tokio::test]
async fn raw_is_the_whole_result() {
    let result: Value = serde_json::from_str(run(["read", "greeting://Ada", "--raw"]).await.out()).expect("JSON");
    assert_eq!(result["contents"][0]["uri"], "greeting://Ada");
    let result: Value = serde_json::from_str(run(["get", "talk", "times=3", "--raw"]).await.out()).expect("JSON");
    assert_eq!(result["messages"][1]["content"], json!({"type": "text", "text": "No."}));
}
