//! A server of its own: sockets, the path of the endpoint, and an orderly end.

use super::connections::{Connections, Room, turn_away};
use super::guard::Guard;
use super::patience::{Answering, Arriving, Patient, Traffic, UnderWay};
use super::reply::{self, HttpBody};
use super::session::Kind;
use super::sessions::Sessions;
use super::tls::{Acceptor, Tls};
use super::{HttpService, Settings, Shared, endpoint, front};
use crate::BuiltServer;
use crate::transport::signals::obeying;
use http::{Request, Response};
use hyper::body::Incoming;
#[cfg(not(feature = "http2"))]
use hyper::server::conn::http1;
use hyper::service::service_fn;
#[cfg(feature = "http2")]
use hyper_util::rt::TokioExecutor;
use hyper_util::rt::{TokioIo, TokioTimer};
#[cfg(feature = "http2")]
use hyper_util::server::conn::auto;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

/// The path of the endpoint; the same with a slash behind it is as good.
const PATH: &str = "/mcp";
/// How long a shutdown waits for what is under way.
const GRACE: Duration = Duration::from_secs(10);
/// How often a quiet HTTP/2 client is asked whether it is still there.
#[cfg(feature = "http2")]
const PING: Duration = Duration::from_secs(30);
/// How long to wait before the next connection when the system has no room for one, and for connections that have been cut.
const RESPITE: Duration = Duration::from_millis(200);

/// A server that is bound to an address and accepts connections as soon as it is served.
#[must_use = "nobody is served before `serve` is called"]
#[derive(Debug)]
pub struct HttpListener {
    listener: TcpListener,
    address: SocketAddr,
    service: HttpService,
    tls: Option<Arc<Acceptor>>,
}

impl BuiltServer {
    /// Serves Streamable HTTP at the path `/mcp` of an address (with the feature `sse` also HTTP+SSE of 2024-11-05 at `/sse`
    /// and `/messages`), HTTP/1.1 and, with the feature `http2`, HTTP/2, without TLS unless `Server::tls` says otherwise, until
    /// the process is asked to end (Ctrl-C, SIGTERM).
    ///
    /// See [`bind_http`](Self::bind_http) and [`HttpListener::serve`].
    ///
    /// # Errors
    /// The address cannot be bound, or what TLS needs cannot be read.
    pub async fn serve_http(self, address: impl ToSocketAddrs) -> io::Result<()> {
        self.bind_http(address).await?.serve().await
    }

    /// Binds an address, to serve it in a second step. Port 0 lets the system choose.
    ///
    /// Bound to an address that other machines reach, the server wants to be told by
    /// [`allowed_hosts`](crate::Server::allowed_hosts) under which names: without it there is a warning in the log, and only
    /// this machine's own names and the address itself are good.
    ///
    /// # Errors
    /// The address cannot be bound, or what TLS needs cannot be read.
    pub async fn bind_http(&self, address: impl ToSocketAddrs) -> io::Result<HttpListener> {
        let tls = self.http.tls.as_ref().map(Tls::acceptor).transpose()?.map(Arc::new);
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        warn_if_open(&self.http, address);
        let guard = Guard::new(&self.http, Some(address.ip()));
        Ok(HttpListener { listener, address, service: HttpService::new(self.clone(), guard), tls })
    }
}

impl HttpListener {
    /// The address, with the port that the system chose if it was asked to.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The endpoint's URL, as a client on this machine writes it.
    pub fn url(&self) -> String {
        let (port, scheme) = (self.address.port(), if self.tls.is_some() { "https" } else { "http" });
        match self.address.ip() {
            address if address.is_unspecified() => format!("{scheme}://localhost:{port}{PATH}"),
            IpAddr::V4(address) => format!("{scheme}://{address}:{port}{PATH}"),
            IpAddr::V6(address) => format!("{scheme}://[{address}]:{port}{PATH}"),
        }
    }

    /// Serves until Ctrl-C or SIGTERM: then accepts nothing more, ends idle connections, subscriptions and standing event
    /// streams, and gives what is under way ten seconds to finish, or as long as [`shutdown_grace`](crate::Server::shutdown_grace)
    /// says; the second signal ends it at once. A `main` of its own has something to do then: see
    /// [the guide](crate::guide::limits#the-end-of-the-process).
    ///
    /// # Errors
    /// The signals cannot be seen.
    pub async fn serve(self) -> io::Result<()> {
        obeying(self.grace().saturating_add(self.service.shared.health.delay), async |ending| {
            self.run(ending.soon.cancelled(), &ending.now).await
        })
        .await
    }

