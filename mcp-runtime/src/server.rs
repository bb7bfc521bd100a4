//! Builds a server from its functions.

use crate::ask::{SingleUse, StateKeeper, StateKey, StateSettings, UsedHere};
use crate::bounds::Bounds;
use crate::dispatch::{CallService, Core, Watchers};
use crate::extract::States;
use crate::handler::{Limits, PromptEntry, Registration, ResourceEntry, Shared, ToolEntry};
use crate::model::{Icon, Implementation, ListKind};
use crate::registry::{self, Hidden, Tags};
use crate::revision::{Caching, Identity};
use crate::session::Crowd;
use crate::{BuildError, Functions};
use std::sync::Arc;
use std::time::Duration;

/// A server under construction. [`server!`](crate::server) makes one with the name and version of your crate.
///
/// Without explicit lists the server has every annotated function that is linked into the program, also private ones and
/// those of other crates. The compiler leaves out a crate that the program depends on without naming it: `use plugin as _;`
/// brings in all of its functions, whatever the optimization. Explicit lists need nothing of the kind.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Adds two numbers.
/// #[mcp_tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # fn main() -> Result<(), mcp_runtime::BuildError> {
/// let server = mcp_runtime::server!().instructions("Use `add` for sums.").tools(tools![add]).build()?;
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
#[must_use = "a server does nothing until it is run, served or built"]
pub struct Server {
    implementation: Implementation,
    instructions: Option<String>,
    listed: Option<Vec<Registration>>,
    tags: Tags,
    hidden: Hidden,
    states: States,
    page_size: usize,
    caching: Caching,
    pub(crate) limits: Limits,
    request_state: StateSettings,
    pub(crate) watchers: Watchers,
    pub(crate) per_principal: Shared,
    pub(crate) per_server: Shared,
    pub(crate) bounds: Bounds,
    /// What stands around the calls of functions.
    pub(crate) layers: Option<CallService>,
    #[cfg(feature = "http")]
    pub(crate) http: crate::transport::http::Settings,
}

