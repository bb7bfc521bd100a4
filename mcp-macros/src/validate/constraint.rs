//! What can be seen of constraints without knowing the type: contradictions, patterns, formats, lists of values.

use crate::diag::{Errors, did_you_mean, listed};
use crate::parse::arg::Constraint;
use regex_syntax::ast::{ErrorKind, parse::Parser};
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp};

/// The formats of JSON Schema 2020-12 (validation, section 7.3), all of which the runtime checks.
const FORMATS: [&str; 19] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// Checks the constraints of one argument or field.
pub(super) fn check(constraints: &[Constraint], errors: &mut Errors) {
    for (least, most) in [("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")] {
        let find = |keyword| constraints.iter().find(|constraint| constraint.keyword == keyword);
        let (Some(least), Some(most)) = (find(least), find(most)) else { continue };
        if let (Some(low), Some(high)) = (number(&least.value), number(&most.value))
            && low > high
        {
            errors.push(&most.value, format!("`{}` is less than `{}`: no value fits", most.key, least.key));
        }
    }
    for Constraint { keyword, value, .. } in constraints {
        match (*keyword, value) {
            ("pattern", Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => pattern(&text.value(), value, errors),
            ("format", Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => format(&text.value(), value, errors),
            ("enum", Expr::Array(list)) if list.elems.is_empty() => errors.push(list, "no value fits an empty list"),
            ("enum", Expr::Array(list)) => values(list.elems.iter(), errors),
            _ => {}
        }
    }
}

/// The value of a literal.
fn number(expression: &Expr) -> Option<f64> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
        Expr::Lit(ExprLit { lit: Lit::Float(float), .. }) => float.base10_parse().ok(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => number(expr).map(|number| -number),
        Expr::Group(group) => number(&group.expr),
        Expr::Paren(paren) => number(&paren.expr),
        _ => None,
    }
}

/// JSON Schema's patterns are those of ECMA-262, which are nearly those of `regex-syntax`. What the latter knows and does
/// not support, and the few forms that only the former has, are left to the check at start-up.
fn pattern(pattern: &str, at: &Expr, errors: &mut Errors) {
    let Err(error) = Parser::new().parse(pattern) else { return };
    let only_here = matches!(
        error.kind(),
        ErrorKind::UnsupportedLookAround
            | ErrorKind::UnsupportedBackreference
            | ErrorKind::EscapeUnrecognized
            | ErrorKind::ClassEscapeInvalid
            | ErrorKind::ClassUnclosed
            | ErrorKind::ClassRangeLiteral
            | ErrorKind::NestLimitExceeded(_)
            | ErrorKind::CaptureLimitExceeded
    );
    // A class that is really open has no `]` behind it.
    let is_open = matches!(error.kind(), ErrorKind::ClassUnclosed)
        && !pattern.get(error.span().end.offset..).is_some_and(|rest| rest.contains(']'));
    if !only_here || is_open {
        errors.push(at, format!("this is no regular expression: {}", error.kind()));
    }
}

fn format(format: &str, at: &Expr, errors: &mut Errors) {
    if !FORMATS.contains(&format) {
        let hint = did_you_mean(format, FORMATS);
        errors.push(at, format!("there is no format `{format}`{hint}\nthe formats: {}", listed(FORMATS)));
    }
}

/// A listed value, as far as two of them can be compared.
#[derive(PartialEq)]
enum Listed {
    Text(String),
    Integer(String),
}

fn values<'e>(list: impl Iterator<Item = &'e Expr>, errors: &mut Errors) {
    let mut seen: Vec<Listed> = Vec::new();
    for expression in list {
        let Some(value) = listed_value(expression) else {
            errors.push(expression, "the values of `enum` are texts or integers, written out");
            return;
        };
        let first = seen.first().unwrap_or(&value);
        if std::mem::discriminant(first) != std::mem::discriminant(&value) {
            errors.push(expression, "the values of `enum` are all texts or all integers");
            return;
        }
        if seen.contains(&value) {
            errors.push(expression, "this value is listed twice");
            return;
        }
        seen.push(value);
    }
}

fn listed_value(expression: &Expr) -> Option<Listed> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(Listed::Text(text.value())),
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => Some(Listed::Integer(int.base10_digits().to_owned())),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match listed_value(expr)? {
            Listed::Integer(digits) => Some(Listed::Integer(format!("-{digits}"))),
            Listed::Text(_) => None,
        },
        Expr::Group(group) => listed_value(&group.expr),
        Expr::Paren(paren) => listed_value(&paren.expr),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn texts(check: impl FnOnce(&mut Errors)) -> Vec<String> {
        let mut errors = Errors::default();
        check(&mut errors);
        errors.texts()
    }

    #[test]
    fn patterns_of_ecmascript_are_taken() {
        let here: Expr = parse_quote!("");
        for text in ["^[a-z]+$", r"^\d{3}-\d{4}$", "^(?=.*x)a", r"(a)\1", r"\cA", r"^\u0041", "[^]]", r"\/", r"[\w.-]"]
        {
            assert_eq!(texts(|errors| pattern(text, &here, errors)), [""; 0], "{text}");
        }
        for text in ["(", "a)", "[a", "*a", "a{2,1}", "[z-a]", "a**b("] {
            assert_eq!(texts(|errors| pattern(text, &here, errors)).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_misspelt_format_is_named() {
        let text = texts(|errors| format("datetime", &parse_quote!(""), errors)).remove(0);
        assert!(text.contains("did you mean `date-time`?") && text.contains("`ipv4`"), "{text}");
    }

    #[test]
    fn listed_values_are_of_one_kind_and_differ() {
        let check = |list: syn::ExprArray| texts(|errors| values(list.elems.iter(), errors));
        assert!(check(parse_quote!(["a", "b"])).is_empty());
        assert!(check(parse_quote!([1, -1, (2)])).is_empty());
        assert_eq!(check(parse_quote!(["a", 1, "a"])), ["the values of `enum` are all texts or all integers"]);
        assert_eq!(check(parse_quote!([-1, -1])), ["this value is listed twice"]);
        assert_eq!(check(parse_quote!([LOW, HIGH])).len(), 1);
    }
}
