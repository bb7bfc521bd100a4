//! One pass over JSON text: what is no JSON is refused, and what is one can be taken apart on the way.
//!
//! A message must be looked through for its end, for its members, for those of its `params` and of their `_meta`. A decoder
//! that gives a value's text ([`RawValue`](serde_json::value::RawValue)) reads it to the end first and has to read it again
//! for what is inside; that was most of the work of a call. Here it is one walk, without allocation and without recursion.
//! Values are decoded by `serde_json`, once, when somebody wants them.
//!
//! Source: RFC 8259.

use super::Json;
use std::borrow::Cow;

/// The text is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotJson;

/// A place in JSON text.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// How many objects and arrays are open that are taken apart.
    open: usize,
    /// The most that were open at a time, passed ones and those that are taken apart.
    deepest: usize,
}

/// The name of a member.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name<'a> {
    quoted: &'a str,
    escaped: bool,
}

impl<'a> Name<'a> {
    /// What it says; if its escapes are no text, as it stands.
    pub(crate) fn text(self) -> Cow<'a, str> {
        let as_it_stands = &self.quoted[1..self.quoted.len() - 1];
        // Nearly no name has escapes, and to look for them here would be to look twice.
        let read = self.escaped.then(|| self.json().text()).flatten();
        read.unwrap_or(Cow::Borrowed(as_it_stands))
    }

    /// The name as a JSON string.
    pub(crate) fn json(self) -> Json<'a> {
        Json(self.quoted)
    }
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Scanner { text, at: 0, open: 0, deepest: 0 }
    }

    /// How deep objects and arrays were nested in what has been passed.
    pub(crate) fn deepest(&self) -> usize {
        self.deepest
    }

    /// The byte that the next value begins with.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        match self.text.as_bytes().get(self.at) {
            // Most messages have no space between what they say.
            Some(b' ' | b'\t' | b'\n' | b'\r') => self.peek_behind_space(),
            other => other.copied(),
        }
    }

    #[cold]
    fn peek_behind_space(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Nothing may come any more.
    pub(crate) fn end(&mut self) -> Result<(), NotJson> {
        if self.peek().is_none() { Ok(()) } else { Err(NotJson) }
    }

    /// The next value, whatever it is.
    pub(crate) fn value(&mut self) -> Result<Json<'a>, NotJson> {
        let first = self.peek();
        let start = self.at;
        match first {
            Some(b'{' | b'[') => self.nested()?,
            first => self.scalar(first)?,
        }
        Ok(Json(&self.text[start..self.at]))
    }

    /// The next value, an object. `member` gets each name and must take exactly one value.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(Name<'a>, &mut Self) -> Result<(), NotJson>,
    ) -> Result<Json<'a>, NotJson> {
        self.pass(b'{')?;
        let start = self.at - 1;
        self.descend(1);
        self.open += 1;
        if self.peek() == Some(b'}') {
            self.at += 1;
        } else {
            loop {
                let name = self.name()?;
                member(name, self)?;
                if self.is_last(b'}')? {
                    break;
                }
            }
        }
        self.open -= 1;
        Ok(Json(&self.text[start..self.at]))
    }

    /// The next value, an array. `item` must take exactly one value each time.
    pub(crate) fn array(&mut self, mut item: impl FnMut(&mut Self) -> Result<(), NotJson>) -> Result<(), NotJson> {
        self.pass(b'[')?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            if self.is_last(b']')? {
                return Ok(());
            }
        }
    }

    /// So many more objects and arrays are open than those that are taken apart.
    fn descend(&mut self, more: usize) {
        self.deepest = self.deepest.max(self.open + more);
    }

    /// Passes what stands after an item: `close`, or a comma that promises another one.
    fn is_last(&mut self, close: u8) -> Result<bool, NotJson> {
        let next = self.peek();
        self.at += 1;
        match next {
            Some(b',') => Ok(false),
            Some(byte) if byte == close => Ok(true),
            _ => Err(NotJson),
        }
    }

    fn pass(&mut self, byte: u8) -> Result<(), NotJson> {
        let next = self.peek();
        self.at += 1;
        if next == Some(byte) { Ok(()) } else { Err(NotJson) }
    }

    /// A member's name and the colon after it.
    fn name(&mut self) -> Result<Name<'a>, NotJson> {
        self.pass(b'"')?;
        let start = self.at - 1;
        let escaped = self.string()?;
        let quoted = &self.text[start..self.at];
        self.pass(b':')?;
        Ok(Name { quoted, escaped })
    }

    /// Passes an object or an array with everything inside.
    fn nested(&mut self) -> Result<(), NotJson> {
        let mut open = Open::default();
        loop {
            // A value begins.
            match self.peek() {
                Some(b'{') => {
                    self.at += 1;
                    open.push(true);
                    self.descend(open.depth);
                    if self.peek() != Some(b'}') {
                        self.name()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    open.push(false);
                    self.descend(open.depth);
                    if self.peek() != Some(b']') {
                        continue;
                    }
                }
                first => self.scalar(first)?,
            }
            // A value, or nothing, has ended: so may whatever it is in.
            loop {
                let Some(is_object) = open.last() else { return Ok(()) };
                if !self.is_last(if is_object { b'}' } else { b']' })? {
                    if is_object {
                        self.name()?;
                    }
                    break;
                }
                open.pop();
            }
        }
    }

    /// Passes a value without others inside, which begins with `first`.
    fn scalar(&mut self, first: Option<u8>) -> Result<(), NotJson> {
        match first {
            Some(b'"') => {
                self.at += 1;
                self.string().map(drop)
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            _ => Err(NotJson),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), NotJson> {
        let is_there = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += word.len();
        if is_there { Ok(()) } else { Err(NotJson) }
    }

    /// Passes a string from behind its first quote; true if it holds escapes.
    fn string(&mut self) -> Result<bool, NotJson> {
        let bytes = self.text.as_bytes();
        let mut escaped = false;
        loop {
            self.at += plain(&bytes[self.at..]);
            match bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    self.at += escape(&bytes[self.at + 1..])? + 1;
                }
                // A control character, or the end.
                _ => return Err(NotJson),
            }
        }
    }

    fn number(&mut self) -> Result<(), NotJson> {
        let bytes = self.text.as_bytes();
        let byte = |at: usize| bytes.get(at).copied();
        let digits = |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let some_digits = |from: usize| match digits(from) {
            end if end > from => Ok(end),
            _ => Err(NotJson),
        };
        let whole = self.at + usize::from(byte(self.at) == Some(b'-'));
        let mut end = if byte(whole) == Some(b'0') { whole + 1 } else { some_digits(whole)? };
        if byte(end) == Some(b'.') {
            end = some_digits(end + 1)?;
        }
        if let Some(b'e' | b'E') = byte(end) {
            let signed = matches!(byte(end + 1), Some(b'+' | b'-'));
            end = some_digits(end + 1 + usize::from(signed))?;
        }
        self.at = end;
        Ok(())
    }
}

