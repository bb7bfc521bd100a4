//! Functions: everything in front of the body. The body stays the tokens that it is, so that it may be unfinished.

use super::arg::Arg;
use super::docs::{self, Text};
use crate::diag::{Errors, with_article};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, FnArg, Pat, PatIdent, Signature, Token, Type, Visibility, parse_quote, token};

/// An annotated function.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    /// As written, without our attributes and the doc comments on its parameters.
    pub(crate) signature: Signature,
    pub(crate) body: TokenTree,
    pub(crate) description: Option<Text>,
    pub(crate) params: Vec<Param>,
}

/// One parameter.
pub(crate) struct Param {
    /// The name that its pattern gives, without `r#`; `None` when the pattern has none.
    pub(crate) name: Option<Ident>,
    pub(crate) ty: Type,
    /// What stays on the parameter.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) description: Option<Text>,
    pub(crate) arg: Arg,
}

/// A function as it was written, with all its attributes.
pub(super) struct Written {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) signature: Signature,
    pub(super) body: TokenTree,
}

/// What an item is.
pub(crate) enum Item {
    Function(Function),
    /// A function that cannot be read, and here one of its name and visibility. The compiler has said what is wrong: it reads
    /// an item before its attributes do.
    Unfinished(Function),
    /// Something else; the errors say so.
    Other,
}

/// Reads an item.
pub(crate) fn parse(attribute: &str, item: TokenStream, errors: &mut Errors) -> Item {
    let parser = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if let Some(keyword) = other_item(input) {
            return Err(misplaced(attribute, &keyword));
        }
        let ahead = input.fork();
        let Ok(signature) = ahead.parse::<Signature>() else {
            let other = input.error(format!("`{attribute}` belongs on a function"));
            let name = name_behind_fn(input.parse()?).ok_or(other)?;
            let (signature, body) = (parse_quote!(fn #name()), parse_quote!({}));
            return Ok(Err(Written { attributes, visibility, signature, body }));
        };
        input.advance_to(&ahead);
        if input.peek(Token![;]) {
            let message =
                format!("`{attribute}` needs a function with a body; put it on a function outside of a trait");
            return Err(syn::Error::new_spanned(&signature, message));
        }
        Ok(Ok(Written { attributes, visibility, signature, body: body(input)? }))
    };
    match parser.parse2(item) {
        Ok(Ok(written)) => Item::Function(written.into_function(errors)),
        Ok(Err(written)) => Item::Unfinished(written.into_function(errors)),
        Err(error) => {
            errors.add(error);
            Item::Other
        }
    }
}

fn name_behind_fn(tokens: TokenStream) -> Option<Ident> {
    let mut behind = tokens.into_iter().skip_while(|token| token.to_string() != "fn").skip(1);
    match behind.next() {
        Some(TokenTree::Ident(name)) => Some(name),
        _ => None,
    }
}

/// Our attribute stands on something that is no function.
pub(super) fn misplaced(attribute: &str, keyword: &Ident) -> syn::Error {
    let word = keyword.to_string();
    let hint = match word.as_str() {
        "struct" | "enum" => "; types take `#[mcp_type]`",
        "impl" => "; an `impl` takes `#[mcp_server]`, and its methods this",
        "mod" => "; a module takes `#[mcp_module(prefix = \"...\")]`, and its functions this",
        _ => "",
    };
    syn::Error::new(
        keyword.span(),
        format!("`{attribute}` belongs on a function, not on {}{hint}", with_article(&word)),
    )
}

/// A function's body, whatever stands in it.
pub(super) fn body(input: ParseStream<'_>) -> syn::Result<TokenTree> {
    if input.peek(token::Brace) { input.parse() } else { Err(input.error("the function's body is expected here")) }
}

/// The keyword of an item that is no function.
fn other_item(input: ParseStream<'_>) -> Option<Ident> {
    const ITEMS: [&str; 10] =
        ["struct", "enum", "union", "trait", "impl", "mod", "type", "static", "use", "macro_rules"];
    let ahead = input.fork();
    let keyword = ahead.call(Ident::parse_any).ok()?;
    // What else begins with `const` is a function.
    let is_constant = keyword == "const" && ahead.peek2(Token![:]);
    (is_constant || ITEMS.iter().any(|item| keyword == item)).then_some(keyword)
}

impl Written {
    /// Takes out what is ours.
    pub(super) fn into_function(self, errors: &mut Errors) -> Function {
        let Written { mut attributes, visibility, mut signature, body } = self;
        for misplaced in attributes.extract_if(.., |attribute| attribute.path().is_ident("arg")) {
            errors.push(misplaced, "`#[arg(...)]` belongs on a parameter, not on the function");
        }
        let description = docs::description(&attributes);
        let params = signature.inputs.iter_mut().filter_map(|input| param(input, errors)).collect();
        Function { attributes, visibility, signature, body, description, params }
    }
}

fn param(input: &mut FnArg, errors: &mut Errors) -> Option<Param> {
    let FnArg::Typed(input) = input else { return None };
    let description = docs::description(&input.attrs);
    input.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
    let arg = Arg::extract(&mut input.attrs, errors);
    Some(Param { name: name(&input.pat), ty: (*input.ty).clone(), attributes: input.attrs.clone(), description, arg })
}

/// The name of a parameter: its pattern, or what a wrapper such as `Args(name)` holds.
fn name(pattern: &Pat) -> Option<Ident> {
    match pattern {
        Pat::Ident(PatIdent { ident, .. }) => Some(ident.unraw()),
        Pat::TupleStruct(wrapper) if wrapper.elems.len() == 1 => name(&wrapper.elems[0]),
        Pat::Paren(inner) => name(&inner.pat),
        _ => None,
    }
}

impl ToTokens for Function {
    /// The function as it was written, without our attributes.
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Function { attributes, visibility, signature, body, .. } = self;
        tokens.extend(quote!(#(#attributes)* #visibility #signature #body));
    }
}
