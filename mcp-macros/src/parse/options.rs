//! The options of an attribute: `key`, `key = value`, `key(list)`.
//!
//! Keys are asked for one by one; what was asked for is what the attribute knows, so that no list of its options has to
//! be kept. What is left at the end was misspelt.

use crate::diag::{Errors, did_you_mean, listed};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprLit, ExprPath, Ident, Lit, LitStr, Token, token};

/// The options of one or more attributes of the same name.
pub(crate) struct Options {
    attribute: &'static str,
    usual: &'static str,
    entries: Vec<Entry>,
    known: Vec<&'static str>,
    elsewhere: &'static str,
}

/// One option.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

/// What stands behind a key.
pub(crate) enum Value {
    /// Nothing.
    Word,
    /// `= expression`
    Is(Expr),
    /// `(tokens)`
    List(TokenStream),
    /// `=` and then nothing that is an expression.
    Lacking,
}

impl Options {
    /// Options of the attribute that authors write as `attribute`, for example `#[mcp_tool]`. `usual` is the option that
    /// a text without a key is most likely meant for.
    pub(crate) fn new(attribute: &'static str, usual: &'static str) -> Self {
        Options { attribute, usual, entries: Vec::new(), known: Vec::new(), elsewhere: "" }
    }

    /// Where an option that is none of these may belong: the end of a sentence.
    pub(crate) fn elsewhere(self, elsewhere: &'static str) -> Self {
        Options { elsewhere, ..self }
    }

    /// Reads the tokens between an attribute's parentheses.
    pub(crate) fn read(&mut self, tokens: TokenStream, errors: &mut Errors) {
        let (attribute, usual) = (self.attribute, self.usual);
        let read = |input: ParseStream<'_>| {
            while !input.is_empty() {
                match entry(input, attribute, usual) {
                    Ok(entry) => self.entries.push(entry),
                    Err(error) => {
                        errors.add(error);
                        skip_to_comma(input);
                    }
                }
                if let Some(token) = behind_entry(input) {
                    errors.push(token, format!("a `,` must stand between the options of `{attribute}`"));
                    skip_to_comma(input);
                    let _: Option<Token![,]> = input.parse()?;
                }
            }
            Ok(())
        };
        if let Err(error) = read.parse2(tokens) {
            errors.add(error);
        }
    }

    /// The option `key`, whatever its value. A second one is an error.
    pub(crate) fn take(&mut self, key: &'static str, errors: &mut Errors) -> Option<Entry> {
        let mut all = self.take_all(key).into_iter();
        let first = all.next();
        for again in all {
            errors.push(&again.key, format!("`{key}` is given twice; keep one"));
        }
        first
    }

    /// All options `key`, in order.
    pub(crate) fn take_all(&mut self, key: &'static str) -> Vec<Entry> {
        self.known.push(key);
        self.entries.extract_if(.., |entry| entry.key == key).collect()
    }

    /// What the macro around this item has written here for this one. Authors do not, and are not told of it.
    pub(crate) fn passed_on(&mut self, key: &str) -> Option<Expr> {
        match self.entries.extract_if(.., |entry| entry.key == key).next()?.value {
            Value::Is(expression) => Some(expression),
            _ => None,
        }
    }

    /// `key = name`
    pub(crate) fn ident(&mut self, key: &'static str, errors: &mut Errors) -> Option<Ident> {
        let entry = self.take(key, errors)?;
        if let Value::Is(Expr::Path(path)) = &entry.value
            && let Ok(ident) = path.path.require_ident()
        {
            return Some(ident.clone());
        }
        entry.refuse(format!("a name: `{key} = functions`"), errors);
        None
    }

    /// `key = "text"`
    pub(crate) fn text(&mut self, key: &'static str, errors: &mut Errors) -> Option<LitStr> {
        let entry = self.take(key, errors)?;
        if let Value::Is(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) = entry.value {
            return Some(text);
        }
        entry.refuse(format!("a text: `{key} = \"...\"`"), errors);
        None
    }

    /// `key = "text"`, or an expression whose text only the compiler knows, such as `include_str!("...")`.
    pub(crate) fn known_text(&mut self, key: &'static str, errors: &mut Errors) -> Option<Expr> {
        let entry = self.take(key, errors)?;
        match entry.value {
            Value::Is(Expr::Lit(ExprLit { ref lit, .. })) if !matches!(lit, Lit::Str(_)) => {}
            Value::Is(text) => return Some(text),
            _ => {}
        }
        entry.refuse(format!("a text: `{key} = \"...\"`"), errors);
        None
    }

    /// `key`, or `key = false`
    pub(crate) fn flag(&mut self, key: &'static str, errors: &mut Errors) -> Option<Flag> {
        let entry = self.take(key, errors)?;
        let on = match &entry.value {
            Value::Word => true,
            Value::Is(Expr::Lit(ExprLit { lit: Lit::Bool(on), .. })) => on.value,
            _ => {
                entry.refuse(format!("no value: `{key}`, or `{key} = false`"), errors);
                return None;
            }
        };
        Some(Flag { key: entry.key, on })
    }

    /// `key = expression`. `form` shows how it is written.
    pub(crate) fn expression(&mut self, key: &'static str, form: &str, errors: &mut Errors) -> Option<Expr> {
        self.take(key, errors)?.into_expression(form, errors)
    }

    /// `key = ::path`
    pub(crate) fn path(&mut self, key: &'static str, form: &str, errors: &mut Errors) -> Option<syn::Path> {
        let entry = self.take(key, errors)?;
        if let Value::Is(Expr::Path(ExprPath { qself: None, path, .. })) = entry.value {
            return Some(path);
        }
        entry.refuse(format!("a path: `{form}`"), errors);
        None
    }

    /// Ends the reading: what was not asked for does not exist.
    pub(crate) fn finish(self, errors: &mut Errors) {
        for Entry { key, .. } in &self.entries {
            let name = key.unraw().to_string();
            let hint = did_you_mean(&name, self.known.iter().copied());
            let known = listed(self.known.iter().copied());
            let Options { attribute, elsewhere, .. } = self;
            errors.push(key, format!("`{attribute}` has no option `{name}`{hint}{elsewhere}\nits options: {known}"));
        }
    }
}

