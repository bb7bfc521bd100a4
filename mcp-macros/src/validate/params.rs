//! Parameters, and what `#[arg(...)]` says of them.

use super::signature::{Found, is_static, is_unsized};
use super::{constraint, name};
use crate::diag::{Errors, did_you_mean};
use crate::model::{Home, Param, Place, Resource, Source};
use crate::parse::arg::Arg;
use crate::parse::signature as written;
use syn::visit_mut::{self, VisitMut};
use syn::{Lifetime, Signature, Type};

/// Where `#[arg(...)]` stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Tool,
    Resource,
    Prompt,
    Field,
}

/// Checks one parameter.
pub(super) fn param(
    owner: Owner,
    template: Option<&Resource>,
    (home, signature): (&Home, &Signature),
    param: written::Param,
    errors: &mut Errors,
) -> Param {
    let written::Param { name: ident, ty, description, arg: options, attributes } = param;
    if let Some(cfg) = attributes.iter().find(|attribute| attribute.path().is_ident("cfg")) {
        errors.push(cfg, "a parameter cannot come and go; put `#[cfg]` on two versions of the function");
    }
    arg(owner, &options, errors);
    let (is_reference, ty) = value_type(ty, home, signature, errors);
    let place = Place::of(&ty);
    let name = options.rename.as_ref().map(|rename| (rename.value(), rename.span()));
    let name = name.or_else(|| ident.map(|ident| (ident.to_string(), ident.span())));
    let variable = |name: &str| {
        template
            .and_then(|resource| resource.parts.as_ref())
            .is_none_or(|parts| parts.iter().flat_map(|part| part.names()).any(|variable| variable == name))
    };
    let source = match (&name, template) {
        (None, _) => Source::Nameless,
        (Some(_), None) => Source::ByType,
        (Some((name, _)), Some(_)) if variable(name) => Source::Variable,
        (Some(_), Some(_)) => Source::NoVariable,
    };
    check_source(source, name.as_ref().map(|(name, _)| name.as_str()), &options, &ty, errors);
    let (name, name_span) = name.unwrap_or_else(|| (String::new(), place.first));
    Param { name, name_span, source, ty, is_reference, place, description, arg: options }
}

/// What can be seen here of a parameter that must be injected and is not; the rest is for the compiler, which knows types.
fn check_source(source: Source, name: Option<&str>, options: &Arg, ty: &Type, errors: &mut Errors) {
    let is_unsized = is_unsized(ty);
    match (source, &options.word) {
        (Source::Nameless, Some(word)) => {
            errors.push(word, "this argument has no name; write `rename = \"...\"` as well");
        }
        (Source::NoVariable, Some(word)) => {
            errors.push(word, "`#[arg(...)]` describes a variable of the URI, and this parameter is none");
        }
        (Source::Nameless, None) if is_unsized => {
            errors.push(ty, "this argument has no name; write `name: &...`, or `#[arg(rename = \"name\")]`");
        }
        (Source::NoVariable, None) if is_unsized => {
            let name = name.unwrap_or_default();
            errors.push(ty, format!("the URI has no value for this parameter; put `{{{name}}}` into the `uri`"));
        }
        _ => {}
    }
}

/// The type whose values a call holds, and whether the function takes a reference to them.
fn value_type(ty: Type, home: &Home, signature: &Signature, errors: &mut Errors) -> (bool, Type) {
    let ty = without_groups(ty);
    let (is_reference, mut ty) = match ty {
        Type::Reference(reference) => {
            if let Some(word) = &reference.mutability {
                errors.push(word, "nobody sees what becomes of an argument; take it by value: `mut name: Type`");
            }
            if let Some(lifetime) = reference.lifetime.as_ref().filter(|lifetime| is_static(lifetime)) {
                errors.push(lifetime, "an argument lives as long as its call; leave `'static` out");
            }
            (true, *reference.elem)
        }
        ty => (false, ty),
    };
    if !is_reference && is_unsized(&ty) {
        errors.leave_to_compiler();
    }
    if let (true, Type::TraitObject(object)) = (is_reference, &ty) {
        errors.push(object, "no argument can be decoded to this; take a concrete type, or shared values as `State<T>`");
    }
    let found = Found::in_type(&ty);
    for written in &found.impl_traits {
        errors.push(written, "an argument's type must be known here; write it in place of `impl Trait`");
    }
    if let Some(reference) = found.references.first() {
        errors
            .push(reference, "there is nothing to borrow this from; write the owned type, such as `String` for `&str`");
    }
    found.report_self(home, errors);
    Unnamed::of(signature).visit_type_mut(&mut ty);
    (is_reference, ty)
}

