//! An `impl` with annotated functions: their entries are constants of a trait that nobody else sees, so that `Self` and the
//! parameters of the `impl` mean in them what they mean in the functions.

use super::marker::{self, Import, alias};
use crate::diag::Errors;
use crate::model::{Entry, Home, Kind};
use crate::parse::block::{Block, Item, Method};
use crate::parse::container::{self, Container};
use crate::{parse, recover, validate};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use syn::{ImplItem, ItemImpl};

/// `#[mcp_server]`
pub(crate) fn server(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut container = container::read("#[mcp_server]", options, &mut errors);
    validate::name::prefix(&mut container, &mut errors);
    let Some(block) = parse::block::parse(item.clone(), &mut errors) else { return recover::block(item, errors) };
    validate::block::check(&container, &block, &mut errors);
    let Block { mut head, items } = block;
    let home = Home::Impl { of_trait: head.trait_.as_ref().map(|(path, _)| path.clone()) };
    let (mut entries, mut paths) = (Vec::new(), BTreeMap::new());
    let mut body = TokenStream::new();
    for item in items {
        match item {
            Item::Other(tokens) => body.extend(tokens),
            Item::Method(method) => {
                paths.entry(method.path.to_token_stream().to_string()).or_insert_with(|| method.path.clone());
                let entry = entry(&container, home.clone(), *method, &mut errors);
                entry.function.to_tokens(&mut body);
                entries.push(entry);
            }
        }
    }
    head.items = vec![ImplItem::Verbatim(body)];
    if !errors.is_empty() {
        entries.clear();
    }
    let errors = errors.into_items();
    let generated = generated(&container, &head, &entries);
    let (used, conditions) = (used(), marker::conditions(&head.attrs));
    let uses = paths.values().map(|path| quote!(#(#conditions)* #[#path(#used)] const _: () = ();));
    quote!(#head #errors #(#uses)* #generated)
}

/// The option of an attribute that stands for those in an `impl`: it has to be imported for them, and its import is no
/// superfluous one.
pub(super) fn used() -> Ident {
    Ident::new("__used", Span::call_site())
}

/// Checks one method. It keeps what is its author's.
fn entry(container: &Container, home: Home, method: Method, errors: &mut Errors) -> Entry {
    let Method { kind, options, function, errors: mut own, .. } = method;
    let attribute = parse::attribute::read(kind, container.pass_on(&options), &mut own);
    let mut entry = validate::entry(kind, home, attribute, function, &mut own);
    entry.function.attributes.retain(|attribute| Kind::of(attribute.path()).is_none());
    errors.append(own);
    entry
}

/// Everything beside the `impl`.
fn generated(container: &Container, head: &ItemImpl, entries: &[Entry]) -> TokenStream {
    let (rt, runtime, ty) = (alias(), container.runtime(), &head.self_ty);
    let (conditions, allowed) = (marker::conditions(&head.attrs), marker::allowances(&head.attrs));
    let imports: BTreeSet<Import> = entries.iter().flat_map(super::imports).collect();
    let uses = marker::uses(&runtime, &imports.into_iter().collect::<Vec<_>>());
    let names: Vec<Ident> = entries.iter().map(name).collect();
    let own: Vec<_> = entries.iter().map(|entry| marker::conditions(&entry.function.attributes)).collect();
    let values = entries.iter().map(|entry| {
        let (kind, value) = (Ident::new(entry.kind.name(), Span::call_site()), super::value(entry));
        quote!(#rt::Registration::#kind(#value))
    });
    let allowances = entries.iter().map(|entry| marker::allowances(&entry.function.attributes));
    // A name that no author's type has: it would be hidden in the closures.
    let shared = Ident::new("__McpEntries", Span::call_site());
    let (generics, bounds) = (&head.generics, &head.generics.where_clause);
    let is_generic = validate::block::is_generic(head);
    let registrations =
        (!is_generic).then(|| quote!(#(#(#own)* #rt::inventory::submit! { <#ty as #shared>::#names })*));
    let listing =
        |of: TokenStream| quote!(#rt::Functions::of([#(#(#own)* #rt::Functions::one(<#of as #shared>::#names)),*]));
    let list = container.list.as_ref().map(|list| {
        let (listing, about) = (listing(quote!(Self)), super::module::ABOUT_LIST);
        quote! {
            impl #generics #ty #bounds {
                #[doc = #about]
                pub fn #list() -> #rt::Functions { #listing }
            }
        }
    });
    let part = container.part.as_ref();
    let part_list = part.map(|part| {
        let listing = listing(ty.to_token_stream());
        quote!(impl #part { fn list() -> #rt::Functions { #listing } })
    });
    let part = part.map(|part| quote!(#(#conditions)* #[allow(non_camel_case_types)] struct #part {}));
    quote! {
        #part
        #(#conditions)*
        #allowed
        const _: () = {
            #uses
            trait #shared {
                #(#(#own)* const #names: #rt::Registration;)*
            }
            impl #generics #shared for #ty #bounds {
                #(#(#own)* #allowances const #names: #rt::Registration = #values;)*
            }
            #registrations
            #list
            #part_list
        };
    }
}

/// What a method's entry is called: nothing that its author may name, nor be told of.
fn name(entry: &Entry) -> Ident {
    format_ident!("__mcp_{}", entry.function.signature.ident.unraw(), span = Span::call_site())
}
