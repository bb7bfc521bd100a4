//! What an `impl` must be so that the server's object can have its methods.

use crate::diag::Errors;
use crate::parse::block::{Block, Item};
use crate::parse::container::Container;
use syn::visit_mut::VisitMut;
use syn::{GenericParam, ItemImpl, Lifetime};

/// Checks everything but the single methods.
pub(crate) fn check(container: &Container, block: &Block, errors: &mut Errors) {
    let head = &block.head;
    let mut borrowed = Borrowed::default();
    borrowed.visit_type_mut(&mut head.self_ty.clone());
    if let Some(lifetime) = borrowed.0.first() {
        let message =
            "the server keeps the object for as long as it runs; let it own what it borrows with this lifetime";
        errors.push(lifetime, message);
    }
    let has_methods = block.items.iter().any(|item| matches!(item, Item::Method(_)));
    if !has_methods && errors.is_empty() {
        let message = "no function of this `impl` is for clients; write `#[mcp_tool]`, `#[mcp_resource(uri = \"...\")]` \
                       or `#[mcp_prompt]` above those that are";
        errors.push(&head.self_ty, message);
    }
    if is_generic(head) && container.list.is_none() && borrowed.0.is_empty() {
        let message = "nobody but you knows for which types this is meant; write `#[mcp_server(list = functions)]` and \
                       `server.functions(Type::<Concrete>::functions())`";
        errors.push(&head.generics, message);
    }
}

/// Is there a type still to be chosen?
pub(crate) fn is_generic(head: &ItemImpl) -> bool {
    head.generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)))
}

/// The lifetimes in a type but `'static`.
#[derive(Default)]
struct Borrowed(Vec<Lifetime>);

impl VisitMut for Borrowed {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if !super::signature::is_static(lifetime) {
            self.0.push(lifetime.clone());
        }
    }
}
