//! URI templates (RFC 6570) as far as they can be matched backwards, from a URI to values, in one pass.

use std::fmt::Write as _;

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Text that stands as it is.
    Literal(String),
    /// `{name}`
    Variable(String),
    /// `{+name}`
    Reserved(String),
    /// `{/name*}`
    Segments(String),
    /// `{?a,b}`
    Query(Vec<String>),
    /// `{&a,b}`
    Continuation(Vec<String>),
}

impl Part {
    /// The names of the part's variables.
    pub(crate) fn names(&self) -> &[String] {
        match self {
            Part::Literal(_) => &[],
            Part::Variable(name) | Part::Reserved(name) | Part::Segments(name) => std::slice::from_ref(name),
            Part::Query(names) | Part::Continuation(names) => names,
        }
    }

    /// Can its value hold slashes, that is: has it no end of its own?
    fn spans(&self) -> bool {
        matches!(self, Part::Reserved(_) | Part::Segments(_))
    }

    fn is_query(&self) -> bool {
        matches!(self, Part::Query(_) | Part::Continuation(_))
    }
}

const FORMS: &str = "`{name}`, `{+path}`, `{/rest*}`, `{?a,b}` and `{&c}`";

/// Reads a template. The error says what is wrong and what to write.
pub(crate) fn parse(template: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = template;
    while !rest.is_empty() {
        let end = rest.find(['{', '}']).unwrap_or(rest.len());
        if end > 0 {
            parts.push(Part::Literal(literal(&rest[..end])?));
            rest = &rest[end..];
        } else if rest.starts_with('}') {
            return Err("`}` closes nothing; write `%7D` for the character itself".to_owned());
        } else {
            let Some(close) = rest.find('}') else {
                return Err(format!("`{rest}` is not closed by `}}`"));
            };
            parts.push(expression(&rest[..=close])?);
            rest = &rest[close + 1..];
        }
    }
    check_scheme(&parts, template)?;
    check_order(&parts)?;
    check_query(&parts)?;
    check_names(&parts)?;
    Ok(parts)
}

/// Text between expressions: characters that may stand in a URI, or in an IRI.
fn literal(text: &str) -> Result<String, String> {
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let fits = match c {
            '%' => {
                let mut digits = rest.clone();
                let escape = (0..2).all(|_| digits.next().is_some_and(|c| c.is_ascii_hexdigit()));
                if !escape {
                    return Err("`%` must begin an escape such as `%20`".to_owned());
                }
                true
            }
            '"' | '<' | '>' | '\\' | '^' | '`' | '|' => false,
            c => c.is_ascii_graphic() || (!c.is_ascii() && !c.is_control() && !c.is_whitespace()),
        };
        if !fits {
            let mut escaped = String::new();
            for byte in c.to_string().bytes() {
                let _ = write!(escaped, "%{byte:02X}");
            }
            return Err(format!("{c:?} cannot stand in a URI; write `{escaped}`"));
        }
    }
    Ok(text.to_owned())
}

/// An expression with its braces.
fn expression(text: &str) -> Result<Part, String> {
    let inner = &text[1..text.len() - 1];
    if let Some(list) = inner.strip_prefix('?') {
        return Ok(Part::Query(names(text, list)?));
    }
    if let Some(list) = inner.strip_prefix('&') {
        return Ok(Part::Continuation(names(text, list)?));
    }
    if let Some(path) = inner.strip_prefix('+') {
        return one(text, path, |name| format!("{{+{name}}}")).map(Part::Reserved);
    }
    if let Some(segments) = inner.strip_prefix('/') {
        let Some(segments) = segments.strip_suffix('*') else {
            return Err(format!(
                "`{text}` is not supported: write `/{{{segments}}}` for one segment, `{{/{segments}*}}` for any number"
            ));
        };
        return one(text, segments, |name| format!("{{/{name}*}}")).map(Part::Segments);
    }
    if inner.starts_with(['#', '.', ';', '=', ',', '!', '@', '|']) {
        return Err(format!("the operator of `{text}` is not supported; the forms are {FORMS}"));
    }
    one(text, inner, |name| format!("{{{name}}}")).map(Part::Variable)
}

