//! Lists of functions that types and modules give.

use super::Registration;

/// Functions for clients, as `#[mcp_server(list = functions)]` and `#[mcp_module(list = functions)]` list them for
/// [`Server::functions`](crate::Server::functions).
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// struct Greeter(&'static str);
///
/// #[mcp_server(list = functions)]
/// impl Greeter {
///     /// Greets.
///     #[mcp_tool]
///     fn greet(&self, name: &str) -> String {
///         format!("{}, {name}!", self.0)
///     }
/// }
///
/// # fn main() -> Result<(), mcp_runtime::BuildError> {
/// let german = server!().functions(Greeter::functions()).state(Greeter("Hallo")).build()?;
/// let english = server!().functions(Greeter::functions()).state(Greeter("Hello")).build()?;
/// # let _ = (german, english);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Functions(Vec<Registration>);

impl Functions {
    /// A list of one. (No trait: an expansion stands where none is in scope.)
    #[doc(hidden)]
    pub fn one(function: Registration) -> Self {
        Functions(vec![function])
    }

    /// Puts lists together.
    #[doc(hidden)]
    pub fn of<const N: usize>(parts: [Functions; N]) -> Self {
        Functions(parts.into_iter().flat_map(|part| part.0).collect())
    }

    pub(crate) fn into_registrations(self) -> Vec<Registration> {
        self.0
    }
}

impl std::fmt::Debug for Functions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(Registration::name)).finish()
    }
}
