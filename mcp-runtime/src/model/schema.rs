//! A JSON Schema of a function.

use serde_json::Value;
use std::fmt;
use std::sync::OnceLock;

/// A JSON Schema, kept as the text that lists show. A tree of values takes ten times as much memory; it is made from the
/// text where one is needed, and stays then.
pub(crate) struct Schema {
    text: Box<str>,
    tree: OnceLock<Box<Value>>,
    of_objects: bool,
    boolean_properties: bool,
}

impl Schema {
    pub(crate) fn new(schema: &Value) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object);
        Schema {
            // Straight into a buffer: `Display` would go through a formatter piece by piece.
            text: serde_json::to_string(schema).unwrap_or_default().into(),
            tree: OnceLock::new(),
            of_objects: schema.get("type").is_some_and(|kind| kind == "object"),
            boolean_properties: properties.is_some_and(|properties| properties.values().any(Value::is_boolean)),
        }
    }

    /// The schema as JSON.
    pub(crate) fn as_json(&self) -> &str {
        &self.text
    }

    /// The schema as a value.
    pub(crate) fn tree(&self) -> &Value {
        // The text was written from a value, so it can be read.
        self.tree.get_or_init(|| Box::new(serde_json::from_str(&self.text).unwrap_or_default()))
    }

    /// Are all values that it describes objects, and does it say so in as many words?
    pub(crate) fn is_of_objects(&self) -> bool {
        self.of_objects
    }

    /// Is `true` or `false` all that it says of a member?
    pub(crate) fn has_boolean_properties(&self) -> bool {
        self.boolean_properties
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}
