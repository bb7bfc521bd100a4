//! The instances of a resource template that a list of resources shows.

use crate::ToolError;
use crate::extract::Context;
use crate::handler::Outcome;
use crate::model::ResourceLink;
use crate::reply::IntoToolError;
use std::future::Future;
use std::sync::Arc;

/// The links, or why there are none.
pub(crate) type Listed = Result<Vec<ResourceLink>, ToolError>;

/// A lister, erased. It gets the way to the request's context.
pub(crate) type Listing = Arc<dyn Fn(&dyn Fn() -> Context) -> Outcome<Listed> + Send + Sync>;

/// A function that `list = path` may name: `fn() -> Vec<ResourceLink>` for the simple case, or an async function of the
/// request's [`Context`]. Either may give a `Result` of the list.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// fn notes() -> Vec<ResourceLink> {
///     (1..=3).map(|id| ResourceLink::new(format!("notes://{id}"), format!("Note {id}"))).collect()
/// }
///
/// /// One note.
/// #[mcp_resource(uri = "notes://{id}", list = notes)]
/// fn note(id: u32) -> Option<String> {
///     (1..=3).contains(&id).then(|| format!("This is note {id}."))
/// }
/// # assert_eq!(notes().len(), 3);
/// # assert!(note(4).is_none());
/// ```
#[diagnostic::on_unimplemented(
    message = "this function does not list the instances of a template",
    label = "lists no instances",
    note = "`list = path` names a `fn() -> Vec<ResourceLink>` or an `async fn(Context) -> Vec<ResourceLink>`; either may \
            give a `Result` of the list"
)]
pub trait Lister<Form>: Send + Sync + 'static {
    /// Erases the function's type.
    #[doc(hidden)]
    fn into_listing(self) -> ErasedLister;
}

/// An erased lister.
#[doc(hidden)]
pub struct ErasedLister(pub(crate) Listing);

/// The form `fn() -> links`.
#[doc(hidden)]
pub struct Plain<R>(std::marker::PhantomData<R>);
/// The form `async fn(Context) -> links`.
#[doc(hidden)]
pub struct WithContext<R>(std::marker::PhantomData<R>);

/// What a lister gives.
#[doc(hidden)]
pub trait Links {
    #[doc(hidden)]
    fn into_links(self) -> Result<Vec<ResourceLink>, ToolError>;
}

impl Links for Vec<ResourceLink> {
    fn into_links(self) -> Listed {
        Ok(self)
    }
}

impl<E: IntoToolError> Links for Result<Vec<ResourceLink>, E> {
    fn into_links(self) -> Listed {
        self.map_err(E::into_tool_error)
    }
}

impl<F, R> Lister<Plain<R>> for F
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Links,
{
    fn into_listing(self) -> ErasedLister {
        ErasedLister(Arc::new(move |_| Outcome::Ready(self().into_links())))
    }
}

impl<F, R> Lister<WithContext<R>> for F
where
    F: Fn(Context) -> R + Send + Sync + 'static,
    R: Future<Output: Links> + Send + 'static,
{
    fn into_listing(self) -> ErasedLister {
        ErasedLister(Arc::new(move |context| {
            let future = self(context());
            Outcome::Pending(Box::pin(async move { future.await.into_links() }))
        }))
    }
}
