//! What is said of a request in spans: few values, none of them chosen by a peer.

use crate::dispatch::{Carrier, Core, Request, settled};
use crate::registry::{Access, Registry};
use crate::revision::{Envelope, Member, Params, Revision};

/// The methods that a client may ask for.
const METHODS: [&str; 15] = [
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
];
/// Stands for every other method: the conventions' name for what is not known.
pub(super) const OTHER: &str = "_OTHER";

/// What a request is about.
pub(super) struct Facts {
    pub(super) method: &'static str,
    pub(super) function: Option<Named>,
    /// None before the handshake.
    pub(super) revision: Option<Revision>,
    pub(super) transport: Transport,
}

/// A function that exists for the caller.
#[derive(Debug, Clone, Copy)]
pub(in crate::dispatch) enum Named {
    Tool(&'static str),
    Prompt(&'static str),
    Resource(&'static str),
}

impl Named {
    /// The function's name.
    pub(in crate::dispatch) fn name(self) -> &'static str {
        match self {
            Named::Tool(name) | Named::Prompt(name) | Named::Resource(name) => name,
        }
    }

    /// The attribute that tells it. The conventions have none for a resource's function, because they know only URIs.
    pub(super) fn attribute(self) -> &'static str {
        match self {
            Named::Tool(_) => "gen_ai.tool.name",
            Named::Prompt(_) => "gen_ai.prompt.name",
            Named::Resource(_) => "mcp.resource.name",
        }
    }
}

/// What carries the request, in the words of the conventions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transport {
    /// Standard input and output, or the connection inside of the process.
    Pipe,
    Http,
}

impl Transport {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Transport::Pipe => "pipe",
            Transport::Http => "tcp",
        }
    }
}

impl Facts {
    pub(super) fn of(core: &Core, request: &Request<'_>, carrier: &Carrier<'_>) -> Self {
        let method = METHODS.into_iter().find(|method| *method == request.method).unwrap_or(OTHER);
        let declared = request.params.envelope.require().ok().and_then(|version| Envelope::revision(&version).ok());
        Facts {
            method,
            function: named(method, &core.registry, &request.params, &carrier.caller.access),
            revision: declared.or_else(|| carrier.peer.and_then(|peer| settled(peer))),
            transport: if carrier.headers.is_some() { Transport::Http } else { Transport::Pipe },
        }
    }
}

/// The function that a request calls.
pub(in crate::dispatch) fn named(
    method: &str,
    registry: &Registry,
    params: &Params<'_>,
    access: &Access,
) -> Option<Named> {
    let text = |member| params.text(member).ok();
    match method {
        "tools/call" => registry.tool(&text(Member::Name)?, access).map(|tool| Named::Tool(tool.function.entry.name)),
        "prompts/get" => {
            registry.prompt(&text(Member::Name)?, access).map(|prompt| Named::Prompt(prompt.function.entry.name))
        }
        "resources/read" => {
            let uri = text(Member::Uri)?;
            registry.resource(&uri, access).map(|(resource, _)| Named::Resource(resource.function.entry.name))
        }
        _ => None,
    }
}
