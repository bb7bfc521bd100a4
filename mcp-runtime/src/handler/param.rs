//! How a parameter gets its value. Traits decide, never the way a type is spelled: a type that is
//! [`FromContext`](crate::FromContext) is injected, any other is an argument.
//!
//! The inherent `resolve` of [`Param<T>`] exists only for injected types and then shadows the trait's method of the same
//! name, which exists for every type but demands [`ToolArg`]. An unfit type therefore fails in one place, with the text
//! below.

use super::{Call, ParamBuilder};
use crate::extract::Injected;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

/// A type whose values can be decoded from a JSON argument and described by a JSON Schema.
///
/// Implemented for everything that is `DeserializeOwned + JsonSchema`; `#[mcp_type]` derives both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of an MCP function",
    label = "neither an argument nor injected",
    note = "an argument's type needs `#[mcp_type]` on it (or `serde::Deserialize` and `schemars::JsonSchema`)",
    note = "an injected type (`Context`, `State<T>`, your own) implements `mcp_runtime::FromContext`"
)]
pub trait ToolArg: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> ToolArg for T {}

/// The question "how does a parameter of type `T` get its value?".
pub struct Param<T>(PhantomData<fn() -> T>);

impl<T> Param<T> {
    /// The one value.
    pub const HERE: Self = Param(PhantomData);
}

/// The answer: what the parameter tells about itself at start-up, and how a call fills it.
pub struct ParamPlan<T> {
    pub(super) describe: fn(&mut ParamBuilder<'_>),
    pub(super) take: fn(&mut Call<'_>, usize) -> Option<T>,
}

impl<T> Clone for ParamPlan<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ParamPlan<T> {}

impl<T: Injected> Param<T> {
    /// `T` is injected.
    pub fn resolve(self) -> ParamPlan<T> {
        ParamPlan { describe: T::describe, take: |call, _| call.inject() }
    }
}

/// Arguments; in scope where expansions are, see the module's text.
pub trait ArgumentParam<T> {
    /// `T` is an argument.
    fn resolve(self) -> ParamPlan<T>
    where
        T: ToolArg;
}

impl<T> ArgumentParam<T> for Param<T> {
    fn resolve(self) -> ParamPlan<T>
    where
        T: ToolArg,
    {
        ParamPlan { describe: |param| param.argument::<T>(), take: |call, index| call.decode(index) }
    }
}
