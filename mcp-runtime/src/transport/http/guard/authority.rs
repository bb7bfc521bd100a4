//! Hosts and origins: as requests name them, and as rules that admit them.
//!
//! Source: RFC 3986, section 3.2; RFC 6454, section 4; RFC 9110, section 7.2.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A host, and a port if one is stated.
#[derive(Debug, PartialEq)]
pub(super) struct Authority {
    host: Host,
    port: Option<u16>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Host {
    /// In lower case, without the dot of the root.
    Name(String),
    Address(IpAddr),
}

/// Where a web page comes from.
#[derive(Debug, PartialEq)]
pub(super) enum Origin {
    /// A page that must not tell.
    Null,
    Of {
        scheme: String,
        authority: Authority,
    },
}

/// Which hosts are good.
#[derive(Debug)]
pub(super) struct HostRule {
    host: Hosts,
    port: Option<u16>,
}

/// Which origins are good.
#[derive(Debug)]
pub(super) enum OriginRule {
    Null,
    Of { scheme: String, host: Hosts, port: Ports },
}

#[derive(Debug)]
pub(super) enum Hosts {
    Exactly(Host),
    /// Every name that ends with this one, which begins with a dot.
    Below(String),
}

#[derive(Debug)]
pub(super) enum Ports {
    Any,
    /// None: the one that goes without saying for the scheme.
    Exactly(Option<u16>),
}

impl Authority {
    /// Reads `host`, `host:port`, `[v6]` or `[v6]:port`; a name may end with the dot of the root.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (host, port) = split(text)?;
        Some(Authority { host: Host::parse(host)?, port: port_of(port)? })
    }
}

/// Splits a host, brackets included, from what follows it: nothing, or a colon and something.
fn split(text: &str) -> Option<(&str, &str)> {
    // Every request comes through here: for so few bytes, looking at each is the fastest search.
    let find = |wanted| text.bytes().position(|byte| byte == wanted);
    let end = if text.starts_with('[') { find(b']')? + 1 } else { find(b':').unwrap_or(text.len()) };
    let (host, port) = text.split_at(end);
    (port.is_empty() || port.starts_with(':')).then_some((host, port))
}

/// Reads what follows a host; a colon alone means as little as nothing.
fn port_of(text: &str) -> Option<Option<u16>> {
    match text.strip_prefix(':').unwrap_or_default() {
        "" => Some(None),
        digits => digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?.map(Some),
    }
}

impl Host {
    fn parse(text: &str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix('[') {
            let address: Ipv6Addr = rest.strip_suffix(']')?.parse().ok()?;
            return Some(Host::Address(IpAddr::V6(address).to_canonical()));
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        if !name.as_bytes().split(|b| *b == b'.').all(|label| !label.is_empty() && label.iter().copied().all(fits)) {
            return None;
        }
        let named = |_| Host::Name(name.to_ascii_lowercase());
        Some(name.parse::<Ipv4Addr>().map_or_else(named, |address| Host::Address(address.into())))
    }
}

impl Hosts {
    /// Reads a host, or `*.` and a name.
    fn parse(text: &str) -> Option<Self> {
        let Some(parent) = text.strip_prefix("*.") else { return Host::parse(text).map(Hosts::Exactly) };
        match Host::parse(parent)? {
            Host::Name(name) => Some(Hosts::Below(format!(".{name}"))),
            Host::Address(_) => None,
        }
    }

    fn admit(&self, host: &Host) -> bool {
        match (self, host) {
            (Hosts::Exactly(own), host) => own == host,
            // A name has no empty labels: it cannot be the ending alone.
            (Hosts::Below(ending), Host::Name(name)) => name.ends_with(ending.as_str()),
            (Hosts::Below(_), Host::Address(_)) => false,
        }
    }
}

impl HostRule {
    /// Reads a host as a request names it, or `*.` and a name, for everything below it; `:*` says that any port will do, as
    /// saying nothing does.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (host, port) = split(text)?;
        Some(HostRule { host: Hosts::parse(host)?, port: if port == ":*" { None } else { port_of(port)? } })
    }

    /// An address with all of its ports.
    pub(super) fn of_address(address: IpAddr) -> Self {
        HostRule { host: Hosts::Exactly(Host::Address(address.to_canonical())), port: None }
    }

    /// A rule without a port is for all ports; a request without one means the port of its scheme.
    pub(super) fn admits(&self, asked: &Authority) -> bool {
        let usual = [Some(80), Some(443)];
        let port =
            self.port.is_none() || self.port == asked.port || (asked.port.is_none() && usual.contains(&self.port));
        port && self.host.admit(&asked.host)
    }
}

/// Splits `scheme://authority`; the scheme is given in lower case.
fn split_scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, authority) = text.split_once("://")?;
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    (!scheme.is_empty() && scheme.bytes().all(fits)).then(|| (scheme.to_ascii_lowercase(), authority))
}

/// A port, unless it goes without saying.
fn worth_saying(scheme: &str, port: Option<u16>) -> Option<u16> {
    port.filter(|port| !matches!((scheme, port), ("http", 80) | ("https", 443)))
}

impl Origin {
    /// Reads `null` or `scheme://authority`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text == "null" {
            return Some(Origin::Null);
        }
        let (scheme, authority) = split_scheme(text)?;
        let authority = Authority::parse(authority)?;
        let port = worth_saying(&scheme, authority.port);
        Some(Origin::Of { scheme, authority: Authority { port, ..authority } })
    }
}

impl OriginRule {
    /// Reads an origin as a browser names it, with `*.` and a name for everything below it, and `:*` for any port.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text == "null" {
            return Some(OriginRule::Null);
        }
        let (scheme, authority) = split_scheme(text)?;
        let (host, port) = split(authority)?;
        let port = match port {
            ":*" => Ports::Any,
            port => Ports::Exactly(worth_saying(&scheme, port_of(port)?)),
        };
        Some(OriginRule::Of { scheme, host: Hosts::parse(host)?, port })
    }

    pub(super) fn admits(&self, asked: &Origin) -> bool {
        match (self, asked) {
            (OriginRule::Null, Origin::Null) => true,
            (OriginRule::Of { scheme, host, port }, Origin::Of { scheme: of, authority }) => {
                let port = match port {
                    Ports::Any => true,
                    Ports::Exactly(port) => *port == authority.port,
                };
                port && scheme == of && host.admit(&authority.host)
            }
            _ => false,
        }
    }
}
