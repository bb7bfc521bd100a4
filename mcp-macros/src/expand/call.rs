//! The call: take every parameter, run the function, reply.

use super::marker::{alias, alias_at, local};
use super::{params, returns};
use crate::model::{Entry, Home, Param, Run, Source};
use crate::parse::arg::DefaultValue;
use crate::validate;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

/// The closure.
pub(super) fn expand(entry: &Entry) -> TokenStream {
    let (rt, call) = (alias(), local("call"));
    let values: Vec<Ident> = (0..entry.params.len()).map(|index| local(&format!("p{index}"))).collect();
    let takes = entry.params.iter().zip(&values).enumerate().map(|(index, (param, value))| take(index, param, value));
    let run = run(entry, &values);
    if values.is_empty() {
        return quote!(|#call| if #call.is_sound() { #run } else { #call.refuse() });
    }
    quote! {
        |mut #call| {
            #(#takes)*
            match (#(#values,)*) {
                (#(#rt::Some(#values),)*) if #call.is_sound() => #run,
                _ => #call.refuse(),
            }
        }
    }
}

fn take(index: usize, param: &Param, value: &Ident) -> TokenStream {
    let (call, index) = (local("call"), Literal::usize_unsuffixed(index));
    let plan = params::plan(param);
    match &param.arg.default {
        Some(DefaultValue::OfType(_)) => quote!(let #value = #call.take_or_default(#index, #plan);),
        Some(default) => quote!(let #value = #call.take_or(#index, #plan, || #default);),
        None => quote!(let #value = #call.take(#index, #plan);),
    }
}

/// The expression that runs the function.
fn run(entry: &Entry, values: &[Ident]) -> TokenStream {
    let call = local("call");
    let (function, returns) = (&entry.function.signature.ident, returns(entry));
    let arguments = entry.params.iter().zip(values).map(|(param, value)| argument(entry, param, value));
    let path = match &entry.home {
        Home::Module => quote!(#function),
        Home::Impl { of_trait: None } => quote!(Self::#function),
        Home::Impl { of_trait: Some(path) } => quote!(<Self as #path>::#function),
    };
    let called = quote!(#path(#(#arguments),*));
    // Errors about the function's future (it is not `Send`) are shown at the function's name.
    let here = function.span().resolved_at(Span::mixed_site());
    match entry.run {
        Run::Sync => quote!(#call.reply(#returns.reply(#called))),
        Run::Async => quote_spanned!(here=> #call.later(async move { #returns.reply(#called.await) })),
        Run::Blocking => quote_spanned!(here=> #call.blocking(move || #returns.reply(#called))),
    }
}

/// What the function is given for a parameter.
fn argument(entry: &Entry, param: &Param, value: &Ident) -> TokenStream {
    let rt = alias();
    match (param.source, param.is_reference) {
        (Source::Receiver, is_reference) => {
            // Errors about a receiver that the object cannot become are shown there.
            let (here, rt) = (param.place.first, alias_at(param.place.first));
            let ty = validate::receiver(&entry.function.signature);
            let lent = is_reference.then(|| quote_spanned!(here=> &));
            quote_spanned!(here=> <#lent #rt::ObjectState<Self> as #rt::Receiver<#ty>>::receiver(#lent #value))
        }
        (_, true) => quote!(#rt::Borrow::borrow(&#value)),
        (_, false) => quote!(#value),
    }
}