    /// Serves until `stop` is ready, then ends as [`serve`](Self::serve) does.
    pub async fn serve_until(self, stop: impl Future<Output = ()>) {
        self.run(stop, &CancellationToken::new()).await;
    }

    /// How long what is under way may go on when the server is to end.
    fn grace(&self) -> Duration {
        self.service.shared.core.bounds.grace.unwrap_or(GRACE)
    }

    async fn run(self, stop: impl Future<Output = ()>, hurry: &CancellationToken) {
        let grace = self.grace();
        let HttpListener { listener, service, tls, .. } = self;
        let _renewing = tls.clone().map(|tls| AbortOnDropHandle::new(tokio::spawn(tls.renew())));
        let (connections, leaving) = (TaskTracker::new(), Leaving::default());
        let room = Room::new(&service.shared.connections, service.shared.proxies.as_ref());
        // Until then everything goes on as it was, but for what is said about it.
        let stop = async {
            stop.await;
            service.shared.leaving.store(true, Ordering::Relaxed);
            let _ = timeout(service.shared.health.delay, hurry.cancelled()).await;
        };
        let mut stop = pin!(stop);
        loop {
            let accepted = tokio::select! {
                biased;
                () = &mut stop => break,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, peer)) => {
                    let Some(place) = room.enter(peer.ip()) else { continue };
                    let peer = Peer { address: peer.ip(), is_in: !place.is_spare };
                    let connection = converse(stream, peer, tls.clone(), service.clone(), leaving.clone());
                    connections.spawn(place.hold(connection));
                }
                // The connection broke before it was accepted; that concerns its client alone.
                Err(error) if concerns_one(&error) => {}
                Err(error) => {
                    tracing::error!(%error, "no connection can be accepted");
                    sleep(RESPITE).await;
                }
            }
        }
        drop(listener);
        leaving.soon.cancel();
        service.shared.stopping.cancel();
        let end_streams = |kind| service.shared.sessions.iter().for_each(|sessions| sessions.end_streams(kind));
        service.shared.sessions.iter().for_each(Sessions::end_questions);
        end_streams(Kind::Streamable);
        connections.close();
        service.shared.tasks.close();
        let calls = async {
            service.shared.tasks.wait().await;
            // Over HTTP+SSE the answers come on the standing stream.
            end_streams(Kind::Sse);
        };
        tokio::select! {
            () = async { tokio::join!(connections.wait(), calls); } => {}
            () = sleep(grace) => tracing::warn!("calls that did not end in time are given up"),
            () = hurry.cancelled() => {}
        }
        leaving.now.cancel();
        // Functions that never return are not waited for.
        tokio::select! {
            () = connections.wait() => {}
            () = sleep(RESPITE) => {}
            () = hurry.cancelled() => {}
        }
    }
}

/// Tells an operator why other machines are refused.
pub(super) fn warn_if_open(settings: &Settings, address: SocketAddr) {
    if !address.ip().is_loopback() && settings.allowed_hosts.is_none() && settings.public_host().is_none() {
        tracing::warn!(
            %address,
            "other machines can reach this server, but only requests to this machine's own names are answered: \
             say with Server::allowed_hosts under which names it may be reached"
        );
    }
    if settings.lets_every_page_in() {
        tracing::warn!(
            "every web page that its user opens can call this server: Server::allowed_origins lists `*`, and there is no \
             authorization"
        );
    }
}

/// Sets what HTTP/1.1 may take, with a builder of either kind.
macro_rules! limit_http1 {
    ($builder:expr, $limits:expr) => {{
        let builder: &mut _ = $builder;
        // Time is for `Patient` to take.
        builder.header_read_timeout(None).max_buf_size($limits.max_header_size);
        // Another number than hyper's own costs every request a list in memory.
        if $limits.max_headers != Connections::default().max_headers {
            builder.max_headers($limits.max_headers);
        }
    }};
}

/// The other side of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer {
    pub(super) address: IpAddr,
    /// There was a place for it.
    pub(super) is_in: bool,
}

/// When connections are to end. Those that speak look for the second only after the first.
#[derive(Debug, Clone, Default)]
pub(super) struct Leaving {
    /// As soon as nothing is under way.
    pub(super) soon: CancellationToken,
    /// At once. It comes after the other.
    pub(super) now: CancellationToken,
}

