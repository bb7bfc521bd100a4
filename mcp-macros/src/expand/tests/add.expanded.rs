#[doc = " Adds two numbers."]
fn add(a: i64, b: i64) -> i64 {
    a + b
}
#[doc(hidden)]
#[allow(non_camel_case_types, clippy::exhaustive_structs)]
struct add {}
const _: () = {
    use __mcp::{ArgumentParam as _, PlainToolReturn as _};
    use ::mcp_runtime::__private as __mcp;
    impl __mcp::Tool for add {
        const ENTRY: &'static __mcp::ToolEntry = &__mcp::ToolEntry {
            name: "add",
            origin: __mcp::Origin::at(::core::file!(), ::core::line!(), ::core::module_path!()),
            describe: |__d| {
                __d.description("Adds two numbers.");
                __d.param("a", "First addend.")
                    .of(__mcp::Param::<i64>::HERE.resolve());
                __d.param("b", "Second addend.")
                    .of(__mcp::Param::<i64>::HERE.resolve());
                __d.returns(__mcp::ToolReturn::<i64>::HERE.resolve());
            },
            call: |mut __call| {
                let __p0 = __call.take(0, __mcp::Param::<i64>::HERE.resolve());
                let __p1 = __call.take(1, __mcp::Param::<i64>::HERE.resolve());
                match (__p0, __p1) {
                    (__mcp::Some(__p0), __mcp::Some(__p1)) if __call.is_sound() => __call.reply(
                        __mcp::ToolReturn::<i64>::HERE
                            .resolve()
                            .reply(add(__p0, __p1)),
                    ),
                    _ => __call.refuse(),
                }
            },
        };
    }
    __mcp::inventory::submit! { __mcp :: Registration :: Tool (< add as __mcp :: Tool > :: ENTRY) }
};
