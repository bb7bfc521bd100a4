fn file(host: &str, path: String, rev: Option<u32>, cx: &Context) -> Option<String> {
    None
}
#[doc(hidden)]
#[allow(non_camel_case_types, clippy::exhaustive_structs)]
struct file {}
const _: () = {
    use __mcp::variable::*;
    use ::mcp_runtime::__private as __mcp;
    impl __mcp::Resource for file {
        const ENTRY: &'static __mcp::ResourceEntry = &__mcp::ResourceEntry {
            name: "file",
            origin: __mcp::Origin::at(::core::file!(), ::core::line!(), ::core::module_path!()),
            describe: |__d| {
                __d.missing_description();
                __d.uri(
                    "files://{host}{/path*}{?rev}",
                    &[
                        __mcp::Part::Literal("files://"),
                        __mcp::Part::Variable("host"),
                        __mcp::Part::Segments("path"),
                        __mcp::Part::Query(&["rev"]),
                    ],
                );
                __d.mime_type("text/plain");
                __d.param("host", "")
                    .arg(__mcp::Variable::<str>::HERE.resolve())
                    .complete(hosts);
                __d.param("path", "")
                    .variable(__mcp::Variable::<String>::HERE.resolve());
                __d.param("rev", "")
                    .variable(__mcp::Variable::<Option<u32>>::HERE.resolve());
                __d.param("cx", "")
                    .of(__mcp::OtherParam::<Context>::HERE.resolve());
                __d.returns(__mcp::ResourceReturn::<Option<String>>::HERE.resolve());
            },
            call: |mut __call| {
                let __p0 = __call.take(0, __mcp::Variable::<str>::HERE.resolve());
                let __p1 = __call.take(1, __mcp::Variable::<String>::HERE.resolve());
                let __p2 = __call.take(2, __mcp::Variable::<Option<u32>>::HERE.resolve());
                let __p3 = __call.take(3, __mcp::OtherParam::<Context>::HERE.resolve());
                match (__p0, __p1, __p2, __p3) {
                    (
                        __mcp::Some(__p0),
                        __mcp::Some(__p1),
                        __mcp::Some(__p2),
                        __mcp::Some(__p3),
                    ) if __call.is_sound() => __call.blocking(move || {
                        __mcp::ResourceReturn::<Option<String>>::HERE
                            .resolve()
                            .reply(file(
                                __mcp::Borrow::borrow(&__p0),
                                __p1,
                                __p2,
                                __mcp::Borrow::borrow(&__p3),
                            ))
                    }),
                    _ => __call.refuse(),
                }
            },
        };
    }
    __mcp::inventory::submit! { __mcp :: Registration :: Resource (< file as __mcp :: Resource > :: ENTRY) }
};
