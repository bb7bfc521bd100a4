//! What all commands need: the client, the console, and the bar between them.

use super::bar::Bar;
use super::client::{Client, Discovered, Trouble};
use super::console::Console;
use super::failure::Failure;
use serde_json::Value;
use serde_json::value::RawValue;

/// A command under way.
pub(super) struct Shell<'c, 'a> {
    pub(super) client: Client,
    pub(super) server: Discovered,
    pub(super) console: &'c mut Console<'a>,
    pub(super) bar: Bar,
}

/// A list that the server may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    pub(super) method: &'static str,
    /// The capability of servers that have it.
    capability: &'static str,
    /// The member of the result that holds the items.
    pub(super) key: &'static str,
}

impl List {
    pub(super) const TOOLS: List = List { method: "tools/list", capability: "tools", key: "tools" };
    pub(super) const RESOURCES: List = List { method: "resources/list", capability: "resources", key: "resources" };
    pub(super) const TEMPLATES: List =
        List { method: "resources/templates/list", capability: "resources", key: "resourceTemplates" };
    pub(super) const PROMPTS: List = List { method: "prompts/list", capability: "prompts", key: "prompts" };
}

impl Shell<'_, '_> {
    /// Asks the server, showing progress and log messages meanwhile.
    pub(super) async fn ask(
        &mut self,
        method: &str,
        params: &[(&'static str, &str)],
    ) -> Result<Box<RawValue>, Trouble> {
        let (bar, console) = (&mut self.bar, &mut *self.console);
        let err = &mut *console.err;
        let mut heard = |heard| bar.hear(err, heard);
        let answer = self.client.ask(method, params, &mut console.interrupt, &mut heard).await;
        self.bar.clear(self.console.err);
        answer
    }

    /// The JSON texts of a list's items; none where the server has nothing of the kind.
    pub(super) async fn list(&mut self, list: List) -> Result<Vec<Box<RawValue>>, Failure> {
        if !self.server.offers(list.capability) {
            return Ok(Vec::new());
        }
        Ok(self.client.list(list.method, list.key, &mut self.console.interrupt).await?)
    }

    /// The items of a list.
    pub(super) async fn items(&mut self, list: List) -> Result<Vec<Value>, Failure> {
        let items = self.list(list).await?;
        let items = items.iter().map(|item| serde_json::from_str(item.get())).collect::<Result<_, _>>();
        items.map_err(|error| Failure::failed(error.to_string()))
    }
}

/// A text member of an item; empty if it is not there.
pub(super) fn text<'v>(item: &'v Value, name: &str) -> &'v str {
    item.get(name).and_then(Value::as_str).unwrap_or_default()
}
