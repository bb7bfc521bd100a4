//! URI templates (RFC 6570), the way back: from a URI to the values of the template's variables.
//!
//! Templates are parsed when the function is compiled, and prepared for matching at start-up. A URI is read once from the
//! left and once from the right, and every place is compared with one literal at most: the time grows with the URI's length.

mod automaton;
mod index;
mod order;
mod pattern;
mod text;
mod value;

pub(crate) use index::Index;
pub(crate) use order::ranks;
pub(crate) use text::normal;
pub(crate) use value::Takes;

use pattern::Pattern;
use smallvec::SmallVec;
use std::borrow::Cow;
use value::Guard;

/// A longer URI matches nothing.
pub(crate) const MAX_URI: usize = 8 * 1024;

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Text that stands as it is.
    Literal(&'static str),
    /// `{name}`: one value without reserved characters.
    Variable(&'static str),
    /// `{+name}`: a value that may hold reserved characters, such as a path.
    Reserved(&'static str),
    /// `{/name*}`: any number of path segments, each behind a slash.
    Segments(&'static str),
    /// `{?a,b}`: query parameters, in any order, each optional.
    Query(&'static [&'static str]),
    /// `{&a,b}`: further query parameters behind a literal query.
    Continuation(&'static [&'static str]),
}

impl Part {
    /// The names of the part's variables.
    pub(crate) fn names(&self) -> &[&'static str] {
        match self {
            Part::Literal(_) => &[],
            Part::Variable(name) | Part::Reserved(name) | Part::Segments(name) => std::slice::from_ref(name),
            Part::Query(names) | Part::Continuation(names) => names,
        }
    }
}

/// Variables and their decoded values.
pub(crate) type Values<'u> = Vec<(&'static str, Cow<'u, str>)>;

/// The texts that stand for variables, by the variable's number, not decoded.
pub(crate) type Found<'u> = SmallVec<[(usize, &'u str); 4]>;

/// A template, prepared for matching.
#[derive(Debug)]
pub(crate) struct Template {
    prefix: String,
    /// What stands before the variables of the query. There are two where segments may be absent.
    paths: SmallVec<[Pattern; 1]>,
    query: Option<Query>,
    variables: Vec<(&'static str, Guard)>,
}

/// The variables of a query.
#[derive(Debug)]
struct Query {
    /// The fixed query before them, from its `?` on; empty if there is none.
    fixed: String,
    names: &'static [&'static str],
    /// The number of the first.
    first: usize,
}

impl Template {
    /// Prepares a template. `takes` tells what becomes of a variable's value.
    pub(crate) fn new(parts: &[Part], takes: impl Fn(&str) -> Takes) -> Self {
        let (path, query) = match parts.split_last() {
            Some((Part::Query(names), path)) => (path, Some((String::new(), *names))),
            Some((Part::Continuation(names), path)) => (path, Some((fixed_query(path), *names))),
            _ => (parts, None),
        };
        let first = path.iter().flat_map(Part::names).count();
        let query = query.map(|(fixed, names)| Query { fixed, names, first });
        let variables = parts.iter().flat_map(|part| {
            let guard = |name: &&'static str| (*name, Guard::new(part, takes(name)));
            part.names().iter().map(guard).collect::<Vec<_>>()
        });
        let prefix = match parts.first() {
            Some(Part::Literal(text)) => text::literal(text),
            _ => String::new(),
        };
        Template { prefix, paths: pattern::patterns(path), query, variables: variables.collect() }
    }

    /// What every URI of the template begins with.
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The texts of a URI's variables, if the URI is one of the template's. The URI must be in its [`normal`] form.
    pub(crate) fn matches<'u>(&self, uri: &'u str) -> Option<Found<'u>> {
        let mut found = Found::new();
        let path = match &self.query {
            Some(query) => query.read(uri, &mut found)?,
            None => uri,
        };
        self.paths.iter().find_map(|pattern| {
            let mut found = found.clone();
            pattern.read(path, &mut found).then_some(found)
        })
    }

    /// The decoded values; `None` if a variable must not have its value.
    pub(crate) fn values<'u>(&self, found: Found<'u>) -> Option<Values<'u>> {
        let value = |(number, text): (usize, &'u str)| {
            let (name, guard) = self.variables[number];
            let value = text::decode(text)?;
            guard.lets_pass(&value).then_some((name, value))
        };
        found.into_iter().map(value).collect()
    }
}

/// The fixed query at the end of a path.
fn fixed_query(path: &[Part]) -> String {
    match path.last() {
        Some(Part::Literal(text)) => text::literal(&text[text.find('?').unwrap_or(text.len())..]),
        _ => String::new(),
    }
}

impl Query {
    /// Reads the query and gives what stands before it.
    fn read<'u>(&self, uri: &'u str, found: &mut Found<'u>) -> Option<&'u str> {
        let question = uri.find('?');
        let (path, query) = match (question, self.fixed.len()) {
            (None, 0) => (uri, None),
            (None, _) => return None,
            (Some(at), 0) => (&uri[..at], Some(&uri[at + 1..])),
            (Some(at), fixed) => match uri[at..].strip_prefix(&self.fixed)? {
                "" => (uri, None),
                rest => (&uri[..at + fixed], Some(rest.strip_prefix('&')?)),
            },
        };
        for pair in query.into_iter().flat_map(|query| query.split('&')) {
            let (key, value) = pair.split_once('=')?;
            let number = self.first + self.names.iter().position(|name| *name == key)?;
            if found.iter().any(|(known, _)| *known == number) || !text::is_simple(value) {
                return None;
            }
            found.push((number, value));
        }
        Some(path)
    }
}

#[cfg(test)]
mod tests;
