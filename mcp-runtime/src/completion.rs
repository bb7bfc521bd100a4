//! Values to offer while a person fills in an argument of a prompt or of a resource template.

use crate::extract::Context;
use crate::handler::Outcome;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

/// What is asked: the text so far, the arguments chosen before, and the request's context.
#[derive(Clone)]
pub struct Completion {
    /// The text that the person has typed so far; may be empty.
    pub value: String,
    /// Arguments that have their values already.
    pub arguments: BTreeMap<String, String>,
    /// The request.
    pub context: Context,
}

/// A completer, erased.
pub(crate) type Completing = Arc<dyn Fn(Completion) -> Outcome<Vec<String>> + Send + Sync>;

/// A function that `#[arg(complete = path)]` may name: `fn(&str) -> Vec<String>` for the simple case, or an async function
/// of a [`Completion`]. Lists may be of any `Into<String>`; at most 100 values reach a client.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// fn languages(typed: &str) -> Vec<&'static str> {
///     ["rust", "ruby", "python"].into_iter().filter(|name| name.starts_with(typed)).collect()
/// }
///
/// /// Asks for a review.
/// #[mcp_prompt]
/// fn review(#[arg(complete = languages)] language: String) -> String {
///     format!("Review this {language} code.")
/// }
/// # assert_eq!(review("rust".into()), "Review this rust code.");
/// ```
#[diagnostic::on_unimplemented(
    message = "this is no completer",
    label = "not a completer",
    note = "`complete = path` names a `fn(&str) -> Vec<String>` or an `async fn(Completion) -> Vec<String>`"
)]
pub trait Completer<Form>: Send + Sync + 'static {
    /// Erases the function's type.
    #[doc(hidden)]
    fn into_completing(self) -> ErasedCompleter;
}

/// An erased completer.
#[doc(hidden)]
pub struct ErasedCompleter(pub(crate) Completing);

/// The form `fn(&str) -> values`.
#[doc(hidden)]
pub struct Plain<R>(std::marker::PhantomData<R>);
/// The form `async fn(Completion) -> values`.
#[doc(hidden)]
pub struct WithContext<R>(std::marker::PhantomData<R>);

impl<F, R> Completer<Plain<R>> for F
where
    F: Fn(&str) -> R + Send + Sync + 'static,
    R: IntoIterator,
    R::Item: Into<String>,
{
    fn into_completing(self) -> ErasedCompleter {
        ErasedCompleter(Arc::new(move |asked| Outcome::Ready(self(&asked.value).into_iter().map(Into::into).collect())))
    }
}

impl<F, R> Completer<WithContext<R>> for F
where
    F: Fn(Completion) -> R + Send + Sync + 'static,
    R: Future + Send + 'static,
    R::Output: IntoIterator,
    <R::Output as IntoIterator>::Item: Into<String>,
{
    fn into_completing(self) -> ErasedCompleter {
        ErasedCompleter(Arc::new(move |asked| {
            let future = self(asked);
            Outcome::Pending(Box::pin(async move { future.await.into_iter().map(Into::into).collect() }))
        }))
    }
}
