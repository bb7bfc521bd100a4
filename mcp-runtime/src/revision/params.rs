//! The params of any request, split into members once; each method reads the ones it knows.

use super::Envelope;
use crate::wire::{Json, Known, NotJson, OwnedJson, ReadParams, RpcError, Scanner};
use std::borrow::Cow;

/// The members and their names, in one list.
macro_rules! members {
    ($($member:ident = $name:literal,)*) => {
        /// A member of `params` that some method of some revision knows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Member {
            $($member,)*
        }

        /// The names of the members, each at its number.
        const NAMES: &[&str] = &[$($name),*];
    };
}

members! {
    Name = "name",
    Arguments = "arguments",
    Uri = "uri",
    Cursor = "cursor",
    Level = "level",
    Ref = "ref",
    Argument = "argument",
    Context = "context",
    ProtocolVersion = "protocolVersion",
    Capabilities = "capabilities",
    ClientInfo = "clientInfo",
    InputResponses = "inputResponses",
    RequestState = "requestState",
    Notifications = "notifications",
    RequestId = "requestId",
}

/// The params. Unknown members are ignored, repeated ones refused.
#[derive(Default)]
pub(crate) struct Params<'a> {
    /// What `_meta` holds.
    pub(crate) envelope: Envelope<'a>,
    members: Known<'a, { NAMES.len() }>,
    flaw: Option<&'static str>,
}

impl<'a> ReadParams<'a> for Params<'a> {
    fn read(&mut self, scanner: &mut Scanner<'a>) -> Result<(), NotJson> {
        if scanner.peek() != Some(b'{') {
            self.flaw = Some("`params` must be an object");
            return scanner.value().map(drop);
        }
        let mut metas = 0;
        scanner.object(|name, scanner| {
            let name = name.text();
            if name == "_meta" {
                metas += 1;
                return self.envelope.read(scanner);
            }
            let value = scanner.value()?;
            if let Some(member) = NAMES.iter().position(|known| *known == name) {
                self.members.put(member, value);
            }
            Ok(())
        })?;
        if self.members.is_repeated() || metas > 1 {
            self.flaw = Some("a member of `params` is repeated");
        }
        Ok(())
    }
}

impl<'a> Params<'a> {
    /// Refuses params that nothing may be read from.
    pub(crate) fn check(&self) -> Result<(), RpcError> {
        match self.flaw {
            Some(flaw) => Err(RpcError::invalid_params(flaw)),
            None => self.envelope.check(),
        }
    }

    /// A member; `null` counts as none.
    pub(crate) fn get(&self, member: Member) -> Option<Json<'a>> {
        self.members.get(member as usize)
    }

    /// A member that must be a string.
    pub(crate) fn text(&self, member: Member) -> Result<Cow<'a, str>, RpcError> {
        let name = NAMES[member as usize];
        let Some(value) = self.get(member) else {
            return Err(RpcError::invalid_params(format!("`{name}` is missing")));
        };
        value.text().ok_or_else(|| RpcError::invalid_params(format!("`{name}` must be a string")))
    }

    /// A member that is an object, if it is there.
    pub(crate) fn object(&self, member: Member) -> Result<Option<Json<'a>>, RpcError> {
        match self.get(member) {
            Some(value) if !value.is_object() => {
                let name = NAMES[member as usize];
                Err(RpcError::invalid_params(format!("`{name}` must be an object")))
            }
            value => Ok(value),
        }
    }
}

/// Sound [`Params`] that outlive their message.
pub(crate) struct OwnedParams {
    meta: Option<OwnedJson>,
    /// By their numbers.
    members: Vec<(usize, OwnedJson)>,
}

impl Params<'_> {
    /// What their message says, to be kept beyond it.
    pub(crate) fn to_owned(&self) -> OwnedParams {
        let member = |number| Some((number, self.members.get(number)?.to_owned()));
        let meta = self.envelope.whole().map(Json::to_owned);
        OwnedParams { meta, members: (0..NAMES.len()).filter_map(member).collect() }
    }
}

impl OwnedParams {
    /// All of `_meta`.
    pub(crate) fn meta(&self) -> Option<Json<'_>> {
        self.meta.as_ref().map(OwnedJson::borrow)
    }

    pub(crate) fn borrow(&self) -> Params<'_> {
        let mut params = Params::default();
        for (number, value) in &self.members {
            params.members.put(*number, value.borrow());
        }
        if let Some(meta) = self.meta() {
            // It was read before.
            let _ = params.envelope.read(&mut Scanner::new(meta.get()));
        }
        params
    }
}
