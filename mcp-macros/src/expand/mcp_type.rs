//! `#[mcp_type]`: derives for a type that travels as JSON, through the runtime's own copies of serde and schemars.

use super::{params, record};
use crate::diag::Errors;
use crate::parse::arg::{Arg, DefaultValue};
use crate::parse::options::Options;
use crate::validate::{self, Owner};
use crate::{paths, recover};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Generics, Meta, Path, Token, Visibility, parse_quote};

const ATTRIBUTE: &str = "#[mcp_type]";

/// The traits, and the crates inside of the runtime that derive them.
const DERIVES: [(&str, &str); 3] = [("Serialize", "serde"), ("Deserialize", "serde"), ("JsonSchema", "schemars")];

/// The attribute.
pub(crate) fn mcp_type(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let runtime = read(options, &mut errors);
    let mut input: DeriveInput = match syn::parse2(item.clone()) {
        Ok(input) => input,
        Err(_) => {
            // What is a struct or an enum and cannot be read has been refused by the compiler already.
            if !is_type.parse2(item.clone()).unwrap_or(false) {
                errors.push(head(&item), format!("`{ATTRIBUTE}` belongs on a struct or an enum, and this is neither"));
            }
            return recover::item(&item, errors);
        }
    };
    if let Some(again) = input.attrs.iter().find(|attribute| is_ours(attribute)) {
        errors.push(again, "this attribute stands twice; keep one");
        return recover::item(&item, errors);
    }
    for misplaced in input.attrs.extract_if(.., |attribute| attribute.path().is_ident("arg")) {
        errors.push(misplaced, "`#[arg(...)]` belongs on a field or a variant, not on the whole type");
    }
    let mut defaults = Defaults { of: input.ident.clone(), generics: input.generics.clone(), functions: Vec::new() };
    match &mut input.data {
        Data::Struct(data) => fields(&mut data.fields, "", &runtime, &mut defaults, &mut errors),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                let arg = Arg::extract(&mut variant.attrs, &mut errors);
                check_variant(&arg, &mut errors);
                variant.attrs.extend(attributes(&arg, &runtime));
                let prefix = format!("{}__", variant.ident.unraw());
                fields(&mut variant.fields, &prefix, &runtime, &mut defaults, &mut errors);
            }
        }
        Data::Union(data) => {
            errors.push(data.union_token, format!("`{ATTRIBUTE}` belongs on a struct or an enum, not on a `union`"));
            return recover::item(&item, errors);
        }
    }
    let errors = errors.into_items();
    let written = derived(&input.attrs);
    let missing = DERIVES.iter().filter(|(name, _)| !written.iter().any(|written| written == name));
    let missing: Vec<(&str, &str)> = missing.copied().collect();
    if missing.len() == DERIVES.len()
        && let Some(implementations) = record::expand(&input, &runtime)
    {
        return quote!(#input #implementations #errors);
    }
    let conditions: Vec<&Attribute> = input.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect();
    let defaults = defaults.expand(&conditions);
    let derives = derives(&input.attrs, &missing, &runtime);
    quote!(#derives #input #defaults #errors)
}

fn read(tokens: TokenStream, errors: &mut Errors) -> Path {
    let mut options = Options::new(ATTRIBUTE, "crate").elsewhere("; serde's options stand in `#[serde(...)]` below it");
    options.read(tokens, errors);
    let runtime = options.path("crate", "crate = ::my_facade::mcp_runtime", errors);
    options.finish(errors);
    runtime.unwrap_or_else(paths::runtime)
}

/// Does the item begin like a struct or an enum?
fn is_type(input: ParseStream<'_>) -> syn::Result<bool> {
    input.call(Attribute::parse_outer)?;
    input.parse::<Visibility>()?;
    let is_type = input.peek(Token![struct]) || input.peek(Token![enum]) || input.peek(Token![union]);
    input.parse::<TokenStream>()?;
    Ok(is_type)
}

fn is_ours(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "mcp_type")
}

/// What stands for an item in an error: its first tokens, up to a body.
fn head(item: &TokenStream) -> TokenStream {
    item.clone().into_iter().take_while(|token| !matches!(token, TokenTree::Group(_))).collect()
}

