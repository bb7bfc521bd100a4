//! The options whose values clients see in lists, or that say what a function belongs to: `icon(..)`, `meta(..)`,
//! `annotations(..)`, `tags(..)`, `scopes(..)`.

use super::options::{Entry, Options, Value};
use crate::diag::Errors;
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitStr, Token};

/// `icon(src = "https:...", mime_type = "image/png", sizes("48x48"), theme = "dark")`
pub(crate) struct Icon {
    pub(crate) src: LitStr,
    pub(crate) mime_type: Option<LitStr>,
    pub(crate) sizes: Vec<LitStr>,
    /// A variant of `Theme`.
    pub(crate) theme: Option<Ident>,
}

/// `meta("example.com/team" = "search", level = 3)`
pub(crate) struct Meta {
    pub(crate) key: LitStr,
    pub(crate) value: Expr,
}

/// `annotations(audience(user), priority = 0.8, last_modified = "2026-01-31T09:00:00Z")`
#[derive(Default)]
pub(crate) struct Annotations {
    /// Variants of `Role`.
    pub(crate) audience: Vec<Ident>,
    pub(crate) priority: Option<Expr>,
    pub(crate) last_modified: Option<LitStr>,
}

const ICON: &str = "icon(src = \"https://example.com/icon.png\", mime_type = \"image/png\", sizes(\"48x48\"))";

/// All `icon(..)` options, in order.
pub(super) fn icons(options: &mut Options, errors: &mut Errors) -> Vec<Icon> {
    options.take_all("icon").into_iter().filter_map(|entry| icon(entry, errors)).collect()
}

fn icon(entry: Entry, errors: &mut Errors) -> Option<Icon> {
    let icon = match entry.value {
        Value::Is(Expr::Lit(ExprLit { lit: Lit::Str(src), .. })) => {
            Icon { src, mime_type: None, sizes: Vec::new(), theme: None }
        }
        Value::List(ref list) if !list.is_empty() => {
            let mut options = Options::new("icon", "src");
            options.read(list.clone(), errors);
            let src = options.text("src", errors);
            let icon = (options.text("mime_type", errors), texts(&mut options, "sizes", "48x48", errors));
            let theme = options.text("theme", errors).and_then(|text| theme(&text, errors));
            let known = errors.count();
            options.finish(errors);
            if src.is_none() && known == errors.count() {
                entry.refuse(format!("a `src`: `{ICON}`"), errors);
            }
            Icon { src: src?, mime_type: icon.0, sizes: icon.1, theme }
        }
        _ => {
            entry.refuse(format!("a URI or a list: `icon = \"https://...\"`, `{ICON}`"), errors);
            return None;
        }
    };
    check_icon(&icon, errors);
    Some(icon)
}

/// Clients refuse other schemes, since an icon is shown without a question.
fn check_icon(icon: &Icon, errors: &mut Errors) {
    let src = icon.src.value();
    if !["https://", "http://", "data:"].iter().any(|scheme| src.starts_with(scheme)) {
        errors.push(&icon.src, "an icon is at an `https:`, an `http:` or a `data:` URI");
    }
    for size in &icon.sizes {
        let value = size.value();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let fits = value.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height));
        if !fits && value != "any" {
            errors.push(size, "a size is width and height in pixels, or `any`: `\"48x48\"`");
        }
    }
}

fn theme(text: &LitStr, errors: &mut Errors) -> Option<Ident> {
    let variant = match &*text.value() {
        "light" => "Light",
        "dark" => "Dark",
        _ => {
            errors.push(text, "`theme` is the background that the icon is for: `\"light\"` or `\"dark\"`");
            return None;
        }
    };
    Some(Ident::new(variant, text.span()))
}

struct Pair {
    key: LitStr,
    value: Expr,
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = match input.parse::<Option<LitStr>>()? {
            Some(key) => key,
            None => {
                let word = input.call(Ident::parse_any)?.unraw();
                LitStr::new(&word.to_string(), word.span())
            }
        };
        input.parse::<Token![=]>()?;
        Ok(Pair { key, value: input.parse()? })
    }
}

