//! How a parameter gets its value. Traits decide, never the way a type is spelled: a type that is
//! [`FromContext`](crate::FromContext) is injected, any other is an argument.
//!
//! The inherent `resolve` of [`Param<T>`] exists only for injected types and then shadows the trait's method of the same
//! name, which exists for every type but demands [`ToolArg`]. An unfit type therefore fails in one place, with the text
//! below.

use super::{Call, ParamBuilder};
use crate::extract::Injected;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::marker::PhantomData;

/// A type whose values can be decoded from a JSON argument and described by a JSON Schema.
///
/// Implemented for everything that is `DeserializeOwned + JsonSchema`; `#[mcp_type]` derives both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of an MCP function",
    label = "neither an argument nor injected",
    note = "an argument's type needs `#[mcp_type]` on it, and so does what is inside of it (or derives of \
            `serde::Deserialize` and `schemars::JsonSchema`, version 1 of both, as `#[mcp_type]` adds them)",
    note = "an injected type is `Context`, `State<T>` of a `T: Send + Sync`, `Args<T>` of an argument's type, or implements \
            `mcp_runtime::FromContext`"
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

/// The answer: what the parameter tells about itself at start-up, and how a call fills it. `K` is `AsArgument` or
/// `AsInjected`.
pub struct ParamPlan<T, K> {
    pub(super) describe: fn(&mut ParamBuilder<'_>),
    pub(super) take: fn(&mut Call<'_>, usize) -> Option<T>,
    pub(super) take_or: TakeOr<T>,
    pub(super) kind: PhantomData<K>,
}

/// Takes the value, or the default that is given.
type TakeOr<T> = fn(&mut Call<'_>, usize, fn() -> T) -> Option<T>;

/// The value is decoded from the client's arguments.
pub enum AsArgument {}

/// The value is made from the request.
pub enum AsInjected {}

impl<T: ToolArg> ParamPlan<T, AsArgument> {
    pub(super) const ARGUMENT: Self = ParamPlan {
        describe: |param| param.argument::<T>(),
        take: |call, index| call.decode(index),
        take_or: |call, index, default| call.decode_or(index, default),
        kind: PhantomData,
    };
}

impl<T: Injected> ParamPlan<T, AsInjected> {
    pub(super) const INJECTION: Self = ParamPlan {
        describe: T::describe,
        take: |call, _| call.inject(),
        take_or: |call, _, _| call.inject(),
        kind: PhantomData,
    };
}

impl<T: Injected> Param<T> {
    /// `T` is injected.
    pub fn resolve(self) -> ParamPlan<T, AsInjected> {
        ParamPlan::INJECTION
    }
}

/// Arguments; in scope where expansions are, see the module's text.
pub trait ArgumentParam<T> {
    /// `T` is an argument.
    fn resolve(self) -> ParamPlan<T, AsArgument>
    where
        T: ToolArg;
}

impl<T> ArgumentParam<T> for Param<T> {
    fn resolve(self) -> ParamPlan<T, AsArgument>
    where
        T: ToolArg,
    {
        ParamPlan::ARGUMENT
    }
}

/// The same question for a parameter that the function takes by reference, `&T`: the call owns a `T` then, or what `T`
/// is borrowed from (`String` for `str`).
pub struct BorrowedParam<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> BorrowedParam<T> {
    /// The one value.
    pub const HERE: Self = BorrowedParam(PhantomData);
}

impl<T: Injected> BorrowedParam<T> {
    /// `T` is injected.
    pub fn resolve(self) -> ParamPlan<T, AsInjected> {
        ParamPlan::INJECTION
    }
}

impl<T> ArgumentParam<T> for BorrowedParam<T> {
    fn resolve(self) -> ParamPlan<T, AsArgument>
    where
        T: ToolArg,
    {
        ParamPlan::ARGUMENT
    }
}

/// Arguments without a size, which are decoded as what they are borrowed from. Found after [`ArgumentParam`], because
/// method look-up borrows the receiver last.
pub trait UnsizedParam<T: ?Sized> {
    /// `T` is an argument.
    fn resolve(self) -> ParamPlan<T::Source, AsArgument>
    where
        T: UnsizedArg;
}

impl<T: ?Sized> UnsizedParam<T> for &BorrowedParam<T> {
    fn resolve(self) -> ParamPlan<T::Source, AsArgument>
    where
        T: UnsizedArg,
    {
        ParamPlan::ARGUMENT
    }
}

/// A type without a size (`str`, `[T]`) of which a function can take a reference.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be a parameter of an MCP function",
    label = "nothing can be decoded to lend this",
    note = "a `&str` is lent by a `String`, a `&[T]` by a `Vec<T>`, if `T` has `#[mcp_type]` on it (or \
            `serde::Deserialize`, `schemars::JsonSchema` and `Clone`)"
)]
pub trait UnsizedArg {
    /// The type that is decoded.
    type Source: ToolArg;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + ToOwned<Owned: ToolArg>> UnsizedArg for T {
    type Source = T::Owned;
}

/// The question for a parameter that has no name for clients, because its pattern is neither a name nor a wrapper such
/// as `Args(name)`: it must be injected.
pub struct NamelessParam<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> NamelessParam<T> {
    /// The one value.
    pub const HERE: Self = NamelessParam(PhantomData);

