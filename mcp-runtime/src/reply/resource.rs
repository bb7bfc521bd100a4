//! Contents of resources.

use super::{IntoToolError, Refusal, ReturnPlan, Unreached};
use crate::ToolError;
use crate::handler::Describe;
use crate::model::ResourceContents;
use crate::wire::to_json;
use serde::Serialize;
use std::borrow::Cow;
use std::marker::PhantomData;

/// What a read came to.
pub struct ResourceReply(pub(crate) ResourceOutcome);

pub(crate) enum ResourceOutcome {
    Contents(Vec<ResourceContents>),
    NotFound,
    Refused(Refusal),
    Failed(ToolError),
}

impl Unreached for ResourceReply {
    fn refused(problems: Refusal) -> Self {
        ResourceReply(ResourceOutcome::Refused(problems))
    }

    fn failed(error: ToolError) -> Self {
        ResourceReply(ResourceOutcome::Failed(error))
    }

    fn may_pass(&self) -> bool {
        matches!(&self.0, ResourceOutcome::Failed(error) if error.is_transient())
    }
}

/// A value whose JSON is a resource's text, with the MIME type `application/json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Json<T>(pub T);

/// A type that a resource function can return: text, bytes, [`Json`], [`ResourceContents`] (one or many), an `Option` of
/// those (`None` is "no such resource") or a `Result`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the contents of a resource",
    label = "not a resource's contents",
    note = "return `String`, `&'static str`, `Vec<u8>`, `Json<T>`, `ResourceContents`, `Vec<ResourceContents>`, or an \
            `Option` (`None`: not found) or `Result` of one of these"
)]
pub trait IntoResourceReply: Sized {
    /// Tells the usual MIME type, if the type has one.
    #[doc(hidden)]
    fn describe(_describe: &mut Describe) {}

    /// Converts the value.
    fn into_reply(self) -> ResourceReply;
}

fn contents(contents: Vec<ResourceContents>) -> ResourceReply {
    ResourceReply(ResourceOutcome::Contents(contents))
}

macro_rules! text {
    ($($text:ty),*) => {$(
        impl IntoResourceReply for $text {
            fn describe(describe: &mut Describe) {
                describe.usual_mime_type("text/plain");
            }

            fn into_reply(self) -> ResourceReply {
                contents(vec![ResourceContents::text(self)])
            }
        }
    )*};
}

text!(String, &'static str, Cow<'static, str>);

macro_rules! bytes {
    ($($bytes:ty),*) => {$(
        impl IntoResourceReply for $bytes {
            fn describe(describe: &mut Describe) {
                describe.usual_mime_type("application/octet-stream");
            }

            fn into_reply(self) -> ResourceReply {
                contents(vec![ResourceContents::blob(self)])
            }
        }
    )*};
}

bytes!(Vec<u8>, &'static [u8]);

impl<T: Serialize> IntoResourceReply for Json<T> {
    fn describe(describe: &mut Describe) {
        describe.usual_mime_type("application/json");
    }

    fn into_reply(self) -> ResourceReply {
        match to_json(&self.0) {
            Ok(json) => contents(vec![ResourceContents::text(json)]),
            Err(error) => ResourceReply(ResourceOutcome::Failed(ToolError::internal(error))),
        }
    }
}

impl IntoResourceReply for ResourceContents {
    fn into_reply(self) -> ResourceReply {
        contents(vec![self])
    }
}

impl IntoResourceReply for Vec<ResourceContents> {
    /// An empty list is "not found": clients must never get empty contents for a missing resource.
    fn into_reply(self) -> ResourceReply {
        if self.is_empty() { ResourceReply(ResourceOutcome::NotFound) } else { contents(self) }
    }
}

impl<T: IntoResourceReply> IntoResourceReply for Option<T> {
    fn describe(describe: &mut Describe) {
        T::describe(describe);
    }

    fn into_reply(self) -> ResourceReply {
        self.map_or(ResourceReply(ResourceOutcome::NotFound), T::into_reply)
    }
}

impl<T: IntoResourceReply, E: IntoToolError> IntoResourceReply for Result<T, E> {
    fn describe(describe: &mut Describe) {
        T::describe(describe);
    }

    fn into_reply(self) -> ResourceReply {
        match self {
            Ok(value) => value.into_reply(),
            Err(error) => ResourceReply(ResourceOutcome::Failed(error.into_tool_error())),
        }
    }
}

/// The question "how does a resource function's return type become a reply?".
pub struct ResourceReturn<T>(PhantomData<fn() -> T>);

impl<T> ResourceReturn<T> {
    /// The one value.
    pub const HERE: Self = ResourceReturn(PhantomData);

    /// The value is the contents.
    pub fn resolve(self) -> ReturnPlan<T, ResourceReply>
    where
        T: IntoResourceReply,
    {
        ReturnPlan { describe: T::describe, convert: T::into_reply }
    }
}
