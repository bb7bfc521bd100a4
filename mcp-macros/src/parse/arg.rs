//! `#[arg(...)]` on parameters of functions and on fields of types.

use super::options::{Entry, Options, Value};
use crate::diag::Errors;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprArray, ExprLit, ExprUnary, Lit, LitInt, LitStr, Meta, UnOp};

/// What `#[arg(...)]` says.
#[derive(Default)]
pub(crate) struct Arg {
    /// The word `arg` of the first attribute, if there is one.
    pub(crate) word: Option<Ident>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) examples: Vec<Expr>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) header: Option<LitStr>,
    pub(crate) complete: Option<Expr>,
}

/// The value of an argument that is left out.
pub(crate) enum DefaultValue {
    /// `default`: the type's own.
    OfType(Ident),
    /// `default = expression`
    Is(Expr),
}

/// A keyword of JSON Schema and its value.
pub(crate) struct Constraint {
    pub(crate) keyword: &'static str,
    pub(crate) key: Ident,
    pub(crate) value: Expr,
    /// The value as it is published.
    pub(crate) published: TokenStream,
}

/// How the value of a constraint is written.
#[derive(Clone, Copy)]
enum Form {
    Number,
    Count,
    Text,
    Values,
}

const CONSTRAINTS: [(&str, &str, Form); 9] = [
    ("min", "minimum", Form::Number),
    ("max", "maximum", Form::Number),
    ("min_length", "minLength", Form::Count),
    ("max_length", "maxLength", Form::Count),
    ("min_items", "minItems", Form::Count),
    ("max_items", "maxItems", Form::Count),
    ("pattern", "pattern", Form::Text),
    ("format", "format", Form::Text),
    ("enum", "enum", Form::Values),
];

impl Arg {
    /// Takes the `#[arg(...)]` out of `attributes` and reads them.
    pub(crate) fn extract(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> Self {
        let mut options = Options::new("#[arg]", "description");
        let mut word = None;
        for attribute in attributes.extract_if(.., |attribute| attribute.path().is_ident("arg")) {
            match attribute.meta {
                Meta::List(list) if !list.tokens.is_empty() => {
                    word = word.or_else(|| list.path.get_ident().cloned());
                    options.read(list.tokens, errors);
                }
                meta => errors.push(meta, "`#[arg]` says nothing: write options, such as `#[arg(min = 1)]`"),
            }
        }
        for attribute in attributes.extract_if(.., |attribute| is_conditional(attribute)) {
            let message = "`#[arg(...)]` cannot depend on a condition; put `#[cfg(...)]` on two versions of the item";
            errors.push(attribute, message);
        }
        Arg { word, ..Arg::read(options, errors) }
    }

    fn read(mut options: Options, errors: &mut Errors) -> Self {
        let arg = Arg {
            word: None,
            default: options.take("default", errors).and_then(|entry| default_value(entry, errors)),
            constraints: CONSTRAINTS
                .iter()
                .filter_map(|(key, keyword, form)| {
                    let entry = options.take(key, errors)?;
                    constraint(entry, keyword, *form, errors)
                })
                .collect(),
            examples: options
                .take_all("example")
                .into_iter()
                .filter_map(|entry| entry.into_expression("example = value", errors))
                .collect(),
            rename: options.text("rename", errors),
            description: options.known_text("description", errors),
            header: options.text("header", errors),
            complete: options.expression("complete", "complete = function", errors),
        };
        options.finish(errors);
        arg
    }
}

/// `#[cfg_attr(condition, arg(...))]`: an attribute macro sees its item before conditions are decided.
fn is_conditional(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            list.tokens.clone().into_iter().any(|token| token.to_string() == "arg")
        }
        _ => false,
    }
}

fn default_value(entry: Entry, errors: &mut Errors) -> Option<DefaultValue> {
    match entry.value {
        Value::Word => Some(DefaultValue::OfType(entry.key)),
        Value::Is(expression) => Some(DefaultValue::Is(expression)),
        Value::List(_) | Value::Lacking => {
            entry.refuse("a value, or nothing for the type's own: `default = value`, `default`", errors);
            None
        }
    }
}

impl ToTokens for DefaultValue {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            DefaultValue::OfType(word) => {
                let span = word.span();
                quote_spanned!(span=> ::core::default::Default::default())
            }
            DefaultValue::Is(text @ Expr::Lit(ExprLit { lit: Lit::Str(_), .. })) => {
                let span = text.span();
                quote_spanned!(span=> ::core::convert::Into::into(#text))
            }
            DefaultValue::Is(expression) => quote!(#expression),
        });
    }
}

fn constraint(entry: Entry, keyword: &'static str, form: Form, errors: &mut Errors) -> Option<Constraint> {
    let fits = match (&entry.value, form) {
        (Value::Is(Expr::Lit(ExprLit { lit, .. })), Form::Number) => matches!(lit, Lit::Int(_) | Lit::Float(_)),
        (Value::Is(Expr::Lit(ExprLit { lit, .. })), Form::Count) => matches!(lit, Lit::Int(_)),
        (Value::Is(Expr::Lit(ExprLit { lit, .. })), Form::Text) => matches!(lit, Lit::Str(_)),
        (Value::Is(value), Form::Values) => matches!(value, Expr::Array(_)),
        (Value::Is(Expr::Unary(_)), Form::Count) | (Value::Is(_), Form::Text) => false,
        (Value::Is(_), _) => true,
        _ => false,
    };
    if !fits {
        let key = entry.key.to_string();
        entry.refuse(
            match form {
                Form::Number => format!("a number: `{key} = 1`"),
                Form::Count => format!("a whole number that is not negative: `{key} = 1`"),
                Form::Text => format!("a text: `{key} = \"...\"`"),
                Form::Values => format!("a list of texts or integers: `{key} = [\"a\", \"b\"]`"),
            },
            errors,
        );
        return None;
    }
    let Value::Is(value) = entry.value else { return None };
    let published = published(&value);
    Some(Constraint { keyword, key: entry.key, value, published })
}

/// The value with a type that holds it: a bare integer would be an `i32`.
fn published(value: &Expr) -> TokenStream {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) if int.suffix().is_empty() => wide(int).into_token_stream(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(minus), expr, .. }) => {
            let operand = published(expr);
            quote!(#minus #operand)
        }
        // A slice: arrays can be serialized up to a certain length only.
        Expr::Array(ExprArray { elems, .. }) => {
            let values = elems.iter().map(published);
            quote!(&[#(#values),*][..])
        }
        value => value.to_token_stream(),
    }
}

fn wide(int: &LitInt) -> Literal {
    let mut literal = match (int.base10_parse::<i64>(), int.base10_parse::<u64>()) {
        (Ok(small), _) => Literal::i64_suffixed(small),
        (_, Ok(large)) => Literal::u64_suffixed(large),
        _ => return int.token(),
    };
    literal.set_span(int.span());
    literal
}
