//! What a schema refuses and decoding into the Rust type would not.
//!
//! Decoding checks types, ranges of integer types, names of variants, required members, unknown
//! members of closed types, and lengths of tuples. All else that a schema says needs a validator,
//! or it would be published and not enforced.

use serde_json::{Map, Value};

use super::keywords::{each_child, is_annotation, required, types};
use super::normalize::{has_integer_keys, is_exact_tuple, is_set};
use super::numbers::{OWN_RANGES, Range, is_standard, range};
use super::refs;

/// Whether a normalised schema carries anything that decoding into the Rust type cannot check.
///
/// A normalised schema no longer tells which Rust type it came from. Bounds that are just those of
/// a Rust integer type, and lists of strings, are taken to be the type's own; everything else
/// counts, also where a type such as `char` or `NonZeroU8` happens to check it.
/// [`Schemas::constrained`](super::Schemas::constrained) knows the types and is exact about these;
/// bounds that are added to a schema afterwards count in any case.
pub(crate) fn carries_constraints(schema: &Value) -> bool {
    any(schema, &|map, keyword, value| match keyword {
        "minimum" | "maximum" => !is_own_range(map),
        "enum" | "const" => !is_names(map, value),
        "uniqueItems" => value == &Value::Bool(true),
        "format" => true,
        _ => refuses(map, keyword, value),
    })
}

/// As [`carries_constraints`], for a schema as schemars writes it, which still names the integer
/// types. Values listed by `enum` and `const` are left to [`lists_values`].
pub(super) fn raw(schema: &Value) -> bool {
    any(schema, &|map, keyword, value| match keyword {
        "minimum" | "maximum" => !is_range_of_format(map),
        "enum" | "const" => false,
        "uniqueItems" => value == &Value::Bool(true) && !is_set(map),
        "format" => value.as_str().is_some_and(is_standard),
        _ => refuses(map, keyword, value),
    })
}

type Refuses<'a> = &'a dyn Fn(&Map<String, Value>, &str, &Value) -> bool;

fn any(schema: &Value, refuses: Refuses<'_>) -> bool {
    let Value::Object(map) = schema else {
        return false;
    };
    let mut found = map.iter().any(|(keyword, value)| refuses(map, keyword, value));
    each_child(map, |keyword, child| {
        found = found || !is_own_negation(keyword, map) && any(child, refuses);
    });
    found
}

/// The keywords about which the two kinds of schema agree.
fn refuses(map: &Map<String, Value>, keyword: &str, value: &Value) -> bool {
    match keyword {
        "type"
        | "properties"
        | "items"
        | "prefixItems"
        | "anyOf"
        | "oneOf"
        | "allOf"
        | "$defs"
        | "definitions"
        | "$schema"
        | "$id"
        | "$anchor"
        | "additionalProperties"
        | "format" => false,
        "$ref" => value.as_str().and_then(refs::target).is_none(),
        "required" => !names_own_properties(map),
        "patternProperties" => !has_integer_keys(map),
        "minItems" | "maxItems" => !(is_exact_tuple(map) || is_empty_array(map) || value == 0 && keyword == "minItems"),
        "minLength" | "minProperties" => value != 0,
        "not" => !is_own_negation("not", map),
        "unevaluatedProperties" | "unevaluatedItems" => value != &Value::Bool(true),
        "contentEncoding" | "contentMediaType" | "contentSchema" => false,
        "maxLength" | "maxProperties" | "pattern" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum"
        | "multipleOf" | "uniqueItems" | "contains" | "minContains" | "maxContains" | "propertyNames" | "if"
        | "then" | "else" | "dependentRequired" | "dependentSchemas" | "dependencies" | "additionalItems"
        | "$dynamicRef" | "enum" | "const" => true,
        // Unknown keywords are annotations: a validator does not look at them either.
        _ => false,
    }
}

fn is_own_range(map: &Map<String, Value>) -> bool {
    types(map).contains(&"integer")
        && OWN_RANGES.iter().filter_map(|format| range(format)).any(|range| bounds(map) == Some(range))
}

fn is_range_of_format(map: &Map<String, Value>) -> bool {
    let own = map.get("format").and_then(Value::as_str).and_then(range);
    let (Some((low, high)), Some(given)) = (own, bounds(map)) else {
        return false;
    };
    let within = |given: Option<i64>, own| given.is_none() || given == own;
    within(given.0, low) && within(given.1, high)
}

