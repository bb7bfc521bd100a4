//! The options that limit a function's calls, and the quantities that they take: `"30s"`, `"10/s"`, `"64KiB"`.

use super::options::{Options, Value};
use crate::diag::Errors;
use syn::{Expr, ExprLit, Lit};

/// Limits of calls. What is not given is the server's to say.
#[derive(Default)]
pub(crate) struct Limits {
    /// In milliseconds.
    pub(crate) timeout: Option<u64>,
    /// Calls at a time.
    pub(crate) concurrency: Option<Expr>,
    /// Calls in a number of milliseconds.
    pub(crate) rate: Option<(u32, u64)>,
    /// In bytes.
    pub(crate) max_output: Option<u64>,
    /// Further attempts.
    pub(crate) retry: Option<Expr>,
}

/// More attempts than this help nobody.
const MOST_RETRIES: u64 = 10;

impl Limits {
    pub(super) fn take(options: &mut Options, errors: &mut Errors) -> Self {
        Limits {
            timeout: quantity(
                options,
                "timeout",
                milliseconds,
                errors,
                || "a length of time: `\"500ms\"`, `\"30s\"`, `\"5m\"` or `\"1h\"`",
            ),
            concurrency: count(options, "concurrency", u64::from(u32::MAX), errors),
            rate: quantity(
                options,
                "rate_limit",
                rate,
                errors,
                || "a number of calls and a time: `\"10/s\"`, `\"100/m\"` or `\"5/10s\"`",
            ),
            max_output: quantity(
                options,
                "max_output",
                bytes,
                errors,
                || "a size: `\"500B\"`, `\"64KiB\"` or `\"1MiB\"`",
            ),
            retry: count(options, "retry", MOST_RETRIES, errors),
        }
    }
}

/// `key = "text"`, read by `parse`.
fn quantity<T>(
    options: &mut Options,
    key: &'static str,
    parse: fn(&str) -> Option<T>,
    errors: &mut Errors,
    wanted: impl Fn() -> &'static str,
) -> Option<T> {
    let entry = options.take(key, errors)?;
    match &entry.value {
        Value::Is(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => {
            let read = parse(&text.value());
            if read.is_none() {
                errors.push(text, format!("`{key}` takes {}", wanted()));
            }
            read
        }
        _ => {
            entry.refuse(wanted(), errors);
            None
        }
    }
}

/// `key = 1`, or an expression whose value only the compiler knows.
fn count(options: &mut Options, key: &'static str, most: u64, errors: &mut Errors) -> Option<Expr> {
    let value = options.expression(key, &format!("{key} = 2"), errors)?;
    let fits = match &value {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => {
            int.base10_parse::<u64>().is_ok_and(|count| (1..=most).contains(&count))
        }
        Expr::Lit(_) | Expr::Unary(_) => false,
        _ => true,
    };
    if !fits {
        errors.push(&value, format!("`{key}` takes a whole number from 1 to {most}: `{key} = 2`"));
        return None;
    }
    Some(value)
}

/// A whole number and what stands behind it.
fn number(text: &str) -> Option<(u64, &str)> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    Some((number.parse().ok()?, unit.trim_start()))
}

/// The milliseconds of a text, if it is a length of time above zero.
fn milliseconds(text: &str) -> Option<u64> {
    let (number, unit) = number(text)?;
    number.checked_mul(milliseconds_of(unit)?).filter(|milliseconds| *milliseconds > 0)
}

fn milliseconds_of(unit: &str) -> Option<u64> {
    Some(match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    })
}

/// A number of calls above zero and the milliseconds in which there may be so many.
fn rate(text: &str) -> Option<(u32, u64)> {
    let (calls, time) = text.split_once('/')?;
    let calls = calls.trim().parse().ok().filter(|calls| *calls > 0)?;
    let time = time.trim();
    Some((calls, milliseconds_of(time).or_else(|| milliseconds(time))?))
}

/// The bytes of a size above zero.
fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = number(text)?;
    let factor: u64 = match unit {
        "B" => 1,
        "KB" | "kB" => 1_000,
        "KiB" => 1 << 10,
        "MB" => 1_000_000,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(factor).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn calls_in_a_time_are_a_rate() {
        for (text, expected) in [
            ("10/s", Some((10, 1_000))),
            ("100 / m", Some((100, 60_000))),
            ("1/h", Some((1, 3_600_000))),
            ("5/10s", Some((5, 10_000))),
            ("0/s", None),
            ("10", None),
            ("/s", None),
            ("10/", None),
            ("10/0s", None),
            ("4294967296/s", None),
        ] {
            assert_eq!(rate(text), expected, "{text}");
        }
    }

    #[test]
    fn a_number_and_a_unit_are_a_size() {
        for (text, expected) in [
            ("1B", Some(1)),
            ("64KiB", Some(65_536)),
            ("2 MB", Some(2_000_000)),
            ("0KiB", None),
            ("64", None),
            ("64kb", None),
            ("18446744073709551615GiB", None),
        ] {
            assert_eq!(bytes(text), expected, "{text}");
        }
    }
}
