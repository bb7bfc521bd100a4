//! Changes while the server runs, from inside and from outside of a call.

use crate::extract::{FromContext, Needs, States};
use crate::handler::{PromptEntry, Registration, ResourceEntry, ToolEntry};
use crate::model::ListKind;
use crate::registry::{Access, Registry, Step};
use crate::session::Subscribers;
use crate::{BuildError, BuiltServer, Context, ToolError};
use std::sync::Arc;

/// Changes what clients see of a running server, and tells those who want to know. Cloning is cheap.
///
/// It comes from [`BuiltServer::handle`], or as a parameter of a function. Either tells the server that its lists may change,
/// so that clients are told as well (`listChanged`, and `subscribe` for resources) from then on: ask for it before the server
/// is served. A server for which nobody has one, and without disabled functions, declares nothing of the kind.
///
/// A disabled function is unknown to clients: it is on no list, and requests for it are answered as for any name that does
/// not exist. A call that is under way goes on.
///
/// ```
/// use mcp_runtime::ServerHandle;
/// use mcp_runtime::prelude::*;
///
/// /// Opens the vault.
/// #[mcp_tool]
/// fn open_vault() -> &'static str {
///     "It is open."
/// }
///
/// /// Lets `open_vault` be used.
/// #[mcp_tool]
/// fn unlock(server: ServerHandle) {
///     server.enable_tool("open_vault");
/// }
///
/// # fn main() -> Result<(), mcp_runtime::BuildError> {
/// let server = mcp_runtime::server!().tools(tools![open_vault, unlock]).disable_tool("open_vault").build()?;
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ServerHandle {
    registry: Arc<Registry>,
    subscribers: Arc<Subscribers>,
    states: Arc<States>,
}

/// Several changes that are made as one: see [`ServerHandle::change`].
pub struct Change<'s> {
    server: &'s ServerHandle,
    steps: Vec<Step>,
}

impl BuiltServer {
    /// The way to change the server while it runs. Ask for it before the server is served: clients that have connected before
    /// were told that nothing changes.
    #[must_use]
    pub fn handle(&self) -> ServerHandle {
        self.core.registry.make_changeable();
        ServerHandle::new(&self.core.registry, &self.core.subscribers, &self.core.states)
    }
}

impl ServerHandle {
    pub(crate) fn new(registry: &Arc<Registry>, subscribers: &Arc<Subscribers>, states: &Arc<States>) -> Self {
        ServerHandle {
            registry: Arc::clone(registry),
            subscribers: Arc::clone(subscribers),
            states: Arc::clone(states),
        }
    }

