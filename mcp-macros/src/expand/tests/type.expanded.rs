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
    #[serde(default = "__mcp_default_Search__text::< T >")]
    text: String,
    # [schemars (extend ("minItems" = 1i64))]
    # [schemars (extend ("maxItems" = 2i64))]
    #[serde(default = "__mcp_default_Search__items::< T >")]
    items: Vec<T>,
}
#[cfg(unix)]
#[doc(hidden)]
#[allow(non_snake_case)]
fn __mcp_default_Search__text<T>() -> String
where
    T: Copy,
{
    ::core::convert::Into::into("x")
}
#[cfg(unix)]
#[doc(hidden)]
#[allow(non_snake_case)]
fn __mcp_default_Search__items<T>() -> Vec<T>
where
    T: Copy,
{
    Vec::new()
}
