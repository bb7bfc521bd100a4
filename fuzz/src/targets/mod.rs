//! The targets.

pub mod cursors;
pub mod envelope;
pub mod eras;
pub mod headers;
pub mod request_state;
pub mod revisions;
pub mod uri_templates;
