//! From tokens to what the author wrote, unvalidated.

pub(crate) mod arg;
pub(crate) mod attribute;
pub(crate) mod block;
pub(crate) mod container;
pub(crate) mod docs;
pub(crate) mod limits;
pub(crate) mod listed;
pub(crate) mod module;
pub(crate) mod options;
pub(crate) mod signature;
pub(crate) mod uri_template;
