//! The checks between what was written and what is expanded: small ones, each with a name.

pub(crate) mod block;
mod constraint;
pub(crate) mod name;
mod params;
mod receiver;
mod signature;

pub(crate) use params::{Owner, Unnamed, arg};
pub(crate) use receiver::of as receiver;
pub(crate) use signature::has_place_for_marker;

use crate::diag::Errors;
use crate::model::{Description, Details, Entry, Home, Kind, Param, Resource, Run};
use crate::parse::attribute::{self, Attribute};
use crate::parse::docs::Text;
use crate::parse::signature::Function;
use crate::parse::uri_template;
use syn::spanned::Spanned;
use syn::{Expr, LitStr, Path};

/// Checks everything and puts it together. Mistakes are recorded; the result is usable only if there are none.
pub(crate) fn entry(
    kind: Kind,
    home: Home,
    attribute: Attribute,
    mut function: Function,
    errors: &mut Errors,
) -> Entry {
    signature::check(kind, &home, &function, errors);
    let name = name::of(kind, &attribute.prefix, attribute.name.as_ref(), &home, &function, errors);
    let details = details(attribute.details, errors);
    let params = params(kind, &details, &home, &mut function, errors);
    let description = description(attribute.description, &mut function);
    let run = match (function.signature.asyncness, attribute.blocking) {
        (Some(_), Some(blocking)) if blocking.on => {
            let message =
                "`blocking` is for functions that are not async; an async one awaits, or spawns blocking work itself";
            errors.push(blocking.key, message);
            Run::Async
        }
        (Some(_), _) => Run::Async,
        (None, Some(blocking)) if blocking.on => Run::Blocking,
        (None, _) => Run::Sync,
    };
    Entry { kind, home, function, name, description, details, params, run, common: attribute.common }
}

/// The attribute's text, or else the doc comment; a blank one says nothing.
fn description(given: Option<Expr>, function: &mut Function) -> Description {
    let place = given.as_ref().map_or_else(|| function.signature.ident.span(), Expr::span);
    let description = given.as_ref().map(Text::from).or(function.description.take());
    match description {
        Some(text) if !text.is_blank() => Description::Is(text),
        _ => Description::Missing(place),
    }
}

fn details(details: attribute::Details, errors: &mut Errors) -> Details {
    match details {
        attribute::Details::Tool(tool) => Details::Tool(tool),
        attribute::Details::Resource { uri, mime_type, size, list, annotations } => {
            let parts = uri.as_ref().and_then(|uri| parts(uri, errors));
            let uri = uri.unwrap_or_else(|| LitStr::new("", proc_macro2::Span::call_site()));
            if let Some(parts) = &parts {
                let has_variables = parts.iter().any(|part| !part.names().is_empty());
                check_template(has_variables, list.as_ref(), size.as_ref(), errors);
            }
            Details::Resource(Box::new(Resource { uri, parts, mime_type, size, list, annotations }))
        }
        attribute::Details::Prompt => Details::Prompt,
    }
}

/// What only templates have, and what they have not.
fn check_template(has_variables: bool, list: Option<&Path>, size: Option<&Expr>, errors: &mut Errors) {
    if let (Some(list), false) = (list, has_variables) {
        let message = "`list` gives the instances of a template, and this URI has no variables; leave `list` out";
        errors.push(list, message);
    }
    if let (Some(size), true) = (size, has_variables) {
        let message = "`size` is of one resource, and this URI has variables; leave `size` out (links of a `list` have their own)";
        errors.push(size, message);
    }
}

fn parts(uri: &LitStr, errors: &mut Errors) -> Option<Vec<uri_template::Part>> {
    uri_template::parse(&uri.value()).map_err(|message| errors.push(uri, message)).ok()
}

fn params(kind: Kind, details: &Details, home: &Home, function: &mut Function, errors: &mut Errors) -> Vec<Param> {
    let written = std::mem::take(&mut function.params);
    let template = match details {
        Details::Resource(resource) => Some(&**resource),
        Details::Tool(_) | Details::Prompt => None,
    };
    let owner = match kind {
        Kind::Tool => Owner::Tool,
        Kind::Resource => Owner::Resource,
        Kind::Prompt => Owner::Prompt,
    };
    let signature = &function.signature;
    let written = written.into_iter().map(|param| params::param(owner, template, (home, signature), param, errors));
    let params: Vec<Param> = receiver::param(signature).into_iter().chain(written).collect();
    params::check_names(&params, errors);
    if let Some(template) = template {
        params::check_variables(template, &params, errors);
    }
    params
}
