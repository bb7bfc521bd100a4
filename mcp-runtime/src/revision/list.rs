//! List items, as each revision can carry them.

use super::content::annotations;
use super::{Features, OutputSchemas, Revision};
use crate::model::{Icon, PromptArgument, PromptItem, ResourceItem, Schema, TemplateItem, ToolHints, ToolItem};
use crate::wire::Object;
use serde_json::{Value, json};
use std::borrow::Cow;

/// Writes a tool for `tools/list`.
pub(crate) fn tool_item(out: &mut Vec<u8>, tool: &ToolItem, revision: Revision) {
    let features = revision.features();
    let output_schema = tool.output_schema.as_ref().filter(|schema| carries(features, schema.is_of_objects()));
    let hints = Some(&tool.hints).filter(|hints| features.tool_annotations && **hints != ToolHints::default());
    let mut object = Object::begin(out);
    object
        .field("name", &tool.name)
        .maybe("title", tool.title.as_ref().filter(|_| features.titles))
        .maybe("description", tool.description.as_ref())
        .maybe("icons", icons(features, &tool.icons))
        .raw("inputSchema", &input_schema(features, &tool.input_schema));
    if let Some(schema) = output_schema {
        object.raw("outputSchema", schema.as_json());
    }
    object.maybe("annotations", hints).maybe("_meta", tool.meta.as_ref().filter(|_| features.titles)).end();
}

/// Can the revision carry an output schema, or a value that has it? They differ in what they take but objects.
pub(super) fn carries(features: &Features, is_of_objects: bool) -> bool {
    match features.output_schemas {
        OutputSchemas::No => false,
        OutputSchemas::Object => is_of_objects,
        OutputSchemas::Any => true,
    }
}

/// Older revisions want every property to be an object: `true` becomes `{}`, `false` a schema that nothing satisfies.
fn input_schema<'s>(features: &Features, schema: &'s Schema) -> Cow<'s, str> {
    if features.boolean_properties || !schema.has_boolean_properties() {
        return Cow::Borrowed(schema.as_json());
    }
    let mut schema = schema.tree().clone();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for property in properties.values_mut() {
            match property {
                Value::Bool(true) => *property = json!({}),
                Value::Bool(false) => *property = json!({"not": {}}),
                _ => {}
            }
        }
    }
    Cow::Owned(schema.to_string())
}

/// Writes a resource for `resources/list`.
pub(crate) fn resource_item(out: &mut Vec<u8>, resource: &ResourceItem, revision: Revision) {
    let features = revision.features();
    let mut object = Object::begin(out);
    object
        .field("uri", &resource.uri)
        .field("name", &resource.name)
        .maybe("title", resource.title.as_ref().filter(|_| features.titles))
        .maybe("description", resource.description.as_ref())
        .maybe("mimeType", resource.mime_type.as_ref())
        .maybe("size", resource.size.as_ref())
        .maybe("icons", icons(features, &resource.icons));
    annotations(&mut object, &resource.annotations, features);
    object.maybe("_meta", resource.meta.as_ref().filter(|_| features.titles)).end();
}

/// Writes a template for `resources/templates/list`.
pub(crate) fn template_item(out: &mut Vec<u8>, template: &TemplateItem, revision: Revision) {
    let features = revision.features();
    let mut object = Object::begin(out);
    object
        .field("uriTemplate", &template.uri_template)
        .field("name", &template.name)
        .maybe("title", template.title.as_ref().filter(|_| features.titles))
        .maybe("description", template.description.as_ref())
        .maybe("mimeType", template.mime_type.as_ref())
        .maybe("icons", icons(features, &template.icons));
    annotations(&mut object, &template.annotations, features);
    object.maybe("_meta", template.meta.as_ref().filter(|_| features.titles)).end();
}

/// Writes a prompt for `prompts/list`.
pub(crate) fn prompt_item(out: &mut Vec<u8>, prompt: &PromptItem, revision: Revision) {
    let features = revision.features();
    Object::begin(out)
        .field("name", &prompt.name)
        .maybe("title", prompt.title.as_ref().filter(|_| features.titles))
        .maybe("description", prompt.description.as_ref())
        .list("arguments", &prompt.arguments, |out, argument| prompt_argument(out, argument, features))
        .maybe("icons", icons(features, &prompt.icons))
        .maybe("_meta", prompt.meta.as_ref().filter(|_| features.titles))
        .end();
}

fn prompt_argument(out: &mut Vec<u8>, argument: &PromptArgument, features: &Features) {
    Object::begin(out)
        .field("name", &argument.name)
        .maybe("title", argument.title.as_ref().filter(|_| features.titles))
        .maybe("description", argument.description.as_ref())
        .field("required", &argument.required)
        .end();
}

fn icons<'i>(features: &Features, icons: &'i Vec<Icon>) -> Option<&'i Vec<Icon>> {
    Some(icons).filter(|icons| features.icons && !icons.is_empty())
}
