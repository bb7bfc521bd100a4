//! Checks arguments against their schema and says in plain words what is wrong.
//!
//! `jsonschema` decides whether a value fits. Where one does not, the schema is walked beside the
//! value until the smallest part that does not fit is found. The library's own error reports are
//! not used: they copy the value, one report an item, which would let a large request take many
//! times its size in memory.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::tolerance;
use super::walk::Walk;
use super::{Problem, show::cut};

/// The base URI under which parts of a schema are found if it has no `$id`.
const BASE: &str = "urn:mcp:arguments";

/// The dialects that are understood.
const DIALECTS: [&str; 5] = [
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
    "http://json-schema.org/draft-04/schema",
];

/// Checks values against one root schema.
///
/// Formats are asserted. `null` for a member that may be left out is taken as left out.
pub(crate) struct Validator(Box<Parts>);

/// Boxed, because most functions have none.
struct Parts {
    root: Value,
    whole: jsonschema::Validator,
    /// Validators of parts, by JSON Pointer; made when a value first fails there.
    parts: Mutex<HashMap<String, Option<Arc<jsonschema::Validator>>>>,
}

impl Validator {
    /// Compiles a schema. Nothing is fetched: a reference to another document is an error.
    ///
    /// # Errors
    /// What is wrong with the schema: an unknown dialect, a keyword with a value that it does not
    /// take, a pattern that is no regular expression, a reference that leads nowhere.
    pub(crate) fn new(root_schema: &Value) -> Result<Self, String> {
        check_dialect(root_schema)?;
        let whole = compile(root_schema)?;
        Ok(Self(Box::new(Parts { root: root_schema.clone(), whole, parts: Mutex::default() })))
    }

    /// Whether the schema accepts `instance`.
    pub(crate) fn is_valid(&self, instance: &Value) -> bool {
        let Parts { root, whole, .. } = &*self.0;
        whole.is_valid(instance) || whole.is_valid(&tolerance::without_nulls(root, instance))
    }

    /// Everything in `instance` that the schema refuses, in the order of the schema's properties;
    /// unknown members come last. At most 32 problems are told apart, and one more counts the rest.
    /// None if the schema accepts `instance`.
    pub(crate) fn problems(&self, instance: &Value) -> Vec<Problem> {
        if self.is_valid(instance) {
            return Vec::new();
        }
        let instance = tolerance::without_nulls(&self.0.root, instance);
        Walk::new(self).problems(&instance)
    }

    pub(super) fn root(&self) -> &Value {
        &self.0.root
    }

    /// Whether the part of the schema at `pointer` accepts `value`. A part that cannot stand
    /// alone is taken to accept it; the whole that holds it does not.
    pub(super) fn fits(&self, pointer: &str, value: &Value) -> bool {
        if pointer.is_empty() {
            return self.0.whole.is_valid(value);
        }
        let mut parts = self.0.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let part = match parts.get(pointer) {
            Some(part) => part.clone(),
            None => {
                let part = self.part(pointer).map(Arc::new);
                parts.insert(pointer.to_owned(), part.clone());
                part
            }
        };
        drop(parts);
        part.is_none_or(|part| part.is_valid(value))
    }

    fn part(&self, pointer: &str) -> Option<jsonschema::Validator> {
        let mut root = self.0.root.as_object()?.clone();
        let base = match root.get("$id").and_then(Value::as_str) {
            Some(id) => id.trim_end_matches('#').to_owned(),
            None => BASE.to_owned(),
        };
        root.insert("$id".to_owned(), base.clone().into());
        let reference = format!("{base}#{}", fragment(pointer));
        compile(&json!({ "$ref": reference, "$defs": { "root": root } })).ok()
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Validator").field("root", &self.0.root).finish_non_exhaustive()
    }
}

/// Refuses to fetch, whatever features of the library another crate has turned on.
struct Nothing;

impl jsonschema::Retrieve for Nothing {
    fn retrieve(&self, uri: &jsonschema::Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("{uri} is not part of the schema, and nothing is fetched").into())
    }
}

fn compile(schema: &Value) -> Result<jsonschema::Validator, String> {
    jsonschema::options().should_validate_formats(true).with_retriever(Nothing).build(schema).map_err(|error| {
        let place = error.instance_path().as_str();
        let place = if place.is_empty() { String::new() } else { format!(" at `{}`", cut(place, 128)) };
        let error = cut(&error.to_string(), 256);
        format!("the schema is not usable{place}: {error}")
    })
}

fn check_dialect(schema: &Value) -> Result<(), String> {
    let Some(dialect) = schema.get("$schema") else {
        return Ok(());
    };
    let known = dialect.as_str().is_some_and(|uri| DIALECTS.contains(&uri.trim_end_matches('#')));
    if known {
        return Ok(());
    }
    let dialect = cut(&dialect.to_string(), 128);
    Err(format!("the schema's dialect {dialect} is not known; the default is {}", DIALECTS[0]))
}

/// A JSON Pointer as a URI fragment (RFC 6901, section 6).
fn fragment(pointer: &str) -> String {
    let mut text = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@?".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// One segment of a JSON Pointer (RFC 6901, section 3).
pub(super) fn segment(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The schemas by name under a keyword such as `properties`.
pub(super) fn named<'a>(
    schema: &'a Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    schema.get(keyword).and_then(Value::as_object).into_iter().flatten()
}
