//! The options of `#[mcp_server]` and `#[mcp_module]`, which stand around functions, and what is passed on to what stands
//! inside: it is written in front of the options there.

use super::options::Options;
use crate::diag::Errors;
use crate::model::Kind;
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, ExprPath, Lit, LitStr, Path};

const PREFIX: &str = "__prefix";
const LIST: &str = "__list";

/// What the attribute says.
pub(crate) struct Container {
    /// As the author gave it.
    runtime: Option<Path>,
    /// What stands before the names of all functions, with that of the containers around.
    pub(crate) prefix: String,
    /// What the author wrote of it here.
    pub(crate) own_prefix: Option<LitStr>,
    /// The function that gives the list of all functions.
    pub(crate) list: Option<Ident>,
    /// The name under which the module around asks for the list.
    pub(crate) part: Option<Ident>,
}

/// Reads the options between the attribute's parentheses.
pub(crate) fn read(attribute: &'static str, tokens: TokenStream, errors: &mut Errors) -> Container {
    let mut options = Options::new(attribute, "prefix");
    options.read(tokens, errors);
    let mut prefix = prefix_passed_on(&mut options);
    let part = options.passed_on(LIST).and_then(|list| match list {
        Expr::Path(ExprPath { path, .. }) => path.get_ident().cloned(),
        _ => None,
    });
    let (own_prefix, separator) = (options.text("prefix", errors), options.text("separator", errors));
    match (&own_prefix, separator) {
        (Some(own), separator) => {
            prefix += &own.value();
            prefix += &separator.map_or_else(|| "_".to_owned(), |separator| separator.value());
        }
        (None, Some(separator)) => {
            errors.push(separator, "a separator stands between a prefix and the names; give the `prefix` as well");
        }
        (None, None) => {}
    }
    let list = options.ident("list", errors);
    let runtime = options.path("crate", "crate = ::my_facade::mcp_runtime", errors);
    options.finish(errors);
    Container { runtime, prefix, own_prefix, list, part }
}

/// The prefix that a container has passed on.
pub(super) fn prefix_passed_on(options: &mut Options) -> String {
    match options.passed_on(PREFIX) {
        Some(Expr::Lit(ExprLit { lit: Lit::Str(prefix), .. })) => prefix.value(),
        _ => String::new(),
    }
}

/// What is said of an attribute that [`conditional`] finds.
pub(super) const CONDITIONAL: &str =
    "the attribute around cannot see one that comes and goes; put `#[cfg(...)]` on the function";

/// The word for our attribute inside of a `#[cfg_attr(...)]`: that is expanded after what stands around it.
pub(super) fn conditional(attribute: &Attribute) -> Option<Ident> {
    fn find(token: TokenTree) -> Option<Ident> {
        match token {
            TokenTree::Group(group) => group.stream().into_iter().find_map(find),
            TokenTree::Ident(word) => {
                (word == "mcp_server" || Kind::of(&word.clone().into()).is_some()).then_some(word)
            }
            _ => None,
        }
    }
    let tokens = attribute.path().is_ident("cfg_attr").then(|| attribute.meta.to_token_stream());
    tokens?.into_iter().find_map(find)
}

impl Container {
    /// Where the runtime is.
    pub(crate) fn runtime(&self) -> Path {
        self.runtime.clone().unwrap_or_else(paths::runtime)
    }

    /// The options for a function inside; `options` are its own.
    pub(crate) fn pass_on(&self, options: &TokenStream) -> TokenStream {
        let prefix = (!self.prefix.is_empty()).then(|| {
            let (key, prefix) = (ident(PREFIX), LitStr::new(&self.prefix, Span::call_site()));
            quote!(#key = #prefix,)
        });
        let runtime = self.runtime.as_ref().map(|runtime| quote!(crate = #runtime,));
        quote!(#prefix #runtime #options)
    }

    /// The options for a container inside, which is known as `part` to the list of this one.
    pub(crate) fn pass_on_to_part(&self, part: Option<&Ident>, options: &TokenStream) -> TokenStream {
        let options = self.pass_on(options);
        let key = ident(LIST);
        let list = part.map(|part| quote!(#key = #part,));
        quote!(#list #options)
    }
}

fn ident(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}
