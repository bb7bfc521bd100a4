//! Which session a request is about, and what it gets by that alone.

use super::World;
use super::steps::{Target, Version};
use crate::peer::{REVISIONS, STATELESS};
use crate::web::Reply;
use http::{HeaderMap, HeaderValue};

/// What a request that names sessions is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    Open(usize),
    /// A session that is over, or never was.
    Gone,
    Nothing,
    /// More than one.
    Garbled,
}

impl World {
    /// The headers of a request, and what it is about.
    pub(super) fn headers(&self, of: &Target<'_>, version: Version) -> (HeaderMap, Aim) {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("host", "localhost"),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let named = self.named(of);
        named.iter().for_each(|value| _ = headers.append("mcp-session-id", value.clone()));
        let aim = self.aim(&named);
        let own = if let Aim::Open(session) = aim { self.sessions[session].revision } else { REVISIONS[3] };
        let said = match version {
            Version::Own => Some(own),
            Version::Absent => None,
            Version::Another(age) => Some(REVISIONS[usize::from(age) % 4]),
            Version::Stateless => Some(STATELESS),
            Version::Unknown => Some("1999-01-01"),
        };
        if let Some(said) = said {
            headers.insert("mcp-protocol-version", HeaderValue::from_static(said));
        }
        (headers, aim)
    }

    /// The values of the header that names a session.
    fn named(&self, of: &Target<'_>) -> Vec<HeaderValue> {
        let id = |of: u8| self.number(of).map(|at| self.sessions[at].id.clone());
        let named: Vec<Option<String>> = match of {
            Target::One(of) => vec![id(*of)],
            Target::Altered { of, at, character } => vec![id(*of).map(|id| altered(&id, *at, *character))],
            Target::Text(text) => vec![Some((*text).to_owned())],
            Target::Nothing => Vec::new(),
            Target::Twice(one, other) => vec![id(*one), id(*other)],
        };
        named.into_iter().flatten().filter_map(|id| HeaderValue::from_str(&id).ok()).collect()
    }

    fn aim(&self, named: &[HeaderValue]) -> Aim {
        let [value] = named else { return if named.is_empty() { Aim::Nothing } else { Aim::Garbled } };
        let Ok(id) = value.to_str().map(str::trim_ascii) else { return Aim::Garbled };
        let known = self.sessions.iter().position(|session| session.id == id && session.is_open);
        known.map_or(Aim::Gone, Aim::Open)
    }
}

fn altered(id: &str, at: u8, character: u8) -> String {
    let mut bytes = id.as_bytes().to_vec();
    let at = usize::from(at) % bytes.len();
    bytes[at] = b'!' + character % 94;
    String::from_utf8(bytes).expect("ASCII")
}

/// Judges a response to a request without a body; gives the session if it is to be served.
pub(super) fn judge_stream(aim: Aim, version: Version, reply: &Reply, served: u16) -> Option<usize> {
    let status = reply.status.as_u16();
    match (version, aim) {
        (Version::Stateless, _) => assert_eq!(status, 405),
        (Version::Unknown, _) => assert_eq!(status, 400),
        (_, Aim::Open(session)) => {
            assert_eq!(status, served, "{:?}", reply.body);
            return Some(session);
        }
        (_, Aim::Gone) => assert_eq!(status, 404),
        (_, Aim::Nothing | Aim::Garbled) => assert_eq!(status, 400),
    }
    None
}
