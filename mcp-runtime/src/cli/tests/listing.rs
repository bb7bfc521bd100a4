//! `list`: tables for people, JSON for programs.

use super::fixture::{only_add, server};
use super::{assert_printed, line, run};
use serde_json::Value;

const SMALL: &str = "\
TOOL  ARGUMENTS               DESCRIPTION
add   a: integer, b: integer  Adds two numbers.
";

const PROMPTS: &str = "\
PROMPT  ARGUMENTS     DESCRIPTION
review  code, style?  Asks for a review.
talk    times         Asks for a talk.
";

const RESOURCES: &str = "\
RESOURCE  URI                TYPE                      DESCRIPTION
logo      site://logo        application/octet-stream  The logo.
greeting  greeting://{name}  text/plain                The greeting.
page      page://{number}    text/plain                The page.
";

#[tokio::test]
async fn a_table_shows_names_arguments_and_the_first_line() {
    let small = || only_add().build().expect("sound");
    assert_printed(&line(["list"]).server(small()).run().await, SMALL);
    assert_printed(&line(["list", "tools"]).server(small()).run().await, SMALL);
    assert_printed(&run(["list", "prompts"]).await, PROMPTS);
    assert_printed(&run(["list", "resources"]).await, RESOURCES);
    let tools = run(["list", "tools"]).await;
    assert!(tools.out().contains("\nsearch   filter: object, order?: up|down,"), "{}", tools.out());
}

#[tokio::test]
async fn all_tables_stand_apart() {
    let (tools, all) = (run(["list", "tools"]).await, run(["list"]).await);
    assert_printed(&all, &format!("{}\n{RESOURCES}\n{PROMPTS}", tools.out()));
}

#[tokio::test]
async fn what_the_server_does_not_have_is_no_error() {
    let small = only_add().build().expect("sound");
    let outcome = line(["list", "prompts"]).server(small.clone()).run().await;
    assert_eq!((outcome.code, outcome.out(), outcome.err.as_str()), (0, "", "the server has no prompts\n"));
    let outcome = line(["list", "resources", "--json"]).server(small).run().await;
    assert_printed(&outcome, "{\n  \"resources\": [],\n  \"resourceTemplates\": []\n}\n");
}

#[tokio::test]
async fn json_has_every_item_of_every_page() {
    let whole = run(["list", "--json"]).await;
    let paged = server().page_size(2).build().expect("sound");
    assert_eq!(line(["list", "--json"]).server(paged).run().await, whole);
    let lists: Value = serde_json::from_str(whole.out()).expect("JSON");
    let count = |key: &str| lists[key].as_array().map(Vec::len);
    let counts = [count("tools"), count("resources"), count("resourceTemplates"), count("prompts")];
    assert_eq!(counts, [Some(15), Some(1), Some(2), Some(2)]);
    assert_eq!(lists["tools"][0]["inputSchema"]["required"], serde_json::json!(["a", "b"]));
    let only: Value = serde_json::from_str(run(["list", "prompts", "--json"]).await.out()).expect("JSON");
    assert_eq!(only, serde_json::json!({"prompts": lists["prompts"]}));
}

#[tokio::test]
async fn a_tool_on_a_later_page_is_found() {
    let paged = server().page_size(1).build().expect("sound");
    assert_printed(&line(["call", "echo", "text=x"]).server(paged).run().await, "x\n");
}