/// The one variable of an expression. `form` writes an expression of the same operator.
fn one(text: &str, inner: &str, form: fn(&str) -> String) -> Result<String, String> {
    if inner.contains(',') {
        let apart: Vec<String> = inner.split(',').map(form).collect();
        return Err(format!("`{text}` has several variables; write `{}`", apart.join(",")));
    }
    name(text, inner)
}

fn names(text: &str, list: &str) -> Result<Vec<String>, String> {
    list.split(',').map(|inner| name(text, inner)).collect()
}

fn name(text: &str, name: &str) -> Result<String, String> {
    if name.is_empty() {
        return Err(format!("`{text}` lacks the name of a variable"));
    }
    if name.ends_with('*') || name.contains(':') {
        return Err(format!("the modifier in `{text}` is not supported; the forms are {FORMS}"));
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    match name.chars().find(|c| !fits(*c)) {
        Some(c) => {
            Err(format!("{c:?} cannot stand in the name of a variable; `{text}` has letters, digits and `_` only"))
        }
        None => Ok(name.to_owned()),
    }
}

/// A URI begins with a scheme.
fn check_scheme(parts: &[Part], template: &str) -> Result<(), String> {
    let scheme = match parts.first() {
        Some(Part::Literal(text)) => text.split_once(':').map(|(scheme, _)| scheme),
        _ => None,
    };
    let fits = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    };
    match scheme {
        Some(scheme) if fits(scheme) => Ok(()),
        _ if template.is_empty() => Err("a resource needs a URI, for example `notes://today`".to_owned()),
        _ => Err(format!("the URI lacks a scheme; write `notes://{}`", template.trim_start_matches([':', '/']))),
    }
}

/// Whether the values can be told apart.
fn check_order(parts: &[Part]) -> Result<(), String> {
    for pair in parts.windows(2) {
        let [left, right] = pair else { continue };
        let divided = matches!(left, Part::Literal(_)) || matches!(right, Part::Literal(_)) || right.is_query();
        let segments_follow = matches!((left, right), (Part::Variable(_), Part::Segments(_)));
        if !divided && !segments_follow && !left.is_query() {
            let (left, right) = (left.names()[0].as_str(), right.names()[0].as_str());
            return Err(format!(
                "nothing tells the end of `{left}` from the beginning of `{right}`; put text such as `/` between them"
            ));
        }
    }
    let mut spanning = parts.iter().filter(|part| part.spans()).flat_map(Part::names);
    match (spanning.next(), spanning.next()) {
        (Some(first), Some(second)) => Err(format!(
            "`{first}` and `{second}` can both hold slashes, so that nothing tells them apart; keep one of them"
        )),
        _ => Ok(()),
    }
}

/// Query variables stand at the end; a continuation needs a query to continue.
fn check_query(parts: &[Part]) -> Result<(), String> {
    let Some(at) = parts.iter().position(Part::is_query) else { return Ok(()) };
    if at + 1 < parts.len() {
        return Err("the query must be the template's end; write all its variables in one `{?a,b}`".to_owned());
    }
    let asks = |part: &Part| matches!(part, Part::Literal(text) if text.contains('?'));
    let names = parts[at].names().join(",");
    match (&parts[at], parts[..at].iter().position(asks)) {
        (Part::Query(_), Some(_)) => Err(format!("the query has begun before: write `{{&{names}}}`")),
        (Part::Continuation(_), None) => Err(format!("there is no query to continue: write `{{?{names}}}`")),
        (Part::Continuation(_), Some(begin)) if begin + 1 < at => Err(format!(
            "a query that `{{&{names}}}` continues must be fixed text; write all its variables in one `{{?a,b}}`"
        )),
        _ => Ok(()),
    }
}

