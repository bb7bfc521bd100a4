//! What only tools tell about themselves.

use super::marker::local;
use crate::model::Tool;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

pub(super) fn describe(tool: &Tool) -> TokenStream {
    let d = local("d");
    let hints = tool.hints.iter().map(|(hint, on)| {
        let hint = Ident::new(hint, Span::call_site());
        quote!(#d.#hint(#on);)
    });
    let ignore_unknown = tool.ignore_unknown.then(|| quote!(#d.ignore_unknown();));
    let input_schema = tool.input_schema.as_ref().map(|schema| quote!(#d.input_schema(#schema);));
    quote!(#(#hints)* #ignore_unknown #input_schema)
}