/// The bounds of an integer; nothing if they are no integers.
fn bounds(map: &Map<String, Value>) -> Option<Range> {
    let bound = |keyword| match map.get(keyword) {
        None => Some(None),
        Some(value) => value.as_i64().map(Some),
    };
    Some((bound("minimum")?, bound("maximum")?))
}

/// `not: {const: 0}` on an integer is how a non-zero type says it; `not: {}` is a type without
/// values.
fn is_own_negation(keyword: &str, map: &Map<String, Value>) -> bool {
    keyword == "not"
        && map.get("not").and_then(Value::as_object).is_some_and(|inner| {
            inner.is_empty()
                || types(map).contains(&"integer") && inner.len() == 1 && inner.get("const") == Some(&0.into())
        })
}

fn names_own_properties(map: &Map<String, Value>) -> bool {
    let properties = map.get("properties").and_then(Value::as_object);
    required(map).iter().all(|name| properties.is_some_and(|properties| properties.contains_key(*name)))
}

/// `[T; 0]` and tuples without places.
fn is_empty_array(map: &Map<String, Value>) -> bool {
    map.get("maxItems") == Some(&0.into())
}

/// The names of an enum's variants, as far as that can be told from a schema.
fn is_names(map: &Map<String, Value>, value: &Value) -> bool {
    let name = |value: &Value| value.is_string() || value.is_null();
    types(map).contains(&"string")
        && match value {
            Value::Array(names) => names.iter().all(name),
            only => name(only),
        }
}

/// Where in the schema of a named type a list of values stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// The named type itself.
    Type,
    /// A branch of a type: a variant of an enum, perhaps flattened into a struct.
    Branch,
    /// A member of a branch: it can be the tag of an enum.
    Tag,
    /// Anywhere else.
    Inside,
}

/// Whether `enum` or `const` stands where no enum type can have written it: only a field's
/// attribute or a hand-written schema puts it there, and decoding does not know of it.
///
/// `schema` has references for its named types; `named` tells whether it is itself the schema of
/// a named type. A newtype around a string whose only field lists its values looks like an enum.
pub(super) fn lists_values(schema: &Value, named: bool) -> bool {
    lists(schema, if named { Place::Type } else { Place::Inside })
}

fn lists(schema: &Value, place: Place) -> bool {
    let Value::Object(map) = schema else {
        return false;
    };
    let own = match place {
        Place::Type | Place::Branch => values(map).all(|value| is_names(map, value)),
        Place::Tag => is_tag(map),
        Place::Inside => false,
    };
    if !own && values(map).next().is_some() {
        return true;
    }
    let mut found = false;
    each_child(map, |keyword, child| {
        let inside = match (keyword, place) {
            ("anyOf" | "oneOf" | "allOf", Place::Type | Place::Branch) => Place::Branch,
            ("properties", Place::Branch) => Place::Tag,
            ("not", _) if is_own_negation(keyword, map) => return,
            _ => Place::Inside,
        };
        found = found || lists(child, inside);
    });
    found
}

fn is_tag(map: &Map<String, Value>) -> bool {
    map.get("const").is_some_and(Value::is_string)
        && map.keys().all(|keyword| matches!(keyword.as_str(), "type" | "const") || is_annotation(keyword))
}

fn values(map: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    ["enum", "const"].into_iter().filter_map(|keyword| map.get(keyword))
}

/// Whether decoding into the type of this schema id checks all that its schema says, where the
/// schema alone does not show it: `char`, non-zero integers, arrays of plain items.
pub(super) fn checks_itself(schema_id: &str) -> bool {
    let mut inner = schema_id;
    let mut is_array = false;
    loop {
        if let Some(option) = inner.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')) {
            inner = option;
        } else if let Some(list) = inner.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let item = list.split_once("; ").filter(|(length, _)| length.bytes().all(|byte| byte.is_ascii_digit()));
            is_array |= item.is_some();
            inner = item.map_or(list, |(_, item)| item);
        } else {
            break;
        }
    }
    let plain = matches!(inner, "string" | "boolean" | "float" | "double") || range(inner).is_some();
    inner == "char" || inner.replace(' ', "").starts_with("std::num::NonZero") || is_array && plain
}