    /// Makes several changes as one: each list that they concern is written once, and its subscribers are told once. Nothing
    /// changes if `steps` panics.
    ///
    /// ```
    /// # fn night(server: &mcp_runtime::ServerHandle) {
    /// server.change(|change| {
    ///     change.disable_tool("open_vault").disable_tool("unlock").enable_prompt("alarm");
    /// });
    /// # }
    /// ```
    pub fn change(&self, steps: impl FnOnce(&mut Change<'_>)) {
        let mut change = Change { server: self, steps: Vec::new() };
        steps(&mut change);
        let changed = self.registry.change(change.steps);
        self.subscribers.lists_changed(changed);
    }

    /// Hides a tool. A name that no tool has changes nothing but the log, here and below.
    pub fn disable_tool(&self, name: &str) {
        self.change(|change| {
            change.disable_tool(name);
        });
    }

    /// Shows a tool that has been hidden.
    pub fn enable_tool(&self, name: &str) {
        self.change(|change| {
            change.enable_tool(name);
        });
    }

    /// Hides a prompt.
    pub fn disable_prompt(&self, name: &str) {
        self.change(|change| {
            change.disable_prompt(name);
        });
    }

    /// Shows a prompt that has been hidden.
    pub fn enable_prompt(&self, name: &str) {
        self.change(|change| {
            change.enable_prompt(name);
        });
    }

    /// Hides a resource or a template of resources, by the name of its function.
    pub fn disable_resource(&self, name: &str) {
        self.change(|change| {
            change.disable_resource(name);
        });
    }

    /// Shows a resource or a template of resources that has been hidden.
    pub fn enable_resource(&self, name: &str) {
        self.change(|change| {
            change.enable_resource(name);
        });
    }

    /// Puts another tool of the same name into the place of one: `server.replace_tool(tools![night::search])`. It is visible if
    /// the one before was. Calls that are under way end as they began.
    ///
    /// # Errors
    /// See [`Change::replace_tool`].
    pub fn replace_tool(&self, tools: impl IntoIterator<Item = &'static ToolEntry>) -> Result<(), BuildError> {
        let mut result = Ok(());
        self.change(|change| result = change.replace_tool(tools).map(drop));
        result
    }

    /// Tells everybody who has subscribed to a resource that it has changed. Of a disabled one nobody hears.
    pub fn resource_updated(&self, uri: &str) {
        if self.registry.resource(uri, &Access::Whole).is_some() {
            self.subscribers.resource_updated(uri);
        }
    }

    /// Is there a tool of that name, and is it enabled?
    pub fn has_tool(&self, name: &str) -> bool {
        self.registry.tool(name, &Access::Whole).is_some()
    }

    /// Is there a prompt of that name, and is it enabled?
    pub fn has_prompt(&self, name: &str) -> bool {
        self.registry.prompt(name, &Access::Whole).is_some()
    }
}

impl Change<'_> {
    fn show(&mut self, kind: ListKind, name: &str, visible: bool) -> &mut Self {
        self.steps.push(Step::Show(kind, name.to_owned(), visible));
        self
    }

    /// Hides a tool.
    pub fn disable_tool(&mut self, name: &str) -> &mut Self {
        self.show(ListKind::Tools, name, false)
    }

    /// Shows a tool.
    pub fn enable_tool(&mut self, name: &str) -> &mut Self {
        self.show(ListKind::Tools, name, true)
    }

    /// Hides a prompt.
    pub fn disable_prompt(&mut self, name: &str) -> &mut Self {
        self.show(ListKind::Prompts, name, false)
    }

    /// Shows a prompt.
    pub fn enable_prompt(&mut self, name: &str) -> &mut Self {
        self.show(ListKind::Prompts, name, true)
    }

    /// Hides a resource or a template of resources.
    pub fn disable_resource(&mut self, name: &str) -> &mut Self {
        self.show(ListKind::Resources, name, false)
    }

    /// Shows a resource or a template of resources.
    pub fn enable_resource(&mut self, name: &str) -> &mut Self {
        self.show(ListKind::Resources, name, true)
    }

    /// Puts other tools of the same names into the places of some: `change.replace_tool(tools![night::search])`.
    ///
    /// # Errors
    /// What [`Server::build`](crate::Server::build) would have found in the new functions; names that no tool has; functions
    /// with a [`Context`] in a server that had none so far, since clients were told that it logs nothing. Then none of them is
    /// replaced.
    pub fn replace_tool(
        &mut self,
        tools: impl IntoIterator<Item = &'static ToolEntry>,
    ) -> Result<&mut Self, BuildError> {
        self.replace(tools.into_iter().map(Registration::Tool))
    }

    /// Puts other prompts of the same names into the places of some.
    ///
    /// # Errors
    /// Those of [`replace_tool`](Self::replace_tool).
    pub fn replace_prompt(
        &mut self,
        prompts: impl IntoIterator<Item = &'static PromptEntry>,
    ) -> Result<&mut Self, BuildError> {
        self.replace(prompts.into_iter().map(Registration::Prompt))
    }

    /// Puts other resources of the same names and URIs into the places of some.
    ///
    /// # Errors
    /// Those of [`replace_tool`](Self::replace_tool).
    pub fn replace_resource(
        &mut self,
        resources: impl IntoIterator<Item = &'static ResourceEntry>,
    ) -> Result<&mut Self, BuildError> {
        self.replace(resources.into_iter().map(Registration::Resource))
    }

