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
            let text = value.to_str().unwrap_or_default();
            let read = if self.header == FORWARDED { forwarded_for } else { node };
            let hops = elements(text, ',').filter(|element| !element.trim().is_empty()).map(read);
            let hops: Vec<Option<IpAddr>> = hops.collect();
            for hop in hops.into_iter().rev() {
                client = hop;
                if !hop.is_some_and(|hop| self.trust(hop)) {
                    return client;
                }
            }
        }
        client
    }
}

/// Splits at every separator outside of quotes.
fn elements(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |c| {
        let splits = c == separator && !quoted;
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ => {}
        }
        splits
    })
}

/// The address in `for=..` of one element.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = elements(element, ';').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    let value = value.trim();
    node(value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value))
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
    /// over. Entries that are neither address nor network are reported by [`build`](Self::build).
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
