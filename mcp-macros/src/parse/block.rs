//! An `impl` with annotated functions inside. Bodies stay the tokens that they are, so that they may be unfinished.

use super::container;
use super::signature::{self, Function, Written};
use crate::diag::{Errors, with_article};
use crate::model::Kind;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, ItemImpl, Meta, Path, Token, Visibility, token};

/// The `impl`.
pub(crate) struct Block {
    /// Everything but what stands between the braces.
    pub(crate) head: ItemImpl,
    pub(crate) items: Vec<Item>,
}

/// What stands between the braces.
pub(crate) enum Item {
    /// What is not ours, as it was written.
    Other(TokenStream),
    Method(Box<Method>),
}

/// An annotated function inside.
pub(crate) struct Method {
    pub(crate) kind: Kind,
    /// The attribute as the author named it.
    pub(crate) path: Path,
    pub(crate) options: TokenStream,
    pub(crate) function: Function,
    /// What was seen in it.
    pub(crate) errors: Errors,
}

/// Reads the item. `None` when it is no `impl`, or one that cannot be read; the errors say so.
pub(crate) fn parse(item: TokenStream, errors: &mut Errors) -> Option<Block> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let body = match tokens.last_mut() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let (body, mut empty) = (group.stream(), Group::new(Delimiter::Brace, TokenStream::new()));
            empty.set_span(group.span());
            *group = empty;
            body
        }
        _ => TokenStream::new(),
    };
    let head = head.parse2(tokens.into_iter().collect()).map_err(|error| errors.add(error)).ok()?;
    let mut block = Block { head, items: Vec::new() };
    let items = |input: ParseStream<'_>| {
        let inner = input.call(Attribute::parse_inner)?;
        block.items.push(Item::Other(quote!(#(#inner)*)));
        while !input.is_empty() {
            block.read(input, errors)?;
        }
        Ok(())
    };
    if let Err(error) = items.parse2(body) {
        errors.add(error);
        return None;
    }
    Some(block)
}

fn head(input: ParseStream<'_>) -> syn::Result<ItemImpl> {
    let ahead = input.fork();
    ahead.call(Attribute::parse_outer)?;
    let _: Visibility = ahead.parse()?;
    let _: Option<Token![unsafe]> = ahead.parse()?;
    if ahead.peek(Token![impl]) {
        return input.parse();
    }
    let keyword = ahead.call(Ident::parse_any)?;
    let word = keyword.to_string();
    let hint = match word.as_str() {
        "struct" | "enum" => "write it above the `impl` block with the methods",
        "mod" => "a module takes `#[mcp_module(prefix = \"...\")]`",
        "trait" => "write it above an `impl` of the trait",
        _ => "a function takes `#[mcp_tool]`, `#[mcp_resource]` or `#[mcp_prompt]`",
    };
    let message = format!("`#[mcp_server]` belongs on an `impl`, not on {}; {hint}", with_article(&word));
    Err(syn::Error::new(keyword.span(), message))
}

impl Block {
    fn read(&mut self, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<()> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        attributes.retain(|attribute| match container::conditional(attribute) {
            Some(ours) => {
                errors.push(ours, container::CONDITIONAL);
                false
            }
            None => true,
        });
        let ours = attributes.iter().position(|attribute| Kind::of(attribute.path()).is_some());
        let ours = ours.map(|index| attributes.remove(index));
        let visibility: Visibility = input.parse()?;
        if let Some(keyword) = other_item(input) {
            if let Some(kind) = ours.as_ref().and_then(|ours| Kind::of(ours.path())) {
                errors.add(signature::misplaced(kind.attribute(), &keyword));
            }
            let rest = rest_of_item(input);
            self.items.push(Item::Other(quote!(#(#attributes)* #visibility #rest)));
            return Ok(());
        }
        let (signature, body) = (input.parse()?, signature::body(input)?);
        let Some((kind, ours)) = ours.and_then(|ours| Some((Kind::of(ours.path())?, ours))) else {
            self.items.push(Item::Other(quote!(#(#attributes)* #visibility #signature #body)));
            return Ok(());
        };
        let mut errors = Errors::default();
        let path = ours.path().clone();
        let options = match ours.meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens,
            Meta::NameValue(meta) => {
                errors.push(&meta.value, format!("the options of `{}` stand in parentheses", kind.attribute()));
                TokenStream::new()
            }
        };
        let function = Written { attributes, visibility, signature, body }.into_function(&mut errors);
        self.items.push(Item::Method(Box::new(Method { kind, path, options, function, errors })));
        Ok(())
    }
}

/// The word that begins an item of an `impl` which is no function.
fn other_item(input: ParseStream<'_>) -> Option<Ident> {
    let ahead = input.fork();
    let word = ahead.call(Ident::parse_any).ok()?;
    let is_constant = word == "const" && !["fn", "async", "unsafe", "extern"].iter().any(|next| peeks(&ahead, next));
    let is_function = ["const", "async", "unsafe", "extern", "fn"].iter().any(|first| word == first);
    (is_constant || !is_function).then_some(word)
}

fn peeks(input: ParseStream<'_>, word: &str) -> bool {
    input.fork().call(Ident::parse_any).is_ok_and(|next| next == word)
}

/// Everything up to a semicolon, or the braces of a macro.
fn rest_of_item(input: ParseStream<'_>) -> TokenStream {
    let is_macro = !input.peek(Token![const]) && !input.peek(Token![type]);
    let mut rest = TokenStream::new();
    while !input.is_empty() {
        let is_end = input.peek(Token![;]) || is_macro && input.peek(token::Brace);
        rest.extend(input.parse::<TokenTree>());
        if is_end {
            break;
        }
    }
    rest
}
