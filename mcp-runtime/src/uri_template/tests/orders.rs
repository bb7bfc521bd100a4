//! Order, against references that are slow and obviously right, on templates and URIs made at random.

use super::super::*;
use super::plain;
use crate::uri_template::automaton::BUILT;
use crate::uri_template::order::{Conflict, Relation, relation};
use std::collections::BTreeSet;

/// A small generator of pseudo-random numbers (xorshift), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).expect("it is below `end`")
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A template that the macro would let pass.
    fn template(&mut self) -> Vec<Part> {
        let mut parts = vec![Part::Literal(self.one_of(&["s:", "s:", "s:a", "s:a/", "s:/", "s:b"]))];
        let (mut spans, mut names) = (false, ["u", "v", "w", "x"].into_iter());
        for _ in 0..self.below(4) {
            let divided = matches!(parts.last(), Some(Part::Literal(_)));
            let after_value = matches!(parts.last(), Some(Part::Variable(_)));
            let choice = self.below(6);
            let mut name = || names.next().expect("enough");
            match choice {
                0..=2 if divided => parts.push(Part::Variable(name())),
                3 if divided && !spans => {
                    spans = true;
                    parts.push(Part::Reserved(name()));
                }
                4 if (divided || after_value) && !spans => {
                    spans = true;
                    parts.push(Part::Segments(name()));
                }
                _ if !divided => parts.push(Part::Literal(self.one_of(&["a", "b", "/", "/a", "a/", "-", "ab", "/b"]))),
                _ => {}
            }
        }
        if self.below(5) == 0 {
            parts.push(Part::Query(self.one_of(&[&["q"][..], &["r"], &["q", "r"]])));
        }
        parts
    }

    /// A path of the template.
    fn path(&mut self, parts: &[Part]) -> String {
        let mut value = |part: &Part| match part {
            Part::Literal(literal) => (*literal).to_owned(),
            Part::Variable(_) => self.one_of(&["a", "z", "az", "za", "z-z"]).to_owned(),
            Part::Reserved(_) => self.one_of(&["a", "z", "a/z", "/z", "z//z"]).to_owned(),
            Part::Segments(_) => self.one_of(&["", "/a", "/z", "/z/a", "/a/z"]).to_owned(),
            Part::Query(_) | Part::Continuation(_) => String::new(),
        };
        parts.iter().map(&mut value).collect()
    }
}

/// Does a path match, by trying everything?
fn tries(parts: &[Part], text: &str) -> bool {
    let ends = || (0..=text.len()).filter(|end| text.is_char_boundary(*end));
    let Some((part, after)) = parts.split_first() else { return text.is_empty() };
    let value = |fits: &dyn Fn(&str) -> bool| ends().any(|end| fits(&text[..end]) && tries(after, &text[end..]));
    let is_simple =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c));
    match part {
        Part::Literal(literal) => text.strip_prefix(literal).is_some_and(|rest| tries(after, rest)),
        Part::Variable(_) => value(&is_simple),
        Part::Reserved(_) => value(&|text| !text.is_empty()),
        Part::Segments(_) => {
            value(&|text| text.is_empty() || text.strip_prefix('/').is_some_and(|text| text.split('/').all(is_simple)))
        }
        Part::Query(_) | Part::Continuation(_) => unreachable!("a path has none"),
    }
}

/// Does a URI match, by trying everything?
fn is_match(parts: &[Part], uri: &str) -> bool {
    let Some((Part::Query(names), path)) = parts.split_last() else { return tries(parts, uri) };
    match uri.split_once('?') {
        None => tries(path, uri),
        Some((before, query)) => {
            let keys: Option<Vec<&str>> = query.split('&').map(|pair| Some(pair.split_once('=')?.0)).collect();
            let once = |keys: &[&str]| keys.iter().collect::<BTreeSet<_>>().len() == keys.len();
            tries(path, before) && keys.is_some_and(|keys| once(&keys) && keys.iter().all(|key| names.contains(key)))
        }
    }
}

/// All URIs of up to five characters behind the scheme, and some with a query.
fn uris() -> Vec<String> {
    let mut paths = vec![String::from("s:")];
    let mut last = 0;
    for _ in 0..5 {
        let end = paths.len();
        for at in last..end {
            paths.extend(['a', 'b', 'z', '-', '/'].map(|c| format!("{}{c}", paths[at])));
        }
        last = end;
    }
    let short = paths.iter().filter(|path| path.len() < 6).cloned().collect::<Vec<_>>();
    let queries = ["?q=z", "?r=z", "?r=z&q=a", "?q=z&q=z", "?"];
    paths.extend(short.iter().flat_map(|path| queries.map(|query| format!("{path}{query}"))));
    paths
}

