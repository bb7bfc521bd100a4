use super::Part::*;
use super::*;

fn plain(parts: &[Part]) -> Template {
    Template::new(parts, |_| Takes::Text)
}

fn values(parts: &[Part], uri: &str) -> Option<Vec<(&'static str, String)>> {
    let template = plain(parts);
    let uri = normal(uri)?;
    let values = template.values(template.matches(&uri)?)?;
    Some(values.into_iter().map(|(name, value)| (name, value.into_owned())).collect())
}

fn one(parts: &[Part], uri: &str) -> Option<String> {
    values(parts, uri).map(|mut v| v.remove(0).1)
}

#[test]
fn a_variable_takes_one_value_without_reserved_characters() {
    let parts = [Literal("greeting://"), Variable("name")];
    assert_eq!(one(&parts, "greeting://Ada").as_deref(), Some("Ada"));
    assert_eq!(one(&parts, "greeting://Ada%20L%3fx").as_deref(), Some("Ada L?x"));
    assert_eq!(one(&parts, "greeting://a%252e").as_deref(), Some("a%2e"), "decoded once");
    for uri in ["greeting://", "greeting://a/b", "greeting://a?b", "greeting://%zz", "greeting://%ff", "greeting:/a"] {
        assert_eq!(one(&parts, uri), None, "{uri}");
    }
    for reserved in ":/?#[]@!$&'()*+,;= \"<>\\^`{|}".chars() {
        assert_eq!(one(&parts, &format!("greeting://a{reserved}b")), None, "{reserved}");
    }
}

#[test]
fn literals_divide_variables() {
    let parts = [Literal("a://"), Variable("x"), Literal("-"), Variable("y"), Literal("/z")];
    let both = |x: &str, y: &str| Some(vec![("x", x.to_owned()), ("y", y.to_owned())]);
    assert_eq!(values(&parts, "a://1-2-3/z"), both("1", "2-3"));
    assert_eq!(values(&parts, "a://--2/z"), both("-", "2"));
    assert_eq!(values(&parts, "a://1/z"), None);
    assert_eq!(values(&parts, "a://1-2/z/"), None);
    let parts = [Literal("a://"), Variable("x"), Literal("2"), Variable("y"), Literal("0")];
    assert_eq!(values(&parts, "a://%20%20200"), both("  ", "0"), "an escape is one character");
    assert_eq!(values(&parts, "a://%20%20"), None);
}

#[test]
fn a_path_never_leads_out() {
    let parts = [Literal("file:///"), Reserved("path")];
    assert_eq!(one(&parts, "file:///a/b.txt").as_deref(), Some("a/b.txt"));
    assert_eq!(one(&parts, "file:///a/..b").as_deref(), Some("a/..b"));
    assert_eq!(one(&parts, "file:///%252e%252e/x").as_deref(), Some("%2e%2e/x"), "decoded once");
    for path in ["../x", "a/../../x", "%2e%2e/x", "a%2f..%2fx", "/etc", "%2Fetc", "a%00", "..%5Cx", "", "C:/x", "c%3Ax"]
    {
        assert_eq!(one(&parts, &format!("file:///{path}")), None, "{path}");
    }
}

#[test]
fn what_stands_behind_a_path_is_matched_from_the_right() {
    let parts = [Literal("r://"), Reserved("path"), Literal("@"), Variable("rev"), Literal("/raw")];
    let got = values(&parts, "r://a@b/c@1/raw");
    assert_eq!(got, Some(vec![("rev", "1".to_owned()), ("path", "a@b/c".to_owned())]));
}

#[test]
fn segments_stand_behind_slashes() {
    let parts = [Literal("t://"), Variable("host"), Segments("rest")];
    let rest = |uri| values(&parts, uri).map(|v| v.into_iter().find(|(name, _)| *name == "rest").expect("it").1);
    assert_eq!(rest("t://h/a/b").as_deref(), Some("a/b"));
    assert_eq!(rest("t://h").as_deref(), Some(""));
    for uri in ["t://h/", "t://h/a//b", "t://h//a", "t://h/a/", "t://h/a?b", "t://h/a:b", "t://h/..", "t://h/a/%2e%2e"]
    {
        assert_eq!(rest(uri), None, "{uri}");
    }
}