/// Macros by example wrap the types that they pass on.
fn without_groups(ty: Type) -> Type {
    match ty {
        Type::Group(group) => without_groups(*group.elem),
        Type::Paren(paren) => without_groups(*paren.elem),
        ty => ty,
    }
}

/// Replaces the function's own lifetimes by `'_`: they have no meaning outside of it.
pub(crate) struct Unnamed {
    declared: Vec<Lifetime>,
}

impl Unnamed {
    pub(crate) fn of(signature: &Signature) -> Self {
        Unnamed { declared: signature.generics.lifetimes().map(|parameter| parameter.lifetime.clone()).collect() }
    }
}

impl VisitMut for Unnamed {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if self.declared.iter().any(|declared| declared.ident == lifetime.ident) {
            *lifetime = Lifetime::new("'_", lifetime.span());
        }
        visit_mut::visit_lifetime_mut(self, lifetime);
    }
}

/// Checks what `#[arg(...)]` says in this place.
pub(crate) fn arg(owner: Owner, arg: &Arg, errors: &mut Errors) {
    if let Some(header) = &arg.header {
        match owner {
            Owner::Tool => name::header(header, errors),
            _ => errors.push(header, "only a parameter of a tool is mirrored in a header; leave `header` out"),
        }
    }
    if let Some(complete) = &arg.complete {
        match owner {
            Owner::Prompt | Owner::Resource => {}
            Owner::Tool => {
                errors.push(complete, "clients ask for completions of prompts and resource templates, not of tools")
            }
            Owner::Field => errors.push(complete, "only a parameter of a prompt or a resource template is completed"),
        }
    }
    if let Some(rename) = &arg.rename {
        name::not_empty("the name of an argument", rename, errors);
    }
    constraint::check(&arg.constraints, errors);
}

/// No two arguments share a name, or a header.
pub(super) fn check_names(params: &[Param], errors: &mut Errors) {
    for (index, param) in params.iter().enumerate() {
        let before = &params[..index];
        if !param.name.is_empty() && before.iter().any(|other| other.name == param.name) {
            errors.at(
                param.name_span,
                format!("two arguments are called `{}`; give one of them another name", param.name),
            );
        }
        let Some(header) = &param.arg.header else { continue };
        let same = |other: &Param| {
            other.arg.header.as_ref().is_some_and(|other| other.value().eq_ignore_ascii_case(&header.value()))
        };
        if before.iter().any(same) {
            errors.push(
                header,
                "two arguments share this header; name another (upper and lower case are alike in headers)",
            );
        }
    }
}

/// Every variable of the URI template has a parameter.
pub(super) fn check_variables(resource: &Resource, params: &[Param], errors: &mut Errors) {
    let variables = resource.parts.iter().flatten().flat_map(|part| part.names());
    let free = || params.iter().filter(|param| param.source == Source::NoVariable).map(|param| param.name.as_str());
    for variable in variables {
        if !params.iter().any(|param| param.name == *variable) {
            let hint = did_you_mean(variable, free());
            let hint = if hint.is_empty() { format!("; add `{variable}: String` to the function") } else { hint };
            errors.push(&resource.uri, format!("no parameter takes the variable `{variable}`{hint}"));
        }
    }
}
