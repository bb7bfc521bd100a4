#[cfg(unix)]
#[deprecated]
pub(crate) async fn search<'a>(
    text: &'a str,
    limit: u32,
    r#kind: Option<String>,
    Args(rest): Args<Rest>,
    Wrapper { inner }: Wrapper,
) -> Result<Cow<'a, str>, Error> {
    unfinished()
}
#[cfg(unix)]
#[doc(hidden)]
#[allow(non_camel_case_types, clippy::exhaustive_structs)]
pub(crate) struct search {}
#[cfg(unix)]
#[allow(deprecated)]
const _: () = {
    use __mcp::{ArgumentParam as _, PlainToolReturn as _, UnsizedParam as _};
    use ::facade::mcp::__private as __mcp;
    impl __mcp::Tool for search {
        const ENTRY: &'static __mcp::ToolEntry = &__mcp::ToolEntry {
            name: "find",
            origin: __mcp::Origin::at(::core::file!(), ::core::line!(), ::core::module_path!()),
            describe: |__d| {
                __d.missing_description();
                __d.title("Find");
                __d.requires(__mcp::Capability::Sampling);
                __d.read_only(true);
                __d.open_world(false);
                __d.ignore_unknown();
                __d.param("text", "")
                    .of(__mcp::BorrowedParam::<str>::HERE.resolve());
                __d.param("limit", "At most so many.")
                    .arg_or(__mcp::Param::<u32>::HERE.resolve(), || 10)
                    .set("minimum", 1i64)
                    .set("maximum", 100i64);
                __d.param("type", "")
                    .arg_or_default(__mcp::Param::<Option<String>>::HERE.resolve())
                    .example("a")
                    .header("Kind");
                __d.param("rest", "")
                    .of(__mcp::Param::<Args<Rest>>::HERE.resolve());
                __d.param("", "")
                    .of(__mcp::NamelessParam::<Wrapper>::HERE.resolve());
                __d.returns(__mcp::ToolReturn::<Result<Cow<'_, str>, Error>>::HERE.resolve());
            },
            call: |mut __call| {
                let __p0 = __call.take(0, __mcp::BorrowedParam::<str>::HERE.resolve());
                let __p1 = __call.take_or(1, __mcp::Param::<u32>::HERE.resolve(), || 10);
                let __p2 =
                    __call.take_or_default(2, __mcp::Param::<Option<String>>::HERE.resolve());
                let __p3 = __call.take(3, __mcp::Param::<Args<Rest>>::HERE.resolve());
                let __p4 = __call.take(4, __mcp::NamelessParam::<Wrapper>::HERE.resolve());
                match (__p0, __p1, __p2, __p3, __p4) {
                    (
                        __mcp::Some(__p0),
                        __mcp::Some(__p1),
                        __mcp::Some(__p2),
                        __mcp::Some(__p3),
                        __mcp::Some(__p4),
                    ) if __call.is_sound() => __call.later(async move {
                        __mcp::ToolReturn::<Result<Cow<'_, str>, Error>>::HERE
                            .resolve()
                            .reply(
                                search(__mcp::Borrow::borrow(&__p0), __p1, __p2, __p3, __p4).await,
                            )
                    }),
                    _ => __call.refuse(),
                }
            },
        };
    }
    __mcp::inventory::submit! { __mcp :: Registration :: Tool (< search as __mcp :: Tool > :: ENTRY) }
};
