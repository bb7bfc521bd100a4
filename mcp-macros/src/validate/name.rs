//! Names that clients accept.

use crate::diag::Errors;
use crate::model::{Home, Kind};
use crate::parse::container::Container;
use crate::parse::signature::Function;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::LitStr;
use syn::ext::IdentExt;

const MAX_NAME: usize = 128;

/// Types that a marker of the same name would hide.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "str", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
    "f32", "f64",
];

/// The name that the attribute gives, or else the function's, behind the prefix that the module or the `impl` around it
/// gives.
pub(crate) fn of(
    kind: Kind,
    prefix: &str,
    given: Option<&LitStr>,
    home: &Home,
    function: &Function,
    errors: &mut Errors,
) -> String {
    let ident = &function.signature.ident;
    if matches!(home, Home::Module) && hides_primitive(ident) {
        errors.push(
            ident,
            format!("a function of this name would hide the type `{ident}`; call it otherwise and write `name = \"{ident}\"`"),
        );
    }
    match given {
        Some(literal) => {
            let name = literal.value();
            if let Err(message) = check(kind, &name).and_then(|()| check_whole(kind, prefix, &name)) {
                errors.push(literal, message);
            }
            format!("{prefix}{name}")
        }
        None => {
            let name = ident.unraw().to_string();
            if let Err(message) = check(kind, &name).and_then(|()| check_whole(kind, prefix, &name)) {
                errors.push(ident, format!("{message}; or give it another with `name = \"...\"`"));
            }
            format!("{prefix}{name}")
        }
    }
}

/// Would a marker of this name hide a type?
pub(super) fn hides_primitive(ident: &Ident) -> bool {
    PRIMITIVES.iter().any(|primitive| ident == primitive)
}

/// A name that is sound by itself may be too long behind its prefix.
fn check_whole(kind: Kind, prefix: &str, name: &str) -> Result<(), String> {
    check(kind, &format!("{prefix}{name}")).map_err(|message| format!("{message}, with the prefix `{prefix}`"))
}

/// The prefix of names that a container gives, with those of the containers around and their separators. One that cannot
/// be is told once, and forgotten.
pub(crate) fn prefix(container: &mut Container, errors: &mut Errors) {
    let Some(literal) = &container.own_prefix else { return };
    let checked = match literal.value().is_empty() {
        true => Err("the prefix must not be empty; leave it out instead".to_owned()),
        false => check_as("a prefix", Kind::Tool, &container.prefix),
    };
    if let Err(message) = checked {
        errors.push(literal, message);
        container.prefix.clear();
    }
}

fn check(kind: Kind, name: &str) -> Result<(), String> {
    check_as(&format!("the name of a {}", kind.word()), kind, name)
}

fn check_as(what: &str, kind: Kind, name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err(format!("{what} must not be empty"));
    }
    let length = name.chars().count();
    if length > MAX_NAME {
        return Err(format!("{what} has at most {MAX_NAME} characters, and this one has {length}"));
    }
    // Resources are known by their URI; their names are for reading.
    let fits = |c: char| match kind {
        Kind::Resource => !c.is_control(),
        Kind::Tool | Kind::Prompt => c.is_ascii_alphanumeric() || "_-.".contains(c),
    };
    match name.chars().find(|c| !fits(*c)) {
        Some(c) if kind == Kind::Resource => Err(format!("{c:?} cannot stand in {what}")),
        Some(c) => Err(format!("{c:?} cannot stand in {what}; it may hold A-Z, a-z, 0-9, `_`, `-` and `.`")),
        None => Ok(()),
    }
}

/// The name of a mirrored header: a token as RFC 9110, 5.6.2 has it.
pub(crate) fn header(literal: &LitStr, errors: &mut Errors) {
    let name = literal.value();
    let fits = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() {
        errors.push(literal, "the header needs a name: `header = \"Region\"` makes it `Mcp-Param-Region`");
    } else if let Some(c) = name.chars().find(|c| !fits(*c)) {
        errors.push(literal, format!("{c:?} cannot stand in the name of a header; write letters, digits and `-`"));
    }
}

/// A literal that must not be empty.
pub(crate) fn not_empty(what: &str, literal: &LitStr, errors: &mut Errors) {
    if literal.value().is_empty() {
        errors.push(literal.to_token_stream(), format!("{what} must not be empty"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_every_client_accepts() {
        for name in ["a", "r2_d2", "files.search", "A-b", &"a".repeat(128)] {
            assert_eq!(check(Kind::Tool, name), Ok(()), "{name}");
        }
        for name in ["", "a b", "a/b", "é", "a,b", &"a".repeat(129)] {
            assert!(check(Kind::Tool, name).is_err(), "{name}");
            assert!(check(Kind::Prompt, name).is_err(), "{name}");
        }
    }

    #[test]
    fn names_of_resources_are_for_reading() {
        assert_eq!(check(Kind::Resource, "README (größer)"), Ok(()));
        assert!(check(Kind::Resource, "a\nb").is_err());
        assert!(check(Kind::Resource, "").is_err());
    }

    #[test]
    fn headers_are_tokens() {
        for (name, wanted) in [("Region", 0), ("X-1", 0), ("bad name", 1), ("", 1), ("é", 1), ("a:b", 1)] {
            let mut errors = Errors::default();
            header(&LitStr::new(name, proc_macro2::Span::call_site()), &mut errors);
            assert_eq!(errors.texts().len(), wanted, "{name}");
        }
    }
}
