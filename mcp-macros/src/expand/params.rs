//! Parameters in descriptions.

use super::marker::{Import, local};
use crate::model::{Param, Source};
use crate::parse::arg::{Arg, Constraint, DefaultValue};
use crate::parse::docs::Text;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// The traits that answer for parameters, as they are imported.
pub(super) fn imports(params: &[Param]) -> Vec<Import> {
    let by_type = || params.iter().filter(|param| param.source == Source::ByType);
    let argument = by_type().next().map(|_| Import::Trait("ArgumentParam"));
    let unsized_argument = by_type().find(|param| param.is_reference).map(|_| Import::Trait("UnsizedParam"));
    let variable = params.iter().find(|param| param.source == Source::Variable).map(|_| Import::Variables);
    argument.into_iter().chain(unsized_argument).chain(variable).collect()
}

/// How the parameter gets its value.
pub(super) fn plan(param: &Param) -> TokenStream {
    let question = match (param.source, param.is_reference) {
        (Source::ByType, false) => "Param",
        (Source::ByType, true) => "BorrowedParam",
        (Source::Variable, _) => "Variable",
        (Source::NoVariable, _) => "OtherParam",
        (Source::Nameless, _) => "NamelessParam",
        (Source::Receiver, _) => "ObjectParam",
    };
    super::resolve(question, &param.ty, param.place)
}

/// The statement that describes it.
pub(super) fn describe(param: &Param) -> TokenStream {
    let (d, name, plan) = (local("d"), &param.name, plan(param));
    let description = match &param.arg.description {
        Some(text) => text.into(),
        None => param.description.clone().unwrap_or(Text::Known(String::new())),
    };
    let options = options(&param.arg);
    let described = match (&param.arg.default, param.source) {
        (Some(DefaultValue::OfType(_)), _) => quote!(arg_or_default(#plan)),
        (Some(value), _) => quote!(arg_or(#plan, || #value)),
        (None, _) if param.arg.word.is_some() => quote!(arg(#plan)),
        (None, Source::Variable) => quote!(variable(#plan)),
        (None, _) => quote!(of(#plan)),
    };
    quote!(#d.param(#name, #description).#described #options;)
}

/// What `#[arg(...)]` adds, beside a default.
pub(super) fn options(arg: &Arg) -> TokenStream {
    // Errors about a value are shown with the word `arg` beside it.
    let here = arg.word.as_ref().map_or_else(Span::call_site, Ident::span);
    let constraints = arg
        .constraints
        .iter()
        .map(|Constraint { keyword, published, .. }| quote_spanned!(here=> .set(#keyword, #published)));
    let examples = arg.examples.iter().map(|example| quote_spanned!(here=> .example(#example)));
    let header = arg.header.iter().map(|header| quote_spanned!(here=> .header(#header)));
    let complete = arg.complete.iter().map(|function| quote_spanned!(here=> .complete(#function)));
    constraints.chain(examples).chain(header).chain(complete).collect()
}
