//! Lengths of time as authors write them: `500ms`, `30s`, `5m`, `1h`.

/// The milliseconds of a text, if it is a length of time above zero.
pub(crate) fn milliseconds(text: &str) -> Option<u64> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(unit_at);
    let factor = match unit.trim_start() {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(factor).filter(|milliseconds| *milliseconds > 0)
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn a_number_and_a_unit_are_a_length_of_time() {
        for (text, expected) in [
            ("20ms", Some(20)),
            ("30s", Some(30_000)),
            ("5 m", Some(300_000)),
            ("1h", Some(3_600_000)),
            ("0s", None),
            ("30", None),
            ("s", None),
            ("-1s", None),
            ("1.5s", None),
            ("1d", None),
            ("99999999999999999999s", None),
            ("18446744073709551615h", None),
        ] {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }
}
