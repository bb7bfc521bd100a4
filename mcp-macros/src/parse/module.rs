//! An inline module with annotated functions inside. It is not taken apart further than to its items: what stands in them
//! stays the tokens that it is. Their attributes learn what the module's attribute says, and do the work.

use super::container::{self, Container};
use crate::diag::{Errors, with_article};
use crate::model::Kind;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Meta, Token, Visibility};

/// The module.
pub(crate) struct Module {
    /// Everything before the braces.
    pub(crate) head: TokenStream,
    pub(crate) braces: Group,
    pub(crate) body: Body,
    /// The function inside that gives the list for the module around.
    pub(crate) part: Option<Ident>,
}

/// What stands between the braces.
#[derive(Default)]
pub(crate) struct Body {
    pub(crate) items: Vec<Item>,
    /// The functions, and what holds more of them.
    pub(crate) parts: Vec<Part>,
}

pub(crate) enum Item {
    /// Whatever it is, its attribute knows what the module says.
    Any(TokenStream),
    /// A module without an attribute of its own.
    Module(Module),
}

/// Something with functions for clients.
pub(crate) struct Part {
    /// The `#[cfg(...)]` on it.
    pub(crate) conditions: Vec<Attribute>,
    pub(crate) what: What,
}

pub(crate) enum What {
    Function(Kind, Ident),
    /// A module inside, whose list the function of the second name gives.
    Module(Ident, Ident),
    /// An `impl`, whose list the type of this name gives.
    Impl(Ident),
}

