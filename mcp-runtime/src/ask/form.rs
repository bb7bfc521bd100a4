//! The schemas that forms may have: flat objects of text, numbers, booleans and choices.

use super::unfit;
use crate::ToolError;
use crate::schema::{self, Role, Schemas, Validator};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The form of a type.
pub(super) fn of<T: JsonSchema>() -> Result<Value, ToolError> {
    let mut schema = Schemas::new(Role::Input).of::<T>();
    let settings = SchemaSettings::draft2020_12().for_deserialize().with(|settings| settings.inline_subschemas = true);
    let written = settings.into_generator().subschema_for::<T>().to_value();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return Err(ToolError::internal("a form is made of a struct with named fields"));
    };
    for (name, property) in properties {
        if let Some(titled) = written.pointer(&format!("/properties/{}", name.replace('~', "~0").replace('/', "~1"))) {
            title_choices(property, titled);
        }
    }
    checked(schema)
}

/// Choices with titles keep them: a plain list of names would show people the names that programs use.
fn title_choices(property: &mut Value, written: &Value) {
    let description = written.get("description").cloned();
    let default = written.get("default").cloned();
    if let Some(options) = options(written) {
        *property = json!({"type": "string", "oneOf": options});
    } else if let Some(options) = written.get("items").and_then(options) {
        property["items"] = json!({"anyOf": options});
        return;
    } else {
        return;
    }
    for (key, value) in [("description", description), ("default", default)] {
        if let Some(value) = value.filter(|value| !value.is_null()) {
            property[key] = value;
        }
    }
}

/// The options of an enum whose variants have titles.
fn options(schema: &Value) -> Option<Vec<Value>> {
    let variants = schema.get("oneOf").or_else(|| schema.pointer("/anyOf/0/oneOf"))?.as_array()?;
    let option = |variant: &Value| {
        let (name, title) = (variant.get("const")?, variant.get("title")?);
        Some(json!({"const": name, "title": title}))
    };
    variants.iter().map(option).collect()
}

/// A schema that is fit for a form, reduced to what forms know.
pub(super) fn checked(schema: Value) -> Result<Value, ToolError> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Err(ToolError::internal("the schema of a form is an object with `properties`"));
    };
    let mut fields = Map::new();
    for (name, property) in properties {
        if !is_primitive(property) {
            return Err(ToolError::internal(format!(
                "the field `{name}` cannot be part of a form: only text, numbers, booleans, and choices of names can"
            )));
        }
        fields.insert(name.clone(), property.clone());
    }
    let mut form = json!({"type": "object", "properties": fields});
    if let Some(required) = schema.get("required") {
        form["required"] = required.clone();
    }
    Ok(form)
}

fn is_primitive(property: &Value) -> bool {
    match property.get("type").and_then(Value::as_str) {
        Some("string" | "number" | "integer" | "boolean") => true,
        Some("array") => {
            let items = &property["items"];
            items.get("enum").is_some() || items.get("anyOf").is_some()
        }
        _ => false,
    }
}

/// Checks an answer against its form. Fields that the form does not know are nobody's business.
pub(super) fn check(schema: &Value, content: &Value) -> Result<(), ToolError> {
    let validator = match Validator::new(schema) {
        Ok(validator) => validator,
        Err(problem) if schema::carries_constraints(schema) => return Err(ToolError::internal(problem)),
        // What decoding alone can check needs no validator.
        Err(_) => return Ok(()),
    };
    let problems = validator.problems(content);
    if problems.is_empty() { Ok(()) } else { Err(unfit("a form", schema::report(&problems))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp_type;

    #[mcp_type]
    enum Meal {
        #[schemars(title = "Fish of the day")]
        Fish,
        #[schemars(title = "Vegetables")]
        Greens,
    }

    #[mcp_type]
    enum Plain {
        A,
        B,
    }

    #[mcp_type]
    struct Order {
        /// A name.
        #[arg(min_length = 1, default = "Ada")]
        name: String,
        #[arg(min = 1, max = 9)]
        count: u8,
        tip: Option<f64>,
        now: bool,
        meal: Meal,
        extra: Vec<Meal>,
        plain: Option<Plain>,
        plains: Vec<Plain>,
    }

    #[mcp_type]
    struct Nested {
        order: Order,
    }

    #[test]
    fn a_flat_struct_is_a_form() {
        let form = of::<Order>().expect("a form");
        assert_eq!(form["required"], json!(["count", "now", "meal", "extra", "plains"]));
        let field = |name: &str| form["properties"][name].clone();
        assert_eq!(
            field("name"),
            json!({"type": "string", "description": "A name.", "minLength": 1, "default": "Ada"})
        );
        assert_eq!(field("count"), json!({"type": "integer", "minimum": 1, "maximum": 9}));
        assert_eq!(field("tip"), json!({"type": "number"}));
        let options =
            json!([{"const": "Fish", "title": "Fish of the day"}, {"const": "Greens", "title": "Vegetables"}]);
        assert_eq!(field("meal"), json!({"type": "string", "oneOf": options}));
        assert_eq!(field("extra"), json!({"type": "array", "items": {"anyOf": options}}));
        assert_eq!(field("plain"), json!({"type": "string", "enum": ["A", "B"]}));
        assert_eq!(field("plains"), json!({"type": "array", "items": {"type": "string", "enum": ["A", "B"]}}));
        assert!(of::<Nested>().is_err());
        assert!(of::<String>().is_err());
    }

    #[test]
    fn answers_are_checked() {
        let form = of::<Order>().expect("a form");
        let good = json!({"count": 1, "now": true, "meal": "Fish", "extra": [], "plains": ["A"], "unknown": 1});
        assert!(check(&form, &good).is_ok());
        for (field, wrong) in
            [("count", json!(10)), ("count", json!(null)), ("meal", json!("Meat")), ("now", json!("yes"))]
        {
            let mut answer = good.clone();
            answer[field] = wrong;
            let error = check(&form, &answer).expect_err("a wrong answer").to_string();
            assert!(error.contains(field), "{error}");
        }
    }
}
