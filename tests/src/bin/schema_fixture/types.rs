//! Types of all the forms that authors write.

use mcp_runtime::prelude::*;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Without data and without words.
#[mcp_type]
#[derive(PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    Red,
    DarkGreen,
}

/// Without data, documented.
#[mcp_type]
pub enum Level {
    /// Nearly nothing.
    Low,
    /// Everything.
    #[serde(rename = "max")]
    High,
}

/// A point.
#[mcp_type]
pub struct Point {
    /// To the right.
    pub x: i32,
    pub y: i32,
}

/// One type in two places.
#[mcp_type]
pub struct Line {
    /// Where it begins.
    pub from: Point,
    pub to: Point,
    pub over: Option<Point>,
    pub colour: Option<Colour>,
}

#[mcp_type]
pub struct Nothing;

#[mcp_type]
pub struct Empty {}

#[mcp_type]
pub struct Name(pub String);

#[mcp_type]
pub struct Pair(pub u8, pub String);

/// The name of the variant outside.
#[mcp_type]
pub enum External {
    Idle,
    /// How far.
    Moved(i32),
    Placed(u8, u8),
    Named {
        text: String,
        point: Option<Point>,
    },
}

/// The name of the variant among the members.
#[mcp_type]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Internal {
    Dot,
    FullCircle {
        radius: f64,
    },
    /// Four corners.
    Square(Point),
}

/// The name of the variant beside its data.
#[mcp_type]
#[serde(tag = "type", content = "data")]
pub enum Adjacent {
    Nil,
    One(u8),
    Many { list: Vec<u8> },
}

/// No name of the variant.
#[mcp_type]
#[serde(untagged)]
pub enum Untagged {
    Number(u8),
    Text(String),
    Point(Point),
}

/// Other members in one place with its own.
#[mcp_type]
pub struct Flat {
    pub id: u32,
    #[serde(flatten)]
    pub point: Point,
    #[serde(flatten)]
    pub rest: BTreeMap<String, Value>,
}

/// An enum among its own members.
#[mcp_type]
pub struct FlatEnum {
    pub id: u32,
    #[serde(flatten)]
    pub shape: Internal,
}

/// Names of another style, a member that is not there, one that may be missing in results.
#[mcp_type]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Styled {
    pub first_name: String,
    #[serde(rename = "type")]
    pub kind: u8,
    #[serde(skip)]
    #[allow(dead_code)]
    pub secret: u8,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub many_tags: Vec<String>,
    #[serde(default = "seven")]
    pub lucky_number: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

fn seven() -> u8 {
    7
}

/// A value that travels in another form.
#[mcp_type]
pub struct Coded {
    #[serde(with = "hex")]
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]*$"))]
    pub bytes: u32,
}

mod hex {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{value:x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        u32::from_str_radix(&text, 16).map_err(serde::de::Error::custom)
    }
}

/// Contains itself.
#[mcp_type]
pub struct Tree {
    pub name: String,
    pub kids: Vec<Tree>,
    pub twin: Option<Box<Tree>>,
}

/// A type that holds itself behind alternatives.
#[mcp_type]
pub struct Thinned {
    pub kids: Vec<Option<Thinned>>,
    #[serde(default)]
    pub by_name: BTreeMap<String, Option<Thinned>>,
}

/// Contains itself by way of another.
#[mcp_type]
pub struct Folder {
    pub entries: Vec<FileOrFolder>,
}

#[mcp_type]
#[serde(tag = "is")]
pub enum FileOrFolder {
    File { size: u64 },
    Folder { folder: Folder },
}

/// A page of anything.
#[mcp_type]
pub struct Page<T> {
    pub items: Vec<T>,
    pub next: Option<String>,
}

/// Not derived at all.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub struct Percent(pub f64);

impl JsonSchema for Percent {
    fn schema_name() -> Cow<'static, str> {
        "Percent".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 100, "description": "In percent." })
    }
}

/// Constraints in the words of schemars.
#[mcp_type]
pub struct Strict {
    #[schemars(range(min = 1, max = 5))]
    pub stars: u8,
    #[schemars(length(min = 1, max = 3))]
    pub word: String,
    #[schemars(length(min = 1), inner(length(max = 2)))]
    pub list: Vec<String>,
    #[schemars(regex(pattern = "^[a-z]+$"))]
    pub lower: String,
    #[schemars(email)]
    pub mail: String,
    #[schemars(extend("multipleOf" = 5))]
    pub fives: i32,
    #[schemars(extend("enum" = ["yes", "no"]))]
    pub answer: String,
    #[schemars(extend("minItems" = 1, "uniqueItems" = true))]
    pub distinct: Vec<u8>,
}

/// Constraints in the words of `garde`, which schemars reads as well.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Garde {
    #[garde(range(min = 1, max = 5))]
    pub stars: u8,
    #[garde(length(min = 2))]
    pub word: String,
}

/// Constraints in the words of `validator`, which schemars reads as well.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Validated {
    #[validate(range(min = 1, max = 5))]
    pub stars: u8,
    #[validate(length(max = 4))]
    pub word: String,
}

/// Every option of `#[arg]` on fields.
#[mcp_type]
pub struct Optioned {
    #[arg(min = -2, max = 2)]
    pub small: i16,
    #[arg(min = 0.5, max = 1.5)]
    pub around_one: f64,
    #[arg(min_length = 2, max_length = 4)]
    pub word: String,
    #[arg(pattern = "^[a-z]*$")]
    pub lower: Option<String>,
    #[arg(format = "date")]
    pub day: String,
    #[arg(min_items = 1, max_items = 2)]
    pub list: Vec<Point>,
    #[arg(min_items = 1, max_items = 2)]
    pub map: BTreeMap<String, u8>,
    #[arg(enum = ["celsius", "fahrenheit"])]
    pub unit: String,
    #[arg(enum = [1, 2, 4], default = 2)]
    pub power: u8,
    #[arg(default = "en", rename = "lang", description = "The language.", example = "de", max_length = 2)]
    pub language: String,
}
