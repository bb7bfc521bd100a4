//! Everything that a module with a prefix may be, in a crate that denies much.
#![forbid(unsafe_code)]
#![deny(missing_docs, unused, unreachable_pub, unused_qualifications, unexpected_cfgs)]
#![deny(rust_2018_idioms, non_camel_case_types, non_snake_case)]

use mcp_runtime::prelude::*;

/// With a list, public.
#[mcp_module(prefix = "file", list = functions)]
pub mod file {
    //! With inner documentation.
    #![allow(clippy::needless_pass_by_value)]

    use mcp_runtime::prelude::*;

    struct Limit {
        of: usize,
    }

    // Braces that are not the end of an item.
    const LIMIT: Limit = Limit { of: 2 };

    /// Finds.
    #[mcp_tool]
    pub fn search(text: String) -> usize {
        text.len() + LIMIT.of
    }

    /// A raw name.
    #[mcp_prompt]
    pub(crate) fn r#match() -> &'static str {
        "match"
    }

    mod inner {
        /// Read by its URI.
        #[mcp_runtime::mcp_resource(uri = "file://{name}")]
        fn read(name: &str) -> String {
            name.to_owned()
        }

        #[mcp_runtime::mcp_module(prefix = "deep", separator = "")]
        mod deep {
            /// Deep inside.
            #[mcp_runtime::mcp_tool(name = "-est")]
            fn deep() {}

            #[cfg(any())]
            mod never {
                /// Not there.
                #[mcp_runtime::mcp_tool]
                fn never(what: Nothing) {}
            }
        }

        mod without {}
    }

    pub(crate) struct Disk;

    #[mcp_server]
    impl Disk {
        /// Empties the disk.
        #[mcp_tool]
        fn empty(&self) {}
    }

    pub(crate) struct Of<T>(pub(crate) T);

    #[mcp_server(list = functions)]
    impl<T: Clone + Send + Sync + 'static> Of<T> {
        /// Copies.
        #[mcp_tool]
        fn copy(&self) {
            let _ = self.0.clone();
        }
    }
}

#[mcp_module(crate = ::mcp_runtime, list = all)]
mod plain {
    /// Without a prefix.
    #[::mcp_runtime::mcp_tool]
    pub(super) fn plain() {}
}

#[mcp_module]
mod nothing {}

fn main() {
    assert_eq!(file::search("a".to_owned()), 3);
    file::r#match();
    plain::plain();
    let listed = server!().functions(file::functions()).functions(plain::all()).functions(file::Of::<u8>::functions());
    assert!(listed.state(file::Disk).state(file::Of(1_u8)).build().is_ok());
    assert!(server!().tools(tools![file::search, plain::plain]).build().is_ok());
    let names = r#"["file_search", "file_match", "file_read", "file_deep-est", "file_empty"]"#;
    assert_eq!(format!("{:?}", file::functions()), names);
}
