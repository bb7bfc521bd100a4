//! The load over HTTP: connections that stay, one call in flight on each.

use crate::exchange::{self, Checker, Request};
use crate::load::{Load, Tally};
use crate::response::{Body, Response};
use crate::work::{Dialect, LARGE, Work};
use crate::{Result, text};
use rustix::buffer::spare_capacity;
use rustix::event::epoll;
use std::fmt::Write as _;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// What is read at once.
const CHUNK: usize = 256 * 1024;
/// The header that every request of 2026-07-28 has.
pub(crate) const STATELESS: &str = "mcp-protocol-version: 2026-07-28\r\n";
/// How long a subscription may take to be acknowledged.
const PATIENCE: Duration = Duration::from_secs(2);

/// A client with so many connections to one server.
pub(crate) struct Client {
    connections: Vec<Connection>,
    /// With a single connection waiting for it is cheaper.
    epoll: Option<OwnedFd>,
    checker: Checker,
    work: Work,
    scratch: Vec<u8>,
    next: u64,
}

struct Connection {
    stream: TcpStream,
    request: Request,
    /// What of the request has been written, while it has not gone out whole.
    unsent: Option<usize>,
    response: Response,
    number: u64,
    at: Instant,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr, work: Work, dialect: Dialect, connections: usize) -> Result<Self> {
        let epoll = match connections {
            1 => None,
            _ => Some(epoll::create(epoll::CreateFlags::CLOEXEC).map_err(text)?),
        };
        let mut scratch = vec![0; CHUNK];
        let mut all = Vec::with_capacity(connections);
        for place in 0..connections {
            let stream = TcpStream::connect(address).map_err(text)?;
            stream.set_nodelay(true).map_err(text)?;
            let headers = open(&stream, address, dialect, &mut scratch)?;
            if let Some(epoll) = &epoll {
                stream.set_nonblocking(true).map_err(text)?;
                let place = epoll::EventData::new_u64(place as u64);
                epoll::add(epoll, &stream, place, epoll::EventFlags::IN).map_err(text)?;
            }
            let request = request(address, work, dialect, &headers);
            let (response, at) = (Response::default(), Instant::now());
            all.push(Connection { stream, request, unsent: None, response, number: 0, at });
        }
        Ok(Client { connections: all, epoll, checker: Checker::new(work), work, scratch, next: 0 })
    }

    /// The last answer, without what HTTP puts around it.
    pub(crate) fn answer(&self) -> Option<&[u8]> {
        self.checker.answer()
    }

    /// Keeps a call in flight on every connection until the time is over, then waits for the last.
    pub(crate) fn run(&mut self, load: Load) -> Result<Tally> {
        if let Some(pace) = load.pace {
            return self.run_paced(load.time, Duration::from_secs_f64(self.connections.len() as f64 / pace));
        }
        let mut tally = Tally::default();
        let begin = Instant::now();
        let end = begin + load.time;
        let mut now = begin;
        for place in 0..self.connections.len() {
            self.send(place, now)?;
        }
        let (mut in_flight, mut notified) = (self.connections.len(), 0);
        let mut events = Vec::with_capacity(self.connections.len().min(1024));
        while in_flight > 0 {
            let ready = match &self.epoll {
                None => vec![0],
                Some(epoll) => {
                    events.clear();
                    epoll::wait(epoll, spare_capacity(&mut events), None).map_err(text)?;
                    events.iter().map(|event: &epoll::Event| event.data.u64() as usize).collect()
                }
            };
            for place in ready {
                let Some(notifications) = self.receive(place)? else { continue };
                now = Instant::now();
                notified += notifications;
                tally.latencies.push(self.connections[place].at);
                tally.settle(now);
                match now < end {
                    true => self.send(place, now)?,
                    false => in_flight -= 1,
                }
            }
        }
        tally.seconds = begin.elapsed().as_secs_f64();
        tally.lost = (tally.calls() as u64 * self.work.notifications()).saturating_sub(notified);
        Ok(tally)
    }

    /// Sends a call on every connection once in an `interval`, whether or not the machine is busy, as long as the call before
    /// has been answered. A latency counts from when the call was due.
    fn run_paced(&mut self, time: Duration, interval: Duration) -> Result<Tally> {
        let mut tally = Tally::default();
        let begin = Instant::now();
        let end = begin + time;
        let count = u32::try_from(self.connections.len()).map_err(text)?;
        // Spread over the interval, so that they do not come all at once.
        let mut due: Vec<Option<Instant>> = (0..count).map(|place| Some(begin + interval * place / count)).collect();
        let mut events = Vec::with_capacity(self.connections.len());
        loop {
            let now = Instant::now();
            for (place, due) in due.iter_mut().enumerate() {
                if let Some(at) = due.filter(|at| *at <= now && now < end) {
                    self.send(place, at)?;
                    *due = None;
                }
            }
            if now >= end && due.iter().all(Option::is_some) {
                break;
            }
            // Until the end this never sleeps: timers are late, and so are threads on a core that has to wake up, by more than
            // a call takes. What is due after the end is never sent: then only answers are waited for.
            let wait = (now < end).then(|| Duration::ZERO.try_into()).transpose().map_err(text)?;
            events.clear();
            let epoll = self.epoll.as_ref().ok_or("a paced load needs several connections")?;
            epoll::wait(epoll, spare_capacity(&mut events), wait.as_ref()).map_err(text)?;
            for place in events.iter().map(|event: &epoll::Event| event.data.u64() as usize) {
                if self.receive(place)?.is_none() {
                    continue;
                }
                let at = self.connections[place].at;
                tally.latencies.push(at);
                tally.settle(Instant::now());
                due[place] = Some(at + interval);
            }
        }
        tally.seconds = begin.elapsed().as_secs_f64();
        Ok(tally)
    }

    fn send(&mut self, place: usize, now: Instant) -> Result {
        let connection = &mut self.connections[place];
        (connection.number, connection.at) = (self.next, now);
        self.next += 1;
        connection.request.numbered(connection.number);
        connection.unsent = Some(0);
        connection.write(self.epoll.as_ref(), place)
    }

    /// Reads what is there; when the answer is whole, checks it and gives the number of notifications before it.
    fn receive(&mut self, place: usize) -> Result<Option<u64>> {
        let connection = &mut self.connections[place];
        if connection.unsent.is_some() {
            connection.write(self.epoll.as_ref(), place)?;
        }
        let count = match connection.stream.read(&mut self.scratch) {
            Ok(0) => return Err("the server has closed a connection".to_owned()),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(error) => return Err(text(error)),
        };
        let number = connection.number;
        let Some(body) = connection.response.feed(&self.scratch[..count])? else { return Ok(None) };
        if body.status != 200 {
            return Err(format!("status {}: {}", body.status, String::from_utf8_lossy(body.bytes)));
        }
        let (answer, notifications) = body.answer();
        match self.checker.check(answer)? {
            n if n == number => Ok(Some(notifications)),
            _ => Err("the answer to another call".to_owned()),
        }
    }
}