    /// `T` is injected.
    pub fn resolve(self) -> ParamPlan<T, AsInjected>
    where
        T: Nameless,
    {
        ParamPlan::INJECTION
    }
}

/// A type whose values need no name among the arguments.
#[diagnostic::on_unimplemented(
    message = "this argument has no name",
    label = "clients would not know what to call this",
    note = "write `name: Type` and take the value apart in the function, or name it: `#[arg(rename = \"name\")]`"
)]
pub trait Nameless: Injected {}

#[diagnostic::do_not_recommend]
impl<T: Injected> Nameless for T {}

/// The question for a parameter of a resource function that is no variable of the URI template: it must be injected.
pub struct OtherParam<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> OtherParam<T> {
    /// The one value.
    pub const HERE: Self = OtherParam(PhantomData);

    /// `T` is injected.
    pub fn resolve(self) -> ParamPlan<T, AsInjected>
    where
        T: NoVariable,
    {
        ParamPlan::INJECTION
    }
}

/// A type whose values do not come from a URI.
#[diagnostic::on_unimplemented(
    message = "this parameter is no variable of the URI template",
    label = "the URI gives no value for this",
    note = "put `{{name}}` into the `uri` for every parameter that is not injected"
)]
pub trait NoVariable: Injected {}

#[diagnostic::do_not_recommend]
impl<T: Injected> NoVariable for T {}

/// A kind of parameter that `#[arg(...)]` may describe.
#[diagnostic::on_unimplemented(
    message = "`#[arg(...)]` describes an argument, and this parameter is injected",
    label = "the client sends no value for this parameter",
    note = "for the fields of an `Args<T>`, put `#[arg(...)]` on the fields of `T`"
)]
pub trait Describable {}

impl Describable for AsArgument {}

/// A kind of parameter that takes a variable of a URI template.
#[diagnostic::on_unimplemented(
    message = "a variable of the URI template needs an argument, and this parameter is injected",
    label = "nothing in the URI becomes this",
    note = "rename the parameter or the variable"
)]
pub trait FromUri {}

impl FromUri for AsArgument {}

/// A kind of parameter that may have a default value of type `T`.
#[diagnostic::on_unimplemented(
    message = "a parameter of type `{T}` cannot have a default",
    label = "no default possible here",
    note = "the default is shown to clients: put `#[mcp_type]` on the type, or implement `serde::Serialize` for it",
    note = "an injected parameter has no default"
)]
pub trait Defaultable<T> {
    /// The default as the argument's schema shows it.
    fn publish(default: T) -> Value;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Defaultable<T> for AsArgument {
    fn publish(default: T) -> Value {
        serde_json::to_value(default).unwrap_or_default()
    }
}

/// A kind of parameter whose default may be the one of its type `T`.
#[diagnostic::on_unimplemented(
    message = "a parameter of type `{T}` has no default of its own",
    label = "no default known here",
    note = "write `default = value`, or implement `Default` for the type",
    note = "the default is shown to clients: put `#[mcp_type]` on the type, or implement `serde::Serialize` for it",
    note = "an injected parameter has no default"
)]
pub trait DefaultOfType<T>: Defaultable<T> {
    /// The type's default.
    fn default() -> T;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + Default> DefaultOfType<T> for AsArgument {
    fn default() -> T {
        T::default()
    }
}
