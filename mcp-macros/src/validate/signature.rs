//! What a function must be so that a client can call it.

use super::{name, receiver};
use crate::diag::Errors;
use crate::model::{Home, Kind};
use crate::parse::signature::Function;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, FnArg, GenericParam, Lifetime, ReturnType, Safety, Type, TypeImplTrait, TypeParamBound, TypeReference,
};

/// Checks everything but the single parameters.
pub(crate) fn check(kind: Kind, home: &Home, function: &Function, errors: &mut Errors) {
    let signature = &function.signature;
    if let Some(receiver) = signature.receiver() {
        match home {
            Home::Module => errors.push(
                receiver,
                format!("`{}` on a method needs `#[mcp_server]` above the `impl`: write it there", kind.attribute()),
            ),
            Home::Impl { .. } => receiver::check(receiver, errors),
        }
    }
    if let Safety::Unsafe(word) = &signature.safety {
        errors.push(word, "a client cannot know when an unsafe function may be called; write a safe one around it");
    }
    if let Some(abi) = &signature.abi {
        errors.push(abi, format!("`{}` needs a plain function; leave the ABI out", kind.attribute()));
    }
    if let Some(variadic) = &signature.variadic {
        errors.push(variadic, "a client cannot send variadic arguments; take a `Vec`");
    }
    for generic in &signature.generics.params {
        let what = match generic {
            GenericParam::Lifetime(_) => continue,
            GenericParam::Type(_) => "type",
            GenericParam::Const(_) => "const",
        };
        let message = format!(
            "a generic function cannot be a {}; write a concrete type in place of the {what} parameter",
            kind.word()
        );
        errors.push(generic, message);
    }
    check_output(home, &signature.output, errors);
    check_attributes(kind, &function.attributes, errors);
}

fn check_output(home: &Home, output: &ReturnType, errors: &mut Errors) {
    let ReturnType::Type(_, ty) = output else { return };
    if let Type::Never(never) = &**ty {
        errors.push(never, "a function that never returns gives clients no answer; return something, or nothing");
    }
    let mut found = Found::in_type(ty);
    for written in found.impl_traits.drain(..) {
        let message = match is_future(&written) {
            true => "write `async fn`, and the future's output in place of `impl Future`",
            false => "the result's type must have a name here; write it in place of `impl Trait`",
        };
        errors.push(written, message);
    }
    if is_unsized(ty) {
        errors.leave_to_compiler();
    }
    found.report_self(home, errors);
}

fn is_future(ty: &TypeImplTrait) -> bool {
    ty.bounds.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|segment| segment.ident == "Future"),
        _ => false,
    })
}

/// Is this a type without a known size? It stands behind a reference only.
pub(super) fn is_unsized(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Path(ty) => ty.path.is_ident("str"),
        _ => false,
    }
}

/// A function is one thing for clients.
fn check_attributes(kind: Kind, attributes: &[Attribute], errors: &mut Errors) {
    for attribute in attributes {
        if let Some(other) = Kind::of(attribute.path()) {
            let message = format!("this function is a {} already; write a second function", kind.word());
            errors.push(
                attribute,
                if other == kind { "this attribute stands twice; keep one".to_owned() } else { message },
            );
        }
    }
}

/// Can a marker stand beside the function? Not inside of an `impl`, nor where another attribute makes one, nor where it
/// would hide something.
pub(crate) fn has_place_for_marker(function: &Function) -> bool {
    let inputs = function.signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(&*input.ty),
        FnArg::Receiver(_) => None,
    });
    let output = match &function.signature.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    function.signature.receiver().is_none()
        && !name::hides_primitive(&function.signature.ident)
        && !function.attributes.iter().any(|attribute| Kind::of(attribute.path()).is_some())
        && inputs.chain(output).all(|ty| Found::in_type(ty).self_types.is_empty())
}

/// What must not be in a type.
#[derive(Default)]
pub(super) struct Found {
    pub(super) impl_traits: Vec<TypeImplTrait>,
    pub(super) self_types: Vec<syn::Ident>,
    /// References that are not `'static`.
    pub(super) references: Vec<TypeReference>,
}

impl Found {
    pub(super) fn in_type(ty: &Type) -> Self {
        let mut found = Found::default();
        found.visit_type_mut(&mut ty.clone());
        found
    }

    pub(super) fn report_self(self, home: &Home, errors: &mut Errors) {
        if let (Home::Module, Some(word)) = (home, self.self_types.into_iter().next()) {
            errors.push(word, "`Self` stands for a type in an `impl` only, and that needs `#[mcp_server]` above it");
        }
    }
}

impl VisitMut for Found {
    fn visit_type_impl_trait_mut(&mut self, ty: &mut TypeImplTrait) {
        self.impl_traits.push(ty.clone());
    }

    fn visit_type_reference_mut(&mut self, ty: &mut TypeReference) {
        if !ty.lifetime.as_ref().is_some_and(is_static) {
            self.references.push(ty.clone());
        }
        visit_mut::visit_type_reference_mut(self, ty);
    }

    fn visit_path_segment_mut(&mut self, segment: &mut syn::PathSegment) {
        if segment.ident == "Self" {
            self.self_types.push(segment.ident.clone());
        }
        visit_mut::visit_path_segment_mut(self, segment);
    }

    // What a function pointer or a closure takes is its own business.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}

    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut syn::ParenthesizedGenericArguments) {}
}

pub(super) fn is_static(lifetime: &Lifetime) -> bool {
    lifetime.ident == "static"
}
