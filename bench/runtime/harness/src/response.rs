//! HTTP responses as they come in pieces.

use crate::{Result, text};

/// A response that has not come whole.
#[derive(Default)]
pub(crate) struct Response {
    /// Bytes that could not be used yet: a part of the head, or of a chunk's size.
    rest: Vec<u8>,
    head: Option<Head>,
    body: Vec<u8>,
}

struct Head {
    status: u16,
    session: Option<String>,
    events: bool,
    remains: Remains,
}

/// What the body still needs.
enum Remains {
    Bytes(usize),
    /// So many bytes of a chunk, the line's end behind it included.
    Chunk(usize),
    ChunkSize,
}

/// A whole response.
pub(crate) struct Body<'a> {
    pub(crate) status: u16,
    pub(crate) session: Option<String>,
    pub(crate) bytes: &'a [u8],
    events: bool,
}

impl<'a> Body<'a> {
    /// The answer in it, and how many messages came before.
    pub(crate) fn answer(&self) -> (&'a [u8], u64) {
        if !self.events {
            return (self.bytes, 0);
        }
        let (mut answer, mut messages) = (&self.bytes[..0], 0);
        let mut at = 0;
        for end in memchr::memchr_iter(b'\n', self.bytes) {
            let line = &self.bytes[at..end];
            at = end + 1;
            let Some(data) = line.strip_prefix(b"data:") else { continue };
            let data = data.trim_ascii();
            // Events without data only carry an id to resume from.
            if !data.is_empty() {
                (answer, messages) = (data, messages + 1);
            }
        }
        (answer, messages.max(1) - 1)
    }
}

impl Response {
    /// Takes what has come; gives the response when it is whole. What was given is gone at the next call.
    pub(crate) fn feed<'a>(&'a mut self, bytes: &'a [u8]) -> Result<Option<Body<'a>>> {
        let mut bytes = bytes;
        if self.head.is_none() {
            if self.rest.is_empty() {
                self.body.clear();
                let Some((head, length)) = parse_head(bytes)? else {
                    self.rest.extend_from_slice(bytes);
                    return Ok(None);
                };
                // Most come in one piece: nothing is copied then.
                if let Remains::Bytes(remains) = head.remains
                    && bytes.len() == length + remains
                {
                    return Ok(Some(head.body(&bytes[length..])));
                }
                (self.head, bytes) = (Some(head), &bytes[length..]);
            } else {
                self.rest.extend_from_slice(bytes);
                let Some((head, length)) = parse_head(&self.rest)? else { return Ok(None) };
                self.head = Some(head);
                let rest = std::mem::take(&mut self.rest);
                return self.continue_with(&rest[length..]);
            }
        }
        self.continue_with(bytes)
    }

    fn continue_with(&mut self, bytes: &[u8]) -> Result<Option<Body<'_>>> {
        let joined;
        let mut bytes = bytes;
        if !self.rest.is_empty() {
            self.rest.extend_from_slice(bytes);
            joined = std::mem::take(&mut self.rest);
            bytes = &joined;
        }
        let head = self.head.as_mut().ok_or("no head")?;
        let whole = loop {
            match head.remains {
                Remains::Bytes(remains) => {
                    let taken = remains.min(bytes.len());
                    self.body.extend_from_slice(&bytes[..taken]);
                    head.remains = Remains::Bytes(remains - taken);
                    break remains == taken;
                }
                Remains::Chunk(remains) => {
                    let taken = remains.min(bytes.len());
                    // The last two bytes end the line.
                    self.body.extend_from_slice(&bytes[..taken.min(remains.saturating_sub(2))]);
                    bytes = &bytes[taken..];
                    head.remains = match remains - taken {
                        0 => Remains::ChunkSize,
                        remains => Remains::Chunk(remains),
                    };
                    if bytes.is_empty() {
                        break false;
                    }
                }
                Remains::ChunkSize => match httparse::parse_chunk_size(bytes).map_err(|error| error.to_string())? {
                    httparse::Status::Partial => {
                        self.rest = bytes.to_vec();
                        break false;
                    }
                    httparse::Status::Complete((length, 0)) if bytes.len() >= length + 2 => break true,
                    httparse::Status::Complete((_, 0)) => {
                        self.rest = bytes.to_vec();
                        break false;
                    }
                    httparse::Status::Complete((length, size)) => {
                        bytes = &bytes[length..];
                        head.remains = Remains::Chunk(usize::try_from(size).map_err(text)? + 2);
                        if bytes.is_empty() {
                            break false;
                        }
                    }
                },
            }
        };
        Ok(if whole { self.head.take().map(|head| head.body(&self.body)) } else { None })
    }
}

impl Head {
    fn body(self, bytes: &[u8]) -> Body<'_> {
        Body { status: self.status, session: self.session, bytes, events: self.events }
    }
}

/// The head, if it is whole, and its length.
fn parse_head(bytes: &[u8]) -> Result<Option<(Head, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 24];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(length) = response.parse(bytes).map_err(text)? else { return Ok(None) };
    let mut head =
        Head { status: response.code.unwrap_or(0), session: None, events: false, remains: Remains::Bytes(0) };
    for header in response.headers.iter() {
        let value = || std::str::from_utf8(header.value).map_err(text);
        if header.name.eq_ignore_ascii_case("content-length") {
            head.remains = Remains::Bytes(value()?.parse().map_err(text)?);
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            head.remains = Remains::ChunkSize;
        } else if header.name.eq_ignore_ascii_case("content-type") {
            head.events = header.value.starts_with(b"text/event-stream");
        } else if header.name.eq_ignore_ascii_case("mcp-session-id") {
            head.session = Some(value()?.to_owned());
        }
    }
    Ok(Some((head, length)))
}