/// All members of `meta(..)`.
pub(super) fn meta(options: &mut Options, errors: &mut Errors) -> Vec<Meta> {
    let Some(entry) = options.take("meta", errors) else { return Vec::new() };
    let pairs = match &entry.value {
        Value::List(list) if !list.is_empty() => terminated::<Pair>(list),
        _ => None,
    };
    let Some(pairs) = pairs else {
        entry.refuse("members: `meta(\"example.com/team\" = \"search\", level = 3)`", errors);
        return Vec::new();
    };
    let mut members: Vec<Meta> = Vec::new();
    for Pair { key, value } in pairs {
        if !is_meta_key(&key.value()) {
            let message = "a key is a name, behind a prefix if it is not for this server alone: `\"example.com/team\"`; \
                           names begin and end with a letter or a digit and may hold `-`, `_` and `.`";
            errors.push(&key, message);
        } else if members.iter().any(|known| known.key.value() == key.value()) {
            errors.push(&key, "this key is given twice; keep one");
        }
        members.push(Meta { key, value });
    }
    members
}

/// A key of `_meta`, as the specification has it (basic, general fields).
fn is_meta_key(key: &str) -> bool {
    let is_word = |text: &str, inside: &str| {
        let bytes = text.as_bytes();
        let ends = [bytes.first(), bytes.last()];
        ends.iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || inside.as_bytes().contains(&b))
    };
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let is_label = |label: &str| is_word(label, "-") && label.starts_with(|c: char| c.is_ascii_alphabetic());
    is_word(name, "-_.") && prefix.is_none_or(|prefix| prefix.split('.').all(is_label))
}

/// `annotations(..)`.
pub(super) fn annotations(options: &mut Options, errors: &mut Errors) -> Annotations {
    const FORM: &str = "annotations(audience(user), priority = 0.8, last_modified = \"2026-01-31T09:00:00Z\")";
    let Some(entry) = options.take("annotations", errors) else { return Annotations::default() };
    let list = match &entry.value {
        Value::List(list) if !list.is_empty() => list.clone(),
        _ => {
            entry.refuse(format!("a list: `{FORM}`"), errors);
            return Annotations::default();
        }
    };
    let mut options = Options::new("annotations", "last_modified");
    options.read(list, errors);
    let audience = options.take("audience", errors).map_or_else(Vec::new, |entry| roles(&entry, errors));
    let priority = options.expression("priority", "priority = 0.8", errors);
    let last_modified = options.text("last_modified", errors);
    options.finish(errors);
    if let Some(priority) = &priority {
        let value = match priority {
            Expr::Lit(ExprLit { lit: Lit::Float(float), .. }) => float.base10_parse().unwrap_or(f64::NAN),
            Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().unwrap_or(f64::NAN),
            Expr::Lit(_) | Expr::Unary(ExprUnary { .. }) => f64::NAN,
            _ => 0.0,
        };
        if !(0.0..=1.0).contains(&value) {
            errors.push(priority, "`priority` is a number from 0 (may be left out) to 1 (needed)");
        }
    }
    if let Some(moment) = last_modified.as_ref().filter(|moment| !is_moment(&moment.value())) {
        errors.push(moment, "`last_modified` is a date and a time, as RFC 3339 has it: `\"2026-01-31T09:00:00Z\"`");
    }
    Annotations { audience, priority, last_modified }
}

fn roles(entry: &Entry, errors: &mut Errors) -> Vec<Ident> {
    let words = match &entry.value {
        Value::List(list) if !list.is_empty() => terminated::<Ident>(list),
        _ => None,
    };
    let roles = words.and_then(|words| {
        let role = |word: Ident| {
            let variant = if word == "user" {
                "User"
            } else if word == "assistant" {
                "Assistant"
            } else {
                return None;
            };
            Some(Ident::new(variant, word.span()))
        };
        words.into_iter().map(role).collect::<Option<Vec<Ident>>>()
    });
    roles.unwrap_or_else(|| {
        entry.refuse("a list of `user` and `assistant`: `audience(user)`", errors);
        Vec::new()
    })
}

