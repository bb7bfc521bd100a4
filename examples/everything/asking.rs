//! Tools and a prompt that ask the client.

use mcp_runtime::Capability;
use mcp_runtime::prelude::*;
use serde_json::json;

/// Asks the client's model.
#[mcp_tool]
async fn test_sampling(
    /// What to ask.
    prompt: String,
    cx: Context,
) -> Result<String, ToolError> {
    let answer = cx.sample(Sample::new(100).user(prompt)).await?;
    Ok(format!("LLM response: {}", answer.text()))
}

/// What became of a form, for a person to read.
fn report<T: std::fmt::Debug>(what: &str, answer: &Elicited<T>) -> String {
    let (action, content) = match answer {
        Elicited::Accepted(content) => ("accept", format!("{content:?}")),
        Elicited::Declined => ("decline", "none".to_owned()),
        Elicited::Cancelled => ("cancel", "none".to_owned()),
    };
    format!("{what}: action={action}, content={content}")
}

/// Who somebody is.
#[mcp_type]
#[derive(Debug)]
struct Account {
    username: String,
    email: String,
}

/// Asks for a form.
#[mcp_tool]
async fn test_elicitation(
    /// The question.
    message: String,
    cx: Context,
) -> Result<String, ToolError> {
    Ok(report("User response", &cx.elicit::<Account>(message).await?))
}

/// A state of affairs.
#[mcp_type]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Status {
    Active,
    Inactive,
    Pending,
}

/// A form whose fields are filled in already.
#[mcp_type]
#[derive(Debug)]
struct Defaults {
    #[arg(default = "John Doe")]
    name: String,
    #[arg(default = 30)]
    age: i64,
    #[arg(default = 95.5)]
    score: f64,
    #[arg(default = Status::Active)]
    status: Status,
    #[arg(default = true)]
    verified: bool,
}

/// Asks for a form with defaults.
#[mcp_tool]
async fn test_elicitation_sep1034_defaults(cx: Context) -> Result<String, ToolError> {
    Ok(report("Elicitation completed", &cx.elicit::<Defaults>("Please check these values.").await?))
}

/// Asks for a form with every kind of choice.
#[mcp_tool]
async fn test_elicitation_sep1330_enums(cx: Context) -> Result<String, ToolError> {
    let titled = json!([
        {"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"},
    ]);
    let options = json!(["option1", "option2", "option3"]);
    let form = json!({"type": "object", "properties": {
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }});
    Ok(report("Elicitation completed", &cx.elicit_with("Please choose.", form).await?))
}

/// Reports progress, then asks.
#[mcp_tool]
async fn test_streaming_elicitation(cx: Context) -> Result<String, ToolError> {
    cx.progress(1, 2);
    Ok(report("Answer", &cx.elicit::<Name>("What is your name?").key("user_name").await?))
}

/// A form with a name.
#[mcp_type]
#[derive(Debug)]
struct Name {
    name: String,
}

/// A form with a colour.
#[mcp_type]
#[derive(Debug)]
struct Color {
    color: String,
}

/// A form with a confirmation.
#[mcp_type]
#[derive(Debug)]
struct Confirmation {
    ok: bool,
}

/// Asks for a name.
#[mcp_tool]
async fn test_input_required_result_elicitation(cx: Context) -> Result<String, ToolError> {
    let answer: Name = cx.elicit("What is your name?").key("user_name").await?.accepted()?;
    Ok(format!("Hello, {}!", answer.name))
}

/// Asks the client's model for a capital.
#[mcp_tool]
async fn test_input_required_result_sampling(cx: Context) -> Result<String, ToolError> {
    let question = Sample::new(100).user("What is the capital of France?");
    Ok(cx.sample(question).key("capital_question").await?.text())
}

/// Asks for the client's roots.
#[mcp_tool]
async fn test_input_required_result_list_roots(cx: Context) -> Result<String, ToolError> {
    Ok(format!("Roots: {:?}", cx.roots().key("client_roots").await?))
}

/// Remembers a step while it asks.
#[mcp_tool]
async fn test_input_required_result_request_state(cx: Context) -> Result<String, ToolError> {
    let started: String = cx.once("started", async { Ok::<_, ToolError>("state-ok".to_owned()) }).await?;
    let answer: Confirmation = cx.elicit("Please confirm").key("confirm").await?.accepted()?;
    Ok(format!("{started}, confirmed: {}", answer.ok))
}

/// Asks three things at once.
#[mcp_tool]
async fn test_input_required_result_multiple_inputs(cx: Context) -> Result<String, ToolError> {
    cx.once("started", async { Ok::<_, ToolError>(true) }).await?;
    let (name, greeting, roots) = tokio::join!(
        cx.elicit::<Name>("What is your name?").key("user_name"),
        cx.sample(Sample::new(50).user("Generate a greeting")).key("greeting"),
        cx.roots().key("client_roots"),
    );
    Ok(format!("{} {} ({} roots)", greeting?.text(), name?.accepted()?.name, roots?.len()))
}

/// Asks one thing after the other.
#[mcp_tool]
async fn test_input_required_result_multi_round(cx: Context) -> Result<String, ToolError> {
    cx.once("started", async { Ok::<_, ToolError>(true) }).await?;
    let name: Name = cx.elicit("Step 1: What is your name?").key("step1").await?.accepted()?;
    let color: Color = cx.elicit("Step 2: What is your favorite color?").key("step2").await?.accepted()?;
    Ok(format!("{} likes {}.", name.name, color.color))
}

/// Remembers something that the client must not change.
#[mcp_tool]
async fn test_input_required_result_tampered_state(cx: Context) -> Result<String, ToolError> {
    let price: u32 = cx.once("price", async { Ok::<_, ToolError>(100) }).await?;
    let answer: Confirmation = cx.elicit("Please confirm").key("confirm").await?.accepted()?;
    Ok(format!("price {price}, confirmed: {}", answer.ok))
}

/// Asks for what the client can give.
#[mcp_tool]
async fn test_input_required_result_capabilities(cx: Context) -> Result<String, ToolError> {
    if cx.supports(Capability::Elicitation) {
        let answer: Name = cx.elicit("What is your name?").key("user_name").await?.accepted()?;
        return Ok(answer.name);
    }
    Ok(cx.sample(Sample::new(50).user("Make up a name")).key("name").await?.text())
}

/// Asks what it is about.
#[mcp_prompt]
async fn test_input_required_result_prompt(cx: Context) -> Result<String, ToolError> {
    let answer: PromptContext =
        cx.elicit("What context should the prompt use?").key("user_context").await?.accepted()?;
    Ok(format!("Use this context: {}", answer.context))
}

/// A form with a context.
#[mcp_type]
struct PromptContext {
    context: String,
}
