//! `call`: arguments in, results and errors out.

use super::{Outcome, Terminals, assert_failed, assert_printed, line, run};
use serde_json::{Value, json};

async fn call<'t>(args: impl IntoIterator<Item = &'t str>) -> Outcome {
    run(["call"].into_iter().chain(args)).await
}

#[tokio::test]
async fn two_and_three_are_five() {
    assert_printed(&call(["add", "a=2", "b=3"]).await, "5\n");
    assert_printed(&call(["add", "b=-3", "a=2"]).await, "-1\n");
    assert_printed(&call(["add", "--json", r#"{"a": 2, "b": 3}"#]).await, "5\n");
    assert_printed(&line(["call", "add", "--json", "-"]).input("{\"a\": 2,\n\"b\": 3}\n").run().await, "5\n");
}

#[tokio::test]
async fn every_wrong_argument_is_named() {
    assert_failed(&call(["add", "a=2", "b=x"]).await, 1, "error: argument `b`: expected an integer, got \"x\"\n");
    let text = "error: argument `a`: expected an integer, got \"\"\n\
                error: argument `c`: not known\n\
                error: argument `b`: missing, expected an integer\n";
    assert_failed(&call(["add", "a=", "c=1"]).await, 1, text);
}

#[tokio::test]
async fn what_only_the_server_can_tell_is_told_as_well() {
    for args in [&["add", "a=2", "b=99999999999999999999"][..], &["add", "--json", r#"{"a": 2, "b": "x"}"#]] {
        let outcome = call(args.iter().copied()).await;
        assert_eq!((outcome.code, outcome.out()), (1, ""));
        assert!(
            outcome.err.starts_with("error: ") && outcome.err.contains("`b`: expected an integer"),
            "{}",
            outcome.err
        );
    }
}

#[tokio::test]
async fn an_unknown_tool_is_told_with_the_one_that_was_meant() {
    assert_failed(&call(["ad", "a=2"]).await, 1, "error: there is no tool `ad`: did you mean `add`?\n");
    assert_failed(&call(["quux", "--json", "{}"]).await, 1, "error: there is no tool `quux`\n");
}

#[tokio::test]
async fn text_arrives_exactly_and_leaves_with_one_line_break() {
    for (text, out) in [
        ("text=5", "5\n"),
        ("text=", "\n"),
        ("text= a=b ", " a=b \n"),
        ("text=true", "true\n"),
        ("text=größe\n\n", "größe\n"),
        ("text=\"q\"", "\"q\"\n"),
    ] {
        assert_printed(&call(["echo", text]).await, out);
    }
}

#[tokio::test]
async fn nested_optional_and_listed_arguments_are_typed() {
    let out = "Filter { tag: \"5\", limit: Some(5), env: {\"A.B\": \"1\"} } Some(Down) 3\n";
    let args = ["search", "filter.tag=5", "filter.limit=5", "filter.env.A.B=1", "order=down", "most=3"];
    assert_printed(&call(args).await, out);
    let out = "Filter { tag: \"x\", limit: None, env: {} } None 20\n";
    assert_printed(&call(["search", r#"filter={"tag":"x"}"#]).await, out);
    let text = "error: argument `filter.tags`: not known, did you mean `filter.tag`?\n\
                error: argument `order`: expected one of \"up\", \"down\", got \"sideways\"\n\
                error: argument `most`: expected an integer from 0 to 255, got \"many\"\n";
    assert_failed(&call(["search", "filter.tags=5", "order=sideways", "most=many"]).await, 1, text);
}

#[tokio::test]
async fn structured_results_are_json_with_every_digit() {
    let out = "{\n  \"parts\": [\n    100000000000000000000000000000,\n    1\n  ],\n  \
               \"total\": 100000000000000000000000000001\n}\n";
    assert_printed(&call(["big_sum", "a=100000000000000000000000000000", "b=1"]).await, out);
}

#[tokio::test]
async fn text_beside_a_structured_result_is_for_people() {
    let outcome = call(["summary"]).await;
    assert_eq!((outcome.out(), outcome.err.as_str(), outcome.code), ("[\n  1,\n  2\n]\n", "Two in all.\n", 0));
}

#[tokio::test]
async fn nothing_is_printed_for_nothing() {
    assert_printed(&call(["nothing"]).await, "");
}

#[tokio::test]
async fn raw_is_the_whole_result() {
    let outcome = call(["add", "a=2", "b=3", "--raw"]).await;
    let result: Value = serde_json::from_str(outcome.out()).expect("JSON");
    assert_eq!(result["content"], json!([{"type": "text", "text": "5"}]));
    assert_eq!(result["resultType"], "complete");
    let outcome = call(["fail", "--raw"]).await;
    let result: Value = serde_json::from_str(outcome.out()).expect("JSON");
    assert_eq!((outcome.code, outcome.err.as_str(), &result["isError"]), (1, "", &json!(true)));
}

#[tokio::test]
async fn an_error_of_the_tool_goes_to_standard_error() {
    assert_failed(&call(["fail"]).await, 1, "error: the well is dry\n");
    let hidden = call(["hide"]).await;
    assert_eq!((hidden.code, hidden.out(), hidden.err.contains("secret")), (1, "", false));
    let panicked = call(["panic"]).await;
    assert_eq!((panicked.code, panicked.out()), (1, ""));
    assert!(panicked.err.starts_with("error: The server failed to do this; its log has"), "{}", panicked.err);
}

#[tokio::test]
async fn content_of_several_kinds_is_shown_in_order() {
    let out = "A chart:\n[image/png, 1 byte]\nnote://today  today\ninner\n";
    assert_printed(&call(["mixed"]).await, out);
}

#[tokio::test]
async fn an_image_is_bytes_for_programs_and_a_note_for_people() {
    assert_eq!(call(["chart"]).await.out, [0x89, b'P', b'N', b'G']);
    let terminals = Terminals { out: true, ..Terminals::default() };
    assert_printed(&line(["call", "chart"]).terminals(terminals).run().await, "[image/png, 4 bytes]\n");
}
