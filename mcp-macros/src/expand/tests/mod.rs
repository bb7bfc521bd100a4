//! Expansions as their readers see them: formatted, and compared with files. A change of an expansion is a change of such
//! a file; the failing test prints what belongs into it.

use crate::model::Kind;
use proc_macro2::TokenStream;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Formats as anybody's `rustfmt` does who has not configured it.
fn formatted(code: &TokenStream) -> String {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config", "max_width=100,use_small_heuristics=Default"])
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt is installed");
    rustfmt.stdin.take().expect("piped").write_all(code.to_string().as_bytes()).expect("rustfmt reads");
    let output = rustfmt.wait_with_output().expect("rustfmt ends");
    assert!(output.status.success(), "rustfmt cannot read:\n{code}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn tokens(code: &str) -> TokenStream {
    code.parse().expect("tokens")
}

fn function(kind: Kind, options: &str, item: &str) -> String {
    formatted(&super::function(kind, tokens(options), tokens(item)))
}

fn assert_is(expansion: &str, file: &str) {
    assert!(expansion == file, "the expansion is now:\n{expansion}");
}

#[test]
fn the_expansion_of_a_plain_tool_is_short() {
    let item = "
        /// Adds two numbers.
        fn add(
            /// First addend.
            a: i64,
            /// Second addend.
            b: i64,
        ) -> i64 {
            a + b
        }
    ";
    let expansion = function(Kind::Tool, "", item);
    assert_is(&expansion, include_str!("add.expanded.rs"));
    let lines = expansion.lines().count();
    assert!(lines <= 40, "{lines} lines");
}

#[test]
fn everything_that_a_tool_may_say() {
    let options = r#"
        name = "find", title = "Find", read_only, open_world = false, requires(sampling), ignore_unknown,
        crate = ::facade::mcp
    "#;
    let item = r#"
        #[cfg(unix)]
        #[deprecated]
        pub(crate) async fn search<'a>(
            text: &'a str,
            #[arg(default = 10, min = 1, max = 100, description = "At most so many.")] limit: u32,
            #[arg(default, example = "a", rename = "type", header = "Kind")] r#kind: Option<String>,
            Args(rest): Args<Rest>,
            Wrapper { inner }: Wrapper,
        ) -> Result<Cow<'a, str>, Error> {
            unfinished(
        ) }
    "#;
    assert_is(&function(Kind::Tool, options, item), include_str!("search.expanded.rs"));
}

#[test]
fn a_resource_with_a_template() {
    let options = r#"uri = "files://{host}{/path*}{?rev}", mime_type = "text/plain", blocking"#;
    let item = "
        fn file(
            #[arg(complete = hosts)] host: &str,
            path: String,
            rev: Option<u32>,
            cx: &Context,
        ) -> Option<String> {
            None
        }
    ";
    assert_is(&function(Kind::Resource, options, item), include_str!("file.expanded.rs"));
}

#[test]
fn a_prompt_without_arguments() {
    assert_is(
        &function(Kind::Prompt, "description = \"Says hello.\"", "fn r#match() {}"),
        include_str!("match.expanded.rs"),
    );
}

#[test]
fn a_method_has_its_entry_where_self_means_the_type() {
    let item = "
        impl<S: Store> Notes<S> {
            /// Reads.
            #[mcp_tool(read_only)]
            pub async fn read(&self, key: Key<Self>) -> Option<S::Note> {
                self.0.get(key).await
            }
            fn helper() {}
        }
    ";
    let expansion = formatted(&super::server(tokens("prefix = \"note\", list = functions"), tokens(item)));
    assert_is(&expansion, include_str!("read.expanded.rs"));
}

#[test]
fn a_module_leaves_the_work_to_the_attributes_inside() {
    let item = "
        pub(crate) mod file {
            use mcp_runtime::prelude::*;
            /// Searches.
            #[cfg(unix)]
            #[mcp_tool(read_only)]
            fn search() {}
            mod inner {
                #[mcp_prompt]
                fn ask() {}
            }
            #[mcp_server]
            impl Disk {
                #[mcp_tool]
                fn wipe(&self) {}
            }
        }
    ";
    let expansion = formatted(&super::module(tokens("prefix = \"file\", list = all"), tokens(item)));
    assert_is(&expansion, include_str!("module.expanded.rs"));
}