/// An option that is on or off.
pub(crate) struct Flag {
    pub(crate) key: Ident,
    pub(crate) on: bool,
}

impl Entry {
    /// The expression behind `=`.
    pub(crate) fn into_expression(self, form: &str, errors: &mut Errors) -> Option<Expr> {
        if let Value::Is(expression) = self.value {
            return Some(expression);
        }
        self.refuse(format!("a value: `{form}`"), errors);
        None
    }

    /// Says what the option takes instead of what it was given.
    pub(crate) fn refuse(&self, wanted: impl std::fmt::Display, errors: &mut Errors) {
        let message = format!("`{}` takes {wanted}", self.key.unraw());
        match &self.value {
            Value::Is(value) => errors.push(value, message),
            Value::List(list) if !list.is_empty() => errors.push(list, message),
            _ => errors.push(&self.key, message),
        }
    }
}

fn entry(input: ParseStream<'_>, attribute: &str, usual: &str) -> syn::Result<Entry> {
    let Ok(key) = input.call(Ident::parse_any) else {
        let mut message = format!("the options of `{attribute}` have names");
        if let Ok(text) = input.fork().parse::<Lit>() {
            message += &format!(": write `{usual} = {}`", text.into_token_stream());
        }
        return Err(input.error(message));
    };
    if input.peek(token::Paren) {
        let list;
        syn::parenthesized!(list in input);
        return Ok(Entry { key, value: Value::List(list.parse()?) });
    }
    if let Some(message) = wrong_sign(input, &key) {
        return Err(input.error(message));
    }
    if input.parse::<Option<Token![=]>>()?.is_none() {
        return Ok(Entry { key, value: Value::Word });
    }
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(Entry { key, value: Value::Lacking });
    }
    // What is half read stays unread: a parser that gives up inside of braces would tell its own error at the end.
    let ahead = input.fork();
    match ahead.parse() {
        Ok(value) => {
            input.advance_to(&ahead);
            Ok(Entry { key, value: Value::Is(without_groups(value)) })
        }
        Err(_) => Err(input.error(format!("the value of `{}` is no expression", key.unraw()))),
    }
}

/// What is wrong with the sign behind a key, such as the `:` in `key: value`.
fn wrong_sign(input: ParseStream<'_>, key: &Ident) -> Option<String> {
    match input.fork().parse().ok()? {
        TokenTree::Punct(sign) if matches!(sign.as_char(), '=' | ',' | ';') => None,
        TokenTree::Punct(sign) if sign.as_char() == '-' => Some("names of options have `_` in place of `-`".to_owned()),
        TokenTree::Punct(_) | TokenTree::Group(_) => {
            let key = key.unraw();
            Some(format!("a value stands behind `=`, a list in parentheses: `{key} = ...`, `{key}(...)`"))
        }
        TokenTree::Ident(_) | TokenTree::Literal(_) => None,
    }
}

/// Macros by example wrap the expressions that they pass on.
fn without_groups(expression: Expr) -> Expr {
    match expression {
        Expr::Group(group) => without_groups(*group.expr),
        expression => expression,
    }
}

/// Passes the comma behind an option; gives the token that stands there instead.
fn behind_entry(input: ParseStream<'_>) -> Option<TokenTree> {
    match input.parse::<Option<Token![,]>>() {
        Ok(Some(_)) => None,
        _ => input.fork().parse().ok(),
    }
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<TokenTree>();
    }
}
