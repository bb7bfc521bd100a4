use mcp_runtime::prelude::*;

struct Point;

struct Plane;

#[mcp_server]
impl Plane {
    /// Adds a point.
    #[mcp_tool]
    fn add(&self, point: Point) {
        let _ = point;
    }
}

fn main() {}
