//! The `self` of methods: the server's object, injected like any other state.

use super::Unnamed;
use crate::diag::Errors;
use crate::model::{Param, Place, Source};
use crate::parse::arg::Arg;
use syn::visit_mut::VisitMut;
use syn::{Receiver, ReceiverKind, Signature, Type, parse_quote};

/// What can be seen here of a receiver that one of many calls cannot have; the rest is for the compiler, which knows types.
pub(super) fn check(receiver: &Receiver, errors: &mut Errors) {
    let message = match &receiver.kind {
        ReceiverKind::Value => {
            "all calls share one object, and this would take it away; write `&self`, or `self: Arc<Self>`"
        }
        ReceiverKind::Reference(_, _, Some(_)) => CHANGES,
        ReceiverKind::Typed(_, ty) if matches!(&**ty, Type::Reference(reference) if reference.mutability.is_some()) => {
            CHANGES
        }
        _ => return,
    };
    errors.push(receiver, message);
}

const CHANGES: &str =
    "calls run at the same time and share one object; write `&self`, and keep what changes in a `Mutex` or an atomic";

/// The receiver as a parameter.
pub(super) fn param(signature: &Signature) -> Option<Param> {
    let receiver = signature.receiver()?;
    let ty = of(signature)?;
    let is_reference = matches!(ty, Type::Reference(_));
    let place = Place::of(receiver);
    Some(Param {
        name: String::new(),
        name_span: place.first,
        source: Source::Receiver,
        ty: parse_quote!(Self),
        is_reference,
        place,
        description: None,
        arg: Arg::default(),
    })
}

/// The receiver's type, without named lifetimes.
pub(crate) fn of(signature: &Signature) -> Option<Type> {
    let mut ty = match &signature.receiver()?.kind {
        ReceiverKind::Typed(_, ty) => (**ty).clone(),
        _ => parse_quote!(&Self),
    };
    Unnamed::of(signature).visit_type_mut(&mut ty);
    Some(ty)
}