/// How many bytes are an escape, from behind its backslash.
fn escape(bytes: &[u8]) -> Result<usize, NotJson> {
    match bytes {
        [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Ok(1),
        [b'u', a, b, c, d, ..] if [a, b, c, d].into_iter().all(u8::is_ascii_hexdigit) => Ok(5),
        _ => Err(NotJson),
    }
}

/// How many bytes from the first one are a string's text as they stand: no quote, no backslash, no control character.
pub(super) fn plain(bytes: &[u8]) -> usize {
    /// Most strings are short: this much is looked at word by word, what follows in larger blocks.
    const SHORT: usize = 64;
    let mut rest = bytes;
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        let special = special(u64::from_le_bytes(*word));
        if special != 0 {
            return bytes.len() - rest.len() + special.trailing_zeros() as usize / 8;
        }
        rest = tail;
        if bytes.len() - rest.len() == SHORT {
            while let Some((block, tail)) = rest.split_first_chunk::<64>()
                && is_plain(block)
            {
                rest = tail;
            }
        }
    }
    let last = rest.iter().position(|byte| ends_plain(*byte)).unwrap_or(rest.len());
    bytes.len() - rest.len() + last
}

fn ends_plain(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The compiler makes a few wide instructions of this.
fn is_plain(block: &[u8; 64]) -> bool {
    !block.iter().fold(false, |found, byte| found | ends_plain(*byte))
}

/// The highest bit of each byte of a word that ends plain text. Bytes above the lowest such may be marked by mistake.
fn special(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // A byte below 0x80 that is less than what is taken from it borrows, and so gets its highest bit.
    let below_space = word.wrapping_sub(ONES * 0x20);
    let quote = (word ^ (ONES * 0x22)).wrapping_sub(ONES);
    let backslash = (word ^ (ONES * 0x5C)).wrapping_sub(ONES);
    (below_space | quote | backslash) & !word & HIGH
}

/// The objects (true) and arrays that are open: a bit each, so that the deepest text costs an eighth of its length.
#[derive(Default)]
struct Open {
    depth: usize,
    /// The innermost ones, up to a multiple of 64; the last is the lowest bit.
    inner: u64,
    outer: Vec<u64>,
}

impl Open {
    fn push(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.inner);
        }
        self.inner = self.inner << 1 | u64::from(is_object);
        self.depth += 1;
    }

    fn last(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.inner & 1 == 1)
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.inner >>= 1;
        if self.depth.is_multiple_of(64) {
            self.inner = self.outer.pop().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests;
