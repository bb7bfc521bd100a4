//! Rust sources as flat lists of tokens: comments, documentation and test-only items are gone, lines are kept.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

/// One token; a group is its opening and its closing token with the content between them, and `::` is one token.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) line: usize,
    /// Whether it is a literal: what it says is then data, not code.
    pub(super) literal: bool,
}

/// The tokens of a source without its documentation; an error if it is no Rust.
pub(super) fn tokens(source: &str) -> Result<Vec<Token>, String> {
    let stream: TokenStream = source.parse().map_err(|error| format!("cannot be read as Rust: {error}"))?;
    let mut tokens = Vec::new();
    flatten(stream, &mut tokens);
    Ok(cut(&tokens, documentation))
}

/// The same without the items that `#[cfg(test)]` keeps out of a build.
pub(super) fn without_tests(tokens: &[Token]) -> Vec<Token> {
    cut(tokens, test_item)
}

/// The place behind the token that closes what the token at `open` has opened.
pub(super) fn behind_group(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "(" | "[" | "{" if !token.literal => depth += 1,
            ")" | "]" | "}" if !token.literal => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// Whether these tokens stand at `at`.
pub(super) fn stands(tokens: &[Token], at: usize, texts: &[&str]) -> bool {
    let seen = tokens.get(at..).unwrap_or_default();
    seen.len() >= texts.len() && seen.iter().zip(texts).all(|(token, text)| token.text == *text)
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    let mut half_path = false;
    for tree in stream {
        let was_half = std::mem::take(&mut half_path);
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = delimiters(group.delimiter());
                push(tokens, open, group.span_open(), false);
                flatten(group.stream(), tokens);
                push(tokens, close, group.span_close(), false);
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' && was_half => {
                tokens.pop();
                push(tokens, "::", punct.span(), false);
            }
            TokenTree::Punct(punct) => {
                half_path = punct.as_char() == ':' && punct.spacing() == Spacing::Joint;
                push(tokens, &punct.as_char().to_string(), punct.span(), false);
            }
            TokenTree::Ident(ident) => push(tokens, &ident.to_string(), ident.span(), false),
            TokenTree::Literal(literal) => push(tokens, &literal.to_string(), literal.span(), true),
        }
    }
}

fn delimiters(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::None => ("", ""),
    }
}

fn push(tokens: &mut Vec<Token>, text: &str, span: Span, literal: bool) {
    tokens.push(Token { text: text.to_owned(), line: span.start().line, literal });
}

/// Copies tokens, leaving out every stretch whose end `stretch` knows from its start.
fn cut(tokens: &[Token], stretch: fn(&[Token], usize) -> Option<usize>) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match stretch(tokens, at) {
            Some(end) => at = end,
            None => {
                kept.push(token.clone());
                at += 1;
            }
        }
    }
    kept
}

/// The end of a documentation comment, which is an attribute by now, if one starts here.
fn documentation(tokens: &[Token], at: usize) -> Option<usize> {
    let outer = stands(tokens, at, &["#", "[", "doc", "="]);
    let inner = stands(tokens, at, &["#", "!", "[", "doc", "="]);
    (outer || inner).then(|| behind_group(tokens, at + if inner { 2 } else { 1 }))
}

/// The end of an item that is there in tests only, if one starts here with its attribute.
fn test_item(tokens: &[Token], at: usize) -> Option<usize> {
    if !stands(tokens, at, &["#", "[", "cfg", "("]) {
        return None;
    }
    let mut end = behind_group(tokens, at + 1);
    let names = |text| tokens[at..end].iter().any(|token| token.text == text);
    if !names("test") || names("not") {
        return None;
    }
    while let Some(token) = tokens.get(end) {
        match token.text.as_str() {
            ";" | "," => return Some(end + 1),
            "{" => return Some(behind_group(tokens, end)),
            "}" | ")" | "]" => return Some(end),
            "(" | "[" => end = behind_group(tokens, end),
            _ => end += 1,
        }
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spell(tokens: &[Token]) -> String {
        tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_documentation_are_gone() {
        let source = "//! top\n/// doc 2025-11-25\n#[doc = \"x\"]\n#[inline]\nfn f() { a::b() /* c */ }";
        assert_eq!(spell(&tokens(source).unwrap()), "# [ inline ] fn f ( ) { a :: b ( ) }");
    }

    #[test]
    fn lines_and_literals_are_kept() {
        let tokens = tokens("const A: &str =\n  \"{ x\";").unwrap();
        let literal = tokens.iter().find(|token| token.literal).unwrap();
        assert_eq!((literal.text.as_str(), literal.line), ("\"{ x\"", 2));
        assert!(super::tokens("fn f( {").is_err());
    }

    #[test]
    fn test_items_are_cut_and_nothing_else() {
        let source = "#[cfg(test)] use a::b; #[cfg(all(test, unix))] #[allow(x)] mod tests { fn f() {} } fn g() {}
            #[cfg(not(test))] fn h() {} #[cfg(feature = \"test\")] fn i() {}";
        let kept = spell(&without_tests(&tokens(source).unwrap()));
        assert!(kept.starts_with("fn g ( ) { }"), "{kept}");
        assert!(kept.contains("fn h") && kept.contains("fn i"), "{kept}");
    }
}
