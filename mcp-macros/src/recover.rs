//! What is left of an item with mistakes: the item itself, so that nothing else breaks, and the errors.

use crate::diag::Errors;
use crate::expand::marker::{self, Marker, local};
use crate::model::Kind;
use crate::parse::signature::Function;
use crate::validate;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::{Meta, Path};

/// The item as it was written, and the errors.
pub(crate) fn item(item: &TokenStream, errors: Errors) -> TokenStream {
    let errors = errors.into_items();
    quote!(#item #errors)
}

/// An `impl` that could not be read, without our attributes on what stands in it: they would say more errors.
pub(crate) fn block(item: TokenStream, errors: Errors) -> TokenStream {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    if let Some(TokenTree::Group(braces)) = tokens.last_mut() {
        let mut body: Vec<TokenTree> = Vec::new();
        for token in braces.stream() {
            match &token {
                TokenTree::Group(group) if is_ours(group) => drop(body.pop()),
                _ => body.push(token),
            }
        }
        let span = braces.span();
        *braces = Group::new(braces.delimiter(), body.into_iter().collect());
        braces.set_span(span);
    }
    self::item(&tokens.into_iter().collect(), errors)
}

/// `[mcp_tool(...)]` and its like, behind a `#`.
fn is_ours(group: &Group) -> bool {
    let is_attribute = group.delimiter() == Delimiter::Bracket;
    is_attribute && syn::parse2::<Meta>(group.stream()).is_ok_and(|meta| Kind::of(meta.path()).is_some())
}

/// The item as it was written, the errors, and the marker of a function of its name.
pub(crate) fn unfinished(
    kind: Kind,
    runtime: &Path,
    item: &TokenStream,
    function: &Function,
    errors: Errors,
) -> TokenStream {
    let errors = errors.into_items();
    let marker = marker(kind, runtime, function);
    quote!(#item #errors #marker)
}

/// The function without our attributes, the errors, and a marker.
pub(crate) fn function(kind: Kind, runtime: &Path, function: &Function, errors: Errors) -> TokenStream {
    let errors = errors.into_items();
    let marker = marker(kind, runtime, function);
    quote!(#function #errors #marker)
}

/// A marker that lists such as `tools![name]` can name.
fn marker(kind: Kind, runtime: &Path, function: &Function) -> Option<TokenStream> {
    let call = local("call");
    validate::has_place_for_marker(function).then(|| {
        let entry = marker::entry(kind, "", function, &quote!(|_| {}), &quote!(|#call| #call.refuse()));
        Marker { kind, runtime, function, entry, imports: Vec::new(), is_registered: false }.expand()
    })
}
