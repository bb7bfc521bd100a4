//! The path of a template, as literals with variables between them, and its matching.

use super::{Found, Part, text};
use smallvec::SmallVec;

/// A piece of a pattern; variables go by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Literal(String),
    /// Unreserved characters and escapes.
    Simple(usize),
    /// Any characters of a URI.
    Any(usize),
    /// Segments with slashes between them.
    Segments(usize),
}

/// Literals and variables in turn. At most one variable spans segments, and literals stand on both sides of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Pattern {
    pub(super) items: Vec<Item>,
    /// The segments that this pattern is without.
    absent: Option<usize>,
}

impl Pattern {
    /// Two literals in a row become one: where it begins must be found with all of it in view.
    fn push(&mut self, item: Item) {
        match (self.items.last_mut(), item) {
            (Some(Item::Literal(before)), Item::Literal(text)) => before.push_str(&text),
            (_, item) => self.items.push(item),
        }
    }

    /// Reads a path; false if it is none of the pattern's.
    pub(super) fn read<'u>(&self, mut rest: &'u str, found: &mut Found<'u>) -> bool {
        found.extend(self.absent.map(|number| (number, "")));
        read(&self.items, &mut rest, found).is_some()
    }
}

/// The patterns of a path: with and without its segments, if it has any.
pub(super) fn patterns(parts: &[Part]) -> SmallVec<[Pattern; 1]> {
    let mut patterns: SmallVec<[Pattern; 1]> = SmallVec::new();
    let mut pattern = Pattern::default();
    let mut without: Option<Pattern> = None;
    for (number, part) in numbered(parts) {
        let item = match part {
            Part::Literal(text) => Item::Literal(text::literal(text)),
            Part::Variable(_) => Item::Simple(number),
            Part::Reserved(_) => Item::Any(number),
            Part::Segments(_) => {
                without = Some(Pattern { absent: Some(number), ..pattern.clone() });
                pattern.push(Item::Literal("/".to_owned()));
                pattern.push(Item::Segments(number));
                continue;
            }
            // They are no part of a path.
            Part::Query(_) | Part::Continuation(_) => continue,
        };
        if let Some(without) = &mut without {
            without.push(item.clone());
        }
        pattern.push(item);
    }
    patterns.push(pattern);
    patterns.extend(without);
    patterns
}

/// Each part with the number of its variable.
fn numbered(parts: &[Part]) -> impl Iterator<Item = (usize, &Part)> {
    parts.iter().scan(0, |next, part| {
        let number = *next;
        *next += part.names().len();
        Some((number, part))
    })
}

/// Each literal from the left is taken at the first place where it can stand, each from the right at the last: that leaves
/// the most to what lies between, and what can follow an earlier place includes what can follow a later one.
fn read<'u>(mut items: &[Item], rest: &mut &'u str, found: &mut Found<'u>) -> Option<()> {
    let mut take = |number: usize, value: &'u str, fits: fn(&str) -> bool| {
        found.push((number, value));
        (!value.is_empty() && fits(value)).then_some(())
    };
    loop {
        items = match items {
            [] => return rest.is_empty().then_some(()),
            [Item::Literal(literal), after @ ..] => {
                *rest = rest.strip_prefix(&**literal)?;
                after
            }
            [Item::Simple(number)] => return take(*number, rest, text::is_simple),
            [Item::Simple(number), Item::Literal(literal)] => {
                return take(*number, rest.strip_suffix(&**literal)?, text::is_simple);
            }
            [Item::Simple(number), after @ ..] => {
                let [Item::Literal(literal), ..] = after else { return None };
                let at = first(rest, literal)?;
                take(*number, &rest[..at], text::is_simple)?;
                *rest = &rest[at..];
                after
            }
            [spanning, behind @ ..] => {
                let rest = read_back(behind, rest, &mut take)?;
                return match spanning {
                    Item::Segments(number) => take(*number, rest, are_segments),
                    Item::Any(number) => take(*number, rest, text::is_any),
                    Item::Literal(_) | Item::Simple(_) => None,
                };
            }
        };
    }
}

/// Reads what stands behind a spanning variable, and gives what is left before it.
fn read_back<'u>(
    mut items: &[Item],
    mut rest: &'u str,
    take: &mut impl FnMut(usize, &'u str, fn(&str) -> bool) -> Option<()>,
) -> Option<&'u str> {
    loop {
        items = match items {
            [] => return Some(rest),
            [before @ .., Item::Literal(literal)] => {
                rest = rest.strip_suffix(&**literal)?;
                before
            }
            [before @ .., Item::Literal(literal), Item::Simple(number)] => {
                let at = last(rest, literal)?;
                take(*number, &rest[at + literal.len()..], text::is_simple)?;
                rest = &rest[..at];
                before
            }
            _ => return None,
        };
    }
}

/// The first place for a literal with a value before it.
fn first(text: &str, literal: &str) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        let end = at + text::character(&text[at..]);
        if !text::is_simple(&text[at..end]) {
            return None;
        }
        at = end;
        if compare(text[at..].starts_with(literal)) {
            return Some(at);
        }
    }
    None
}

/// The last place for a literal with a value behind it.
fn last(text: &str, literal: &str) -> Option<usize> {
    let mut end = text.len();
    while end > 0 {
        let begin = if end >= 3 && text.as_bytes()[end - 3] == b'%' { end - 3 } else { end - 1 };
        if !text::is_simple(&text[begin..end]) {
            return None;
        }
        end = begin;
        if compare(text[..end].ends_with(literal)) {
            let at = end - literal.len();
            if !text::is_in_escape(text, at) {
                return Some(at);
            }
        }
    }
    None
}

/// Segments of a simple expansion each, none of them empty.
fn are_segments(text: &str) -> bool {
    text.split('/').all(|segment| !segment.is_empty() && text::is_simple(segment))
}

/// Passes a comparison on. Tests count them.
fn compare(equal: bool) -> bool {
    #[cfg(test)]
    COMPARED.set(COMPARED.get() + 1);
    equal
}

#[cfg(test)]
thread_local! {
    /// How often a literal was compared with a place of a URI.
    pub(super) static COMPARED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}