#[test]
fn query_parameters_come_in_any_order_or_not_at_all() {
    let parts = [Literal("s://find"), Query(&["q", "limit"])];
    let got = values(&parts, "s://find?limit=2&q=a%20b%2F");
    assert_eq!(got, Some(vec![("limit", "2".to_owned()), ("q", "a b/".to_owned())]));
    assert_eq!(values(&parts, "s://find").map(|v| v.len()), Some(0));
    assert_eq!(values(&parts, "s://find?q=").map(|v| v.len()), Some(1));
    for query in ["?x=1", "?q=1&q=2", "?q", "/x?q=1", "?", "?q=1&", "?&q=1", "?q=a/b", "?q=a=b", "?q=a+b", "?q=1#f"] {
        assert_eq!(values(&parts, &format!("s://find{query}")), None, "{query}");
    }
    let parts = [Literal("s://find?v=1"), Continuation(&["q"])];
    assert_eq!(values(&parts, "s://find?v=1&q=x"), Some(vec![("q", "x".to_owned())]));
    assert_eq!(values(&parts, "s://find?v=1"), Some(vec![]));
    for uri in ["s://find?v=12", "s://find", "s://find?v=1&", "s://find?q=x&v=1", "s://find?v=1?q=x"] {
        assert_eq!(values(&parts, uri), None, "{uri}");
    }
}

#[test]
fn what_is_not_ascii_is_the_same_with_and_without_escapes() {
    let parts = [Literal("x://größe%2f/"), Variable("x")];
    for uri in ["x://größe%2F/ü", "x://gr%C3%B6%C3%9Fe%2f/%c3%bc", "x://gr%c3%b6ße%2f/%c3%BC"] {
        assert_eq!(one(&parts, uri).as_deref(), Some("ü"), "{uri}");
    }
    assert_eq!(one(&parts, "x://größe//ü"), None);
}

#[test]
fn what_need_not_be_escaped_is_the_same_with_and_without_escapes() {
    let parts = [Literal("x://%7euser/"), Variable("x"), Literal("-"), Variable("y"), Query(&["q"])];
    for uri in ["x://~user/ab-c?q=1", "x://%7Euser/%61b-c?%71=1", "x://%7euse%72/a%62%2Dc?q=%31"] {
        let expected = [("q", "1".to_owned()), ("x", "ab".to_owned()), ("y", "c".to_owned())];
        assert_eq!(values(&parts, uri).as_deref(), Some(&expected[..]), "{uri}");
    }
    assert_eq!(values(&parts, "x://~user%2Fab-c"), None, "what is reserved means something else when it is escaped");
    for (uri, expected) in
        [("a:%", None), ("a:%4", None), ("a:%é", None), ("a:%zz%41", None), ("a:%41%2f", Some("a:A%2F"))]
    {
        assert_eq!(normal(uri).as_deref(), expected, "{uri}");
    }
}

#[test]
fn an_endless_uri_matches_nothing() {
    let parts = [Literal("a://"), Reserved("p"), Literal("/x")];
    assert_eq!(values(&parts, &format!("a://{}", "/a,a".repeat(25_000))), None);
}

/// The longest URIs, made to match nearly, against templates that are bad to match: what is compared grows with the URI.
#[test]
fn no_place_is_compared_with_more_than_one_literal() {
    let many: Vec<Part> = std::iter::once(Literal("a://"))
        .chain((0..200).flat_map(|_| [Variable("x"), Literal("a")]))
        .chain([Reserved("p")])
        .chain((0..200).flat_map(|_| [Literal("a"), Variable("y")]))
        .collect();
    let hex = [Literal("a://"), Variable("x"), Literal("2%2"), Variable("y"), Literal("z")];
    let late = [
        Literal("a://"),
        Variable("x"),
        Literal("aaaaaaaab"),
        Variable("y"),
        Segments("s"),
        Literal("-"),
        Variable("z"),
    ];
    for parts in [&many[..], &hex, &late] {
        let template = plain(parts);
        for text in ["a", "%20", "%2", "a/", "aa-", "/a,a", "-", "a%61"] {
            let uri = format!("a://{}", text.repeat((MAX_URI - 4) / text.len()));
            pattern::COMPARED.set(0);
            let _ = normal(&uri).and_then(|uri| template.matches(&uri).map(|found| found.len()));
            let compared = pattern::COMPARED.get();
            assert!(compared <= 2 * uri.len() * template.paths.len(), "{compared} for {text}");
        }
    }
}

mod orders;
