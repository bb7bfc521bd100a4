//! From whom a request comes that has passed proxies. What they say about it is believed if they are known, and of all that is
//! said only the address of the client: host, scheme and path of a request are what arrives.
//!
//! Source: RFC 7239 (Forwarded).

use crate::Server;
use http::header::FORWARDED;
use http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

/// The header in which proxies tell for whom they ask: see [`Server::trusted_proxies`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForwardingHeader {
    /// `Forwarded: for=192.0.2.60`, as RFC 7239 has it.
    Forwarded,
    /// `X-Forwarded-For: 192.0.2.60`, as most proxies have it.
    XForwardedFor,
}

/// The address at the other end of the connection that a request came on. A server that listens itself knows it; for a service that
/// is mounted in a router, whoever accepts connections puts it into the extensions of requests. It is the client's own address, or
/// that of a proxy: see [`Server::trusted_proxies`].
///
/// ```
/// use axum::extract::{ConnectInfo, Request};
/// use axum::middleware::Next;
/// use axum::response::Response;
/// use mcp_runtime::PeerAddress;
/// use std::net::SocketAddr;
///
/// /// For a router that is served by `into_make_service_with_connect_info::<SocketAddr>()`.
/// async fn tell(ConnectInfo(peer): ConnectInfo<SocketAddr>, mut request: Request, next: Next) -> Response {
///     request.extensions_mut().insert(PeerAddress(peer.ip()));
///     next.run(request).await
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerAddress(pub IpAddr);

/// The proxies that are believed.
#[derive(Debug, Clone)]
pub(super) struct Proxies {
    networks: Vec<IpNet>,
    header: HeaderName,
    /// Entries that are neither an address nor a network.
    wrong: Vec<String>,
}

impl Proxies {
    fn new(entries: impl Iterator<Item = String>, header: ForwardingHeader) -> Self {
        let header = match header {
            ForwardingHeader::Forwarded => FORWARDED,
            ForwardingHeader::XForwardedFor => HeaderName::from_static("x-forwarded-for"),
        };
        let mut proxies = Proxies { networks: Vec::new(), header, wrong: Vec::new() };
        for entry in entries {
            match entry.parse().or_else(|_| entry.parse().map(|address: IpAddr| address.to_canonical().into())) {
                Ok(network) => proxies.networks.push(network),
                Err(_) => proxies.wrong.push(entry),
            }
        }
        proxies
    }

    pub(super) fn problems(&self) -> impl Iterator<Item = String> {
        let text = |entry| {
            format!("trusted_proxies: `{entry}` is no address such as `10.0.0.7` or network such as `10.0.0.0/8`")
        };
        self.wrong.iter().map(text)
    }

    /// Is what comes from this address believed?
    pub(super) fn trust(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// The client for which a peer that is believed asks; none if it does not know itself. Each proxy adds at the end what
    /// it has seen, so that whatever stands before the first stranger, seen from there, is that stranger's invention.
    pub(super) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
        let mut client = Some(peer);
        for value in headers.get_all(&self.header).iter().rev() {
            for hop in self.hops(value.as_bytes())?.into_iter().rev() {
                client = hop;
                if !hop.is_some_and(|hop| self.trust(hop)) {
                    return client;
                }
            }
        }
        client
    }

    /// What each proxy has seen; none if nobody can tell whose word ends where.
    fn hops(&self, value: &[u8]) -> Option<Vec<Option<IpAddr>>> {
        if self.header == FORWARDED {
            return forwarded(str::from_utf8(value).ok()?);
        }
        let hops = value.split(|byte| *byte == b',').filter(|hop| !hop.trim_ascii().is_empty());
        Some(hops.map(|hop| str::from_utf8(hop).ok().and_then(node)).collect())
    }
}

/// Reads `Forwarded`: the address of each element. A quote that a client leaves open would swallow what a proxy adds to the same
/// line; so nothing is believed of a line that is not wholly as the grammar has it.
fn forwarded(text: &str) -> Option<Vec<Option<IpAddr>>> {
    let (mut hops, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start();
        if !rest.is_empty() && !rest.starts_with(',') {
            let (hop, behind) = element(rest)?;
            hops.push(hop);
            rest = behind;
        }
        match rest.strip_prefix(',') {
            Some(behind) => rest = behind,
            None => return rest.is_empty().then_some(hops),
        }
    }
}

/// Reads one element: the address in `for=..`, and what stands behind the element.
fn element(text: &str) -> Option<(Option<IpAddr>, &str)> {
    let (mut rest, mut client) = (text, None);
    loop {
        let (name, behind) = rest.split_once('=')?;
        let (value, behind) = value(behind)?;
        let is_first = client.is_none();
        match name {
            name if name.eq_ignore_ascii_case("for") && is_first => client = Some(node(&value)),
            name if name.eq_ignore_ascii_case("for") || !is_token(name) => return None,
            _ => {}
        }
        let behind = behind.trim_start();
        match behind.strip_prefix(';') {
            Some(behind) => rest = behind.trim_start(),
            None => return Some((client.flatten(), behind)),
        }
    }
}

/// Reads a value, with or without quotes, and gives what stands behind it.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        // Addresses with ports stand without the quotes that they should have more often than with them.
        let end = text.find([',', ';', '"', ' ', '\t']).unwrap_or(text.len());
        return Some((text[..end].to_owned(), &text[end..]));
    };
    let (mut value, mut chars) = (String::new(), quoted.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &quoted[at + 1..])),
            '\\' => value.push(chars.next()?.1),
            c => value.push(c),
        }
    }
    None
}

fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// An address, with or without a port; none for `unknown` and for names that hide it.
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse().map(|address: SocketAddr| address.ip()));
    address.ok().map(|address: IpAddr| address.to_canonical())
}

/// # Proxies
impl Server {
    /// The proxies in front of the server, as addresses (`10.0.0.7`) or networks (`10.0.0.0/8`, `fd00::/8`), and the header in which
    /// they tell for whom they ask. Without it nobody is believed.
    ///
    /// The address of the client is for logs, spans (`client.address`) and the audit trail
    /// ([`AuditEvent::client`](crate::AuditEvent::client)). A request of somebody else's comes from where it comes from, whatever it
    /// says. The other header is never read, for a proxy that knows only one of them passes the other on as it came; nor is anything
    /// else that proxies tell: no host, no scheme, no path. With [`request_ids`](Self::request_ids), the ids of these proxies are taken
    /// over: have them set `X-Request-Id` or drop it, for one that passes it on passes on what clients say. Entries that are neither address nor network are reported by [`build`](Self::build).
    ///
    /// ```
    /// use mcp_runtime::ForwardingHeader;
    ///
    /// let server = mcp_runtime::server!().trusted_proxies(["10.0.0.0/8"], ForwardingHeader::XForwardedFor);
    /// ```
    ///
    /// Source: RFC 7239.
    pub fn trusted_proxies(
        mut self,
        proxies: impl IntoIterator<Item = impl Into<String>>,
        header: ForwardingHeader,
    ) -> Self {
        self.http.proxies = Some(Proxies::new(proxies.into_iter().map(Into::into), header));
        self
    }
}
