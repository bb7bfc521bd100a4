//! Requests of the handshake era: `initialize` settles a revision, and a session remembers it.

use super::listen::MAX_URI;
use super::methods::{Asked, Shared};
use super::{Answer, Carrier, Core, Reaction, Request, Standing};
use crate::model::Level;
use crate::revision::{self, Member, Revision};
use crate::session::{Handshake, LevelSource, Peer};
use crate::wire::{self, Json, OwnedJson, RpcError};
use std::sync::Arc;

/// How many resources one session may subscribe to.
const MAX_SUBSCRIPTIONS: usize = 1_000;

impl Core {
    pub(super) fn handshake(self: &Arc<Self>, request: &Request<'_>, carrier: &Carrier<'_>) -> Reaction {
        let params = &request.params;
        let reject = |error: RpcError| Reaction::Answer(Answer::error(Some(request.id), &error, Standing::Rejected));
        let reply = |result: Result<Vec<u8>, RpcError>| match result {
            Ok(body) => Reaction::Answer(Answer::ok(body)),
            Err(error) => Reaction::Answer(Answer::error(Some(request.id), &error, Standing::Dispatched)),
        };
        let Some(peer) = carrier.peer else {
            if request.method == "initialize" {
                return reject(match params.text(Member::ProtocolVersion) {
                    Ok(version) => revision::unsupported(&version, &Revision::stateless_names()),
                    Err(error) => error,
                });
            }
            return reject(RpcError::invalid_params("`_meta` is missing, and there is no session: call `initialize`"));
        };
        match &*request.method {
            "initialize" => return reply(self.initialize(request, peer)),
            "ping" => return reply(Ok(self.empty(request, Revision::LATEST_HANDSHAKE))),
            _ => {}
        }
        let Some(handshake) = peer.handshake() else {
            // A stateless request without its envelope looks the same: the text helps both.
            let error = params.envelope.require().err();
            return reject(error.unwrap_or_else(|| RpcError::invalid_request("call `initialize` first")));
        };
        match &*request.method {
            "logging/setLevel" => return reply(self.set_level(request, peer)),
            "resources/subscribe" => return reply(self.subscribe(request, carrier, peer, true)),
            "resources/unsubscribe" => return reply(self.subscribe(request, carrier, peer, false)),
            _ => {}
        }
        let Some(method) = Shared::find(&request.method, self.registry.declared()) else {
            return reply(Err(RpcError::method_not_found(&request.method)));
        };
        let asked = Asked {
            id: request.id,
            revision: handshake.revision,
            params,
            level: LevelSource::Session(Arc::clone(peer)),
            client_info: handshake.client_info.as_ref().map(OwnedJson::borrow),
            capabilities: handshake.capabilities.as_ref().map(OwnedJson::borrow),
            carrier,
            layered: None,
        };
        self.shared(method, &asked)
    }

    fn initialize(&self, request: &Request<'_>, peer: &Peer) -> Result<Vec<u8>, RpcError> {
        let params = &request.params;
        let requested = params.text(Member::ProtocolVersion)?;
        let capabilities = params.object(Member::Capabilities)?;
        let client_info = params.object(Member::ClientInfo)?;
        let (revision, declared) = (Revision::negotiate(&requested), self.registry.declared());
        let first = peer.settle(Handshake {
            revision,
            client_info: client_info.map(Json::to_owned),
            capabilities: capabilities.map(Json::to_owned),
            changes: declared.changes,
        });
        if !first {
            return Err(RpcError::invalid_request("`initialize` was called before"));
        }
        Ok(wire::result(request.id, 512, |out| {
            revision::initialize(out, revision, declared, &self.identity, self.instructions.as_deref());
        }))
    }

    fn empty(&self, request: &Request<'_>, revision: Revision) -> Vec<u8> {
        wire::result(request.id, 2, |out| revision::empty(out, revision, &self.identity))
    }

    fn set_level(&self, request: &Request<'_>, peer: &Peer) -> Result<Vec<u8>, RpcError> {
        if !self.registry.declared().logging {
            return Err(RpcError::method_not_found(&request.method));
        }
        let name = request.params.text(Member::Level)?;
        let level = Level::from_name(&name).ok_or_else(|| RpcError::invalid_params("`level` is no log level"))?;
        peer.set_level(level);
        Ok(self.empty(request, Revision::LATEST_HANDSHAKE))
    }

    fn subscribe(
        &self,
        request: &Request<'_>,
        carrier: &Carrier<'_>,
        peer: &Arc<Peer>,
        wanted: bool,
    ) -> Result<Vec<u8>, RpcError> {
        if !self.registry.declared().subscribe {
            return Err(RpcError::method_not_found(&request.method));
        }
        let uri = request.params.text(Member::Uri)?;
        if !wanted {
            peer.news.forget(&uri);
            return Ok(self.empty(request, Revision::LATEST_HANDSHAKE));
        }
        let Some((resource, _)) = self.registry.resource(&uri, &carrier.caller.access) else {
            let handshake = peer.handshake().map_or(Revision::LATEST_HANDSHAKE, |h| h.revision);
            return Err(super::methods::not_found(handshake, &uri));
        };
        if uri.len() > MAX_URI {
            return Err(RpcError::invalid_params(format!("the URI of a subscription has at most {MAX_URI} bytes")));
        }
        if !peer.news.want(&uri, &resource.function.scopes, MAX_SUBSCRIPTIONS) {
            return Err(RpcError::invalid_request("this session has too many subscriptions"));
        }
        Ok(self.empty(request, Revision::LATEST_HANDSHAKE))
    }
}