/// A date and a time with an offset, as far as their form goes (RFC 3339, 5.6).
fn is_moment(text: &str) -> bool {
    let digits = |from: usize, to: usize, most: u32| {
        let part = text.get(from..to).filter(|part| part.bytes().all(|b| b.is_ascii_digit()));
        part.and_then(|part| part.parse().ok()).is_some_and(|value: u32| value <= most)
    };
    let marks = |places: &[(usize, &str)]| places.iter().all(|(at, mark)| text.get(*at..*at + 1) == Some(*mark));
    let date = digits(0, 4, 9999) && digits(5, 7, 12) && digits(8, 10, 31);
    let time = digits(11, 13, 23) && digits(14, 16, 59) && digits(17, 19, 60);
    if !(date && time && marks(&[(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")])) {
        return false;
    }
    let rest = &text[19..];
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    let is_offset = |offset: &str| {
        offset.len() == 5 && offset.as_bytes()[2] == b':' && offset.bytes().filter(u8::is_ascii_digit).count() == 4
    };
    rest == "Z" || rest.strip_prefix(['+', '-']).is_some_and(is_offset)
}

/// `key("a", "b")`, or `key = "a"`
pub(super) fn texts(options: &mut Options, key: &'static str, example: &str, errors: &mut Errors) -> Vec<LitStr> {
    let Some(entry) = options.take(key, errors) else { return Vec::new() };
    let texts = match &entry.value {
        Value::Is(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => return vec![text.clone()],
        Value::List(list) if !list.is_empty() => terminated::<LitStr>(list),
        _ => None,
    };
    texts.map(|texts| texts.into_iter().collect()).unwrap_or_else(|| {
        entry.refuse(format!("texts: `{key}(\"{example}\")`"), errors);
        Vec::new()
    })
}

/// `scopes(..)`: each is a token as RFC 6749, 3.3 has it.
pub(super) fn scopes(options: &mut Options, errors: &mut Errors) -> Vec<LitStr> {
    let scopes = texts(options, "scopes", "files:read", errors);
    for scope in &scopes {
        let value = scope.value();
        let fits = |c: char| c.is_ascii_graphic() && c != '"' && c != '\\';
        if value.is_empty() || !value.chars().all(fits) {
            errors.push(scope, "a scope is a word of ASCII characters without blanks: `\"files:read\"`");
        }
    }
    scopes
}

/// `tags(..)`
pub(super) fn tags(options: &mut Options, errors: &mut Errors) -> Vec<LitStr> {
    let tags = texts(options, "tags", "admin", errors);
    for tag in tags.iter().filter(|tag| tag.value().trim().is_empty()) {
        errors.push(tag, "a tag must not be empty");
    }
    tags
}

fn terminated<T: Parse>(list: &TokenStream) -> Option<Punctuated<T, Token![,]>> {
    Punctuated::parse_terminated.parse2(list.clone()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_meta_are_names_behind_prefixes() {
        for key in ["a", "team", "a-b_c.d", "example.com/team", "io.example-x.y/a1", "com.example/0"] {
            assert!(is_meta_key(key), "{key}");
        }
        for key in ["", "/", "a/", "/a", "-a", "a b", "1.com/a", "a..b/c", "example.com/a/b", "é", "-x.com/a"] {
            assert!(!is_meta_key(key), "{key}");
        }
    }

    #[test]
    fn moments_have_a_date_a_time_and_an_offset() {
        for text in ["2026-01-31T09:00:00Z", "2026-01-31T09:00:00.123Z", "2026-01-31T23:59:60+01:00"] {
            assert!(is_moment(text), "{text}");
        }
        for text in
            ["", "2026-01-31", "2026-13-31T09:00:00Z", "2026-01-31T09:00:00", "2026-01-31 09:00:00Z", "yesterday é"]
        {
            assert!(!is_moment(text), "{text}");
        }
    }
}
