//! What is left of an item with mistakes: the item itself, so that nothing else breaks, and the errors.

use crate::diag::Errors;
use crate::expand::marker::{Marker, local};
use crate::model::Kind;
use crate::parse::signature::Function;
use crate::validate;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

/// The item as it was written, and the errors.
pub(crate) fn item(item: &TokenStream, errors: Errors) -> TokenStream {
    let errors = errors.into_items();
    quote!(#item #errors)
}

/// The function without our attributes, the errors, and a marker that lists such as `tools![name]` can name.
pub(crate) fn function(kind: Kind, runtime: &Path, function: &Function, errors: Errors) -> TokenStream {
    let errors = errors.into_items();
    let call = local("call");
    let marker = validate::has_place_for_marker(function).then(|| {
        Marker {
            kind,
            runtime,
            function,
            name: "",
            describe: quote!(|_| {}),
            call: quote!(|#call| #call.refuse()),
            imports: Vec::new(),
            is_registered: false,
        }
        .expand()
    });
    quote!(#function #errors #marker)
}
