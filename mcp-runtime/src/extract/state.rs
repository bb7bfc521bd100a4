//! Values that a server shares among its functions.

use super::{Context, FromContext, Needs};
use crate::ToolError;
use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

/// A value that the server was given with `state(..)`, shared by all calls.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// struct Motto(&'static str);
///
/// /// Tells the motto.
/// #[mcp_tool]
/// fn motto(motto: State<Motto>) -> String {
///     motto.0.to_owned()
/// }
///
/// # fn main() -> Result<(), mcp_runtime::BuildError> {
/// let server = mcp_runtime::server!().tools(tools![motto]).state(Motto("less glue")).build()?;
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
///
/// A server that does not provide the type fails when it is built, naming the functions that need it.
#[derive(Debug)]
pub struct State<T: ?Sized>(Arc<T>);

impl<T: ?Sized> State<T> {
    /// Wraps a value, for calling an annotated function directly (in a unit test).
    pub fn new(value: impl Into<Arc<T>>) -> Self {
        State(value.into())
    }

    pub(crate) fn shared(&self) -> &Arc<T> {
        &self.0
    }
}

impl<T: ?Sized> Clone for State<T> {
    fn clone(&self) -> Self {
        State(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Send + Sync + 'static> FromContext for State<T> {
    fn from_context(cx: &Context) -> Result<Self, ToolError> {
        cx.state::<T>().map(State).ok_or_else(|| {
            // Unreachable through a built server, which checks this; a context made elsewhere may lack it.
            ToolError::internal(format!("no state of type {} was provided", type_name::<T>()))
        })
    }

    fn needs(needs: &mut Needs) {
        needs.state::<T>();
    }
}

/// All states of a server, by type.
#[derive(Default, Clone)]
pub(crate) struct States(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl States {
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: Arc<T>) {
        self.0.insert(TypeId::of::<T>(), value);
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.0.get(&TypeId::of::<T>()).and_then(|value| Arc::clone(value).downcast().ok())
    }

    pub(crate) fn contains(&self, id: TypeId) -> bool {
        self.0.contains_key(&id)
    }
}