/// Serves one connection until its client closes it or makes it wait for too long, or until it is to leave.
pub(super) async fn converse(
    stream: TcpStream,
    peer: Peer,
    tls: Option<Arc<Acceptor>>,
    service: HttpService,
    leaving: Leaving,
) {
    // Answers are written whole: holding them back for more gains nothing. A socket that cannot do it serves all the same.
    let _ = stream.set_nodelay(true);
    let first = Instant::now() + service.shared.connections.timeouts.head;
    // A connection that has said nothing is none that could end gracefully.
    let begun = tokio::select! {
        begun = timeout_at(first, stream.readable()) => begun.is_ok(),
        () = leaving.soon.cancelled() => false,
    };
    if !begun {
        return;
    }
    let Some(tls) = tls else { return speak(stream, first, peer, service, leaving).await };
    match leaving.soon.run_until_cancelled(tls.accept(stream, first)).await {
        Some(Ok(stream)) => speak(stream, first, peer, service, leaving).await,
        // The fault of one client, of which there may be many.
        Some(Err(error)) => tracing::debug!(%error, "no agreement with a client about TLS"),
        None => {}
    }
}

/// Speaks HTTP on a connection whose first request is waited for until `first`.
async fn speak<S>(stream: S, first: Instant, peer: Peer, service: HttpService, leaving: Leaving)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let limits = service.shared.connections;
    let traffic = Arc::<Traffic>::default();
    let stream = TokioIo::new(Patient::new(stream, limits.timeouts, Arc::clone(&traffic), first));
    #[cfg(feature = "http2")]
    let builder = {
        let mut builder = auto::Builder::new(TokioExecutor::new());
        limit_http1!(&mut builder.http1(), limits);
        builder.http2().max_header_list_size(u32::try_from(limits.max_header_size).unwrap_or(u32::MAX));
        builder.http2().max_concurrent_streams(limits.max_requests);
        builder.http2().timer(TokioTimer::new()).keep_alive_interval(PING);
        builder
    };
    #[cfg(not(feature = "http2"))]
    let builder = {
        let mut builder = http1::Builder::new();
        limit_http1!(&mut builder, limits);
        builder
    };
    let handler = service_fn(|request: Request<Incoming>| {
        let (service, under_way) = (service.clone(), traffic.begin(request.version()));
        answer(service, peer, request, under_way)
    });
    let mut connection = pin!(builder.serve_connection(stream, handler));
    let (mut soon, mut now, mut is_leaving) = (pin!(leaving.soon.cancelled()), pin!(leaving.now.cancelled()), false);
    let ended = poll_fn(|cx| {
        loop {
            let polled = connection.as_mut().poll(cx);
            if polled.is_ready() {
                return polled;
            }
            if is_leaving {
                return now.as_mut().poll(cx).map(Ok);
            }
            is_leaving = traffic.has_rested() || soon.as_mut().poll(cx).is_ready();
            if !is_leaving {
                return Poll::Pending;
            }
            connection.as_mut().graceful_shutdown();
        }
    });
    let ended = ended.await;
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Answers a request, wherever it goes to.
fn answer(
    service: HttpService,
    Peer { address, is_in }: Peer,
    request: Request<Incoming>,
    under_way: UnderWay,
) -> impl Future<Output = Result<Response<Answering<HttpBody>>, Infallible>> + Send {
    let request = request.map(|body| Arriving::new(body, &under_way));
    async move {
        let shared = &service.shared;
        let peer = Some(address);
        let response = match request.uri().path() {
            _ if !is_in => turn_away(shared, address, request).await,
            PATH | "/mcp/" => endpoint::respond(shared, peer, request).await,
            #[cfg(feature = "sse")]
            "/sse" | "/messages" => crate::transport::sse::respond(shared, peer, request).await,
            _ => front::respond(shared, peer, request, |request, _| elsewhere(shared, request)).await,
        };
        Ok(response.map(|body| Answering::new(body, under_way)))
    }
}

/// Everything that is not the endpoint.
async fn elsewhere(shared: &Shared, request: Request<Arriving<Incoming>>) -> Response<HttpBody> {
    let nothing = || reply::not_found("Nothing is here. The endpoint of this MCP server is /mcp.\n");
    shared.page(request.method(), request.uri().path()).unwrap_or_else(nothing)
}

fn concerns_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