impl Connection {
    /// Writes the request, as much as goes; the rest when there is room.
    fn write(&mut self, epoll: Option<&OwnedFd>, place: usize) -> Result {
        while let Some(written) = self.unsent {
            let rest = &self.request.bytes()[written..];
            match self.stream.write(rest) {
                Ok(count) => self.unsent = (count < rest.len()).then_some(written + count),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return self.watch(epoll, place, epoll::EventFlags::IN | epoll::EventFlags::OUT);
                }
                Err(error) => return Err(text(error)),
            }
            if self.unsent.is_none() && written > 0 {
                self.watch(epoll, place, epoll::EventFlags::IN)?;
            }
        }
        Ok(())
    }

    fn watch(&self, epoll: Option<&OwnedFd>, place: usize, flags: epoll::EventFlags) -> Result {
        let data = epoll::EventData::new_u64(place as u64);
        epoll.map_or(Ok(()), |epoll| epoll::modify(epoll, &self.stream, data, flags).map_err(text))
    }
}

/// The requests of one kind, with the headers that all on a connection have.
pub(crate) fn request(address: SocketAddr, work: Work, dialect: Dialect, headers: &str) -> Request {
    Request::new(&post(address, &head(work, dialect, headers), &work.request(dialect)))
}

/// The headers of the requests of one kind.
fn head(work: Work, dialect: Dialect, session: &str) -> String {
    let mut head = session.to_owned();
    if dialect == Dialect::Stateless {
        let _ = write!(head, "mcp-method: {}\r\n", work.method());
        if let Some(name) = work.name() {
            let _ = write!(head, "mcp-name: {name}\r\n");
        }
    }
    head
}

fn post(address: SocketAddr, headers: &str, body: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Opens what the dialect wants opened; gives the headers that all requests on this connection have.
fn open(mut stream: &TcpStream, address: SocketAddr, dialect: Dialect, scratch: &mut [u8]) -> Result<String> {
    let mut headers = format!("mcp-protocol-version: {}\r\n", dialect.version());
    for message in exchange::handshake(dialect).into_iter().flatten() {
        stream.write_all(post(address, &headers, &message).as_bytes()).map_err(text)?;
        let mut response = Response::default();
        loop {
            let count = stream.read(scratch).map_err(text)?;
            let Some(Body { status, session, bytes, .. }) = response.feed(&scratch[..count])? else { continue };
            if status >= 300 {
                return Err(format!("no handshake, status {status}: {}", String::from_utf8_lossy(bytes)));
            }
            if let Some(session) = session {
                let _ = write!(headers, "mcp-session-id: {session}\r\n");
            }
            break;
        }
    }
    Ok(headers)
}

/// Opens so many subscriptions, each on its connection, and waits until all are acknowledged.
pub(crate) fn listen(address: SocketAddr, streams: usize) -> Result<Vec<TcpStream>> {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":{},"method":"subscriptions/listen","params":{{"notifications":{{"resourceSubscriptions":["{LARGE}"]}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"bench","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#,
        exchange::id()
    );
    let request = post(address, &format!("{STATELESS}mcp-method: subscriptions/listen\r\n"), &body);
    let mut all = Vec::with_capacity(streams);
    for _ in 0..streams {
        let mut stream = TcpStream::connect(address).map_err(text)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(text)?;
        stream.write_all(request.as_bytes()).map_err(text)?;
        let (mut seen, mut piece) = (Vec::new(), [0; 1024]);
        while memchr::memmem::find(&seen, b"notifications/subscriptions/acknowledged").is_none() {
            match stream.read(&mut piece).map_err(text)? {
                0 => return Err("a subscription was refused".to_owned()),
                count => seen.extend_from_slice(&piece[..count]),
            }
        }
        all.push(stream);
    }
    Ok(all)
}
