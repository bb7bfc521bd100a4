//! The call: take every parameter, run the function, reply.

use super::marker::{alias, local};
use super::{params, returns};
use crate::model::{Entry, Param, Run};
use crate::parse::arg::DefaultValue;
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
    let (rt, call) = (alias(), local("call"));
    let (function, returns) = (&entry.function.signature.ident, returns(entry));
    let arguments =
        entry.params.iter().zip(values).map(|(param, value)| {
            if param.is_reference { quote!(#rt::Borrow::borrow(&#value)) } else { quote!(#value) }
        });
    let called = quote!(#function(#(#arguments),*));
    // Errors about the function's future (it is not `Send`) are shown at the function's name.
    let here = function.span().resolved_at(Span::mixed_site());
    match entry.run {
        Run::Sync => quote!(#call.reply(#returns.reply(#called))),
        Run::Async => quote_spanned!(here=> #call.later(async move { #returns.reply(#called.await) })),
        Run::Blocking => quote_spanned!(here=> #call.blocking(move || #returns.reply(#called))),
    }
}