/// The path of a template, and the names of its query's variables.
fn apart(parts: &[Part]) -> (&[Part], &[&'static str]) {
    match parts.split_last() {
        Some((Part::Query(names), path)) => (path, names),
        _ => (parts, &[]),
    }
}

/// Is the first more specific, as far as the URIs tell? Longer ones than these may tell two paths apart; then neither is.
fn is_more_specific(first: &[Part], second: &[Part], uris: &[String]) -> bool {
    let ((one, one_names), (two, two_names)) = (apart(first), apart(second));
    let is_path = |path: &[Part], whole: &[Part], uri: &str| {
        (path.len() == whole.len() || !uri.contains('?')) && tries(path, uri)
    };
    let within = |(a, a_whole), (b, b_whole)| uris.iter().all(|u| !is_path(a, a_whole, u) || is_path(b, b_whole, u));
    match (within((one, first), (two, second)), within((two, second), (one, first))) {
        (true, true) => {
            let is_subset = one_names.len() < two_names.len() && one_names.iter().all(|name| two_names.contains(name));
            shape(one) == shape(two) && is_subset
        }
        (within, _) => within,
    }
}

fn shape(path: &[Part]) -> Vec<Part> {
    let unnamed = |part: &Part| match part {
        Part::Variable(_) => Part::Variable(""),
        Part::Reserved(_) => Part::Reserved(""),
        Part::Segments(_) => Part::Segments(""),
        other => *other,
    };
    path.iter().map(unnamed).collect()
}

#[test]
fn templates_match_what_trying_everything_finds() {
    let (mut random, uris) = (Random(1), uris());
    for _ in 0..100 {
        let parts = random.template();
        let template = plain(&parts);
        for uri in &uris {
            assert_eq!(template.matches(uri).is_some(), is_match(&parts, uri), "{parts:?} {uri}");
        }
    }
}

#[test]
fn templates_are_ordered_as_their_uris_say() {
    let (mut random, mut uris) = (Random(2), uris());
    let short = uris.len();
    let mut ordered = 0;
    for _ in 0..150 {
        let (one, two) = (random.template(), random.template());
        uris.truncate(short);
        uris.extend((0..100).map(|turn| random.path(if turn % 2 == 0 { &one } else { &two })));
        let both = uris.iter().any(|uri| is_match(&one, uri) && is_match(&two, uri));
        let (first, second) = (is_more_specific(&one, &two, &uris), is_more_specific(&two, &one, &uris));
        ordered += usize::from(both && (first || second));
        match relation(&plain(&one), &plain(&two)) {
            Relation::Apart => assert!(!both, "{one:?} {two:?}"),
            Relation::First => assert!(!second, "{one:?} {two:?}"),
            Relation::Second => assert!(!first, "{one:?} {two:?}"),
            Relation::Unordered(uri) => {
                assert!(is_match(&one, &uri) && is_match(&two, &uri), "{one:?} {two:?} {uri}");
                assert!(!first && !second, "{one:?} {two:?}");
            }
        }
    }
    assert!(ordered > 10, "{ordered}");
}

#[test]
fn the_most_specific_template_is_found_first() {
    let (mut random, uris) = (Random(3), uris());
    let mut decided = 0;
    for _ in 0..12 {
        let mut all: Vec<Vec<Part>> = Vec::new();
        // What could not be ordered would not be built.
        while all.len() < 8 {
            let parts = random.template();
            let fits = |other: &Vec<Part>| !matches!(relation(&plain(other), &plain(&parts)), Relation::Unordered(_));
            if all.iter().all(fits) {
                all.push(parts);
            }
        }
        let templates: Vec<Template> = all.iter().map(|parts| plain(parts)).collect();
        let (ranks, conflicts) = ranks(&templates.iter().collect::<Vec<_>>());
        assert_eq!(conflicts, []);
        let prefix = |place: usize| templates[place].prefix().to_owned();
        let entries = ranks.iter().enumerate().map(|(place, rank)| (prefix(place), *rank, place));
        let index = Index::new(entries.collect());
        assert_eq!(index.iter().count(), all.len());
        let is_before =
            |one: &Vec<Part>| all.iter().map(|two| is_more_specific(one, two, &uris)).collect::<Vec<bool>>();
        let before: Vec<Vec<bool>> = all.iter().map(is_before).collect();
        for uri in &uris {
            let matching: Vec<usize> = (0..all.len()).filter(|place| is_match(&all[*place], uri)).collect();
            let found = index.of(uri).copied().find(|place| templates[*place].matches(uri).is_some());
            assert_eq!(found.is_some(), !matching.is_empty(), "{uri} {all:?}");
            let Some(found) = found else { continue };
            assert!(matching.iter().all(|other| !before[*other][found]), "{uri} {found} {all:?}");
            decided += usize::from(matching.iter().any(|other| before[found][*other]));
        }
    }
    assert!(decided > 1000, "{decided}");
}

#[test]
fn the_examples_of_the_documentation() {
    use Part::*;
    let ordered: [(&[Part], &[Part]); 8] = [
        (&[Literal("a://x/"), Variable("y")], &[Literal("a://"), Variable("x"), Literal("/"), Variable("y")]),
        (&[Literal("a://"), Variable("x")], &[Literal("a://"), Reserved("x")]),
        (&[Literal("a://"), Variable("x")], &[Literal("a://"), Variable("x"), Segments("y")]),
        (&[Literal("a://"), Variable("x"), Literal("-"), Variable("y")], &[Literal("a://"), Variable("x")]),
        (&[Literal("a://"), Reserved("x"), Literal("/raw")], &[Literal("a://"), Reserved("path-of-any-length")]),
        (&[Literal("a://"), Variable("x")], &[Literal("a://"), Variable("x"), Query(&["q"])]),
        (&[Literal("a://b"), Query(&["q"])], &[Literal("a://"), Variable("x"), Query(&["r"])]),
        (&[Literal("a://b"), Segments("x")], &[Literal("a://"), Reserved("x")]),
    ];
    for (one, two) in ordered {
        assert_eq!(relation(&plain(one), &plain(two)), Relation::First, "{one:?}");
        assert_eq!(relation(&plain(two), &plain(one)), Relation::Second, "{one:?}");
    }
    let unordered: [(&[Part], &[Part], &str); 4] = [
        (&[Literal("a://"), Variable("x"), Literal("/y")], &[Literal("a://x/"), Variable("y")], "a://x/y"),
        (&[Literal("a://"), Variable("x")], &[Literal("a://"), Variable("y")], "a://x"),
        (&[Literal("a://b"), Query(&["q"])], &[Literal("a://b"), Query(&["r"])], "a://b"),
        (
            &[Literal("a://"), Variable("x"), Literal(".json")],
            &[Literal("a://draft-"), Variable("x")],
            "a://draft-.json",
        ),
    ];
    for (one, two, uri) in unordered {
        assert_eq!(relation(&plain(one), &plain(two)), Relation::Unordered(uri.to_owned()));
    }
    let apart: [(&[Part], &[Part]); 3] = [
        (&[Literal("a://"), Variable("x")], &[Literal("b://"), Variable("x")]),
        (&[Literal("a://"), Variable("x"), Literal("/a")], &[Literal("a://"), Variable("x"), Literal("/b")]),
        (&[Literal("a://"), Variable("x")], &[Literal("a://"), Variable("x"), Literal("/"), Variable("y")]),
    ];
    for (one, two) in apart {
        assert_eq!(relation(&plain(one), &plain(two)), Relation::Apart);
    }
}

#[test]
fn of_a_thousand_templates_few_are_tried() {
    let leak = |text: String| -> &'static str { text.leak() };
    let parts: Vec<[Part; 2]> =
        (0..1000).map(|n| [Part::Literal(leak(format!("s{n}://"))), Part::Variable("x")]).collect();
    let templates: Vec<Template> = parts.iter().map(|parts| plain(parts)).collect();
    let (ranks, conflicts): (_, Vec<Conflict>) = ranks(&templates.iter().collect::<Vec<_>>());
    assert!(conflicts.is_empty());
    let entries = templates.iter().zip(ranks).map(|(template, rank)| (template.prefix().to_owned(), rank, template));
    let index = Index::new(entries.collect());
    for n in [0, 1, 10, 99, 999] {
        assert_eq!(index.of(&format!("s{n}://x")).count(), 1);
    }
    assert_eq!(index.of("t://x").count(), 0);
}

#[test]
fn most_templates_of_one_beginning_are_told_apart_without_automata() {
    use Part::{Literal, Query, Reserved, Segments, Variable};
    let literal = |text: String| Literal(Box::leak(text.into_boxed_str()));
    let api = Literal("api://v1/");
    let shapes: [&dyn Fn(usize) -> Vec<Part>; 5] = [
        &|i| vec![api, literal(format!("thing{i:02}/")), Variable("a")],
        &|i| vec![api, Variable("a"), literal(format!("/thing{i:02}")), Query(&["q"])],
        &|i| vec![api, Variable("a"), literal(format!("/thing{i:02}")), Segments("s"), Query(&["q"])],
        &|i| vec![api, Reserved("a"), literal(format!("/thing{i:02}"))],
        &|i| vec![api, Reserved("a"), literal(format!("/thing{i:02}/")), Variable("b"), Literal("/raw")],
    ];
    for shape in shapes {
        let templates: Vec<Template> = (0..30).map(|i| plain(&shape(i))).collect();
        BUILT.set(0);
        assert_eq!(ranks(&templates.iter().collect::<Vec<_>>()), (vec![0; 30], Vec::new()));
        assert_eq!(BUILT.get(), 0, "{:?}", shape(0));
    }
}
