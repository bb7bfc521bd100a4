//! A server with a tool for every form of argument and result. Each argument has an example, so that clients which know
//! the list alone can call every tool.

#![allow(missing_docs, unreachable_pub)]

mod types;

use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::num::{NonZeroI64, NonZeroU8, NonZeroU32};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use types::*;

/// Tools that give back what they get.
macro_rules! echoes {
    ($($name:ident: $type:ty = $example:expr;)*) => {
        $(
            #[doc = concat!("Gives back a value: `", stringify!($name), "`.")]
            #[mcp_tool]
            fn $name(#[arg(example = $example)] value: $type) -> $type {
                value
            }
        )*
    };
}

echoes! {
    int_u8: u8 = 200;
    int_u16: u16 = 60_000;
    int_u32: u32 = 4_000_000_000_u32;
    int_u64: u64 = 9_000_000_000_u64;
    int_u128: u128 = 9_000_000_000_u64;
    int_usize: usize = 7;
    int_i8: i8 = -100;
    int_i16: i16 = -30_000;
    int_i32: i32 = -2_000_000_000;
    int_i64: i64 = -9_000_000_000_i64;
    int_i128: i128 = -9_000_000_000_i64;
    int_isize: isize = -7;
    float_f32: f32 = 1.5;
    float_f64: f64 = -0.25;
    nonzero_u8: NonZeroU8 = 1;
    nonzero_i64: NonZeroI64 = -1;
    one_char: char = "ß";
    one_bool: bool = true;
    text: String = "{\"a\":1}";
    text_cow: Cow<'static, str> = "cow";
    text_arc: Arc<str> = "arc";
    text_box: Box<str> = "box";
    text_path: PathBuf = "/tmp/x";
    address: std::net::IpAddr = "127.0.0.1";
    option_u8: Option<u8> = 3;
    option_text: Option<String> = "x";
    option_bool: Option<bool> = false;
    option_f64: Option<f64> = 0.5;
    option_char: Option<char> = "c";
    option_enum: Option<Colour> = "dark_green";
    option_struct: Option<Point> = json!({"x": 1, "y": 2});
    option_list: Option<Vec<u8>> = [1, 2];
    option_tree: Option<Tree> = json!({"name": "a", "kids": []});
    list: Vec<u8> = [1, 2, 3];
    list_options: Vec<Option<u8>> = json!([1, null]);
    list_lists: Vec<Vec<Point>> = json!([[{"x": 1, "y": 2}], []]);
    array: [u8; 3] = [1, 2, 3];
    pair: (u8, String) = json!([1, "a"]);
    floats: (f64, f64) = [0.5, 1.5];
    set_btree: BTreeSet<String> = ["a", "b"];
    set_hash: HashSet<u8> = [7];
    map: BTreeMap<String, i32> = json!({"a": -1});
    map_hash: HashMap<String, Point> = json!({"a": {"x": 1, "y": 2}});
    map_u32: BTreeMap<u32, String> = json!({"7": "x"});
    map_i64: BTreeMap<i64, bool> = json!({"-7": true});
    map_enum: BTreeMap<Colour, u8> = json!({"red": 1});
    point: Point = json!({"x": 1, "y": -2});
    line: Line = json!({"from": {"x": 0, "y": 0}, "to": {"x": 1, "y": 1}, "colour": "red"});
    unit_struct: Nothing = json!(null);
    empty_struct: Empty = json!({});
    newtype: Name = "n";
    tuple_struct: Pair = json!([1, "b"]);
    enum_units: Colour = "red";
    enum_documented: Level = "max";
    enum_external: External = json!({"Named": {"text": "a", "point": {"x": 1, "y": 2}}});
    enum_external_unit: Vec<External> = json!(["Idle", {"Moved": -3}, {"Placed": [1, 2]}]);
    enum_internal: Internal = json!({"kind": "full-circle", "radius": 1.5});
    enum_internal_newtype: Internal = json!({"kind": "square", "x": 1, "y": 2});
    enum_adjacent: Adjacent = json!({"type": "Many", "data": {"list": [1]}});
    enum_untagged: Untagged = json!({"x": 1, "y": 2});
    flat: Flat = json!({"id": 1, "x": 1, "y": 2, "more": [true]});
    flat_enum: FlatEnum = json!({"id": 1, "kind": "full-circle", "radius": 2.5});
    styled: Styled = json!({"firstName": "a", "type": 1});
    coded: Coded = json!({"bytes": "ff"});
    tree: Tree = json!({"name": "a", "kids": [{"name": "b", "kids": []}], "twin": {"name": "c", "kids": []}});
    mutual: Folder = json!({"entries": [{"is": "Folder", "folder": {"entries": [{"is": "File", "size": 3}]}}]});
    thinned: Thinned = json!({"kids": [null, {"kids": []}], "by_name": {"a": {"kids": []}, "b": null}});
    generic_number: Page<u32> = json!({"items": [1], "next": "2"});
    generic_struct: Page<Point> = json!({"items": [{"x": 1, "y": 2}]});
    boxed: Box<Point> = json!({"x": 1, "y": 2});
    duration: Duration = json!({"secs": 1, "nanos": 5});
    instant: SystemTime = json!({"secs_since_epoch": 1, "nanos_since_epoch": 5});
    anything: Value = json!({"a": [1, null]});
    outcome: Result<u8, String> = json!({"Ok": 1});
    percent: Percent = 12.5;
    strict: Strict = json!({
        "stars": 5, "word": "abc", "list": ["ab"], "lower": "abc", "mail": "a@example.com", "fives": -10,
        "answer": "yes", "distinct": [1, 2],
    });
    garde: Garde = json!({"stars": 1, "word": "ab"});
    validated: Validated = json!({"stars": 1, "word": "abcd"});
    optioned: Optioned = json!({
        "small": -2, "around_one": 1.5, "word": "abcd", "lower": "x", "day": "2026-01-31", "list": [{"x": 1, "y": 2}],
        "map": {"a": 1}, "unit": "celsius", "power": 4, "lang": "de",
    });
}

