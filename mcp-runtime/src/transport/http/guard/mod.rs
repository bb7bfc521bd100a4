//! Which `Host` and which `Origin` a request may have: the defence against web pages that reach for a local server.
//!
//! Source: basic/transports/streamable-http, Security & Endpoint; RFC 9110, section 7.2; RFC 9113, section 8.3.1; RFC 6454.

mod authority;

use super::Settings;
use super::reply::Refusal;
use super::visitor::Visitor;
use authority::{Authority, HostRule, Origin, OriginRule};
use http::header::{HOST, ORIGIN};
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode};
use std::net::IpAddr;

/// The names that a machine has for itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
/// Lets everything pass.
pub(super) const ANY: &str = "*";

/// The rules of one endpoint.
pub(in crate::transport) struct Guard {
    /// None: any host.
    hosts: Option<Vec<HostRule>>,
    origins: Origins,
}

enum Origins {
    Any,
    /// Pages served by an allowed host.
    OfHosts,
    Listed(Vec<OriginRule>),
}

impl Guard {
    /// The rules of the settings; a server that listens on `bound` is reached under that address as well.
    pub(super) fn new(settings: &Settings, bound: Option<IpAddr>) -> Self {
        let hosts = match &settings.allowed_hosts {
            Some(hosts) if hosts.iter().any(|host| host == ANY) => None,
            Some(hosts) => Some(hosts.iter().filter_map(|host| HostRule::parse(host)).collect()),
            None => {
                let own = bound.filter(|address| !address.is_unspecified());
                let public = settings.public_host();
                let names = LOOPBACK.into_iter().chain(public.as_deref());
                Some(names.filter_map(HostRule::parse).chain(own.map(HostRule::of_address)).collect())
            }
        };
        let origins = match &settings.allowed_origins {
            Some(origins) if origins.iter().any(|origin| origin == ANY) => Origins::Any,
            Some(origins) => Origins::Listed(origins.iter().filter_map(|origin| OriginRule::parse(origin)).collect()),
            None => Origins::OfHosts,
        };
        Guard { hosts, origins }
    }

    /// Refuses a request that comes from where it should not.
    pub(in crate::transport) fn check(&self, parts: &Parts, visitor: &Visitor) -> Result<(), Refusal> {
        self.check_host(parts).and_then(|()| self.check_origin(parts)).map_err(|unlisted| unlisted.refuse(visitor))
    }

    /// May pages of other hosts use the server? Only somebody who lists them says so.
    pub(super) fn is_shared(&self) -> bool {
        !matches!(self.origins, Origins::OfHosts)
    }

    /// Every host that the request names must be allowed, and it must name one. HTTP/2 puts it into the URI.
    fn check_host<'p>(&self, parts: &'p Parts) -> Result<(), Unlisted<'p>> {
        if self.hosts.is_none() {
            return Ok(());
        }
        let in_uri = parts.uri.authority().map(|authority| authority.as_str().as_bytes());
        let in_headers = parts.headers.get_all(HOST).iter().map(HeaderValue::as_bytes);
        let mut named = false;
        for text in in_uri.into_iter().chain(in_headers) {
            named = true;
            let authority = std::str::from_utf8(text).ok().and_then(Authority::parse);
            if !authority.is_some_and(|authority| self.admits_host(&authority)) {
                return Err(Unlisted { header: HOST, value: text, option: "allowed_hosts" });
            }
        }
        if named { Ok(()) } else { Err(Unlisted { header: HOST, value: b"", option: "allowed_hosts" }) }
    }

    fn check_origin<'p>(&self, parts: &'p Parts) -> Result<(), Unlisted<'p>> {
        match parts.headers.get_all(ORIGIN).iter().find(|origin| !self.admits_origin(origin)) {
            Some(origin) => Err(Unlisted { header: ORIGIN, value: origin.as_bytes(), option: "allowed_origins" }),
            None => Ok(()),
        }
    }

    /// May pages of this origin use the server?
    pub(super) fn admits_origin(&self, value: &HeaderValue) -> bool {
        let origin = || value.to_str().ok().and_then(Origin::parse);
        match &self.origins {
            Origins::Any => true,
            Origins::OfHosts => origin().is_some_and(|origin| match origin {
                Origin::Of { scheme, authority } => {
                    ["http", "https"].contains(&scheme.as_str()) && self.admits_host(&authority)
                }
                Origin::Null => false,
            }),
            Origins::Listed(rules) => origin().is_some_and(|origin| rules.iter().any(|rule| rule.admits(&origin))),
        }
    }

    fn admits_host(&self, authority: &Authority) -> bool {
        self.hosts.as_ref().is_none_or(|hosts| hosts.iter().any(|rule| rule.admits(authority)))
    }
}

/// What a request names and no list has.
struct Unlisted<'p> {
    header: HeaderName,
    value: &'p [u8],
    option: &'static str,
}

impl Unlisted<'_> {
    /// Logs what was wrong, for the operator alone.
    fn refuse(self, visitor: &Visitor) -> Refusal {
        let Unlisted { header, value, option } = self;
        let value: String = String::from_utf8_lossy(value).chars().take(200).collect();
        tracing::warn!(
            %header,
            value,
            client = visitor.address.map(tracing::field::display),
            http_request_id = visitor.id(),
            "a request was refused; if it should not be, list this value in Server::{option}"
        );
        let text = format!("the header `{header}` has a value that this server does not allow");
        Refusal::new(StatusCode::FORBIDDEN, text)
    }
}

/// Can this text stand in the list of hosts?
pub(super) fn is_host_rule(text: &str) -> bool {
    text == ANY || HostRule::parse(text).is_some()
}

/// Can this text stand in the list of origins?
pub(super) fn is_origin_rule(text: &str) -> bool {
    text == ANY || OriginRule::parse(text).is_some()
}
