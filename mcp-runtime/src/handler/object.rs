//! The receivers of methods: the server's object is a state.

use super::ParamPlan;
use super::param::AsInjected;
use crate::State;
use std::marker::PhantomData;
use std::sync::Arc;

/// The question how a method of `T` gets its object.
pub struct ObjectParam<T>(PhantomData<fn() -> T>);

impl<T> ObjectParam<T> {
    /// The one value.
    pub const HERE: Self = ObjectParam(PhantomData);

    /// It is a state.
    pub fn resolve(self) -> ParamPlan<State<T>, AsInjected>
    where
        T: Object,
    {
        ParamPlan::INJECTION
    }
}

/// A type whose methods clients may call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the object of a server",
    label = "calls on several threads share the object, and this cannot be shared",
    note = "the type must be `Send + Sync`: keep what changes in a `Mutex` or an atomic, and what is shared in an `Arc`"
)]
pub trait Object: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Object for T {}

/// What the object can become as the `self` of a method.
#[diagnostic::on_unimplemented(
    message = "a method for clients cannot take `self: {R}`",
    label = "the server's object cannot become this",
    note = "write `&self`, `self: Arc<Self>` or `self: &Arc<Self>`"
)]
pub trait Receiver<R> {
    /// The object as `self`.
    fn receiver(self) -> R;
}

#[diagnostic::do_not_recommend]
impl<'s, T> Receiver<&'s T> for &'s State<T> {
    fn receiver(self) -> &'s T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<'s, T> Receiver<&'s Arc<T>> for &'s State<T> {
    fn receiver(self) -> &'s Arc<T> {
        self.shared()
    }
}

#[diagnostic::do_not_recommend]
impl<T> Receiver<Arc<T>> for State<T> {
    fn receiver(self) -> Arc<T> {
        Arc::clone(self.shared())
    }
}
