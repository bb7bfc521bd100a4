//! What only tools tell about themselves.

use super::marker::{alias, local};
use crate::model::Tool;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

pub(super) fn describe(tool: &Tool) -> TokenStream {
    let (rt, d) = (alias(), local("d"));
    let hints = tool.hints.iter().map(|(hint, on)| {
        let hint = Ident::new(hint, Span::call_site());
        quote!(#d.#hint(#on);)
    });
    let requires = tool.requires.iter().map(|capability| quote!(#d.requires(#rt::Capability::#capability);));
    let ignore_unknown = tool.ignore_unknown.then(|| quote!(#d.ignore_unknown();));
    let input_schema = tool.input_schema.as_ref().map(|schema| quote!(#d.input_schema(#schema);));
    quote!(#(#hints)* #(#requires)* #ignore_unknown #input_schema)
}
