//! The URIs of a template as an automaton, for comparing templates when a server is built.

use super::pattern::{Item, Pattern};
use super::{Query, Template, text};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// A character of a URI: a byte, or an escape as 256 and its byte.
type Symbol = u16;

/// The escape of a NUL; the others follow.
const ESCAPES: Symbol = 0x100;

/// Which characters an edge is for.
#[derive(Debug, Clone, Copy)]
enum Label {
    One(Symbol),
    Simple,
    Any { question: bool },
}

impl Label {
    fn has(self, symbol: Symbol) -> bool {
        let byte = u8::try_from(symbol).ok();
        let is_simple = byte.is_none_or(text::is_unreserved);
        match self {
            Label::One(one) => one == symbol,
            Label::Simple => is_simple,
            Label::Any { question } => {
                is_simple || byte.is_some_and(|byte| text::is_reserved(byte) && (question || byte != b'?'))
            }
        }
    }
}

/// States of two automata that are reached together.
type Pair = (usize, usize);

/// From which pair each pair was reached first, and by which character.
type Origins = HashMap<Pair, Option<(Pair, Symbol)>>;

#[derive(Debug, Default)]
struct State {
    edges: Vec<(Label, usize)>,
    /// States that are entered together with this one.
    also: Vec<usize>,
}

/// Begins in its first state, and accepts in its last.
#[derive(Debug)]
pub(super) struct Automaton {
    states: Vec<State>,
    /// The first states of each state, itself included.
    closed: Vec<Vec<usize>>,
    end: usize,
}

impl Automaton {
    /// The URIs of a template up to the variables of its query.
    pub(super) fn of_path(template: &Template) -> Self {
        Self::new(template, |_, end| end)
    }

    /// All URIs of a template.
    pub(super) fn of(template: &Template) -> Self {
        Self::new(template, |builder, end| match &template.query {
            Some(query) => builder.query(query, end),
            None => end,
        })
    }

    fn new(template: &Template, tail: impl FnOnce(&mut Builder, usize) -> usize) -> Self {
        let mut builder = Builder { states: vec![State::default()], question: template.query.is_none() };
        let ends: Vec<usize> = template.paths.iter().map(|pattern| builder.pattern(pattern)).collect();
        let end = builder.join(&ends);
        let end = tail(&mut builder, end);
        let states = builder.states;
        #[cfg(test)]
        BUILT.set(BUILT.get() + 1);
        let closed = (0..states.len()).map(|state| close(&states, state)).collect();
        Automaton { states, closed, end }
    }

    /// Does this have everything that `other` has?
    pub(super) fn includes(&self, other: &Automaton) -> bool {
        let symbols = symbols(self, other);
        let start = |automaton: &Automaton| automaton.closed[0].iter().copied().collect::<BTreeSet<usize>>();
        let mut seen = HashSet::new();
        let mut waiting = vec![(start(other), start(self))];
        while let Some((theirs, ours)) = waiting.pop() {
            if theirs.contains(&other.end) && !ours.contains(&self.end) {
                return false;
            }
            if !theirs.is_empty() && seen.insert((theirs.clone(), ours.clone())) {
                waiting.extend(symbols.iter().map(|symbol| (other.next(&theirs, *symbol), self.next(&ours, *symbol))));
            }
        }
        true
    }

    /// A shortest URI that both have.
    pub(super) fn common(&self, other: &Automaton) -> Option<String> {
        let symbols = symbols(self, other);
        let mut came_from: Origins = HashMap::new();
        let mut waiting = VecDeque::from([((0, 0), None)]);
        while let Some((pair, origin)) = waiting.pop_front() {
            if came_from.contains_key(&pair) {
                continue;
            }
            came_from.insert(pair, origin);
            let (ours, theirs) = (&self.closed[pair.0], &other.closed[pair.1]);
            if ours.contains(&self.end) && theirs.contains(&other.end) {
                return Some(spelled(&came_from, pair));
            }
            for symbol in &symbols {
                for our in ours.iter().flat_map(|state| self.step(*state, *symbol)) {
                    let both = theirs.iter().flat_map(|state| other.step(*state, *symbol)).map(|their| (our, their));
                    waiting.extend(both.map(|next| (next, Some((pair, *symbol)))));
                }
            }
        }
        None
    }

    fn step(&self, state: usize, symbol: Symbol) -> impl Iterator<Item = usize> {
        self.states[state].edges.iter().filter(move |(label, _)| label.has(symbol)).map(|(_, next)| *next)
    }

    fn next(&self, states: &BTreeSet<usize>, symbol: Symbol) -> BTreeSet<usize> {
        let next = states.iter().flat_map(|state| self.step(*state, symbol));
        next.flat_map(|state| self.closed[state].iter().copied()).collect()
    }
}

