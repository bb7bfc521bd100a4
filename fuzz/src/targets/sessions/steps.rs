//! What clients do with sessions.

use arbitrary::Arbitrary;

/// One request, or two at the same time.
#[derive(Debug, Arbitrary)]
pub(super) enum Step<'a> {
    /// Opens a session, in a request that may name another one.
    Open {
        age: u8,
        with: Target<'a>,
    },
    /// Asks for the name that the client of the session has given itself.
    Who {
        of: Target<'a>,
        version: Version,
    },
    /// A call that reports its progress so many times.
    Progress {
        of: Target<'a>,
        version: Version,
        count: u8,
    },
    Notify {
        of: Target<'a>,
        version: Version,
    },
    Delete {
        of: Target<'a>,
        version: Version,
    },
    /// Begins to be told of a thing, or ends it.
    Subscribe {
        of: u8,
        thing: u8,
        on: bool,
    },
    /// Lets a thing change.
    Touch {
        of: u8,
        thing: u8,
    },
    /// Asks for the standing stream; meanwhile another session lets a thing change.
    Watch {
        of: Target<'a>,
        version: Version,
        by: u8,
        thing: u8,
    },
    /// Asks for what came behind an event that somebody has seen.
    Resume {
        of: Target<'a>,
        event: u8,
    },
}

/// Which session a request names.
#[derive(Debug, Arbitrary)]
pub(super) enum Target<'a> {
    /// One of those that there have been.
    One(u8),
    /// The same with another character.
    Altered {
        of: u8,
        at: u8,
        character: u8,
    },
    Text(&'a str),
    Nothing,
    /// Two of them.
    Twice(u8, u8),
}

/// What the header says of the revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Arbitrary)]
pub(super) enum Version {
    Own,
    Absent,
    Another(u8),
    Stateless,
    Unknown,
}
