//! From the model to code.

mod call;
mod common;
pub(crate) mod marker;
mod mcp_type;
mod module;
mod params;
mod record;
mod resource;
mod server;
mod tool;

#[cfg(test)]
mod tests;

pub(crate) use mcp_type::mcp_type;
pub(crate) use module::module;
pub(crate) use server::server;

use crate::diag::Errors;
use crate::model::{Description, Details, Entry, Home, Kind, Place};
use crate::parse::signature::Item;
use crate::{parse, recover, validate};
use marker::{Import, Marker};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{ReturnType, Type, parse_quote};

/// One of the attributes that go on functions.
pub(crate) fn function(kind: Kind, options: TokenStream, item: TokenStream) -> TokenStream {
    // The attribute stands for those of the methods in an `impl`.
    if server::used() == options.to_string() {
        return TokenStream::new();
    }
    let mut errors = Errors::default();
    let attribute = parse::attribute::read(kind, options, &mut errors);
    let function = match parse::signature::parse(kind.attribute(), item.clone(), &mut errors) {
        Item::Function(function) => function,
        Item::Unfinished(function) => {
            return recover::unfinished(kind, &attribute.common.runtime, &item, &function, errors);
        }
        Item::Other => return recover::item(&item, errors),
    };
    let entry = validate::entry(kind, Home::Module, attribute, function, &mut errors);
    if errors.is_empty() {
        expand(&entry)
    } else {
        recover::function(kind, &entry.common.runtime, &entry.function, errors)
    }
}

fn expand(entry: &Entry) -> TokenStream {
    let function = &entry.function;
    let marker = Marker {
        kind: entry.kind,
        runtime: &entry.common.runtime,
        function,
        entry: value(entry),
        imports: imports(entry),
        is_registered: true,
    };
    let marker = marker.expand();
    quote!(#function #marker)
}

/// The constant that the runtime knows the function by.
fn value(entry: &Entry) -> TokenStream {
    marker::entry(entry.kind, &entry.name, &entry.function, &describe(entry), &call::expand(entry))
}

/// Traits whose methods the closures in it call.
fn imports(entry: &Entry) -> Vec<Import> {
    let mut imports = params::imports(&entry.params);
    if entry.kind == Kind::Tool {
        imports.push(Import::Trait("PlainToolReturn"));
    }
    imports
}

fn describe(entry: &Entry) -> TokenStream {
    let d = marker::local("d");
    let description = match &entry.description {
        Description::Is(text) => quote!(#d.description(#text);),
        // The method is deprecated: that is how an expansion warns.
        Description::Missing(place) => {
            let warn = Ident::new("missing_description", *place);
            quote!(#d.#warn();)
        }
    };
    let common = common::describe(&entry.common);
    let details = match &entry.details {
        Details::Tool(tool) => tool::describe(tool),
        Details::Resource(resource) => resource::describe(resource),
        Details::Prompt => TokenStream::new(),
    };
    let params = entry.params.iter().map(params::describe);
    let returns = returns(entry);
    quote!(|#d| { #description #common #details #(#params)* #d.returns(#returns); })
}

/// The plan for the return type. Errors about the type are shown where the author wrote it.
fn returns(entry: &Entry) -> TokenStream {
    let signature = &entry.function.signature;
    let question = format!("{}Return", entry.kind.name());
    let (mut ty, place) = match &signature.output {
        ReturnType::Type(_, ty) => ((**ty).clone(), Place::of(ty)),
        ReturnType::Default => (parse_quote!(()), Place::of(&signature.ident)),
    };
    validate::Unnamed::of(signature).visit_type_mut(&mut ty);
    resolve(&question, &ty, place)
}

/// `Question::<Type>::HERE.resolve()`. When the type is unfit, the compiler points at the path in front of `resolve`, or
/// at `resolve` itself: both lie on the type.
fn resolve(question: &str, ty: &Type, place: Place) -> TokenStream {
    let rt = marker::alias_at(place.first);
    let question = Ident::new(question, place.first);
    let here = Ident::new("HERE", place.last);
    quote_spanned!(place.first=> #rt::#question::<#ty>::#here.resolve())
}
