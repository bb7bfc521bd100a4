//! The ids of events: they name a stream of a session and a place in it.
//!
//! Source: basic/transports of 2025-11-25, Resumability and Redelivery.

use std::fmt;

/// The id of one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventId {
    /// Random bits that the session has to itself: the id of an event of another session is none of this one.
    pub(super) tag: u64,
    pub(super) stream: u64,
    pub(super) position: u64,
}

impl EventId {
    /// Reads an id, in the one way in which it is written.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-').map(|part| u64::from_str_radix(part, 16).ok());
        let (tag, stream, position) = (parts.next()??, parts.next()??, parts.next()??);
        let id = EventId { tag, stream, position };
        (id.to_string() == text).then_some(id)
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{:x}-{:x}", self.tag, self.stream, self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_is_written_and_in_no_other_way() {
        let id = EventId { tag: 0xab, stream: 0, position: 16 };
        assert_eq!(id.to_string(), "00000000000000ab-0-10");
        assert_eq!(EventId::parse("00000000000000ab-0-10"), Some(id));
        for other in [
            "",
            "-",
            "ab-0-10",
            "00000000000000AB-0-10",
            "00000000000000ab-00-10",
            "00000000000000ab-0-+1",
            "00000000000000ab-0",
            "00000000000000ab-0-10-1",
            "00000000000000ab-0-10000000000000000",
            " 00000000000000ab-0-10",
        ] {
            assert_eq!(EventId::parse(other), None, "{other:?}");
        }
    }
}
