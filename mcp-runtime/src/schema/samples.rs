//! Defaults and examples that their own schema refuses.

use serde_json::{Map, Value};

use super::keywords::each_child;
use super::show::cut;
use super::{Validator, expectation, member};

/// The longest sample that is shown, in characters.
const LONGEST: usize = 80;

/// What is wrong with the defaults and examples inside of a schema, for its author: one line each.
///
/// A default is a value of its type, so it can break nothing unless the schema is `constrained`; an
/// example may be anything.
pub(crate) fn unfit_samples(root: &Value, constrained: bool) -> Vec<String> {
    let mut found = Vec::new();
    look(root, root.get("$defs"), "", constrained, &mut found);
    found
}

fn look(schema: &Value, definitions: Option<&Value>, path: &str, constrained: bool, found: &mut Vec<String>) {
    let Value::Object(map) = schema else { return };
    let default = map.get("default").filter(|_| constrained).map(|default| ("default", default));
    let examples = map.get("examples").and_then(Value::as_array).into_iter().flatten();
    let samples: Vec<_> = default.into_iter().chain(examples.map(|example| ("example", example))).collect();
    if !samples.is_empty()
        && let Ok(validator) = Validator::new(&alone(map, definitions))
    {
        let unfit = samples.into_iter().filter(|(_, sample)| !validator.is_valid(sample));
        found.extend(unfit.map(|(kind, sample)| {
            let sample = cut(&sample.to_string(), LONGEST);
            format!("`{path}`: its {kind} is {sample}, but the schema takes {}", expectation(schema))
        }));
    }
    if let Some(Value::Object(properties)) = map.get("properties") {
        for (name, property) in properties {
            look(property, definitions, &member(path, name), constrained, found);
        }
    }
    each_child(map, |keyword, child| {
        if keyword != "properties" {
            look(child, definitions, path, constrained, found);
        }
    });
}

/// A part of a schema as a whole one.
fn alone(part: &Map<String, Value>, definitions: Option<&Value>) -> Value {
    let mut whole = part.clone();
    if let Some(definitions) = definitions {
        whole.insert("$defs".to_owned(), definitions.clone());
    }
    whole.into()
}
