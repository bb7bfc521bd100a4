//! What came in place of a message, as seen from outside: that there was something, and how large it was, but nothing of it.

use super::facts::{OTHER, Transport};
use super::{Ending, span};
use crate::Principal;
use crate::audit::AuditEvent;
use crate::dispatch::{Caller, Core};
use crate::meter;
use crate::session::RequestHeaders;
use crate::wire::{Fault, Id, RpcError};
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

/// Something that is no message.
pub(crate) struct Malformed<'a> {
    pub(crate) error: &'a RpcError,
    /// There if it is sound.
    pub(crate) id: Option<Id<'a>>,
    pub(crate) bytes: usize,
    pub(crate) principal: Option<&'a Principal>,
    pub(crate) address: Option<IpAddr>,
    /// Those of its HTTP request.
    pub(crate) headers: Option<&'a dyn RequestHeaders>,
}

impl Core {
    /// Tells whoever watches of a text that is no message.
    pub(crate) fn unreadable(
        &self,
        fault: &Fault<'_>,
        text: &str,
        caller: &Caller<'_>,
        headers: Option<&dyn RequestHeaders>,
    ) {
        let (id, principal, address) = (fault.id(), caller.principal, caller.address);
        self.malformed(&Malformed { error: &fault.error(), id, bytes: text.len(), principal, address, headers });
    }

    /// Tells whoever watches.
    pub(crate) fn malformed(&self, message: &Malformed<'_>) {
        let transport = if message.headers.is_some() { Transport::Http } else { Transport::Pipe };
        let ending = Ending::Error(message.error.code);
        let span = match span::is_wanted() {
            true => span::malformed(message, transport),
            false => tracing::Span::none(),
        };
        span::end(&span, ending, None);
        if let Some(audit) = &self.watchers.audit {
            let event = AuditEvent {
                at: SystemTime::now(),
                principal: AuditEvent::name(message.principal),
                client: message.address,
                http_request_id: self.watchers.request_id(message.headers).map(str::to_owned),
                method: OTHER,
                function: None,
                request_id: message.id.map_or("null", |id| span::cut(id.as_json())).to_owned(),
                transport: transport.as_str(),
                error: ending.error_type(),
                duration: Duration::ZERO,
                argument_bytes: message.bytes,
                response_bytes: 0,
                arguments: None,
            };
            span.in_scope(|| audit.tell(&event));
        }
        if self.watchers.metered {
            meter::malformed(transport.as_str(), message.error.code);
        }
    }
}
