//! Where a call's notifications go, and where its headers come from. Transports implement both.

use std::sync::Arc;

/// Takes the notifications of one call, or of one session, in order.
pub(crate) trait Outlet: Send + Sync + 'static {
    /// Queues one message; false if it will not arrive. Never blocks: an outlet whose peer does not keep up drops messages.
    fn send(&self, message: Vec<u8>) -> bool;

    /// Queues a message that must not give way to later ones, such as a question; false if it will not arrive.
    fn insist(&self, message: Vec<u8>) -> bool {
        self.send(message)
    }

    /// Lets go of the connection, if the peer comes back for the rest by itself.
    fn let_go(&self) {}

    /// Is there room for news that could as well wait? An outlet that says no calls back when there is.
    fn has_room(&self) -> bool {
        true
    }
}

/// Drops everything: for peers that cannot take notifications.
pub(crate) struct Silent;

impl Outlet for Silent {
    fn send(&self, _message: Vec<u8>) -> bool {
        false
    }
}

/// A header that stands there more than once, or is no readable text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BadHeader;

/// A header that the protocol knows: looked up in every request, so that a transport prepares its name once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Header<'n> {
    /// `MCP-Protocol-Version`.
    Version,
    /// `Mcp-Method`.
    Method,
    /// `Mcp-Name`.
    Name,
    /// Any other one.
    Other(&'n str),
}

impl<'n> Header<'n> {
    /// The header's name.
    pub(crate) const fn name(self) -> &'n str {
        match self {
            Header::Version => "mcp-protocol-version",
            Header::Method => "mcp-method",
            Header::Name => "mcp-name",
            Header::Other(name) => name,
        }
    }
}

/// The headers of an HTTP request, seen without HTTP.
pub(crate) trait RequestHeaders: Send + Sync {
    /// The value of a header, without surrounding white space; `None` if it is absent.
    fn get(&self, header: Header<'_>) -> Result<Option<&str>, BadHeader>;

    /// A copy that outlives the request.
    fn snapshot(&self) -> Arc<dyn RequestHeaders>;
}
