//! What only resources tell about themselves.

use super::marker::{alias, local};
use crate::model::Resource;
use crate::parse::listed::Annotations;
use crate::parse::uri_template::Part;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

pub(super) fn describe(resource: &Resource) -> TokenStream {
    let d = local("d");
    let uri = &resource.uri;
    let parts = resource.parts.iter().flatten().map(part);
    let mime_type = resource.mime_type.as_ref().map(|mime_type| quote!(#d.mime_type(#mime_type);));
    let size = resource.size.as_ref().map(|size| quote!(#d.size(#size);));
    // Errors about the function are shown at its path.
    let list = resource.list.as_ref().map(|list| quote_spanned!(list.span()=> #d.list(#list);));
    let annotations = annotations(&resource.annotations);
    quote!(#d.uri(#uri, &[#(#parts),*]); #mime_type #size #annotations #list)
}

fn annotations(annotations: &Annotations) -> TokenStream {
    let (d, rt) = (local("d"), alias());
    let Annotations { audience, priority, last_modified } = annotations;
    let audience = audience.iter().map(|role| quote!(#d.audience(#rt::Role::#role);));
    let priority = priority.as_ref().map(|priority| quote!(#d.priority(#priority);));
    let last_modified = last_modified.as_ref().map(|moment| quote!(#d.last_modified(#moment);));
    quote!(#(#audience)* #priority #last_modified)
}

fn part(part: &Part) -> TokenStream {
    let rt = alias();
    match part {
        Part::Literal(text) => quote!(#rt::Part::Literal(#text)),
        Part::Variable(name) => quote!(#rt::Part::Variable(#name)),
        Part::Reserved(name) => quote!(#rt::Part::Reserved(#name)),
        Part::Segments(name) => quote!(#rt::Part::Segments(#name)),
        Part::Query(names) => quote!(#rt::Part::Query(&[#(#names),*])),
        Part::Continuation(names) => quote!(#rt::Part::Continuation(&[#(#names),*])),
    }
}
