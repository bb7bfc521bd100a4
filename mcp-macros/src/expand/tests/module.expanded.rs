pub(crate) mod file {
    use mcp_runtime::prelude::*;
    #[doc = " Searches."]
    #[cfg(unix)]
    #[mcp_tool(__prefix = "file_", read_only)]
    fn search() {}
    mod inner {
        #[mcp_prompt(__prefix = "file_")]
        fn ask() {}
        #[doc(hidden)]
        pub(super) fn __mcp_part_1() -> ::mcp_runtime::__private::Functions {
            ::mcp_runtime::__private::Functions::of([::mcp_runtime::__private::Functions::one(
                ::mcp_runtime::__private::Registration::Prompt(
                    <ask as ::mcp_runtime::__private::Prompt>::ENTRY,
                ),
            )])
        }
    }
    # [mcp_server (__list = __mcp_part_2 , __prefix = "file_" ,)]
    impl Disk {
        #[mcp_tool]
        fn wipe(&self) {}
    }
    #[doc = "Every function for clients in here, for `Server::functions`."]
    pub fn all() -> ::mcp_runtime::__private::Functions {
        ::mcp_runtime::__private::Functions::of([
            #[cfg(unix)]
            ::mcp_runtime::__private::Functions::one(::mcp_runtime::__private::Registration::Tool(
                <search as ::mcp_runtime::__private::Tool>::ENTRY,
            )),
            inner::__mcp_part_1(),
            __mcp_part_2::list(),
        ])
    }
}
