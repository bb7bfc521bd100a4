//! The targets.

pub mod auth;
pub mod cursors;
pub mod envelope;
pub mod eras;
pub mod headers;
pub mod lines;
pub mod request_state;
pub mod revisions;
pub mod sessions;
pub mod uri_templates;
