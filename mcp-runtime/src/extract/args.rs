//! The whole arguments object as one struct.

use super::{Extracted, Injected};
use crate::handler::{Call, ParamBuilder, ToolArg};

/// Takes all arguments as one struct, whose fields are then the tool's arguments.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[mcp_type]
/// struct Search {
///     /// What to look for.
///     text: String,
///     limit: Option<u32>,
/// }
///
/// /// Searches.
/// #[mcp_tool]
/// fn search(Args(search): Args<Search>) -> String {
///     format!("{}: {:?}", search.text, search.limit)
/// }
/// # assert_eq!(search(Args(Search { text: "x".into(), limit: None })), "x: None");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Args<T>(pub T);

impl<T: ToolArg> Injected for Args<T> {
    fn describe(param: &mut ParamBuilder<'_>) {
        param.whole::<T>();
    }

    fn extract(call: &mut Call<'_>) -> Extracted<Self> {
        call.decode_whole().map_or(Extracted::Refused, |value| Extracted::Value(Args(value)))
    }
}