/// The derives that the author has not written, and where they find their crates.
fn derives(attributes: &[Attribute], missing: &[(&str, &str)], runtime: &Path) -> TokenStream {
    let derives = missing.iter().map(|(name, of)| {
        let (name, of) = (format_ident!("{name}"), format_ident!("{of}"));
        quote!(#runtime::__private::#of::#name)
    });
    let crates = ["serde", "schemars"].into_iter().filter(|of| !names_crate(attributes, of)).map(|of| {
        let (path, of) = (paths::private(runtime, of), format_ident!("{of}"));
        quote!(#[#of(crate = #path)])
    });
    quote!(#[derive(#(#derives),*)] #(#crates)*)
}

/// The names of the derives that stand on the type.
fn derived(attributes: &[Attribute]) -> Vec<Ident> {
    let lists = attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).filter_map(|attribute| {
        let Meta::List(list) = &attribute.meta else { return None };
        Punctuated::<Path, Token![,]>::parse_terminated.parse2(list.tokens.clone()).ok()
    });
    lists.flatten().filter_map(|path| Some(path.segments.last()?.ident.clone())).collect()
}

/// Has the author said where the derive finds its crate?
fn names_crate(attributes: &[Attribute], of: &str) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident(of)).any(|attribute| match &attribute.meta {
        Meta::List(list) => list.tokens.clone().into_iter().any(|token| token.to_string() == "crate"),
        _ => false,
    })
}

fn fields(fields: &mut Fields, prefix: &str, runtime: &Path, defaults: &mut Defaults, errors: &mut Errors) {
    for (index, field) in fields.iter_mut().enumerate() {
        let arg = Arg::extract(&mut field.attrs, errors);
        validate::arg(Owner::Field, &arg, errors);
        if let (Some(rename), None) = (&arg.rename, &field.ident) {
            errors.push(rename, "a field without a name has none for clients either; name the field");
        }
        field.attrs.extend(attributes(&arg, runtime));
        let name = field.ident.as_ref().map_or_else(|| index.to_string(), |ident| ident.unraw().to_string());
        if let Some(value) = &arg.default {
            let path = defaults.add(&format!("{prefix}{name}"), field, value);
            field.attrs.push(parse_quote!(#[serde(default = #path)]));
        }
    }
}

fn check_variant(arg: &Arg, errors: &mut Errors) {
    validate::arg(Owner::Field, arg, errors);
    let only = "a variant takes `rename` and `description` only; the rest belongs on fields";
    if let Some(default) = &arg.default {
        errors.push(default, only);
    }
    for constraint in &arg.constraints {
        errors.push(&constraint.key, only);
    }
    for example in &arg.examples {
        errors.push(example, only);
    }
}

/// What `#[arg(...)]` says, in the words of serde and schemars.
fn attributes(arg: &Arg, runtime: &Path) -> Vec<Attribute> {
    let mut attributes = Vec::new();
    if let Some(rename) = &arg.rename {
        attributes.push(parse_quote!(#[serde(rename = #rename)]));
    }
    if let Some(description) = &arg.description {
        attributes.push(parse_quote!(#[schemars(description = #description)]));
    }
    if !arg.constraints.is_empty() || !arg.examples.is_empty() {
        let options = params::options(arg);
        attributes.push(parse_quote!(#[schemars(transform = #runtime::__private::FieldOptions::new() #options)]));
    }
    attributes
}

/// The functions that give fields their defaults: serde wants paths. They are functions of the type, so that `Self` means in
/// them what it means in the type.
struct Defaults {
    of: Ident,
    generics: Generics,
    functions: Vec<TokenStream>,
}

impl Defaults {
    /// Adds a function; gives its path.
    fn add(&mut self, place: &str, field: &Field, value: &DefaultValue) -> String {
        let name = format_ident!("__mcp_default_{place}");
        let ty = &field.ty;
        let conditions = field.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
        self.functions.push(quote! {
            #(#conditions)*
            fn #name() -> #ty { #value }
        });
        let (_, generics, _) = self.generics.split_for_impl();
        let (of, generics) = (&self.of, generics.as_turbofish());
        quote!(#of #generics::#name).to_string()
    }

    fn expand(&self, conditions: &[&Attribute]) -> Option<TokenStream> {
        let Defaults { of, generics, functions } = self;
        let (parameters, arguments, bounds) = generics.split_for_impl();
        (!functions.is_empty()).then(|| {
            quote! {
                #(#conditions)*
                #[automatically_derived]
                #[allow(non_snake_case)]
                impl #parameters #of #arguments #bounds { #(#functions)* }
            }
        })
    }
}
