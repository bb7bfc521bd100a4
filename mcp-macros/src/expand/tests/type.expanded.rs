#[derive(
    :: mcp_runtime :: __private :: serde :: Deserialize,
    :: mcp_runtime :: __private :: schemars :: JsonSchema,
)]
#[serde(crate = "::mcp_runtime::__private::serde")]
#[schemars(crate = "::mcp_runtime::__private::schemars")]
#[doc = " What to look for."]
#[derive(Debug, serde :: Serialize)]
#[cfg(unix)]
struct Search<T>
where
    T: Copy,
{
    #[doc = " Replaced."]
    #[serde(rename = "type")]
    #[schemars(description = "The kind.")]
    # [schemars (transform = :: mcp_runtime :: __private :: FieldOptions :: new () . set ("minLength" , 1i64) . set ("maxLength" , 9i64) . set ("pattern" , "^a") . set ("format" , "email"))]
    kind: String,
    # [schemars (transform = :: mcp_runtime :: __private :: FieldOptions :: new () . set ("minimum" , - 5i64) . set ("maximum" , 1.5))]
    #[serde(default = "Search :: < T > :: __mcp_default_score")]
    score: f64,
    # [schemars (transform = :: mcp_runtime :: __private :: FieldOptions :: new () . example ("y") . example ("z"))]
    #[serde(default = "Search :: < T > :: __mcp_default_text")]
    text: String,
    # [schemars (transform = :: mcp_runtime :: __private :: FieldOptions :: new () . set ("minItems" , 1i64) . set ("maxItems" , 2i64))]
    #[serde(default = "Search :: < T > :: __mcp_default_items")]
    items: Vec<T>,
}
#[cfg(unix)]
#[automatically_derived]
#[allow(non_snake_case)]
impl<T> Search<T>
where
    T: Copy,
{
    fn __mcp_default_score() -> f64 {
        ::core::default::Default::default()
    }
    fn __mcp_default_text() -> String {
        ::core::convert::Into::into("x")
    }
    fn __mcp_default_items() -> Vec<T> {
        Vec::new()
    }
}
