//! Functions for clients in a crate that others depend on: at its top, deep inside, as methods, and private.

use mcp_runtime::prelude::*;

/// Something to name: it is gone when the program is compiled.
pub const NAMED: u8 = 1;

/// At the top.
#[mcp_tool]
pub fn top() {}

pub mod a {
    //! A module.

    pub mod b {
        //! A module inside.

        use mcp_runtime::prelude::*;

        /// Deep inside.
        #[mcp_tool]
        pub fn deep() {}
    }

    mod private {
        use mcp_runtime::prelude::*;

        /// Nobody can name this.
        #[mcp_tool]
        fn hidden() {}
    }
}

/// An object.
pub struct Object;

#[mcp_server(prefix = "object", list = functions)]
impl Object {
    /// A method.
    #[mcp_tool]
    fn method(&self) {}
}

/// A module with a prefix.
#[mcp_module(prefix = "module", list = functions)]
pub mod module {
    use mcp_runtime::prelude::*;

    /// A function.
    #[mcp_tool]
    fn function() {}
}
