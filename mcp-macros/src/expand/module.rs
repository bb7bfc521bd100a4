//! A module with annotated functions: their attributes do the work; the module has a list of what stands in it.

use super::marker::conditions;
use crate::diag::Errors;
use crate::parse::container::{self, Container};
use crate::parse::module::{Body, Item, Module, Part, What};
use crate::{parse, recover, validate};
use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::quote;

/// What is written above a list.
pub(super) const ABOUT_LIST: &str = "Every function for clients in here, for `Server::functions`.";

/// `#[mcp_module]`
pub(crate) fn module(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut container = container::read("#[mcp_module]", options, &mut errors);
    validate::name::prefix(&mut container, &mut errors);
    let Some(module) = parse::module::parse(&container, item.clone(), &mut errors) else {
        return recover::item(&item, errors);
    };
    let parts = &module.body.parts;
    let list = container.list.as_ref().map(|name| {
        let list = list(&container, name, parts);
        quote! {
            #[doc = #ABOUT_LIST]
            pub #list
        }
    });
    let module = expand(&container, &module, list);
    let errors = errors.into_items();
    quote!(#module #errors)
}

/// The module with a list for the one around it.
fn expand(container: &Container, module: &Module, list_of_its_own: Option<TokenStream>) -> TokenStream {
    let Module { head, braces, body, part } = module;
    let Body { items, parts } = body;
    let items = items.iter().map(|item| match item {
        Item::Any(tokens) => tokens.clone(),
        Item::Module(module) => expand(container, module, None),
    });
    let part = part.as_ref().map(|part| {
        let list = list(container, part, parts);
        quote!(#[doc(hidden)] pub(super) #list)
    });
    let mut filled = Group::new(braces.delimiter(), quote!(#(#items)* #list_of_its_own #part));
    filled.set_span(braces.span());
    quote!(#head #filled)
}

/// The function that gives the list.
fn list(container: &Container, name: &Ident, parts: &[Part]) -> TokenStream {
    let runtime = container.runtime();
    let rt = quote!(#runtime::__private);
    let parts = parts.iter().map(|Part { conditions: attributes, what }| {
        let conditions = conditions(attributes);
        let part = match what {
            What::Function(kind, function) => {
                let kind = Ident::new(kind.name(), Span::call_site());
                quote!(#rt::Functions::one(#rt::Registration::#kind(<#function as #rt::#kind>::ENTRY)))
            }
            What::Module(module, list) => quote!(#module::#list()),
            What::Impl(list) => quote!(#list::list()),
        };
        quote!(#(#conditions)* #part)
    });
    quote!(fn #name() -> #rt::Functions { #rt::Functions::of([#(#parts),*]) })
}
