//! `Content-Type` and `Accept`.
//!
//! The protocol obliges clients to accept both JSON and event streams. Many send less; what they send is honoured.
//!
//! Source: RFC 9110, sections 8.3 and 12.5.1.

use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};

const JSON: &str = "application/json";

/// What the client can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::transport) struct Accept {
    pub(super) json: bool,
    pub(in crate::transport) events: bool,
}

impl Accept {
    const BOTH: Accept = Accept { json: true, events: true };

    /// Reads the header. Without it, and when it is empty, everything is welcome.
    pub(in crate::transport) fn of(headers: &HeaderMap) -> Self {
        // What the protocol tells clients to send, and nearly all do, needs no closer look.
        if headers.get(ACCEPT).is_some_and(|value| value == "application/json, text/event-stream") {
            return Accept::BOTH;
        }
        let (mut json, mut events) = (Best::default(), Best::default());
        let mut any = false;
        for value in headers.get_all(ACCEPT) {
            let ranges = value.to_str().unwrap_or_default().split(',').map(str::trim).filter(|range| !range.is_empty());
            for range in ranges {
                any = true;
                json.consider(range, "application", "json");
                events.consider(range, "text", "event-stream");
            }
        }
        if any { Accept { json: json.welcome, events: events.welcome } } else { Accept::BOTH }
    }
}

/// What the most specific range that covers a media type says about it.
#[derive(Default)]
struct Best {
    specificity: u8,
    welcome: bool,
}

impl Best {
    fn consider(&mut self, range: &str, kind: &str, subtype: &str) {
        let mut parts = range.split(';').map(str::trim);
        let Some((range_kind, range_subtype)) = parts.next().and_then(|range| range.split_once('/')) else { return };
        let specificity = if range_kind.eq_ignore_ascii_case(kind) {
            match range_subtype {
                "*" => 2,
                other if other.eq_ignore_ascii_case(subtype) => 3,
                _ => return,
            }
        } else if range_kind == "*" && range_subtype == "*" {
            1
        } else {
            return;
        };
        let quality = parts.find_map(|parameter| parameter.strip_prefix("q=").or(parameter.strip_prefix("Q=")));
        let welcome = quality.and_then(|quality| quality.parse::<f32>().ok()).is_none_or(|quality| quality > 0.0);
        if specificity > self.specificity {
            *self = Best { specificity, welcome };
        } else if specificity == self.specificity {
            self.welcome |= welcome;
        }
    }
}

/// Is the body JSON, as it stands? Anything that a web page can send without asking the server first must not pass.
pub(in crate::transport) fn brings_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (types.next(), types.next()) else { return false };
    // As above: what nearly all send needs no closer look.
    let is_json = value == JSON || {
        let essence = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
        essence.eq_ignore_ascii_case(JSON)
    };
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    is_json && encodings.all(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}
