//! What a caller lacks for what it asks for. Whoever does not ask this finds a function that needs more than the caller has
//! unknown.

use super::{Core, Message, Request};
use crate::registry::Access;
use crate::revision::Member;
use crate::wire;

impl Core {
    /// The scopes of the function that a message is about, if the caller lacks one of them. What else may be wrong with the
    /// message is not judged here.
    pub(crate) fn scopes_lacking(&self, message: &Message<'_>, access: &Access) -> Option<&[&'static str]> {
        match message {
            Message::Request(request) if self.registry.needs_scopes() => {
                self.scopes_of(request).filter(|scopes| !access.admits(scopes))
            }
            _ => None,
        }
    }

    /// The same for the first message of a batch that there is such a function for.
    pub(crate) fn scopes_lacking_in_batch(&self, text: &str, access: &Access) -> Option<&[&'static str]> {
        if !self.registry.needs_scopes() {
            return None;
        }
        let elements = wire::batch(text, self.bounds.batch).ok()?;
        elements.into_iter().find_map(|element| self.scopes_lacking(&self.parse(element).ok()?, access))
    }

    /// The scopes of the function that a request is about, if it is about one.
    fn scopes_of(&self, Request { method, params, .. }: &Request<'_>) -> Option<&[&'static str]> {
        params.check().ok()?;
        match &**method {
            "tools/call" => {
                let tool = self.registry.tool(&params.text(Member::Name).ok()?, &Access::Whole)?;
                Some(&tool.function.scopes)
            }
            "prompts/get" => {
                let prompt = self.registry.prompt(&params.text(Member::Name).ok()?, &Access::Whole)?;
                Some(&prompt.function.scopes)
            }
            "resources/read" | "resources/subscribe" => {
                let uri = params.text(Member::Uri).ok()?;
                let (resource, _) = self.registry.resource(&uri, &Access::Whole)?;
                Some(&resource.function.scopes)
            }
            _ => None,
        }
    }
}
