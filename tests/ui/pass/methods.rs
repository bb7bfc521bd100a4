//! Everything that an `impl` with functions for clients may be, in a crate that denies much.
#![forbid(unsafe_code)]
#![deny(missing_docs, unused, unreachable_pub, unused_qualifications, unexpected_cfgs, non_upper_case_globals)]
#![deny(clippy::all, clippy::pedantic)]
#![deny(rust_2018_idioms, non_camel_case_types, non_snake_case, single_use_lifetimes)]

use mcp_runtime::prelude::*;
use std::fmt::Display;
use std::sync::Arc;

/// Something with a point.
#[mcp_type]
#[derive(Clone, Default)]
pub struct Plane {
    x: i64,
}

type Shared<T> = Arc<T>;

#[mcp_server(prefix = "plane", separator = ".")]
impl Plane {
    #![allow(clippy::trivially_copy_pass_by_ref, clippy::unused_async)]

    /// A constant.
    pub const ORIGIN: i64 = 0;

    /// `Self` in types.
    #[mcp_tool]
    fn moved(&self, other: Self, others: Option<Vec<Self>>) -> Result<Self, String> {
        Ok(Self { x: self.x + other.x + others.map_or(0, |others| others.iter().map(|other| other.x).sum()) })
    }

    /// `Self` in a default.
    #[mcp_tool(blocking)]
    #[must_use]
    pub fn right(self: Arc<Self>, #[arg(default = Self::ORIGIN)] by: i64) -> i64 {
        self.x + by
    }

    /// A receiver with another name.
    #[mcp_tool]
    pub(crate) async fn left(self: &Shared<Self>, cx: &Context) -> i64 {
        cx.info("left");
        self.x
    }

    /// A receiver with a lifetime.
    #[mcp_tool]
    fn named<'s>(&'s self, name: String) -> Option<&'s i64> {
        (name == "x").then_some(&self.x)
    }

    /// A constructor.
    #[mcp_tool]
    fn new(x: i64) -> Self {
        Self { x }
    }

    /// Names that are no names of types.
    #[mcp_tool(name = "type")]
    fn r#type(&self) {}

    /// The name of a type.
    #[mcp_prompt]
    fn bool(&self) -> String {
        "true?".to_owned()
    }

    /// Not there.
    #[cfg(any())]
    #[mcp_tool]
    fn never(&self, what: &[Nothing]) {}

    /// Deprecated.
    #[mcp_tool]
    #[deprecated]
    fn old(&self) {}

    #[mcp_tool]
    #[allow(deprecated)]
    fn undescribed(&self) {}
}

mod elsewhere {
    use super::Plane;
    use mcp_runtime::prelude::*;

    #[mcp_server(list = list)]
    impl Plane {
        /// Read by its URI.
        #[mcp_resource(uri = "plane://x")]
        fn x(&self) -> String {
            self.x.to_string()
        }
    }
}

trait Show {
    type Shown;
    fn show(&self) -> Self::Shown;
    fn wait(&self) -> impl Future<Output = ()> + Send;
}

#[mcp_server]
impl Show for Plane {
    type Shown = String;

    /// Shows it.
    #[mcp_tool]
    fn show(&self) -> String {
        self.x.to_string()
    }

    /// Waits.
    #[mcp_tool]
    async fn wait(&self) {}
}

struct Pair<A, const N: usize>(A);

#[mcp_server(list = functions)]
impl<A: Clone, const N: usize> Pair<A, N>
where
    A: Display + Send + Sync + 'static,
{
    /// Shows the first.
    #[mcp_tool]
    async fn first(&self) -> String {
        self.0.to_string()
    }

    /// Tells a number.
    #[mcp_tool]
    fn number() -> usize {
        N
    }
}

#[cfg(any())]
#[mcp_server]
impl Nothing {
    /// Not there.
    #[mcp_tool]
    fn nothing(&self) {}
}

fn main() {
    assert_eq!(Plane::new(1).moved(Plane::new(2), None).map(|plane| plane.show()), Ok("3".to_owned()));
    let lists = server!().functions(Plane::list()).functions(Pair::<u8, 3>::functions());
    assert!(lists.state(Plane::default()).state(Pair::<u8, 3>(1)).build().is_ok());
    assert!(server!().shared_state(Arc::new(Plane::default())).build().is_ok());
}
