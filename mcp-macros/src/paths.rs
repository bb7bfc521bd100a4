//! How expansions name the runtime.

use syn::{Path, parse_quote};

/// The runtime's crate, unless the author says otherwise with `crate = ...`.
pub(crate) fn runtime() -> Path {
    parse_quote!(::mcp_runtime)
}

/// A path inside of the runtime as text, for attributes that take paths as texts.
pub(crate) fn private(runtime: &Path, name: &str) -> String {
    let leading = if runtime.leading_colon.is_some() { "::" } else { "" };
    let segments: Vec<String> = runtime.segments.iter().map(|segment| segment.ident.to_string()).collect();
    format!("{leading}{}::__private::{name}", segments.join("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_authors_write_them() {
        assert_eq!(private(&runtime(), "serde"), "::mcp_runtime::__private::serde");
        assert_eq!(private(&parse_quote!(facade::mcp), "schemars"), "facade::mcp::__private::schemars");
    }
}
