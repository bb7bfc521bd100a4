//! The same-named marker beside a function, in the namespace of types: it carries the entry.

use crate::model::Kind;
use crate::parse::signature::Function;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, Path};

/// Everything that stands in the marker's entry.
pub(crate) struct Marker<'a> {
    pub(crate) kind: Kind,
    pub(crate) runtime: &'a Path,
    pub(crate) function: &'a Function,
    pub(crate) name: &'a str,
    pub(crate) describe: TokenStream,
    pub(crate) call: TokenStream,
    /// Traits whose methods the two closures call.
    pub(crate) imports: Vec<Ident>,
    pub(crate) is_registered: bool,
}

impl Marker<'_> {
    pub(crate) fn expand(&self) -> TokenStream {
        let Marker { runtime, function, name, describe, call, imports, .. } = self;
        let (ident, visibility) = (&function.signature.ident, &function.visibility);
        let conditions: Vec<&Attribute> = with_name(&function.attributes, "cfg").collect();
        // Calling a deprecated function from here is no use of it that its author should be warned of. What the author
        // allows in the function is allowed here, so that `#[allow(deprecated)]` silences warnings of ours.
        let deprecated = with_name(&function.attributes, "deprecated").next().map(|_| quote!(#[allow(deprecated)]));
        let allowed = with_name(&function.attributes, "allow");
        let (rt, kind) = (alias(), Ident::new(self.kind.name(), Span::call_site()));
        let entry = format_ident!("{kind}Entry");
        let line = quote_spanned!(ident.span()=> ::core::line!());
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
            #(#allowed)*
            #deprecated
            const _: () = {
                use #runtime::__private::{self as #rt #(, #imports as _)*};
                impl #rt::#kind for #ident {
                    const ENTRY: &'static #rt::#entry = &#rt::#entry {
                        name: #name,
                        origin: #rt::Origin::at(::core::file!(), #line, ::core::module_path!()),
                        describe: #describe,
                        call: #call,
                    };
                }
                #registration
            };
        }
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