/// Reads the item. `None` when it is no inline module; the errors say so.
pub(crate) fn parse(container: &Container, item: TokenStream, errors: &mut Errors) -> Option<Module> {
    let parser = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility: Visibility = input.parse()?;
        let Some(keyword) = input.parse::<Option<Token![mod]>>()? else {
            return Err(misplaced(input));
        };
        let name: Ident = input.parse()?;
        if input.peek(Token![;]) {
            let message = "`#[mcp_module]` sees only what stands between the braces of the module: write \
                           `mod name { .. }`, or put the attribute on a module around the functions in its file";
            return Err(syn::Error::new(name.span(), message));
        }
        Ok((quote!(#(#attributes)* #visibility #keyword #name), input.parse()?))
    };
    let (head, braces) = parser.parse2(item).map_err(|error| errors.add(error)).ok()?;
    let braces: Group = braces;
    let mut body = Body::default();
    body.read(container, braces.stream(), errors);
    Some(Module { head, braces, body, part: container.part.clone() })
}

fn misplaced(input: ParseStream<'_>) -> syn::Error {
    let Ok(keyword) = input.call(Ident::parse_any) else { return input.error("an inline module is expected here") };
    let word = keyword.to_string();
    let hint = match word.as_str() {
        "impl" => "an `impl` takes `#[mcp_server(prefix = \"...\")]`",
        "fn" | "async" | "const" | "unsafe" => "a function takes `name = \"...\"` in its own attribute",
        _ => "write it above a module with the functions",
    };
    syn::Error::new(
        keyword.span(),
        format!("`#[mcp_module]` belongs on a module, not on {}; {hint}", with_article(&word)),
    )
}

impl Body {
    fn read(&mut self, container: &Container, tokens: TokenStream, errors: &mut Errors) {
        let mut item = Vec::new();
        for token in tokens {
            let is_end = match &token {
                TokenTree::Punct(punct) => punct.as_char() == ';',
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                _ => false,
            };
            item.push(token);
            if is_end {
                self.item(container, std::mem::take(&mut item), errors);
            }
        }
        self.item(container, item, errors);
    }

    /// One item, or a piece that has no attributes.
    fn item(&mut self, container: &Container, tokens: Vec<TokenTree>, errors: &mut Errors) {
        let written: TokenStream = tokens.into_iter().collect();
        let parser = |input: ParseStream<'_>| {
            let inner = input.call(Attribute::parse_inner)?;
            Ok((inner, input.call(Attribute::parse_outer)?, input.parse::<TokenStream>()?))
        };
        let Ok((inner, mut attributes, rest)) = parser.parse2(written.clone()) else {
            return self.items.push(Item::Any(written));
        };
        for ours in attributes.iter().filter_map(container::conditional) {
            errors.push(ours, container::CONDITIONAL);
        }
        let rest: Vec<TokenTree> = rest.into_iter().collect();
        let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect();
        let name = format_ident!("__mcp_part_{}", self.parts.len());
        let part = (container.list.is_some() || container.part.is_some()).then_some(name);
        let ours = attributes.iter_mut().find_map(|attribute| pass_on(container, part.as_ref(), attribute, &rest));
        let what = match ours {
            Some(what) => what,
            None => match plain_module(&rest) {
                Some((name, braces)) => {
                    let mut body = Body::default();
                    body.read(container, braces.stream(), errors);
                    let part = part.filter(|_| !body.parts.is_empty());
                    let before = &rest[..rest.len() - 1];
                    let head = quote!(#(#inner)* #(#attributes)* #(#before)*);
                    self.items.push(Item::Module(Module { head, braces, body, part: part.clone() }));
                    return self.parts.extend(part.map(|part| Part { conditions, what: What::Module(name, part) }));
                }
                None => None,
            },
        };
        self.parts.extend(what.map(|what| Part { conditions, what }));
        self.items.push(Item::Any(quote!(#(#inner)* #(#attributes)* #(#rest)*)));
    }
}

/// Passes on what the module says, if the attribute is one of ours. Gives the part of the list that it stands for.
fn pass_on(
    container: &Container,
    part: Option<&Ident>,
    attribute: &mut Attribute,
    item: &[TokenTree],
) -> Option<Option<What>> {
    if let Some(kind) = Kind::of(attribute.path()) {
        change_options(attribute, |options| container.pass_on(options));
        return Some(behind(item, "fn").and_then(word).map(|name| What::Function(kind, name)));
    }
    let name = attribute.path().segments.last()?.ident.to_string();
    match name.as_str() {
        "mcp_server" => {
            // Only the author knows for which types a generic `impl` is meant.
            let is_generic = matches!(behind(item, "impl"), Some(TokenTree::Punct(next)) if next.as_char() == '<');
            let part = part.filter(|_| !is_generic);
            change_options(attribute, |options| container.pass_on_to_part(part, options));
            Some(part.cloned().map(What::Impl))
        }
        "mcp_module" => {
            change_options(attribute, |options| container.pass_on_to_part(part, options));
            let name = behind(item, "mod").and_then(word);
            Some(name.zip(part.cloned()).map(|(name, part)| What::Module(name, part)))
        }
        _ => None,
    }
}

/// The name and the braces of an inline module.
fn plain_module(item: &[TokenTree]) -> Option<(Ident, Group)> {
    let name = behind(item, "mod").and_then(word)?;
    match item.last() {
        Some(TokenTree::Group(braces)) if braces.delimiter() == Delimiter::Brace => Some((name, braces.clone())),
        _ => None,
    }
}

/// Changes what stands in an attribute's parentheses.
fn change_options(attribute: &mut Attribute, change: impl FnOnce(&TokenStream) -> TokenStream) {
    match &mut attribute.meta {
        Meta::Path(path) => {
            let options = change(&TokenStream::new());
            attribute.meta = syn::parse_quote!(#path(#options));
        }
        Meta::List(list) => list.tokens = change(&list.tokens),
        // The attribute itself says what is wrong.
        Meta::NameValue(_) => {}
    }
}

/// The token behind a word.
fn behind<'t>(tokens: &'t [TokenTree], word: &str) -> Option<&'t TokenTree> {
    let place = tokens.iter().position(|token| matches!(token, TokenTree::Ident(ident) if ident == word))?;
    tokens.get(place + 1)
}

fn word(token: &TokenTree) -> Option<Ident> {
    match token {
        TokenTree::Ident(name) => Some(name.clone()),
        _ => None,
    }
}
