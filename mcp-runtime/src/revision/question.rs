//! Questions to the client, as each revision can ask them.

use super::Revision;
use super::content::content;
use crate::ToolError;
use crate::ask::{Question, Sample, SampleContent, ToolChoice};
use crate::model::{Capability, MISSING_CAPABILITY};
use crate::wire::RpcError;
use serde_json::{Value, json};

/// The error for capabilities that a call needs and the client did not declare.
pub(crate) fn missing_capability(revision: Revision, missing: &[Capability]) -> RpcError {
    let mut needed = json!({});
    missing.iter().for_each(|capability| capability.add_to(&mut needed));
    let names: Vec<&str> = needed.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let text = format!("the client must support: {}", names.join(", "));
    match revision.is_stateless() {
        true => RpcError::new(MISSING_CAPABILITY, text).with_data(&json!({"requiredCapabilities": needed})),
        false => RpcError::invalid_params(text),
    }
}

/// The params of a question.
///
/// # Errors
/// The revision cannot ask it.
pub(crate) fn question_params(revision: Revision, question: &Question) -> Result<Value, ToolError> {
    let unknown = |what: &str| {
        let text = format!("the client's protocol revision {} does not know {what}", revision.as_str());
        Err(ToolError::new(text))
    };
    match question {
        Question::Form { .. } | Question::Url { .. } if revision < Revision::V2025_06_18 => unknown("elicitation"),
        Question::Url { .. } if revision < Revision::V2025_11_25 => unknown("URLs to open"),
        Question::Sample(sample) if sample.uses_tools() && revision < Revision::V2025_11_25 => {
            unknown("tools for sampling")
        }
        Question::Form { message, schema } if revision < Revision::V2025_11_25 => {
            Ok(json!({"message": message, "requestedSchema": older_form(schema)?}))
        }
        Question::Form { message, schema } => Ok(json!({"message": message, "requestedSchema": schema})),
        Question::Url { message, url } => {
            let mut params = json!({"mode": "url", "message": message, "url": url});
            if !revision.is_stateless() {
                params["elicitationId"] = elicitation_id()?.into();
            }
            Ok(params)
        }
        Question::Sample(sample) => Ok(sampling(revision, sample)),
        Question::Roots => Ok(json!({})),
    }
}

/// Names a URL that is asked for: the client may be told later that it is done.
fn elicitation_id() -> Result<String, ToolError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| ToolError::internal(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The first revision with forms has titles beside the names, no defaults but of booleans, and no choice of several.
fn older_form(schema: &Value) -> Result<Value, ToolError> {
    let mut form = schema.clone();
    let fields = form.get_mut("properties").and_then(Value::as_object_mut);
    for (name, field) in fields.into_iter().flatten() {
        let Some(field) = field.as_object_mut() else { continue };
        if field.get("type").is_some_and(|kind| kind == "array") {
            let text = format!("the client's protocol revision has no choice of several values, as `{name}` is one");
            return Err(ToolError::new(text));
        }
        if field.get("type").is_none_or(|kind| kind != "boolean") {
            field.shift_remove("default");
        }
        if let Some(Value::Array(options)) = field.shift_remove("oneOf") {
            let each = |key: &str| options.iter().map(|option| option[key].clone()).collect::<Vec<Value>>();
            field.insert("enum".to_owned(), each("const").into());
            field.insert("enumNames".to_owned(), each("title").into());
        }
    }
    Ok(form)
}

fn sampling(revision: Revision, sample: &Sample) -> Value {
    let block = |content_block: &SampleContent| match content_block {
        SampleContent::Block(block) => block_value(block, revision),
        SampleContent::Said(block) => block.clone(),
        SampleContent::ToolResult { id, content } => {
            json!({"type": "tool_result", "toolUseId": id, "content": [block_value(content, revision)]})
        }
    };
    let message = |(role, blocks): &(crate::Role, Vec<SampleContent>)| {
        let mut blocks: Vec<Value> = blocks.iter().map(block).collect();
        // Only newer revisions know several blocks in one message; one stands alone everywhere.
        let content = if blocks.len() == 1 { blocks.remove(0) } else { Value::Array(blocks) };
        json!({"role": role, "content": content})
    };
    let mut params = sample.settings.clone();
    params["messages"] = sample.messages.iter().map(message).collect();
    if !sample.tools.is_empty() {
        let tool = |tool: &crate::SampleTool| json!({"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema});
        params["tools"] = sample.tools.iter().map(tool).collect();
    }
    if let Some(choice) = sample.tool_choice {
        let mode = match choice {
            ToolChoice::Auto => "auto",
            ToolChoice::Required => "required",
            ToolChoice::None => "none",
        };
        params["toolChoice"] = json!({"mode": mode});
    }
    params
}

fn block_value(block: &crate::Content, revision: Revision) -> Value {
    let mut out = Vec::new();
    content(&mut out, block, revision);
    serde_json::from_slice(&out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> Question {
        Question::Form {
            message: "?".into(),
            schema: json!({"type": "object", "properties": {
                "name": {"type": "string", "default": "Ada"},
                "sure": {"type": "boolean", "default": true},
                "meal": {"type": "string", "oneOf": [{"const": "f", "title": "Fish"}]},
            }}),
        }
    }

    #[test]
    fn older_forms_have_names_beside_values_and_fewer_defaults() {
        let params = question_params(Revision::V2025_06_18, &form()).expect("it can be asked");
        let fields = &params["requestedSchema"]["properties"];
        assert_eq!(fields["name"], json!({"type": "string"}));
        assert_eq!(fields["sure"], json!({"type": "boolean", "default": true}));
        assert_eq!(fields["meal"], json!({"type": "string", "enum": ["f"], "enumNames": ["Fish"]}));
        assert!(question_params(Revision::V2025_03_26, &form()).is_err());
        let several = json!({"properties": {"a": {"type": "array", "items": {"enum": ["x"]}}}});
        let several = Question::Form { message: "?".into(), schema: several };
        assert!(question_params(Revision::V2025_06_18, &several).is_err());
        assert!(question_params(Revision::V2025_11_25, &several).is_ok());
    }

    #[test]
    fn a_url_has_an_id_where_the_revision_wants_one() {
        let url = Question::Url { message: "?".into(), url: "https://example.com".into() };
        assert!(question_params(Revision::V2025_06_18, &url).is_err());
        let with_id = question_params(Revision::V2025_11_25, &url).expect("it can be asked");
        assert!(with_id["elicitationId"].is_string());
        let without = question_params(Revision::LATEST, &url).expect("it can be asked");
        assert!(without.get("elicitationId").is_none());
    }
}
