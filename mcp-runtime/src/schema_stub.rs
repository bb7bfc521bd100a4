#![allow(missing_docs, dead_code)]
use serde_json::{Map, Value, json};
pub(crate) enum Role { Input, Output }
pub(crate) struct Schemas(schemars::SchemaGenerator);
impl Schemas {
    pub(crate) fn new(_: Role) -> Self { Schemas(schemars::SchemaGenerator::default()) }
    pub(crate) fn of<T: schemars::JsonSchema + ?Sized>(&mut self) -> Value { self.0.subschema_for::<T>().to_value() }
    pub(crate) fn into_definitions(self) -> Map<String, Value> { Map::new() }
}
pub(crate) fn root_object(schema: Value, _: Map<String, Value>, _: bool) -> Result<Value, String> { Ok(schema) }
pub(crate) fn object(properties: Map<String, Value>, required: Vec<String>, _d: Map<String, Value>, _c: bool) -> Value { json!({"type":"object","properties":properties,"required":required}) }
pub(crate) fn is_scalar(_: &Value) -> bool { true }
