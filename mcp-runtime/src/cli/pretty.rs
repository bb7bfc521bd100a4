//! JSON text spread over lines. Every token stays as it was: no number is read, so none loses a digit.

/// Spreads valid JSON over lines, two spaces a level.
pub(super) fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut rest = json.trim();
    while let Some(first) = rest.chars().next() {
        let token = token(rest, first);
        let after = rest[token.len()..].trim_start();
        match first {
            '{' | '[' => {
                out.push(first);
                depth += 1;
                if !after.starts_with(['}', ']']) {
                    line_break(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                if !out.ends_with(['{', '[']) {
                    line_break(&mut out, depth);
                }
                out.push(first);
            }
            ',' => {
                out.push(',');
                line_break(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => out.push_str(token),
        }
        rest = after;
    }
    out
}

/// The token at the beginning of the text: a string with its quotes, a bracket, or a word up to the next delimiter.
fn token(text: &str, first: char) -> &str {
    let end = match first {
        '"' => string_end(text),
        '{' | '}' | '[' | ']' | ',' | ':' => 1,
        _ => text.find(|c: char| c.is_whitespace() || "{}[],:\"".contains(c)).unwrap_or(text.len()),
    };
    &text[..end.max(first.len_utf8())]
}

fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn line_break(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn looks_as_usual() {
        for value in [
            json!({"a": [1, {"b": "x, {y}: [\"z\"] \\"}], "c": {}, "d": [], "e": null, "ü": "ß"}),
            json!([]),
            json!([[[]], {}]),
            json!("text\n"),
            json!(5),
        ] {
            let usual = serde_json::to_string_pretty(&value).expect("JSON");
            assert_eq!(pretty(&value.to_string()), usual);
            assert_eq!(pretty(&usual), usual);
        }
    }

    #[test]
    fn tokens_stay_as_they_are() {
        let text = r#" { "n" : 123456789012345678901234567890.10 , "s":"\u0061" } "#;
        assert_eq!(pretty(text), "{\n  \"n\": 123456789012345678901234567890.10,\n  \"s\": \"\\u0061\"\n}");
        assert!(serde_json::from_str::<Value>(&pretty(text)).is_ok());
    }
}
