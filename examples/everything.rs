//! One of everything: the server that the protocol's conformance suite is run against.

#[path = "everything/asking.rs"]
mod asking;
#[path = "everything/changing.rs"]
mod changing;

use mcp_runtime::Audio;
use mcp_runtime::prelude::*;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A PNG of one red pixel.
const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8,
    2, 0, 0, 0, 0x90, 0x77, 0x53, 0xDE, 0, 0, 0, 0x0C, b'I', b'D', b'A', b'T', 0x08, 0xD7, 0x63, 0xF8, 0xCF, 0xC0, 0,
    0, 3, 1, 1, 0, 0x18, 0xDD, 0x8D, 0xB0, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xAE, 0x42, 0x60, 0x82,
];

/// A WAV of no samples: 8 kHz, one channel, 8 bits.
const SILENCE: &[u8] = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1F\0\0\x40\x1F\0\0\x01\0\x08\0data\0\0\0\0";

/// The time between two messages of the tools that send several.
const PAUSE: Duration = Duration::from_millis(50);

/// Returns a text.
#[mcp_tool]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Returns an image.
#[mcp_tool]
fn test_image_content() -> Image {
    Image::png(PIXEL)
}

/// Returns a sound.
#[mcp_tool]
fn test_audio_content() -> Audio {
    Audio::wav(SILENCE)
}

/// Returns an embedded resource.
#[mcp_tool]
fn test_embedded_resource() -> ResourceContents {
    ResourceContents::text("This is an embedded resource content.")
        .mime_type("text/plain")
        .with_uri("test://embedded-resource")
}

/// Returns content of several kinds.
#[mcp_tool]
fn test_multiple_content_types() -> Contents {
    Contents::new().with("Multiple content types test:").with(Image::png(PIXEL)).with(
        ResourceContents::text(r#"{"test":"data","value":123}"#)
            .mime_type("application/json")
            .with_uri("test://mixed-content-resource"),
    )
}

/// Lets the connection go in the middle of the call: the client comes back for the answer.
#[mcp_tool]
async fn test_reconnection(cx: Context) -> &'static str {
    cx.close_stream();
    tokio::time::sleep(PAUSE).await;
    "The client came back for this."
}

/// Fails, for the model to see.
#[mcp_tool]
fn test_error_handling() -> Result<String, &'static str> {
    Err("This tool intentionally returns an error for testing")
}

/// Reports progress three times.
#[mcp_tool]
async fn test_tool_with_progress(cx: Context) -> &'static str {
    for done in [0, 50, 100] {
        cx.progress(done, 100);
        tokio::time::sleep(PAUSE).await;
    }
    "Progress was reported three times."
}

/// Sends three log messages.
#[mcp_tool]
async fn test_tool_with_logging(cx: Context) -> &'static str {
    for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        cx.info(message);
        tokio::time::sleep(PAUSE).await;
    }
    "Three messages were logged."
}

/// Sends a log message if the request asks for any.
#[mcp_tool]
fn test_logging_tool(cx: Context) -> &'static str {
    cx.info("A message at level info");
    "A message was logged."
}

/// Needs a client that can sample.
#[mcp_tool(requires(sampling))]
fn test_missing_capability() -> &'static str {
    "The client declared sampling."
}

/// Takes an argument that gateways may route by.
#[mcp_tool]
fn test_x_mcp_header(
    /// Where the call belongs.
    #[arg(header = "Region")]
    region: String,
    /// How urgent it is.
    priority: Option<i64>,
) -> String {
    format!("region {region}, priority {priority:?}")
}

/// A schema with the keywords that JSON Schema 2020-12 has beyond the usual ones.
const CONTACT_SCHEMA: &str = r##"{
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"}
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": false
}"##;

/// Takes arguments under a schema that was written by hand.
#[mcp_tool(input_schema = CONTACT_SCHEMA)]
fn json_schema_2020_12_tool(Args(contact): Args<Map<String, Value>>) -> String {
    format!("valid: {}", Value::Object(contact))
}

/// A text that never changes.
#[mcp_resource(uri = "test://static-text")]
fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// Bytes that never change.
#[mcp_resource(uri = "test://static-binary", mime_type = "image/png")]
fn static_binary() -> &'static [u8] {
    PIXEL
}

/// A resource to subscribe to.
#[mcp_resource(uri = "test://watched-resource")]
fn watched_resource() -> &'static str {
    "Watch this."
}

/// Data under an id.
#[mcp_resource(uri = "test://template/{id}/data")]
fn template_data(id: String) -> Json<Value> {
    let data = format!("Data for ID: {id}");
    Json(json!({"id": id, "templateTest": true, "data": data}))
}

/// A prompt without arguments.
#[mcp_prompt]
fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// Values to offer for any argument that starts with what was typed.
fn examples(typed: &str) -> Vec<&'static str> {
    ["test", "testValue1", "testValue2"].into_iter().filter(|value| value.starts_with(typed)).collect()
}

/// A prompt with two arguments.
#[mcp_prompt]
fn test_prompt_with_arguments(
    /// The first argument.
    #[arg(complete = examples)]
    arg1: String,
    /// The second argument.
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

/// A prompt that brings a resource along.
#[mcp_prompt]
fn test_prompt_with_embedded_resource(
    /// The resource's URI.
    #[arg(rename = "resourceUri")]
    resource_uri: String,
) -> Messages {
    Messages::new()
        .user(
            ResourceContents::text("Embedded resource content for testing.")
                .mime_type("text/plain")
                .with_uri(resource_uri),
        )
        .user("Please process the embedded resource above.")
}

/// A prompt that brings an image along.
#[mcp_prompt]
fn test_prompt_with_image() -> Messages {
    Messages::new().user(Image::png(PIXEL)).user("Please analyze the image above.")
}

mcp_main!(server!().disable_tool("test_zz_dynamic_tool").disable_prompt("test_zz_dynamic_prompt"));
