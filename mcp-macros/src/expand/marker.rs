//! The same-named marker beside a function, in the namespace of types: it carries the entry.

use crate::model::Kind;
use crate::parse::signature::Function;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Path};

/// Everything that stands in the marker's entry.
pub(crate) struct Marker<'a> {
    pub(crate) kind: Kind,
    pub(crate) runtime: &'a Path,
    pub(crate) function: &'a Function,
    /// See [`entry`].
    pub(crate) entry: TokenStream,
    /// Traits whose methods the closures in the entry call.
    pub(crate) imports: Vec<Import>,
    pub(crate) is_registered: bool,
}

impl Marker<'_> {
    pub(crate) fn expand(&self) -> TokenStream {
        let Marker { runtime, function, entry, imports, .. } = self;
        let (ident, visibility) = (&function.signature.ident, &function.visibility);
        let (conditions, allowances) = (conditions(&function.attributes), allowances(&function.attributes));
        let (rt, kind) = (alias(), Ident::new(self.kind.name(), Span::call_site()));
        let uses = uses(runtime, imports);
        let ty = format_ident!("{kind}Entry");
        let registration = self
            .is_registered
            .then(|| quote!(#rt::inventory::submit! { #rt::Registration::#kind(<#ident as #rt::#kind>::ENTRY) }));
        let marker = quote_spanned!(Span::call_site().located_at(ident.span())=> struct #ident {});
        quote! {
            #(#conditions)*
            #[doc(hidden)]
            #[allow(non_camel_case_types, clippy::exhaustive_structs)]
            #visibility #marker
            #(#conditions)*
            #allowances
            const _: () = {
                #uses
                impl #rt::#kind for #ident {
                    const ENTRY: &'static #rt::#ty = #entry;
                }
                #registration
            };
        }
    }
}

/// The constant that the runtime knows a function by.
pub(crate) fn entry(
    kind: Kind,
    name: &str,
    function: &Function,
    describe: &TokenStream,
    call: &TokenStream,
) -> TokenStream {
    let (rt, ty) = (alias(), format_ident!("{}Entry", kind.name()));
    let line = quote_spanned!(function.signature.ident.span()=> ::core::line!());
    quote! {
        &#rt::#ty {
            name: #name,
            origin: #rt::Origin::at(::core::file!(), #line, ::core::module_path!()),
            describe: #describe,
            call: #call,
        }
    }
}

/// The `#[cfg(...)]` of an item: what stands beside it is there when it is.
pub(super) fn conditions(attributes: &[Attribute]) -> Vec<&Attribute> {
    with_name(attributes, "cfg").collect()
}

/// Calling something deprecated from an expansion is no use of it that its author should be warned of. What the author
/// allows in the item is allowed there, so that `#[allow(deprecated)]` silences warnings of ours.
pub(super) fn allowances(attributes: &[Attribute]) -> TokenStream {
    let deprecated = with_name(attributes, "deprecated").next().map(|_| quote!(#[allow(deprecated)]));
    let allowed = with_name(attributes, "allow");
    quote!(#deprecated #(#allowed)*)
}

/// What expansions call the runtime, and what else they need in scope. One path begins with the runtime's name, so that a
/// wrong one is one error.
pub(super) fn uses(runtime: &Path, imports: &[Import]) -> TokenStream {
    let rt = alias();
    let imports = (!imports.is_empty()).then(|| quote!(use #rt::{#(#imports),*};));
    quote!(use #runtime::__private as #rt; #imports)
}

/// Something that closures in an entry need in scope; it gets no name there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Import {
    /// A trait, for its methods.
    Trait(&'static str),
    /// The traits that answer for variables of URI templates.
    Variables,
}

impl ToTokens for Import {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Import::Trait(name) => {
                let name = Ident::new(name, Span::call_site());
                quote!(#name as _)
            }
            Import::Variables => quote!(variable::*),
        });
    }
}

/// What expansions call the runtime inside of their own block.
pub(super) fn alias() -> Ident {
    alias_at(Span::call_site())
}

/// The same, for an expression whose errors are to be shown at `span`: they are shown there if all its tokens are there.
pub(super) fn alias_at(span: Span) -> Ident {
    Ident::new("__mcp", span)
}

/// A local name of an expansion. The author's code does not see it, and what the author's code calls so is not hidden. (The
/// underscores are for constants: a binding of a constant's name would be a pattern that compares.)
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}

fn with_name<'a>(attributes: &'a [Attribute], name: &'static str) -> impl Iterator<Item = &'a Attribute> {
    attributes.iter().filter(move |attribute| attribute.path().is_ident(name))
}
