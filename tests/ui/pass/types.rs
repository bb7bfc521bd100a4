//! Types that travel as JSON, with the runtime as the only dependency.
#![deny(warnings)]
use mcp_runtime::prelude::*;
use std::collections::BTreeMap;

/// A point.
#[mcp_type]
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// From left to right.
    #[arg(min = -180.0, max = 180)]
    x: f64,
    #[arg(default, description = "From top to bottom.", example = 1.5, example = -2)]
    y: f64,
}

#[mcp_type]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Colour {
    /// Like blood.
    #[default]
    Red,
    #[arg(rename = "sea", description = "Like the sea.")]
    Blue,
}

#[mcp_type]
#[derive(Debug)]
enum Shape {
    Circle {
        #[arg(min = 0, default = 1.0)]
        radius: f64,
    },
    Polygon(Vec<Point>),
    Empty,
}

#[mcp_type]
#[derive(Debug)]
struct Wrapper(#[arg(min_length = 1)] String);

#[mcp_type]
#[derive(Debug)]
struct Unit;

#[mcp_type]
#[derive(Debug)]
struct Generic<'a, T, const N: usize>
where
    T: Clone + Default,
{
    #[arg(default = T::default())]
    value: T,
    #[arg(default = "text", pattern = "^t", format = "hostname", max_length = 9)]
    text: std::borrow::Cow<'a, str>,
    #[arg(default = N, rename = "count")]
    n: usize,
    #[arg(default = Vec::new(), min_items = 1, max_items = 3)]
    list: Vec<T>,
}

#[mcp_type]
#[derive(Debug, Clone)]
struct Tree {
    kids: Vec<Tree>,
    more: BTreeMap<String, Option<Tree>>,
}

/// Takes one of each.
#[mcp_tool]
fn all(
    point: Point,
    #[arg(default)] colour: Colour,
    shape: Option<Shape>,
    wrapper: Wrapper,
    unit: Unit,
    generic: Generic<'_, u32, 3>,
    tree: Tree,
) -> Point {
    let _ = format!("{colour:?} {shape:?} {wrapper:?} {unit:?} {generic:?} {tree:?}");
    point
}

/// Answers with colours.
#[mcp_tool]
fn answer(a: i64) -> Result<Option<Vec<Colour>>, String> {
    if a == 0 { Err("none".to_owned()) } else { Ok(Some(vec![Colour::Blue])) }
}

fn main() {
    let server = server!().build();
    assert!(server.is_ok(), "{:?}", server.err());
}
