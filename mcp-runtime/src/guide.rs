#![doc = include_str!("docs/guide.md")]

#[doc = include_str!("docs/arg.md")]
pub mod arg {}
#[doc = include_str!("docs/guide/arguments.md")]
pub mod arguments {}
#[doc = include_str!("docs/guide/asking.md")]
pub mod asking {}
#[cfg_attr(feature = "auth", doc = include_str!("docs/guide/authorization.md"))]
#[cfg_attr(not(feature = "auth"), doc = "Authorization: who gets in. This page is there with the feature `auth`.")]
pub mod authorization {}
#[doc = include_str!("docs/guide/first_tool.md")]
pub mod first_tool {}
#[doc = include_str!("docs/guide/limits.md")]
pub mod limits {}
#[doc = include_str!("docs/guide/network.md")]
pub mod network {}
#[doc = include_str!("docs/options.md")]
pub mod options {}
#[doc = include_str!("docs/guide/policies.md")]
pub mod policies {}
#[doc = include_str!("docs/guide/prompts.md")]
pub mod prompts {}
#[doc = include_str!("docs/guide/resources.md")]
pub mod resources {}
#[doc = include_str!("docs/guide/results.md")]
pub mod results {}
#[doc = include_str!("docs/guide/running.md")]
pub mod running {}
#[doc = include_str!("docs/guide/servers.md")]
pub mod servers {}
#[doc = include_str!("docs/guide/serving.md")]
pub mod serving {}
#[doc = include_str!("docs/guide/state.md")]
pub mod state {}
#[doc = include_str!("docs/guide/testing.md")]
pub mod testing {}
#[doc = include_str!("docs/guide/watching.md")]
pub mod watching {}
