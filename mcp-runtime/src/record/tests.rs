//! What `#[mcp_type]` makes of a plain struct is what the derives make of it.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde::de::value::{Error as ValueError, MapDeserializer, SeqDeserializer};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// The same structs twice, with different attributes.
macro_rules! structs {
    ($module:ident, $($attribute:tt)*) => {
        mod $module {
            use super::Order;

            $($attribute)*
            #[derive(Debug)]
            pub(super) struct Inner {
                pub(super) value: Option<f32>,
            }

            /// What to look for.
            ///
            /// In two paragraphs.
            $($attribute)*
            #[derive(Debug)]
            pub(super) struct Query {
                /// The text.
                pub(super) text: String,
                pub(super) r#type: Option<u8>,
                /** How to sort. */
                pub(super) order: Order,
                /// Others:
                ///   - here
                pub(super) nested: Vec<Query>,
                pub(super) inner: Inner,
                pub(super) any: serde_json::Value,
                pub(super) nothing: (),
                pub(super) boxed: Box<Option<Inner>>,
                pub(super) pair: (i64, Option<bool>),
            }
        }
    };
}

structs!(plain, #[crate::mcp_type]);
structs!(derived, #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]);

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
enum Order {
    Name,
    Size(u8),
}

fn schema<T: JsonSchema>(inline: bool, for_input: bool) -> String {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = inline);
    let settings = if for_input { settings.for_deserialize() } else { settings.for_serialize() };
    serde_json::to_string_pretty(&settings.into_generator().into_root_schema_for::<T>()).expect("JSON")
}

#[test]
fn schemas_are_the_same() {
    for (inline, for_input) in [(true, true), (true, false), (false, true), (false, false)] {
        assert_eq!(schema::<plain::Query>(inline, for_input), schema::<derived::Query>(inline, for_input));
    }
    assert_eq!(plain::Query::schema_name(), derived::Query::schema_name());
    assert_eq!(plain::Query::schema_id().replace("plain", "derived"), derived::Query::schema_id());
}

const WHOLE: &str = r#"{
    "text": "a", "type": 1, "order": {"Size": 2}, "nested": [], "inner": {"value": 0.5}, "any": [null], "nothing": null,
    "boxed": null, "pair": [1, true]
}"#;

/// The whole object with one member replaced, put at the end, or (`None`) left out.
fn with(name: &str, value: Option<&str>) -> String {
    let mut object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(WHOLE).expect("an object");
    object.shift_remove(name);
    if let Some(value) = value {
        object.insert(name.to_owned(), serde_json::from_str(value).expect("JSON"));
    }
    serde_json::to_string(&object).expect("JSON")
}

fn decode<T: DeserializeOwned + Debug>(json: &str) -> String {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let decoded = serde_path_to_error::deserialize::<_, T>(&mut deserializer);
    format!("{:?}\n{decoded:?}", serde_json::from_str::<T>(json))
}

#[test]
fn decoding_takes_and_refuses_the_same() {
    let mut texts: Vec<String> = ["{}", "[]", "1", "null", "\"x\"", "", "{", "{\"text\"", "[\"a\", 1, \"Name\"]"]
        .into_iter()
        .map(str::to_owned)
        .collect();
    texts.push(WHOLE.to_owned());
    texts.push(WHOLE.replacen('{', r#"{"text": "twice", "#, 1));
    texts.push(WHOLE.replacen('{', r#"{"unknown": {"text": 1}, "#, 1));
    texts.push(format!(r#"["a", null, "Name", [], [null], 1, null, null, [1, null]{}]"#, ""));
    texts.push(r#"["a", null, "Name", [], [null], 1, null, null, [1, null], 10]"#.to_owned());
    for name in ["text", "type", "order", "nested", "inner", "any", "nothing", "boxed", "pair"] {
        texts.extend([None, Some("null"), Some("{}"), Some("[1]"), Some("\"x\""), Some("7")].map(|it| with(name, it)));
    }
    texts.push(with("nested", Some(&format!("[{WHOLE}, {}]", with("inner", Some(r#"{"value": "x"}"#))))));
    let mut taken = 0;
    for text in &texts {
        let plain = decode::<plain::Query>(text);
        assert_eq!(plain, decode::<derived::Query>(text), "{text}");
        taken += usize::from(plain.starts_with("Ok"));
    }
    assert!(taken > 5 && taken < texts.len() / 2, "{taken} of {}", texts.len());
}

#[test]
fn fields_are_known_by_number_and_by_bytes_too() {
    let by_number = || MapDeserializer::<_, ValueError>::new([(0_u64, 1.5_f32), (7, 2.0)].into_iter());
    let in_order = || SeqDeserializer::<_, ValueError>::new(std::iter::empty::<f32>());
    let bytes = || MapDeserializer::<_, ValueError>::new([(&b"value"[..], 1.5_f32), (b"other", 2.0)].into_iter());
    let plain = [
        plain::Inner::deserialize(by_number()).map_err(|error| error.to_string()),
        plain::Inner::deserialize(in_order()).map_err(|error| error.to_string()),
        plain::Inner::deserialize(bytes()).map_err(|error| error.to_string()),
    ];
    let derived = [
        derived::Inner::deserialize(by_number()).map_err(|error| error.to_string()),
        derived::Inner::deserialize(in_order()).map_err(|error| error.to_string()),
        derived::Inner::deserialize(bytes()).map_err(|error| error.to_string()),
    ];
    assert_eq!(format!("{plain:?}"), format!("{derived:?}"));
}

#[test]
fn encoding_writes_the_same() {
    let plain: plain::Query = serde_json::from_str(WHOLE).expect("decodes");
    let derived: derived::Query = serde_json::from_str(WHOLE).expect("decodes");
    assert_eq!(serde_json::to_string(&plain).expect("JSON"), serde_json::to_string(&derived).expect("JSON"));
}
