//! Which of two templates is the more specific one.

use super::automaton::Automaton;
use super::pattern::Item;
use super::{Template, text};

/// How two templates stand to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Relation {
    /// No URI matches both.
    Apart,
    /// The first is more specific.
    First,
    /// The second is more specific.
    Second,
    /// This URI matches both, and neither is more specific.
    Unordered(String),
}

/// Compares two templates. The more specific one is that whose path matches fewer URIs: each of its own is one of the
/// other's. Where the paths match the same, it is that whose query has fewer variables, all of them the other's as well.
pub(crate) fn relation(first: &Template, second: &Template) -> Relation {
    if !can_meet(first, second) {
        return Relation::Apart;
    }
    let Some(common) = Automaton::of(first).common(&Automaton::of(second)) else { return Relation::Apart };
    let paths = (Automaton::of_path(first), Automaton::of_path(second));
    let queries = (names(first), names(second));
    let has_all = |names: &[&str], of: &[&str]| of.iter().all(|name| names.contains(name));
    match (paths.1.includes(&paths.0), paths.0.includes(&paths.1)) {
        (true, false) => Relation::First,
        (false, true) => Relation::Second,
        (false, false) => Relation::Unordered(common),
        (true, true) => match (has_all(queries.1, queries.0), has_all(queries.0, queries.1)) {
            (true, false) => Relation::First,
            (false, true) => Relation::Second,
            _ => Relation::Unordered(common),
        },
    }
}

/// Do the beginnings and the ends agree? That tells most templates apart at no cost.
fn can_meet(first: &Template, second: &Template) -> bool {
    if let ([one], [two]) = (first.paths.as_slice(), second.paths.as_slice())
        && !begin_alike(&one.items, &two.items)
    {
        return false;
    }
    match (end(first), end(second)) {
        (Some(one), Some(two)) => one.ends_with(two) || two.ends_with(one),
        _ => true,
    }
}

/// Do two patterns agree up to where they take different turns? A value that a reserved character follows ends at the first
/// one of the URI, so that what stands behind it is at the same place in both.
fn begin_alike(mut one: &[Item], mut two: &[Item]) -> bool {
    let ends_clearly = |behind: &[Item]| {
        let first = behind.first();
        matches!(first, Some(Item::Literal(text)) if text.bytes().next().is_some_and(text::is_reserved))
    };
    loop {
        (one, two) = match (one, two) {
            ([Item::Literal(a), one @ ..], [Item::Literal(b), two @ ..]) if a == b => (one, two),
            ([Item::Literal(a), ..], [Item::Literal(b), ..]) => return a.starts_with(&**b) || b.starts_with(&**a),
            ([Item::Simple(_), one @ ..], [Item::Simple(_), two @ ..]) if ends_clearly(one) && ends_clearly(two) => {
                (one, two)
            }
            _ => return true,
        };
    }
}

/// The literal that every URI of the template ends with.
fn end(template: &Template) -> Option<&str> {
    match (template.paths.as_slice(), &template.query) {
        ([pattern], None) => match pattern.items.last() {
            Some(Item::Literal(literal)) => Some(literal),
            _ => None,
        },
        _ => None,
    }
}

fn names(template: &Template) -> &[&'static str] {
    template.query.as_ref().map_or(&[], |query| query.names)
}

/// Two templates, by their places, that cannot be ordered, and a URI that matches both.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) uri: String,
}

/// For each template, how many others it is more specific than: of those that match a URI, the one with the most is the most
/// specific one. And what cannot be ordered.
pub(crate) fn ranks(templates: &[&Template]) -> (Vec<usize>, Vec<Conflict>) {
    let mut ranks = vec![0; templates.len()];
    let mut conflicts = Vec::new();
    let mut sorted: Vec<usize> = (0..templates.len()).collect();
    sorted.sort_by_key(|place| (templates[*place].prefix(), *place));
    for (at, &first) in sorted.iter().enumerate() {
        // Only templates whose beginnings agree can meet; those stand next to each other.
        let prefix = templates[first].prefix();
        for &second in sorted[at + 1..].iter().take_while(|other| templates[**other].prefix().starts_with(prefix)) {
            match relation(templates[first], templates[second]) {
                Relation::Apart => {}
                Relation::First => ranks[first] += 1,
                Relation::Second => ranks[second] += 1,
                Relation::Unordered(uri) => {
                    conflicts.push(Conflict { first: first.min(second), second: first.max(second), uri });
                }
            }
        }
    }
    (ranks, conflicts)
}