    fn replace(&mut self, entries: impl Iterator<Item = Registration>) -> Result<&mut Self, BuildError> {
        let server = self.server;
        let steps: Result<Vec<Step>, BuildError> =
            entries.map(|entry| server.registry.prepare(entry, &server.states)).collect();
        self.steps.extend(steps?);
        Ok(self)
    }
}

impl FromContext for ServerHandle {
    fn from_context(cx: &Context) -> Result<Self, ToolError> {
        Ok(cx.server_handle())
    }

    fn needs(needs: &mut Needs) {
        needs.server_handle();
    }
}

impl std::fmt::Debug for ServerHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerHandle").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Change<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Change").field("steps", &self.steps.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// A function of the test.
    #[mcp_tool]
    fn one() -> &'static str {
        "one"
    }

    /// A function of the test.
    #[mcp_prompt]
    fn ask() -> &'static str {
        "ask"
    }

    /// A function of the test.
    #[mcp_resource(uri = "a://b")]
    fn note() -> &'static str {
        "note"
    }

    /// Functions of the same names.
    mod other {
        use super::*;

        /// A function of the test.
        #[mcp_tool]
        pub(super) fn one(text: String) -> String {
            text
        }

        /// A function of the test.
        #[mcp_tool]
        pub(super) fn two() -> &'static str {
            "two"
        }

        /// A function of the test.
        #[mcp_prompt]
        pub(super) fn ask() -> &'static str {
            "ask again"
        }

        /// A function of the test.
        #[mcp_resource(uri = "a://c")]
        pub(super) fn note() -> &'static str {
            "another place"
        }
    }

    mod needy {
        use super::*;

        /// A function of the test.
        #[mcp_tool]
        pub(super) fn one(state: State<u8>, cx: Context) -> String {
            cx.info(*state);
            state.to_string()
        }
    }

    fn handle() -> ServerHandle {
        let server = crate::Server::new("test", "1").tools(tools![one]).prompts(prompts![ask]);
        server.resources(resources![note]).build().expect("it builds").handle()
    }

    #[test]
    fn a_replacement_must_fit_its_place() {
        let handle = handle();
        let problems = |result: Result<(), BuildError>| result.expect_err("it does not fit").to_string();
        assert!(problems(handle.replace_tool(tools![other::two])).contains("`two`"));
        let text = problems(handle.replace_tool(tools![needy::one]));
        assert!(text.contains("u8") && text.contains("logs"), "{text}");
        handle.change(|change| {
            assert!(change.replace_resource(resources![other::note]).is_err(), "it has another URI");
        });
        let tool = handle.registry.tool("one", &Access::Whole).expect("it is there");
        assert!(std::ptr::eq(tool.function.entry, <one as crate::__private::Tool>::ENTRY), "nothing was replaced");
    }

    #[test]
    fn what_is_replaced_while_disabled_stays_disabled() {
        let handle = handle();
        handle.disable_tool("one");
        handle.replace_tool(tools![other::one]).expect("it fits");
        assert!(!handle.has_tool("one"));
        handle.change(|change| {
            change.replace_prompt(prompts![other::ask]).expect("it fits").enable_tool("one");
        });
        assert_eq!(handle.registry.tool("one", &Access::Whole).map(|tool| tool.function.names.len()), Some(1));
        assert!(handle.has_prompt("ask"));
    }

    #[test]
    fn a_change_that_panics_changes_nothing() {
        let handle = handle();
        let change = std::panic::AssertUnwindSafe(|| {
            handle.change(|change| {
                change.disable_tool("one");
                panic!("half-way");
            });
        });
        assert!(std::panic::catch_unwind(change).is_err());
        assert!(handle.has_tool("one"));
        handle.disable_tool("one");
        assert!(!handle.has_tool("one"));
    }
}