/// Every option of `#[arg]` on parameters.
#[mcp_tool]
#[allow(clippy::too_many_arguments)]
fn options(
    #[arg(min = -2, max = 2, example = 0)] small: i16,
    #[arg(min = 0.5, max = 1.5, example = 1.0)] around_one: f64,
    #[arg(min_length = 2, max_length = 4, example = "über")] word: String,
    #[arg(pattern = "^[a-z]*$", example = "x")] lower: Option<String>,
    #[arg(format = "uuid", example = "67e55044-10b1-426f-9247-bb680e5fe0c8")] id: String,
    #[arg(min_items = 1, max_items = 2, example = [1])] list: Vec<u8>,
    #[arg(min_items = 2, example = [1, 2])] set: BTreeSet<u8>,
    #[arg(min_items = 1, max_items = 2, example = json!({"a": 1}))] map: HashMap<String, u8>,
    #[arg(enum = ["celsius", "fahrenheit"], example = "celsius")] unit: String,
    #[arg(enum = [-1, 0, 4], default = 4, example = -1)] power: i32,
    #[arg(default = "en", rename = "lang", description = "The language.", example = "de", max_length = 2)]
    language: String,
) -> Vec<String> {
    let power = power.to_string();
    let sizes = [list.len(), set.len(), map.len()].map(|size| size.to_string());
    let all = [small.to_string(), around_one.to_string(), word, lower.unwrap_or_default(), id, unit, power, language];
    all.into_iter().chain(sizes).collect()
}

/// Borrowed arguments.
#[mcp_tool]
fn borrowed(
    #[arg(example = "t")] text: &str,
    #[arg(example = [1, 2])] list: &[u8],
    #[arg(example = json!({"x": 1, "y": 2}))] point: &Point,
) -> String {
    format!("{text} {} {}", list.len(), point.x)
}

/// No arguments, no result.
#[mcp_tool]
fn nothing() {}

/// Any struct as the whole arguments.
#[mcp_type]
pub struct Whole {
    #[arg(example = "w", min_length = 1)]
    pub word: String,
    #[arg(example = json!({"x": 1, "y": 2}))]
    pub point: Point,
    #[arg(example = "red")]
    pub colour: Option<Colour>,
}

/// The whole arguments as one struct.
#[mcp_tool]
fn whole(Args(whole): Args<Whole>) -> Whole {
    whole
}

/// As `whole`; members that it does not know are ignored.
#[mcp_tool(ignore_unknown)]
fn whole_open(Args(whole): Args<Whole>) -> String {
    whole.word
}

/// A schema in the author's own words.
#[mcp_tool(input_schema = r#"{
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 3, "multipleOf": 3, "examples": [9]}},
    "required": ["n"],
    "additionalProperties": false
}"#)]
fn own_schema(n: u32) -> u32 {
    n
}

/// A result whose members are all there or not.
#[mcp_type]
pub struct Sparse {
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub list: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maybe: Option<u8>,
    pub none: Option<NonZeroU32>,
    pub number: f64,
}

/// Members that are not there.
#[mcp_tool]
fn sparse() -> Sparse {
    Sparse { list: Vec::new(), maybe: None, none: None, number: 0.5 }
}

/// A number that is none.
#[mcp_tool]
fn not_a_number() -> Sparse {
    Sparse { list: vec![1], maybe: Some(1), none: NonZeroU32::new(1), number: f64::NAN }
}

/// A result with a bound.
#[mcp_type]
pub struct Bounded {
    #[arg(max = 9)]
    pub digit: u8,
}

/// A result that breaks its own schema.
#[mcp_tool]
fn out_of_bounds() -> Bounded {
    Bounded { digit: 10 }
}

/// A list of structures: no object.
#[mcp_tool]
fn points() -> Vec<Point> {
    vec![Point { x: 1, y: 2 }]
}

/// An error for the model.
#[mcp_tool]
fn fails() -> Result<Point, String> {
    Err("there is no point".to_owned())
}

mcp_main!();
