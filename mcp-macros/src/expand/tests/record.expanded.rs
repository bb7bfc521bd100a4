#[doc = " A place."]
#[derive(Clone)]
#[cfg(unix)]
pub struct Place {
    #[doc = " Degrees, from south to north."]
    pub latitude: f64,
    r#in: Option<Box<Place>>,
}
#[cfg(unix)]
const _: () = {
    use __mcp::AnyTypes as _;
    use ::mcp_runtime::__private as __mcp;
    const __FIELDS: &[&str] = &["latitude", "in"];
    #[automatically_derived]
    impl __mcp::serde::Serialize for Place {
        fn serialize<__S: __mcp::serde::Serializer>(
            &self,
            __to: __S,
        ) -> __mcp::Result<__S::Ok, __S::Error> {
            __mcp::FieldTypes::<(f64, (Option<Box<Place>>, ()))>::HERE
                .resolve()
                .encode(__to, "Place", __FIELDS, (&self.latitude, (&self.r#in, ())))
        }
    }
    #[automatically_derived]
    impl<'de> __mcp::serde::Deserialize<'de> for Place {
        fn deserialize<__D: __mcp::serde::Deserializer<'de>>(
            __from: __D,
        ) -> __mcp::Result<Self, __D::Error> {
            match __mcp::FieldTypes::<(f64, (Option<Box<Place>>, ()))>::HERE
                .resolve()
                .decode(__from, "Place", __FIELDS)
            {
                __mcp::Ok((__p0, (__p1, ()))) => __mcp::Ok(Self {
                    latitude: __p0,
                    r#in: __p1,
                }),
                __mcp::Err(__error) => __mcp::Err(__error),
            }
        }
    }
    #[automatically_derived]
    impl __mcp::schemars::JsonSchema for Place {
        fn schema_name() -> __mcp::Cow<'static, str> {
            __mcp::Cow::Borrowed("Place")
        }
        fn schema_id() -> __mcp::Cow<'static, str> {
            __mcp::Cow::Borrowed(::core::concat!(::core::module_path!(), "::", "Place"))
        }
        fn json_schema(
            __generator: &mut __mcp::schemars::SchemaGenerator,
        ) -> __mcp::schemars::Schema {
            __mcp::describe_fields(__generator)
                .field::<f64>("latitude", "Degrees, from south to north.")
                .field::<Option<Box<Place>>>("in", "")
                .schema("A place.")
        }
    }
};
