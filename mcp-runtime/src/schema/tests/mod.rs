//! Rust types go in, schemas, answers and words come out.

#[cfg(feature = "validate")]
mod agreement;
mod constraints;
mod enums;
mod refs;
mod roots;
mod types;
#[cfg(feature = "validate")]
mod validation;

use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::{Role, Schemas};

/// The published schema of a type as an argument.
fn input<T: JsonSchema + ?Sized>() -> Value {
    Schemas::new(Role::Input).of::<T>()
}

/// The published schema of a type as a result.
fn output<T: JsonSchema + ?Sized>() -> Value {
    Schemas::new(Role::Output).of::<T>()
}

/// The schema of a type as an argument, and the definitions it needs.
fn with_definitions<T: JsonSchema + ?Sized>() -> (Value, Map<String, Value>) {
    let mut schemas = Schemas::new(Role::Input);
    let schema = schemas.of::<T>();
    (schema, schemas.take_definitions())
}

/// Calls `visit` with every object anywhere in `value`.
fn each_object(value: &Value, visit: &mut dyn FnMut(&Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            members.values().for_each(|member| each_object(member, visit));
        }
        Value::Array(items) => items.iter().for_each(|item| each_object(item, visit)),
        _ => {}
    }
}
