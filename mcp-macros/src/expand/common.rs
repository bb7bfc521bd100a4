//! What every kind of function may tell about itself.

use super::marker::{alias, local};
use crate::parse::attribute::Common;
use crate::parse::limits::Limits;
use crate::parse::listed::{Icon, Meta};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

pub(super) fn describe(common: &Common) -> TokenStream {
    let (d, rt) = (local("d"), alias());
    let title = common.title.as_ref().map(|title| quote!(#d.title(#title);));
    let icons = common.icons.iter().map(icon);
    let meta = common.meta.iter().map(|Meta { key, value }| {
        // An error about the value is shown at the value.
        let here = value.span();
        quote_spanned!(here=> #d.meta(#key, &#value);)
    });
    let tags = common.tags.iter().map(|tag| quote!(#d.tag(#tag);));
    let scopes = common.scopes.iter().map(|scope| quote!(#d.scope(#scope);));
    let requires = common.requires.iter().map(|capability| quote!(#d.requires(#rt::Capability::#capability);));
    let limits = limits(&common.limits);
    quote!(#title #(#icons)* #(#meta)* #(#tags)* #(#scopes)* #(#requires)* #limits)
}

fn icon(icon: &Icon) -> TokenStream {
    let (d, rt) = (local("d"), alias());
    let Icon { src, mime_type, sizes, theme } = icon;
    let mime_type = mime_type.as_ref().map(|mime_type| quote!(.mime_type(#mime_type)));
    let sizes = (!sizes.is_empty()).then(|| quote!(.sizes([#(#sizes),*])));
    let theme = theme.as_ref().map(|theme| quote!(.theme(#rt::Theme::#theme)));
    quote!(#d.icon(#rt::Icon::new(#src) #mime_type #sizes #theme);)
}

fn limits(limits: &Limits) -> TokenStream {
    let d = local("d");
    let Limits { timeout, concurrency, rate, max_output, retry } = limits;
    let set = |name: &str, value: &dyn ToTokens| {
        let name = syn::Ident::new(name, proc_macro2::Span::call_site());
        quote!(#d.#name(#value);)
    };
    let timeout = timeout.map(|milliseconds| set("timeout", &milliseconds));
    let concurrency = concurrency.as_ref().map(|calls| set("concurrency", calls));
    let rate = rate.map(|(calls, milliseconds)| set("rate_limit", &quote!(#calls, #milliseconds)));
    let max_output = max_output.map(|bytes| set("max_output", &bytes));
    let retry = retry.as_ref().map(|attempts| set("retry", attempts));
    quote!(#timeout #concurrency #rate #max_output #retry)
}