impl Server {
    /// A server of this name and version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Server {
            implementation: Implementation { name: name.into(), version: version.into(), ..Default::default() },
            instructions: None,
            listed: None,
            tags: Tags::default(),
            hidden: Hidden::default(),
            states: States::default(),
            page_size: usize::MAX,
            caching: Caching { ttl_ms: 0, public: false },
            limits: Limits::of_servers(),
            request_state: StateSettings::default(),
            watchers: Watchers::default(),
            per_principal: Shared::default(),
            per_server: Shared::default(),
            bounds: Bounds::default(),
            layers: None,
            #[cfg(feature = "http")]
            http: crate::transport::http::Settings::default(),
        }
    }

    /// Describes the server to people. An empty text counts as none.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.implementation.description = Some(description.into()).filter(|text| !text.is_empty());
        self
    }

    /// Gives the server a name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.implementation.title = Some(title.into());
        self
    }

    /// Sets the server's home page. An empty text counts as none.
    pub fn website(mut self, url: impl Into<String>) -> Self {
        self.implementation.website_url = Some(url.into()).filter(|text| !text.is_empty());
        self
    }

    /// Adds an icon.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.implementation.icons.push(icon);
        self
    }

    /// Tells models how to use the server as a whole.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Provides a value for [`State<T>`](crate::State) parameters and for the methods of `T`; a second one of the same type replaces the first.
    pub fn state<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.shared_state(Arc::new(value))
    }

    /// Provides a value that others share as well: `State<T>` parameters and methods of `T` see what they see.
    pub fn shared_state<T: Send + Sync + 'static>(mut self, value: Arc<T>) -> Self {
        self.states.insert(value);
        self
    }

    /// Lists tools explicitly: `.tools(tools![add, math::sub])`. A server with any explicit list has only what is listed.
    pub fn tools(self, tools: impl IntoIterator<Item = &'static ToolEntry>) -> Self {
        self.list(tools.into_iter().map(Registration::Tool))
    }

    /// Lists resources explicitly: `.resources(resources![readme])`. See [`tools`](Self::tools).
    pub fn resources(self, resources: impl IntoIterator<Item = &'static ResourceEntry>) -> Self {
        self.list(resources.into_iter().map(Registration::Resource))
    }

    /// Lists prompts explicitly: `.prompts(prompts![review])`. See [`tools`](Self::tools).
    pub fn prompts(self, prompts: impl IntoIterator<Item = &'static PromptEntry>) -> Self {
        self.list(prompts.into_iter().map(Registration::Prompt))
    }

    /// Lists everything that a type or a module has: `.functions(Calculator::functions())`. See [`tools`](Self::tools), and
    /// the option `list` of [`#[mcp_server]`](macro@crate::mcp_server) and [`#[mcp_module]`](macro@crate::mcp_module).
    pub fn functions(self, functions: Functions) -> Self {
        self.list(functions.into_registrations().into_iter())
    }

    fn list(mut self, entries: impl Iterator<Item = Registration>) -> Self {
        self.listed.get_or_insert_default().extend(entries);
        self
    }

    /// Takes only functions that have one of these tags (the option `tags(..)`), so that a program can have several servers. A
    /// tag that no function has is reported by [`build`](Self::build).
    ///
    /// ```standalone_crate
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Lists the accounts.
    /// #[mcp_tool(tags("accounts"))]
    /// fn accounts() {}
    ///
    /// /// Removes an account.
    /// #[mcp_tool(tags("accounts", "admin"))]
    /// fn remove_account() {}
    ///
    /// # fn main() -> Result<(), mcp_runtime::BuildError> {
    /// let everyone = mcp_runtime::server!().with_tags(["accounts"]).without_tags(["admin"]).build()?;
    /// let operators = mcp_runtime::server!().with_tags(["admin"]).build()?;
    /// # let _ = (everyone, operators);
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags.with.extend(tags.into_iter().map(Into::into));
        self
    }

    /// Leaves out functions that have one of these tags. See [`with_tags`](Self::with_tags).
    pub fn without_tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags.without.extend(tags.into_iter().map(Into::into));
        self
    }

    /// Starts with a tool disabled: clients do not see it and cannot call it, until a
    /// [`ServerHandle`](crate::ServerHandle) enables it. A name that no tool has is reported by [`build`](Self::build).
    pub fn disable_tool(mut self, name: impl Into<String>) -> Self {
        self.hidden.insert(ListKind::Tools, name.into());
        self
    }

    /// Starts with a prompt disabled. See [`disable_tool`](Self::disable_tool).
    pub fn disable_prompt(mut self, name: impl Into<String>) -> Self {
        self.hidden.insert(ListKind::Prompts, name.into());
        self
    }

    /// Starts with a resource, or a template of resources, disabled; by its name, which is the function's unless it says
    /// otherwise, not by its URI. See [`disable_tool`](Self::disable_tool).
    pub fn disable_resource(mut self, name: impl Into<String>) -> Self {
        self.hidden.insert(ListKind::Resources, name.into());
        self
    }

    /// Splits lists into pages of at most `items`; without it, and with 0, every list is one page.
    pub fn page_size(mut self, items: usize) -> Self {
        self.page_size = if items == 0 { usize::MAX } else { items };
        self
    }

    /// Lets clients of 2026-07-28 keep lists and contents for a while. `public` lets caches in between share them: only for
    /// what is the same for every caller. Without it nothing may be kept.
    pub fn caching(mut self, keep_for: Duration, public: bool) -> Self {
        let ttl_ms = u64::try_from(keep_for.as_millis()).unwrap_or(u64::MAX).min((1 << 53) - 1);
        self.caching = Caching { ttl_ms, public };
        self
    }

    /// Sets the keys that seal what clients carry between the rounds of a call. Every instance of a service needs the same:
    /// see [`StateKey`]. Without keys here or in `MCP_STATE_KEYS` a server makes one for itself, and what it sealed ends with
    /// it.
    pub fn state_keys(mut self, keys: impl IntoIterator<Item = StateKey>) -> Self {
        self.request_state.keys = keys.into_iter().collect();
        self
    }

    /// Limits the rounds of a call: how long a client may take for one (10 minutes without this), how many there may be (32),
    /// and how much they may carry along, sealed, in bytes (64 KiB).
    pub fn rounds(mut self, lifetime: Duration, max_rounds: u32, max_bytes: usize) -> Self {
        self.request_state = StateSettings { lifetime, max_rounds, max_bytes, ..self.request_state };
        self
    }

    /// Lets a client use each state once: a round cannot be repeated. For a server with one instance.
    pub fn single_use_rounds(self) -> Self {
        self.single_use_rounds_in(UsedHere::default())
    }

    /// Lets a client use each state once, noted in a store that all instances share.
    pub fn single_use_rounds_in(mut self, store: impl SingleUse) -> Self {
        self.request_state.single_use = Some(Arc::new(store));
        self
    }

    /// Checks everything and freezes it.
    ///
    /// # Errors
    /// Everything that is wrong, at once: no functions, two of one name (with both places), a `State<T>` that nobody
    /// provides (with the functions that need it), schemas that cannot be enforced, unusable headers, disabled functions that
    /// do not exist.
    pub fn build(self) -> Result<BuiltServer, BuildError> {
        let entries = self.listed.unwrap_or_else(|| inventory::iter::<Registration>.into_iter().copied().collect());
        let identity = Arc::new(Identity::new(self.implementation));
        let registry = registry::build(registry::Parts {
            entries,
            states: &self.states,
            identity: &identity,
            caching: self.caching,
            page_size: self.page_size,
            tags: &self.tags,
            hidden: &self.hidden,
            limits: self.limits,
        });
        #[cfg(feature = "http")]
        let registry = self.http.check(registry);
        let registry = registry?;
        crate::meter::describe();
        let core = Core {
            registry: Arc::new(registry),
            states: Arc::new(self.states),
            subscribers: Arc::default(),
            listeners: Arc::default(),
            identity,
            watchers: self.watchers,
            shared: registry::SharedLimits::new(self.per_principal, self.per_server),
            layers: self.layers,
            instructions: self.instructions,
            caching: self.caching,
            timeout: self.limits.timeout,
            bounds: self.bounds,
            calls: Crowd::new(self.bounds.calls),
            request_states: StateKeeper::new(self.request_state).map_err(|problem| BuildError::new(vec![problem]))?,
        };
        Ok(BuiltServer {
            core: Arc::new(core),
            #[cfg(feature = "http")]
            http: self.http,
        })
    }
}

/// A server that has been checked and can be served. Cloning is cheap and shares everything.
#[derive(Clone)]
pub struct BuiltServer {
    pub(crate) core: Arc<Core>,
    #[cfg(feature = "http")]
    pub(crate) http: crate::transport::http::Settings,
}

impl std::fmt::Debug for BuiltServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuiltServer").finish_non_exhaustive()
    }
}