/// A state and everything that is entered with it.
fn close(states: &[State], state: usize) -> Vec<usize> {
    let mut closed = vec![state];
    let mut at = 0;
    while let Some(state) = closed.get(at) {
        let also: Vec<usize> = states[*state].also.iter().copied().filter(|also| !closed.contains(also)).collect();
        closed.extend(also);
        at += 1;
    }
    closed
}

/// The characters that two automata tell apart, and one each of those that they do not.
fn symbols(one: &Automaton, two: &Automaton) -> Vec<Symbol> {
    let labels = one.states.iter().chain(&two.states).flat_map(|state| &state.edges);
    let named = labels.filter_map(|(label, _)| if let Label::One(symbol) = label { Some(*symbol) } else { None });
    let mut symbols: Vec<Symbol> = named.chain([b'?', b'/'].map(Symbol::from)).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let others = |fits: fn(u8) -> bool| {
        let bytes = (0..=u8::MAX).rev().filter(move |byte| fits(*byte)).map(Symbol::from);
        // What people read first are letters.
        [Symbol::from(b'x'), Symbol::from(b'y')].into_iter().filter(move |_| fits(b'x')).chain(bytes)
    };
    let simple = others(text::is_unreserved).chain(ESCAPES..).find(|symbol| !symbols.contains(symbol));
    let reserved = others(text::is_reserved).find(|symbol| !symbols.contains(symbol));
    simple.into_iter().chain(symbols).chain(reserved).collect()
}

fn spelled(came_from: &Origins, mut pair: (usize, usize)) -> String {
    let mut symbols = Vec::new();
    while let Some(Some((before, symbol))) = came_from.get(&pair) {
        symbols.push(*symbol);
        pair = *before;
    }
    let write = |symbol: Symbol| match u8::try_from(symbol) {
        Ok(byte) => char::from(byte).to_string(),
        Err(_) => format!("%{:02X}", symbol - ESCAPES),
    };
    symbols.into_iter().rev().map(write).collect()
}

struct Builder {
    states: Vec<State>,
    /// A path may hold a `?`, because no query follows.
    question: bool,
}

impl Builder {
    fn state(&mut self) -> usize {
        self.states.push(State::default());
        self.states.len() - 1
    }

    fn edge(&mut self, from: usize, label: Label) -> usize {
        let to = self.state();
        self.states[from].edges.push((label, to));
        to
    }

    /// One or more characters.
    fn many(&mut self, from: usize, label: Label) -> usize {
        let to = self.edge(from, label);
        self.states[to].edges.push((label, to));
        to
    }

    fn literal(&mut self, mut from: usize, mut literal: &str) -> usize {
        while !literal.is_empty() {
            let (character, rest) = literal.split_at(text::character(literal));
            let escape = character.strip_prefix('%').and_then(|hex| Symbol::from_str_radix(hex, 16).ok());
            let symbol = escape.map_or(Symbol::from(character.as_bytes()[0]), |byte| ESCAPES + byte);
            from = self.edge(from, Label::One(symbol));
            literal = rest;
        }
        from
    }

    fn join(&mut self, ends: &[usize]) -> usize {
        let end = self.state();
        for before in ends {
            self.states[*before].also.push(end);
        }
        end
    }

    fn pattern(&mut self, pattern: &Pattern) -> usize {
        pattern.items.iter().fold(0, |from, item| match item {
            Item::Literal(literal) => self.literal(from, literal),
            Item::Simple(_) => self.many(from, Label::Simple),
            Item::Any(_) => self.many(from, Label::Any { question: self.question }),
            Item::Segments(_) => {
                let segment = self.many(from, Label::Simple);
                self.states[segment].edges.push((Label::One(Symbol::from(b'/')), from));
                segment
            }
        })
    }

    /// `?key=value&key=value`, or `&` from the first on behind a fixed query. That a key comes once is not told.
    fn query(&mut self, query: &Query, from: usize) -> usize {
        let mark = |mark: &str, builder: &mut Builder, from: usize| builder.literal(from, mark);
        let first = mark(if query.fixed.is_empty() { "?" } else { "&" }, self, from);
        let end = self.join(&[from]);
        for name in query.names {
            let value = self.literal(first, &format!("{name}="));
            self.states[value].edges.push((Label::Simple, value));
            self.states[value].also.push(end);
            self.states[value].edges.push((Label::One(Symbol::from(b'&')), first));
        }
        end
    }
}

#[cfg(test)]
thread_local! {
    /// How many there have been.
    pub(super) static BUILT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}
