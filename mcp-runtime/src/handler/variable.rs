//! How a variable of a URI template gets its value: the text is decoded as an argument is, where the type can be decoded, and
//! read by the type's `FromStr` where it cannot.
//!
//! Traits decide. Method look-up finds the first `resolve` of: the inherent one of [`Variable`] for injected types, the one of
//! the traits below whose bounds the type satisfies, and, behind a dereference, the last one, which exists for every type but
//! demands what none has: its error says what is missing.

use super::param::{AsArgument, AsInjected};
use super::{Call, ParamPlan, ToolArg};
use crate::extract::Injected;
use crate::uri_template::Takes;
use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::Deref;
use std::str::FromStr;

/// A variable of a URI template that may hold any text, such as `../..` or `/etc`: `T` makes of it what it is.
///
/// Values of other types that would lead a path out of its directory are refused before the function runs: a `{name}` never
/// holds a slash then, and a `{+path}` never climbs. Take this type where such a text is no path, or where you check it yourself.
///
/// ```
/// use mcp_runtime::AnyText;
/// use mcp_runtime::prelude::*;
///
/// /// What is known about a date of the form 24/12.
/// #[mcp_resource(uri = "dates://{date}")]
/// fn about(date: AnyText) -> String {
///     format!("You ask for {}.", *date)
/// }
/// # assert_eq!(about(AnyText("24/12".to_owned())), "You ask for 24/12.");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnyText<T = String>(pub T);

impl<T> Deref for AnyText<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A type that is read from a text.
pub trait Readable: FromStr<Err: Display> + Send + 'static {}

impl<T: FromStr<Err: Display> + Send + 'static> Readable for T {}

fn read<T: Readable>(text: &str) -> Result<T, String> {
    T::from_str(text).map_err(|error| error.to_string())
}

/// The question "how does a variable's text become a `T`?".
pub struct Variable<T: ?Sized>(Unfit<T>);

/// The end of the look-up.
pub struct Unfit<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> Clone for Unfit<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Unfit<T> {}

impl<T: ?Sized> Deref for Variable<T> {
    type Target = Unfit<T>;

    fn deref(&self) -> &Unfit<T> {
        &self.0
    }
}

impl<T: ?Sized> Variable<T> {
    /// The one value.
    pub const HERE: Self = Variable(Unfit(PhantomData));
}

impl<T: Injected> Variable<T> {
    /// `T` is injected.
    pub fn resolve(self) -> ParamPlan<T, AsInjected> {
        ParamPlan::INJECTION
    }
}

/// The plans for values that are read.
struct Reading<T>(PhantomData<T>);

impl<T: Readable> Reading<T> {
    const PLAN: ParamPlan<T, AsArgument> = ParamPlan {
        describe: |param| param.text(true, Takes::Text),
        take: |call, index| required(call, index),
        take_or: |call, index, default| Some(call.read(index, read)?.unwrap_or_else(default)),
        kind: PhantomData,
    };
    const OPTIONAL: ParamPlan<Option<T>, AsArgument> = ParamPlan {
        describe: |param| param.text(false, Takes::Text),
        take: |call, index| call.read(index, read),
        take_or: |call, index, default| Some(call.read(index, read)?.map_or_else(default, Some)),
        kind: PhantomData,
    };
    const ANY: ParamPlan<AnyText<T>, AsArgument> = ParamPlan {
        describe: |param| param.text(true, Takes::AnyText),
        take: |call, index| required(call, index).map(AnyText),
        take_or: |call, index, default| Some(call.read(index, read)?.map_or_else(default, AnyText)),
        kind: PhantomData,
    };
    const OPTIONAL_ANY: ParamPlan<Option<AnyText<T>>, AsArgument> = ParamPlan {
        describe: |param| param.text(false, Takes::AnyText),
        take: |call, index| Some(call.read(index, read)?.map(AnyText)),
        take_or: |call, index, default| Some(call.read(index, read)?.map_or_else(default, |text| Some(AnyText(text)))),
        kind: PhantomData,
    };
}

fn required<T: Readable>(call: &mut Call<'_>, index: usize) -> Option<T> {
    call.read(index, read)?.or_else(|| call.lacks(index))
}

/// The traits whose methods are looked up.
pub(crate) mod layers {
    use super::*;

    macro_rules! layer {
        ($($(#[$doc:meta])* $name:ident: [$($generics:tt)*] $on:ty => $value:ty, $plan:expr;)*) => {$(
            $(#[$doc])*
            pub trait $name {
                /// What the function gets, or what it gets a reference to.
                type Value;

                /// How.
                fn resolve(self) -> ParamPlan<Self::Value, AsArgument>;
            }

            impl<$($generics)*> $name for $on {
                type Value = $value;

                fn resolve(self) -> ParamPlan<$value, AsArgument> {
                    $plan
                }
            }
        )*};
    }

    layer! {
        /// Any text.
        Any: [T: Readable] Variable<AnyText<T>> => AnyText<T>, Reading::<T>::ANY;
        /// Any text that may be missing.
        OptionalAny: [T: Readable] Variable<Option<AnyText<T>>> => Option<AnyText<T>>, Reading::<T>::OPTIONAL_ANY;
        /// What is decoded as an argument.
        Decoded: [T: ToolArg] Variable<T> => T, ParamPlan::<T, AsArgument>::ARGUMENT;
        /// What is borrowed from something decoded.
        Borrowed: [T: ?Sized + ToOwned<Owned: ToolArg>] &Variable<T> => T::Owned,
            ParamPlan::<T::Owned, AsArgument>::ARGUMENT;
        /// What is read.
        Read: [T: Readable] &Variable<T> => T, Reading::<T>::PLAN;
        /// What is read and may be missing.
        OptionalRead: [T: Readable] &Variable<Option<T>> => Option<T>, Reading::<T>::OPTIONAL;
    }

    /// What nothing is made of.
    pub trait Nothing<T: ?Sized> {
        /// There is no way.
        fn resolve(self) -> ParamPlan<T::Value, AsArgument>
        where
            T: UriVariable;
    }

    impl<T: ?Sized> Nothing<T> for Unfit<T> {
        fn resolve(self) -> ParamPlan<T::Value, AsArgument>
        where
            T: UriVariable,
        {
            T::NEVER
        }
    }
}

/// What a type would have to be for a variable; the layers before have found all that are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a variable of a URI template",
    label = "the text in the URI does not become this",
    note = "implement `std::str::FromStr` for it, with an error that has `Display`",
    note = "or put `#[mcp_type]` on it, as on the type of any argument"
)]
pub trait UriVariable {
    /// What the function would get.
    type Value;
    /// How.
    const NEVER: ParamPlan<Self::Value, AsArgument>;
}
