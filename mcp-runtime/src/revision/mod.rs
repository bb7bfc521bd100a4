//! Protocol revisions: the only place that knows their names, and what each of them lacks, adds or names differently.
//!
//! Everything outside builds the newest revision's richest shape; the writers here leave out what the peer's revision
//! does not know.

mod content;
mod envelope;
mod features;
mod list;
mod listen;
mod notify;
mod params;
mod question;
mod result;

pub(crate) use envelope::{Envelope, is_stateless, unsupported};
pub(crate) use features::{Features, InvalidArguments, OutputSchemas};
pub(crate) use list::{prompt_item, resource_item, template_item, tool_item};
pub(crate) use listen::{acknowledged, interests, list_changed, resource_updated, subscription_ended};
pub(crate) use notify::{cancelled, log_message, progress};
pub(crate) use params::{Member, OwnedParams, Params};
pub(crate) use question::{missing_capability, question_params};
pub(crate) use result::{
    Caching, Declared, Identity, ToolOutput, completion, discover, empty, initialize, input_required, list, listened,
    messages, read, tool_result,
};

/// A revision of the protocol, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

impl Revision {
    /// Every revision, oldest first.
    pub(crate) const ALL: [Revision; 5] = [
        Revision::V2024_11_05,
        Revision::V2025_03_26,
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ];

    /// The newest revision.
    pub(crate) const LATEST: Revision = Revision::V2026_07_28;

    /// The newest revision that begins with `initialize`.
    pub(crate) const LATEST_HANDSHAKE: Revision = Revision::V2025_11_25;

    /// The revision's name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Revision::V2024_11_05 => "2024-11-05",
            Revision::V2025_03_26 => "2025-03-26",
            Revision::V2025_06_18 => "2025-06-18",
            Revision::V2025_11_25 => "2025-11-25",
            Revision::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision of that name.
    pub(crate) fn from_name(name: &str) -> Option<Revision> {
        Revision::ALL.into_iter().find(|revision| revision.as_str() == name)
    }

    /// Does every request stand for itself, without `initialize`?
    pub(crate) const fn is_stateless(self) -> bool {
        matches!(self, Revision::V2026_07_28)
    }

    /// What `initialize` answers: the requested revision if it has a handshake, the newest one that has otherwise.
    pub(crate) fn negotiate(requested: &str) -> Revision {
        Revision::from_name(requested).filter(|r| !r.is_stateless()).unwrap_or(Revision::LATEST_HANDSHAKE)
    }

    /// The names of all stateless revisions.
    pub(crate) fn stateless_names() -> Vec<&'static str> {
        Revision::ALL.into_iter().filter(|r| r.is_stateless()).map(Revision::as_str).collect()
    }

    /// The names of all revisions, newest first.
    pub(crate) fn names() -> Vec<&'static str> {
        Revision::ALL.into_iter().rev().map(Revision::as_str).collect()
    }

    /// Its place in [`Revision::ALL`].
    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initialize_never_settles_on_a_stateless_revision() {
        for (requested, settled) in [
            ("2024-11-05", "2024-11-05"),
            ("2025-06-18", "2025-06-18"),
            ("2026-07-28", "2025-11-25"),
            ("1999-01-01", "2025-11-25"),
            ("banana", "2025-11-25"),
        ] {
            assert_eq!(Revision::negotiate(requested).as_str(), settled);
        }
    }
}
