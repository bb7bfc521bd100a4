impl<S: Store> Notes<S> {
    #[doc = " Reads."]
    pub async fn read(&self, key: Key<Self>) -> Option<S::Note> {
        self.0.get(key).await
    }
    fn helper() {}
}
#[mcp_tool(__used)]
const _: () = ();
const _: () = {
    use __mcp::{ArgumentParam as _, PlainToolReturn as _};
    use ::mcp_runtime::__private as __mcp;
    trait __McpEntries {
        const __mcp_read: __mcp::Registration;
    }
    impl<S: Store> __McpEntries for Notes<S> {
        const __mcp_read: __mcp::Registration = __mcp::Registration::Tool(&__mcp::ToolEntry {
            name: "note_read",
            origin: __mcp::Origin::at(::core::file!(), ::core::line!(), ::core::module_path!()),
            describe: |__d| {
                __d.description("Reads.");
                __d.read_only(true);
                __d.param("", "")
                    .of(__mcp::ObjectParam::<Self>::HERE.resolve());
                __d.param("key", "")
                    .of(__mcp::Param::<Key<Self>>::HERE.resolve());
                __d.returns(__mcp::ToolReturn::<Option<S::Note>>::HERE.resolve());
            },
            call: |mut __call| {
                let __p0 = __call.take(0, __mcp::ObjectParam::<Self>::HERE.resolve());
                let __p1 = __call.take(1, __mcp::Param::<Key<Self>>::HERE.resolve());
                match (__p0, __p1) {
                    (__mcp::Some(__p0), __mcp::Some(__p1)) if __call.is_sound() => {
                        __call.later(async move {
                            __mcp::ToolReturn::<Option<S::Note>>::HERE.resolve().reply(
                                Self::read(
                                    <&__mcp::ObjectState<Self> as __mcp::Receiver<&Self>>::receiver(
                                        &__p0,
                                    ),
                                    __p1,
                                )
                                .await,
                            )
                        })
                    }
                    _ => __call.refuse(),
                }
            },
        });
    }
    impl<S: Store> Notes<S> {
        #[doc = "Every function for clients in here, for `Server::functions`."]
        pub fn functions() -> __mcp::Functions {
            __mcp::Functions::of([__mcp::Functions::one(<Self as __McpEntries>::__mcp_read)])
        }
    }
};
