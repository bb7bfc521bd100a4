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
    // Behind a path there may be a query.
    let has_query = first.query.is_some() || second.query.is_some();
    let can_meet = |one: &[Item], two: &[Item]| {
        let begin_alike =
            alike(one.iter(), two.iter(), |text, with| text.starts_with(with), |text| text.bytes().next());
        let ends = (one.iter().rev(), two.iter().rev());
        let end_alike = || alike(ends.0, ends.1, |text, with| text.ends_with(with), |text| text.bytes().next_back());
        begin_alike && (has_query || end_alike())
    };
    first.paths.iter().any(|one| second.paths.iter().any(|two| can_meet(&one.items, &two.items)))
}

/// Do two patterns, both read from the left or from the right, agree up to where they take different turns? A value up to a
/// reserved character ends at the first one of the URI, so that what stands there is at the same place in both. `begins` tells
/// whether a text begins with another, and `edge` what its first character is, as the patterns are read.
fn alike<'i>(
    one: impl Iterator<Item = &'i Item>,
    two: impl Iterator<Item = &'i Item>,
    begins: fn(&str, &str) -> bool,
    edge: fn(&str) -> Option<u8>,
) -> bool {
    let (mut one, mut two) = (one.peekable(), two.peekable());
    let is_clear =
        |next: Option<&&Item>| matches!(next, Some(Item::Literal(text)) if edge(text).is_some_and(text::is_reserved));
    loop {
        match (one.next(), two.next()) {
            (Some(Item::Literal(a)), Some(Item::Literal(b))) if a == b => {}
            (Some(Item::Literal(a)), Some(Item::Literal(b))) => return begins(a, b) || begins(b, a),
            (Some(Item::Simple(_)), Some(Item::Simple(_))) if is_clear(one.peek()) && is_clear(two.peek()) => {}
            _ => return true,
        }
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
