//! Functions: everything in front of the body. The body stays the tokens that it is, so that it may be unfinished.

use super::arg::Arg;
use super::docs::{self, Text};
use crate::diag::Errors;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, FnArg, Pat, PatIdent, Signature, Token, Type, Visibility, token};

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

/// Reads a function. `None` when the item is not one; the errors say so.
pub(crate) fn parse(attribute: &str, item: TokenStream, errors: &mut Errors) -> Option<Function> {
    let parser = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if let Some(keyword) = other_item(input) {
            let hint = if keyword == "struct" || keyword == "enum" { "; types take `#[mcp_type]`" } else { "" };
            let message = format!("`{attribute}` belongs on a function, not on a `{keyword}`{hint}");
            return Err(syn::Error::new(keyword.span(), message));
        }
        let signature: Signature = input.parse()?;
        if input.peek(Token![;]) {
            let message =
                format!("`{attribute}` needs a function with a body; put it on a function outside of a trait");
            return Err(syn::Error::new_spanned(&signature, message));
        }
        if !input.peek(token::Brace) {
            return Err(input.error("the function's body is expected here"));
        }
        Ok((attributes, visibility, signature, input.parse()?))
    };
    let (attributes, visibility, mut signature, body) = parser.parse2(item).map_err(|error| errors.add(error)).ok()?;
    let description = docs::description(&attributes);
    let params = signature.inputs.iter_mut().filter_map(|input| param(input, errors)).collect();
    Some(Function { attributes, visibility, signature, body, description, params })
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
