//! Numbers: the ranges of Rust's types as bounds that every client can read.

use serde_json::{Map, Value};

use super::keywords::types;

/// The largest integer that a double holds exactly, 2^53 - 1: clients that read numbers as
/// doubles, or as 64-bit integers, fail on bounds beyond it.
pub(super) const SAFE: i64 = (1 << 53) - 1;

/// The keywords that hold a number.
const NUMERIC: [&str; 11] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

/// What a Rust integer type can hold, as far as it is published.
pub(super) type Range = (Option<i64>, Option<i64>);

/// The range behind a format name that schemars gives an integer type; nothing for other formats.
pub(super) fn range(format: &str) -> Option<Range> {
    Some(match format {
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        "int64" | "int128" | "int" => (None, None),
        "uint8" => (Some(0), Some(u8::MAX.into())),
        "uint16" => (Some(0), Some(u16::MAX.into())),
        "uint32" => (Some(0), Some(u32::MAX.into())),
        "uint64" | "uint128" | "uint" => (Some(0), None),
        _ => return None,
    })
}

/// The ranges of all Rust integer types.
pub(super) const OWN_RANGES: [&str; 8] = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"];

/// The formats that JSON Schema 2020-12 defines (validation, section 7.3).
pub(super) fn is_standard(format: &str) -> bool {
    matches!(
        format,
        "date-time"
            | "date"
            | "time"
            | "duration"
            | "email"
            | "idn-email"
            | "hostname"
            | "idn-hostname"
            | "ipv4"
            | "ipv6"
            | "uri"
            | "uri-reference"
            | "iri"
            | "iri-reference"
            | "uuid"
            | "uri-template"
            | "json-pointer"
            | "relative-json-pointer"
            | "regex"
    )
}

/// Replaces formats that only Rust knows by bounds, and drops bounds and example values that are
/// too large to be read everywhere.
pub(super) fn tidy(schema: &mut Map<String, Value>) {
    replace_format(schema);
    for keyword in NUMERIC {
        if schema.get(keyword).is_some_and(is_too_large) {
            schema.shift_remove(keyword);
        }
    }
    if schema.get("default").is_some_and(holds_too_large) {
        schema.shift_remove("default");
    }
    if let Some(Value::Array(examples)) = schema.get_mut("examples") {
        examples.retain(|example| !holds_too_large(example));
        if examples.is_empty() {
            schema.shift_remove("examples");
        }
    }
}

fn replace_format(schema: &mut Map<String, Value>) {
    let Some(format) = schema.get("format").and_then(Value::as_str) else {
        return;
    };
    if is_standard(format) {
        return;
    }
    let bounds = match range(format) {
        Some(bounds) if types(schema).contains(&"integer") => bounds,
        _ => (None, None),
    };
    let old = std::mem::take(schema);
    let low = tighter(old.get("minimum"), bounds.0, f64::max);
    let high = tighter(old.get("maximum"), bounds.1, f64::min);
    for (keyword, value) in old {
        match keyword.as_str() {
            "format" => {
                schema.extend(low.clone().map(|low| ("minimum".to_owned(), low)));
                schema.extend(high.clone().map(|high| ("maximum".to_owned(), high)));
            }
            "minimum" | "maximum" => {}
            _ => {
                schema.insert(keyword, value);
            }
        }
    }
}

/// The bound that an author gave, or the type's own where that is tighter.
fn tighter(given: Option<&Value>, own: Option<i64>, pick: fn(f64, f64) -> f64) -> Option<Value> {
    let (Some(given), Some(own)) = (given, own) else {
        return given.cloned().or(own.map(Value::from));
    };
    #[expect(clippy::cast_precision_loss, reason = "own bounds have at most 32 bits")]
    let number = own as f64;
    match given.as_f64() {
        Some(value) if pick(value, number) == value => Some(given.clone()),
        _ => Some(own.into()),
    }
}

fn is_too_large(number: &Value) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "exact, that is its point")]
    let safe = SAFE as f64;
    number.as_f64().is_some_and(|number| number.abs() > safe)
}

fn holds_too_large(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(holds_too_large),
        Value::Object(members) => members.values().any(holds_too_large),
        other => is_too_large(other),
    }
}
