//! Doc comments as descriptions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// A description: text that is known here, or an expression that the compiler puts together (`include_str!`).
#[derive(Clone)]
pub(crate) enum Text {
    Known(String),
    Expression(TokenStream),
}

impl Text {
    /// Is it known to say nothing?
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Text::Known(text) if text.trim().is_empty())
    }
}

impl From<&Expr> for Text {
    fn from(expression: &Expr) -> Self {
        literal(expression).map_or_else(|| Text::Expression(expression.to_token_stream()), Text::Known)
    }
}

impl ToTokens for Text {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Text::Known(text) => text.to_tokens(tokens),
            Text::Expression(expression) => expression.to_tokens(tokens),
        }
    }
}

/// The text of all doc comments among `attributes`, if they say anything.
pub(crate) fn description(attributes: &[Attribute]) -> Option<Text> {
    let pieces: Vec<&Expr> = attributes.iter().filter_map(doc_value).collect();
    if pieces.iter().all(|piece| literal(piece).is_some()) {
        let comments: Vec<String> = pieces.iter().filter_map(|piece| literal(piece)).map(comment).collect();
        let text = unindent(comments.iter().flat_map(|comment| comment.split('\n')));
        return (!text.is_empty()).then_some(Text::Known(text));
    }
    let pieces = pieces.iter().map(|piece| match literal(piece) {
        Some(text) => unindent(comment(text).split('\n')).into_token_stream(),
        None => piece.to_token_stream(),
    });
    Some(Text::Expression(quote!(::core::concat!(#(#pieces, "\n"),*))))
}

fn doc_value(attribute: &Attribute) -> Option<&Expr> {
    match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(&meta.value),
        _ => None,
    }
}

fn literal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// The text of one comment. A block comment may have a column of stars at its left.
fn comment(text: String) -> String {
    let Some((first, rest)) = text.split_once('\n') else { return text };
    let rest: Vec<&str> = rest.split('\n').collect();
    let inner = rest.iter().filter(|line| !line.trim().is_empty());
    let starred = rest.len() > 1 && inner.clone().all(|line| line.trim_start().starts_with('*'));
    let rest = rest.iter().map(|line| match line.trim_start().strip_prefix('*') {
        Some(text) if starred => text,
        _ => line,
    });
    // The first line stands behind the opening of the comment: its indentation says nothing.
    format!("{}\n{}", first.trim_start(), unindent(rest))
}

/// Takes away what all lines are indented by, blanks at the ends of lines, and blank lines at both ends.
fn unindent<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let lines: Vec<&str> = lines.map(str::trim_end).collect();
    let indented = lines.iter().filter(|line| !line.is_empty());
    let common = indented.map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
    let lines: Vec<&str> = lines.iter().map(|line| line.get(common..).unwrap_or("")).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn text(function: syn::ItemFn) -> Option<String> {
        description(&function.attrs).map(|text| match text {
            Text::Known(text) => text,
            Text::Expression(expression) => format!("<{expression}>"),
        })
    }

    #[test]
    fn line_comments_lose_their_common_indentation() {
        let function = parse_quote! {
            /// Searches.
            ///
            /// - by name
            ///   - or path
            ///
            ///     indented code
            #[inline]
            /// The end.
            fn f() {}
        };
        let wanted = "Searches.\n\n- by name\n  - or path\n\n    indented code\nThe end.";
        assert_eq!(text(function).as_deref(), Some(wanted));
    }

    #[test]
    fn block_comments_lose_their_stars() {
        let function = parse_quote! {
            /**
             * Searches.
             *
             *   - deep
             * * starred
             */
            fn f() {}
        };
        assert_eq!(text(function).as_deref(), Some("Searches.\n\n  - deep\n* starred"));
        let function = parse_quote! {
            /** Searches
                all files. */
            fn f() {}
        };
        assert_eq!(text(function).as_deref(), Some("Searches\nall files."));
        let function = parse_quote! {
            /** first */
            fn f() {}
        };
        assert_eq!(text(function).as_deref(), Some("first"));
    }

    #[test]
    fn lists_with_stars_keep_them() {
        let function = parse_quote! {
            /// One of
            /// * a
            /// * b
            fn f() {}
        };
        assert_eq!(text(function).as_deref(), Some("One of\n* a\n* b"));
    }

    #[test]
    fn blank_comments_say_nothing() {
        let function = parse_quote! {
            ///
            ///
            fn f() {}
        };
        assert_eq!(text(function), None);
        assert_eq!(
            text(parse_quote!(
                fn f() {}
            )),
            None
        );
        let function = parse_quote! {
            ///
            /// x
            ///
            fn f() {}
        };
        assert_eq!(text(function).as_deref(), Some("x"));
    }

    #[test]
    fn included_texts_stay_expressions() {
        let function = parse_quote! {
            /// Before
            #[doc = include_str!("x.md")]
            #[doc(alias = "y")]
            fn f() {}
        };
        let wanted = quote!(::core::concat!("Before", "\n", include_str!("x.md"), "\n")).to_string();
        assert_eq!(text(function), Some(format!("<{wanted}>")));
    }
}
