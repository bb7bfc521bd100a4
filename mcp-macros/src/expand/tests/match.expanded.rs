fn r#match() {}
#[doc(hidden)]
#[allow(non_camel_case_types, clippy::exhaustive_structs)]
struct r#match {}
const _: () = {
    use ::mcp_runtime::__private as __mcp;
    impl __mcp::Prompt for r#match {
        const ENTRY: &'static __mcp::PromptEntry = &__mcp::PromptEntry {
            name: "match",
            origin: __mcp::Origin::at(::core::file!(), ::core::line!(), ::core::module_path!()),
            describe: |__d| {
                __d.description("Says hello.");
                __d.returns(__mcp::PromptReturn::<()>::HERE.resolve());
            },
            call: |__call| {
                if __call.is_sound() {
                    __call.reply(__mcp::PromptReturn::<()>::HERE.resolve().reply(r#match()))
                } else {
                    __call.refuse()
                }
            },
        };
    }
    __mcp::inventory::submit! { __mcp :: Registration :: Prompt (< r#match as __mcp :: Prompt > :: ENTRY) }
};
