use super::*;
use serde::de::IgnoredAny;

/// Texts of every kind, valid and not.
const TEXTS: &[&str] = &[
    "0",
    "-0",
    "-",
    "01",
    "-01",
    "1.",
    "1.0",
    ".5",
    "1e5",
    "1E+5",
    "1e-",
    "1e",
    "+1",
    "12345678901234567890123",
    "0x1",
    "1 2",
    "true",
    "tru",
    "truee",
    "false",
    "null",
    "nul",
    "NaN",
    "\"\"",
    "\"",
    "\"a",
    "\"a\"b",
    "\"\\\"\"",
    "\"\\u00e9\"",
    "\"\\u00g9\"",
    "\"\\u00e\"",
    "\"\\ud800\"",
    "\"\\x\"",
    "\"\\\"",
    "\"\u{1}\"",
    "\"\t\"",
    "\"\u{7f}é\u{1f600}\"",
    "[]",
    "[ ]",
    "[1]",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1,2",
    "[1}",
    "[[[[[]]]]]",
    "[[]",
    "{}",
    "{ }",
    "{\"a\":1}",
    "{\"a\":1,}",
    "{\"a\"}",
    "{\"a\" 1}",
    "{a:1}",
    "{1:1}",
    "{\"a\":}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":{\"b\":[{},[],{\"c\":null}]}}",
    "{\"a\":1]",
    "\u{feff}1",
    "\u{a0}1",
    "\u{b}1",
    " \t\r\n1\n",
    "",
    " ",
    "{}{}",
    "[1],",
    "{\"a\":[{\"b\":\"c\\n\",\"d\":-1.5e3},true]}",
];

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn assert_same(text: &str) {
    assert_eq!(Json::of(text).is_some(), is_json(text), "{text:?}");
    let inside = |inner: &str| format!("{{\"x\":[{inner}]}}");
    let inside = inside(text);
    assert_eq!(Json::of(&inside).is_some(), is_json(&inside), "{inside:?}");
}

#[test]
fn what_is_json_is_what_a_decoder_takes() {
    TEXTS.iter().for_each(|text| assert_same(text));
    // Every prefix, and every text with one byte replaced by one that matters.
    for text in TEXTS {
        for (at, _) in text.char_indices() {
            assert_same(&text[..at]);
            for other in ["{", "}", "[", "]", "\"", "\\", ",", ":", "0", "-", "e", ".", "\n", "u"] {
                let rest = text[at..].chars().next().map_or(0, char::len_utf8) + at;
                assert_same(&[&text[..at], other, &text[rest..]].concat());
            }
        }
    }
}

#[test]
fn a_string_ends_at_its_quote_however_long_it_is() {
    for length in 0..300 {
        let plain: String = "aé\u{1f600}z".chars().cycle().take(length).collect();
        for special in ["", "\\n", "\\\\", "\\\"", "\\u0022", "\n", "\u{1f}", "\u{0}", "\""] {
            for at in [0, length / 2, length] {
                let at = plain.char_indices().nth(at).map_or(plain.len(), |(at, _)| at);
                let text = format!("\"{}{special}{}\"", &plain[..at], &plain[at..]);
                assert_same(&text);
                let rest = format!("[{text},1]");
                assert_eq!(Json::of(&rest).is_some(), is_json(&rest), "{rest}");
            }
        }
    }
}

#[test]
fn nesting_costs_no_stack() {
    let depth = 1_000_000;
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        assert_eq!(Json::of(&text).map(|json| json.get().len()), Some(text.len()));
        assert_eq!(Json::of(&text[..text.len() - 1]), None);
        let mixed = format!("{}{}", "[{\"a\":".repeat(500), "}]".repeat(499));
        assert_eq!(Json::of(&mixed), None);
    }
}

#[test]
fn every_bracket_must_close_its_own_kind_however_deep_it_is() {
    for depth in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
        // Kinds without a period that could hide a place that is forgotten.
        let is_object = |level: usize| (level * level / 3 + level).is_multiple_of(2);
        let open: String = (0..depth).map(|level| if is_object(level) { "{\"a\":" } else { "[" }).collect();
        let close: String = (0..depth).rev().map(|level| if is_object(level) { '}' } else { ']' }).collect();
        let text = format!("{open}[0]{close}");
        assert_eq!(Json::of(&text).map(Json::get), Some(&*text), "{depth} deep");
        for at in 0..depth {
            let other = if close.as_bytes()[at] == b'}' { "]" } else { "}" };
            let text = format!("{open}[0]{}{other}{}", &close[..at], &close[at + 1..]);
            assert_eq!(Json::of(&text), None, "{depth} deep, bracket {at}");
        }
    }
}

#[test]
fn what_is_strung_together_at_random_is_read_as_a_decoder_reads_it() {
    let tokens = [
        "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\\", "\\u", "00", "d8", "1", "-", ".5", "e+", "0", " ", "\t",
        "\u{1}", "true", "nul", "null", "é", "\u{feff}", "{\"b\":", "[1,",
    ];
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: usize| {
        // Xorshift (Marsaglia, 2003).
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % below as u64).expect("it is small")
    };
    for _ in 0..60_000 {
        let text: String = (0..=next(9)).map(|_| tokens[next(tokens.len())]).collect();
        assert_same(&text);
        assert_same(&format!("\"{text}\""));
    }
}

#[test]
fn members_and_items_come_as_they_stand() {
    let mut scanner = Scanner::new(r#" {"a" : [1, {"b":2} ] , "\u0062":"\n", "\ud800": null}x"#);
    let mut seen = Vec::new();
    let whole = scanner.object(|name, scanner| {
        seen.push((name.text().into_owned(), scanner.value()?.get()));
        Ok(())
    });
    assert_eq!(whole.map(Json::get), Ok(r#"{"a" : [1, {"b":2} ] , "\u0062":"\n", "\ud800": null}"#));
    let expected = [("a", r#"[1, {"b":2} ]"#), ("b", "\"\\n\""), ("\\ud800", "null")];
    assert_eq!(seen, expected.map(|(name, value)| (name.to_owned(), value)));
    assert_eq!(scanner.end(), Err(NotJson));
    let (mut items, mut scanner) = (Vec::new(), Scanner::new("[1, \"a\", []]"));
    let end = scanner.array(|scanner| {
        items.push(scanner.value()?.get());
        Ok(())
    });
    assert_eq!((end, items), (Ok(()), vec!["1", "\"a\"", "[]"]));
}
