//! Requests and their answers: written and compared fast, because what the client costs is in every figure.
//!
//! A request is written once; then only its numbers change, which all have nine digits. The first answer of a server is
//! parsed and checked for what it says; later ones must be the same bytes but for the numbers, and are parsed again if not.

use crate::Result;
use crate::work::{Dialect, Work};
use serde_json::Value;

/// Digits of every number that changes.
const DIGITS: usize = 9;
const ID: u64 = 100_000_000;
const FIRST: u64 = 300_000_000;
const SECOND: u64 = 400_000_000;

/// A request, ready to be sent with any number.
#[derive(Clone)]
pub(crate) struct Request {
    bytes: Vec<u8>,
    id: Option<usize>,
    first: Option<usize>,
    second: Option<usize>,
}

impl Request {
    /// From a text with these numbers in the places of those that change.
    pub(crate) fn new(text: &str) -> Self {
        let find = |number: u64| text.find(&number.to_string());
        Request { bytes: text.as_bytes().to_vec(), id: find(ID), first: find(FIRST), second: find(SECOND) }
    }

    /// As it was numbered last.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The request number `n`.
    pub(crate) fn numbered(&mut self, n: u64) -> &[u8] {
        for (place, base) in [(self.id, ID), (self.first, FIRST), (self.second, SECOND)] {
            if let Some(place) = place {
                write_digits(&mut self.bytes[place..place + DIGITS], base + n);
            }
        }
        &self.bytes
    }
}

/// The place of the numbers in a request's text.
pub(crate) fn id() -> u64 {
    ID
}

/// The numbers that `add` is asked to add.
pub(crate) fn addends() -> (u64, u64) {
    (FIRST, SECOND)
}

fn sum(n: u64) -> u64 {
    FIRST + SECOND + 2 * n
}

fn write_digits(place: &mut [u8], mut number: u64) {
    for digit in place.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

fn read_digits(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + u64::from(digit - b'0')))
}

/// Checks answers.
#[derive(Clone)]
pub(crate) struct Checker {
    work: Work,
    learned: Option<Learned>,
    /// Answers that had to be parsed.
    pub(crate) parsed: u64,
}

#[derive(Clone)]
struct Learned {
    bytes: Vec<u8>,
    id: usize,
    sums: Vec<usize>,
}

impl Checker {
    pub(crate) fn new(work: Work) -> Self {
        Checker { work, learned: None, parsed: 0 }
    }

    /// The last answer that was compared.
    pub(crate) fn answer(&self) -> Option<&[u8]> {
        self.learned.as_ref().map(|learned| learned.bytes.as_slice())
    }

    /// The number of the request that this is the right answer to.
    pub(crate) fn check(&mut self, answer: &[u8]) -> Result<u64> {
        if let Some(n) = self.learned.as_mut().and_then(|learned| learned.compare(answer)) {
            return Ok(n);
        }
        self.parsed += 1;
        let text = || String::from_utf8_lossy(&answer[..answer.len().min(600)]).into_owned();
        let value: Value = serde_json::from_slice(answer).map_err(|error| format!("{error}: {}", text()))?;
        let id = value["id"].as_u64().filter(|id| *id >= ID).ok_or_else(|| format!("no id: {}", text()))?;
        let n = id - ID;
        if !self.work.is_right(&value["result"], sum(n)) {
            return Err(format!("a wrong answer: {}", text()));
        }
        self.learned = Learned::from(answer, n);
        Ok(n)
    }
}

impl Learned {
    fn from(answer: &[u8], n: u64) -> Option<Self> {
        let id = memchr::memmem::find(answer, (ID + n).to_string().as_bytes())?;
        let sums = memchr::memmem::find_iter(answer, sum(n).to_string().as_bytes()).collect();
        Some(Learned { bytes: answer.to_vec(), id, sums })
    }

    fn compare(&mut self, answer: &[u8]) -> Option<u64> {
        let n = read_digits(answer.get(self.id..self.id + DIGITS)?)?.checked_sub(ID)?;
        write_digits(&mut self.bytes[self.id..self.id + DIGITS], ID + n);
        for place in &self.sums {
            write_digits(&mut self.bytes[*place..*place + DIGITS], sum(n));
        }
        (self.bytes == answer).then_some(n)
    }
}

/// What opens a session, one after the other; the second has no answer.
pub(crate) fn handshake(dialect: Dialect) -> Option<[String; 2]> {
    (dialect == Dialect::Session).then(|| {
        [
            format!(
                r#"{{"jsonrpc":"2.0","id":{ID},"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{{"name":"bench","version":"1"}}}}}}"#
            ),
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        ]
    })
}
