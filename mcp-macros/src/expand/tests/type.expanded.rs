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
    # [schemars (extend ("minLength" = 1i64))]
    # [schemars (extend ("maxLength" = 9i64))]
    # [schemars (extend ("pattern" = "^a"))]
    # [schemars (extend ("format" = "email"))]
    kind: String,
    # [schemars (extend ("minimum" = - 5i64))]
    # [schemars (extend ("maximum" = 1.5))]
    #[serde(default)]
    score: f64,
    # [schemars (extend ("examples" = ["y" , "z"]))]
    #[serde(default = "Search :: < T > :: __mcp_default_text")]
    text: String,
    # [schemars (extend ("minItems" = 1i64))]
    # [schemars (extend ("maxItems" = 2i64))]
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
    fn __mcp_default_text() -> String {
        ::core::convert::Into::into("x")
    }
    fn __mcp_default_items() -> Vec<T> {
        Vec::new()
    }
}