#[test]
fn a_module_in_a_file_of_its_own_is_not_seen() {
    let expansion = super::module(tokens("prefix = \"file\""), tokens("mod file;")).to_string();
    assert!(expansion.starts_with(&tokens("mod file;").to_string()), "{expansion}");
    assert!(expansion.contains("write `mod name { .. }`"), "{expansion}");
}

#[test]
fn an_impl_that_cannot_be_read_keeps_nothing_of_ours() {
    let item = "impl A { #[mcp_tool] fn a(&self, b: ) {} #[inline] fn b() {} }";
    let expansion = super::server(TokenStream::new(), tokens(item)).to_string();
    let kept = tokens("impl A { fn a(&self, b: ) {} #[inline] fn b() {} }");
    assert!(expansion.starts_with(&kept.to_string()), "{expansion}");
    assert_eq!(expansion.matches("compile_error").count(), 1, "{expansion}");
}

#[test]
fn a_type_with_every_constraint() {
    let item = r#"
        /// What to look for.
        #[derive(Debug, serde::Serialize)]
        #[cfg(unix)]
        struct Search<T> where T: Copy {
            /// Replaced.
            #[arg(rename = "type", description = "The kind.", pattern = "^a", format = "email", min_length = 1, max_length = 9)]
            kind: String,
            #[arg(default, min = -5, max = 1.5)]
            score: f64,
            #[arg(default = "x", example = "y", example = "z")]
            text: String,
            #[arg(default = Vec::new(), min_items = 1, max_items = 2)]
            items: Vec<T>,
        }
    "#;
    let expansion = formatted(&super::mcp_type(TokenStream::new(), tokens(item)));
    assert_is(&expansion, include_str!("type.expanded.rs"));
}

#[test]
fn a_type_that_needs_no_derives() {
    let item = "
        /// A place.
        #[derive(Clone)]
        #[cfg(unix)]
        pub struct Place {
            /// Degrees, from south to north.
            pub latitude: f64,
            r#in: Option<Box<Place>>,
        }
    ";
    let expansion = formatted(&super::mcp_type(TokenStream::new(), tokens(item)));
    assert_is(&expansion, include_str!("record.expanded.rs"));
}

#[test]
fn types_that_ask_something_of_serde_or_schemars_are_left_to_them() {
    for item in [
        "struct A<T> { a: T }",
        "struct A(u8);",
        "struct A {}",
        "enum A { B }",
        "struct A { a: &'static str }",
        "struct A { a: Cow<'static, str> }",
        "struct A { #[serde(default)] a: u8 }",
        "struct A { #[cfg(unix)] a: u8 }",
        "struct A { #[arg(min = 1)] a: u8 }",
        "#[serde(deny_unknown_fields)] struct A { a: u8 }",
        "#[deprecated] struct A { a: u8 }",
        "/// # A title\nstruct A { a: u8 }",
        "#[doc = include_str!(\"a.md\")] struct A { a: u8 }",
        "#[derive(Serialize)] struct A { a: u8 }",
    ] {
        let expansion = super::mcp_type(TokenStream::new(), tokens(item)).to_string();
        assert!(expansion.contains("JsonSchema") && !expansion.contains("json_schema"), "{expansion}");
    }
}

#[test]
fn a_function_with_mistakes_is_still_there_and_can_be_listed() {
    let item = "fn add(#[arg(mni = 1)] a: i64) -> i64 { a + }";
    let expansion = super::function(Kind::Tool, tokens("nmae = \"x\""), tokens(item)).to_string();
    assert!(expansion.starts_with(&tokens("fn add(a: i64) -> i64 { a + }").to_string()), "{expansion}");
    assert_eq!(expansion.matches("compile_error").count(), 2, "{expansion}");
    assert!(expansion.contains("struct add"), "{expansion}");
    assert!(expansion.contains("Tool for add"), "{expansion}");
    assert!(!expansion.contains("inventory"), "{expansion}");
}

#[test]
fn what_cannot_be_read_stays_as_it_is() {
    let expansion = super::function(Kind::Tool, TokenStream::new(), tokens("fn add(a: ) -> i64 { a }")).to_string();
    assert!(expansion.starts_with(&tokens("fn add(a: ) -> i64 { a }").to_string()), "{expansion}");
    assert!(!expansion.contains("compile_error"), "the compiler has said it: {expansion}");
    let expansion = super::function(Kind::Tool, TokenStream::new(), tokens("later! {}")).to_string();
    assert!(expansion.starts_with(&tokens("later! {}").to_string()), "{expansion}");
    assert_eq!(expansion.matches("compile_error").count(), 1, "{expansion}");
}