fn check_names(parts: &[Part]) -> Result<(), String> {
    let names: Vec<&String> = parts.iter().flat_map(Part::names).collect();
    match names.iter().enumerate().find(|(index, name)| names[..*index].contains(name)) {
        Some((_, name)) => Err(format!("the variable `{name}` stands twice in the template")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::Part::*;
    use super::*;

    fn literal(text: &str) -> Part {
        Literal(text.to_owned())
    }

    fn error(template: &str) -> String {
        parse(template).expect_err(template)
    }

    #[test]
    fn every_form_is_read() {
        let name = str::to_owned;
        assert_eq!(parse("notes://index"), Ok(vec![literal("notes://index")]));
        assert_eq!(parse("a://{x}/b"), Ok(vec![literal("a://"), Variable(name("x")), literal("/b")]));
        assert_eq!(parse("file:///{+path}"), Ok(vec![literal("file:///"), Reserved(name("path"))]));
        let wanted = vec![literal("t://"), Variable(name("host")), Segments(name("rest"))];
        assert_eq!(parse("t://{host}{/rest*}"), Ok(wanted));
        let wanted = vec![literal("s://"), Variable(name("x")), Query(vec![name("q"), name("limit")])];
        assert_eq!(parse("s://{x}{?q,limit}"), Ok(wanted));
        assert_eq!(parse("s://f?v=1{&q}"), Ok(vec![literal("s://f?v=1"), Continuation(vec![name("q")])]));
        let wanted = vec![literal("r://"), Reserved(name("p")), literal("@"), Variable(name("rev"))];
        assert_eq!(parse("r://{+p}@{rev}"), Ok(wanted));
        assert_eq!(parse("x://größe%20"), Ok(vec![literal("x://größe%20")]));
        assert_eq!(parse("urn:x:{a.b_1}"), Ok(vec![literal("urn:x:"), Variable(name("a.b_1"))]));
    }

    #[test]
    fn malformed_templates_are_refused() {
        assert_eq!(error("a://{x"), "`{x` is not closed by `}`");
        assert_eq!(error("a://x}"), "`}` closes nothing; write `%7D` for the character itself");
        assert_eq!(error("a://{}"), "`{}` lacks the name of a variable");
        assert_eq!(error("a://{?a,}"), "`{?a,}` lacks the name of a variable");
        assert_eq!(error("a://x y"), "' ' cannot stand in a URI; write `%20`");
        assert_eq!(error("a://%2"), "`%` must begin an escape such as `%20`");
        assert!(error("a://{a-b}").starts_with("'-' cannot stand in the name of a variable"));
        assert!(error("a://{{x}}").starts_with("'{' cannot stand in the name"));
    }

    #[test]
    fn forms_that_cannot_be_matched_are_refused() {
        for form in ["{#x}", "{.x}", "{;x}", "{x*}", "{x:3}", "{+x*}", "{?x*}"] {
            assert!(
                error(&format!("a://{form}"))
                    .ends_with("the forms are `{name}`, `{+path}`, `{/rest*}`, `{?a,b}` and `{&c}`")
            );
        }
        assert_eq!(error("a://b{/x}"), "`{/x}` is not supported: write `/{x}` for one segment, `{/x*}` for any number");
        assert_eq!(error("a://{x,y}"), "`{x,y}` has several variables; write `{x},{y}`");
    }

    #[test]
    fn a_scheme_comes_first() {
        assert_eq!(error("notes/{x}"), "the URI lacks a scheme; write `notes://notes/{x}`");
        assert_eq!(error("{scheme}://x"), "the URI lacks a scheme; write `notes://{scheme}://x`");
        assert_eq!(error("1a://x"), "the URI lacks a scheme; write `notes://1a://x`");
        assert_eq!(error(""), "a resource needs a URI, for example `notes://today`");
    }

    #[test]
    fn values_must_be_told_apart() {
        for template in ["a://{x}{y}", "a://{x}{+y}", "a://{+x}{y}", "a://{/x*}{y}"] {
            let wanted = "nothing tells the end of `x` from the beginning of `y`; put text such as `/` between them";
            assert_eq!(error(template), wanted);
        }
        assert!(error("a://{+x}/{+y}").starts_with("`x` and `y` can both hold slashes"));
        assert!(error("a://{+x}-{z}{/y*}").starts_with("`x` and `y` can both hold slashes"));
        assert_eq!(error("a://{x}/{x}"), "the variable `x` stands twice in the template");
        assert_eq!(error("a://{x}{?x}"), "the variable `x` stands twice in the template");
    }

    #[test]
    fn the_query_is_the_end() {
        let wanted = "the query must be the template's end; write all its variables in one `{?a,b}`";
        assert_eq!(error("a://b{?q}/c"), wanted);
        assert_eq!(error("a://b{?q}{&r}"), wanted);
        assert_eq!(error("a://b?v=1{?q}"), "the query has begun before: write `{&q}`");
        assert_eq!(error("a://b{&q}"), "there is no query to continue: write `{?q}`");
        assert!(error("a://b?v={v}{&q}").starts_with("a query that `{&q}` continues must be fixed text"));
    }
}
