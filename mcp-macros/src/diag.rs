//! What the author of a function is told.
//!
//! One mistake is one error, on the author's own token, and it says what to write instead. Nothing stops at the first
//! mistake: all that can be seen in one item are collected.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::fmt::Display;

/// The mistakes seen in one item so far.
#[derive(Default)]
pub(crate) struct Errors {
    told: Vec<syn::Error>,
    /// Is there a mistake that the compiler sees in the item itself?
    has_compilers: bool,
}

impl Errors {
    /// Records a mistake. `at` gives the place: the tokens to be underlined.
    pub(crate) fn push(&mut self, at: impl ToTokens, message: impl Display) {
        self.told.push(syn::Error::new_spanned(at, message));
    }

    /// Like [`push`](Self::push), for a place that is known by its span.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.told.push(syn::Error::new(span, message));
    }

    /// Records what a parser said.
    pub(crate) fn add(&mut self, error: syn::Error) {
        self.told.push(error);
    }

    /// Records a mistake that the compiler tells well, of the item as it was written. Nothing is made of the item.
    pub(crate) fn leave_to_compiler(&mut self) {
        self.has_compilers = true;
    }

    /// Records what was seen elsewhere.
    pub(crate) fn append(&mut self, mut others: Errors) {
        self.told.append(&mut others.told);
        self.has_compilers |= others.has_compilers;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.told.is_empty() && !self.has_compilers
    }

    /// How many there are so far.
    pub(crate) fn count(&self) -> usize {
        self.told.len()
    }

    /// All mistakes as `compile_error!` items.
    pub(crate) fn into_items(self) -> TokenStream {
        self.told.iter().map(syn::Error::to_compile_error).collect()
    }

    #[cfg(test)]
    pub(crate) fn texts(&self) -> Vec<String> {
        self.told.iter().map(ToString::to_string).collect()
    }
}

/// The known word that `word` is most likely meant to be.
pub(crate) fn closest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    const ALIKE: f64 = 0.8;
    let rated = known.into_iter().map(|candidate| (strsim::jaro_winkler(word, candidate), candidate));
    let best = rated.filter(|(likeness, _)| *likeness >= ALIKE).max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.map(|(_, candidate)| candidate)
}

/// `, did you mean ...?` when there is something that could be meant.
pub(crate) fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    closest(word, known).map_or_else(String::new, |candidate| format!(", did you mean `{candidate}`?"))
}

/// A keyword as the name of a thing: "a `struct`", "an `impl`".
pub(crate) fn with_article(keyword: &str) -> String {
    let article = if ["enum", "impl", "async", "unsafe", "extern"].contains(&keyword) { "an" } else { "a" };
    format!("{article} `{keyword}`")
}

/// Words as a list for people: `a`, `b`, `c`.
pub(crate) fn listed<'k>(words: impl IntoIterator<Item = &'k str>) -> String {
    words.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words_find_what_was_meant() {
        let known = ["name", "title", "description", "read_only", "min", "min_length", "max"];
        let closest = |word| closest(word, known);
        assert_eq!(closest("nmae"), Some("name"));
        assert_eq!(closest("descriptoin"), Some("description"));
        assert_eq!(closest("readonly"), Some("read_only"));
        assert_eq!(closest("minimum"), Some("min"));
        assert_eq!(closest("min_len"), Some("min_length"));
        assert_eq!(closest("colour"), None);
    }

    #[test]
    fn lists_are_for_people() {
        assert_eq!(listed(["a", "b"]), "`a`, `b`");
        assert_eq!(did_you_mean("tilte", ["title"]), ", did you mean `title`?");
        assert_eq!(did_you_mean("x", ["title"]), "");
    }
}
