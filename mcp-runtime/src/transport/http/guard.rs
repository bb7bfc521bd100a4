//! Which `Host` and which `Origin` a request may have: the defence against web pages that reach for a local server.
//!
//! Source: basic/transports/streamable-http, Security & Endpoint; RFC 9110, section 7.2; RFC 9113, section 8.3.1; RFC 6454.

use super::Settings;
use super::reply::Refusal;
use http::header::{HOST, ORIGIN};
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode};
use std::net::{IpAddr, Ipv6Addr};

/// The names that a machine has for itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
/// Lets everything pass.
const ANY: &str = "*";

/// The rules of one endpoint.
pub(in crate::transport) struct Guard {
    /// None: any host.
    hosts: Option<Vec<Authority>>,
    origins: Origins,
}

enum Origins {
    Any,
    /// Pages served by an allowed host.
    OfHosts,
    Listed(Vec<Origin>),
}

/// A host, and a port if one is stated.
#[derive(Debug, PartialEq)]
struct Authority {
    host: Host,
    port: Option<u16>,
}

#[derive(Debug, PartialEq)]
enum Host {
    /// In lower case, without the dot of the root.
    Name(String),
    Address(IpAddr),
}

/// Where a web page comes from.
#[derive(Debug, PartialEq)]
enum Origin {
    /// A page that must not tell.
    Null,
    Of {
        scheme: String,
        authority: Authority,
    },
}

impl Guard {
    /// The rules of the settings; a server that listens on `bound` is reached under that address as well.
    pub(super) fn new(settings: &Settings, bound: Option<IpAddr>) -> Self {
        let hosts = match &settings.allowed_hosts {
            Some(hosts) if hosts.iter().any(|host| host == ANY) => None,
            Some(hosts) => Some(hosts.iter().filter_map(|host| Authority::parse(host)).collect()),
            None => {
                let own = bound.filter(|address| !address.is_unspecified());
                let own = own.map(|address| Authority { host: Host::Address(address.to_canonical()), port: None });
                let public = settings.public_host();
                let names = LOOPBACK.into_iter().chain(public.as_deref());
                Some(names.filter_map(Authority::parse).chain(own).collect())
            }
        };
        let origins = match &settings.allowed_origins {
            Some(origins) if origins.iter().any(|origin| origin == ANY) => Origins::Any,
            Some(origins) => Origins::Listed(origins.iter().filter_map(|origin| Origin::parse(origin)).collect()),
            None => Origins::OfHosts,
        };
        Guard { hosts, origins }
    }

    /// Refuses a request that comes from where it should not.
    pub(in crate::transport) fn check(&self, parts: &Parts) -> Result<(), Refusal> {
        self.check_host(parts)?;
        self.check_origin(parts)
    }

    /// Every host that the request names must be allowed, and it must name one. HTTP/2 puts it into the URI.
    fn check_host(&self, parts: &Parts) -> Result<(), Refusal> {
        if self.hosts.is_none() {
            return Ok(());
        }
        let in_uri = parts.uri.authority().map(|authority| authority.as_str().as_bytes());
        let in_headers = parts.headers.get_all(HOST).iter().map(HeaderValue::as_bytes);
        let mut named = false;
        for text in in_uri.into_iter().chain(in_headers) {
            named = true;
            let authority = std::str::from_utf8(text).ok().and_then(Authority::parse);
            if !authority.is_some_and(|authority| self.admits(&authority)) {
                return Err(refuse(&HOST, text, "Server::allowed_hosts"));
            }
        }
        if named { Ok(()) } else { Err(refuse(&HOST, b"", "Server::allowed_hosts")) }
    }

    fn check_origin(&self, parts: &Parts) -> Result<(), Refusal> {
        for value in parts.headers.get_all(ORIGIN) {
            let origin = value.to_str().ok().and_then(Origin::parse);
            let allowed = match (&self.origins, &origin) {
                (Origins::Any, _) => true,
                (Origins::OfHosts, Some(Origin::Of { scheme, authority })) => {
                    ["http", "https"].contains(&scheme.as_str()) && self.admits(authority)
                }
                (Origins::Listed(list), Some(origin)) => list.contains(origin),
                (_, _) => false,
            };
            if !allowed {
                return Err(refuse(&ORIGIN, value.as_bytes(), "Server::allowed_origins"));
            }
        }
        Ok(())
    }

    fn admits(&self, authority: &Authority) -> bool {
        self.hosts.as_ref().is_none_or(|hosts| hosts.iter().any(|rule| rule.admits(authority)))
    }
}

/// Logs what was wrong, for the operator alone.
fn refuse(header: &HeaderName, value: &[u8], option: &str) -> Refusal {
    let value: String = String::from_utf8_lossy(value).chars().take(200).collect();
    tracing::warn!(%header, value, "a request was refused: {option} does not list this value");
    Refusal::new(StatusCode::FORBIDDEN, format!("the header `{header}` has a value that this server does not allow"))
}

impl Authority {
    /// Reads `host`, `host:port`, `[v6]` or `[v6]:port`; a name may end with the dot of the root.
    fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (address, rest) = rest.split_once(']')?;
                (Host::Address(IpAddr::V6(address.parse::<Ipv6Addr>().ok()?).to_canonical()), rest)
            }
            None => {
                let (name, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
                (Host::parse(name)?, rest)
            }
        };
        let port = match port.strip_prefix(':') {
            Some("") => None,
            Some(digits) => Some(digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??),
            None if port.is_empty() => None,
            None => return None,
        };
        Some(Authority { host, port })
    }

    /// A rule without a port is for all ports; a request without one means the port of its scheme.
    fn admits(&self, asked: &Authority) -> bool {
        let usual = [Some(80), Some(443)];
        let port =
            self.port.is_none() || self.port == asked.port || (asked.port.is_none() && usual.contains(&self.port));
        port && self.host == asked.host
    }
}

impl Host {
    fn parse(name: &str) -> Option<Self> {
        let name = name.strip_suffix('.').unwrap_or(name);
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
        if name.is_empty() || !name.bytes().all(fits) {
            return None;
        }
        Some(name.parse().map_or_else(|_| Host::Name(name.to_ascii_lowercase()), Host::Address))
    }
}

impl Origin {
    /// Reads `null` or `scheme://authority`; the port that goes without saying is left out.
    fn parse(text: &str) -> Option<Self> {
        if text == "null" {
            return Some(Origin::Null);
        }
        let (scheme, authority) = text.split_once("://")?;
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
        if scheme.is_empty() || !scheme.bytes().all(fits) {
            return None;
        }
        let scheme = scheme.to_ascii_lowercase();
        let mut authority = Authority::parse(authority)?;
        if matches!((scheme.as_str(), authority.port), ("http", Some(80)) | ("https", Some(443))) {
            authority.port = None;
        }
        Some(Origin::Of { scheme, authority })
    }
}

/// Can this text stand in the list of hosts?
pub(super) fn is_host_rule(text: &str) -> bool {
    text == ANY || Authority::parse(text).is_some()
}

/// Can this text stand in the list of origins?
pub(super) fn is_origin_rule(text: &str) -> bool {
    text == ANY || Origin::parse(text).is_some()
}
