//! Many open subscriptions that are all told of a change once a second: what arrives, when, and what it costs the server.

use crate::cases::{Entrant, Transport};
use crate::exchange::{Checker, Request};
use crate::load::Tally;
use crate::measure::{CLIENT_CORE, SERVER_CORE};
use crate::options::Options;
use crate::programs::Programs;
use crate::response::Response;
use crate::server::{self, Server};
use crate::work::{Dialect, LARGE, Work};
use crate::{Result, http, text};
use rustix::buffer::spare_capacity;
use rustix::event::epoll;
use serde_json::Value;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// How many there are.
pub(crate) const STREAMS: usize = 2000;
/// From one change to the next.
const INTERVAL: Duration = Duration::from_secs(1);

/// What came of one server.
#[derive(Debug)]
pub(crate) struct Watched {
    /// Updates that came, and those that should have come.
    pub(crate) delivered: [u64; 2],
    /// From the request that changes the resource to an update of it, in microseconds.
    pub(crate) median: f64,
    pub(crate) p99: f64,
    /// Seconds of the server's threads in a second.
    pub(crate) cpu: f64,
    /// KiB of resident memory that one stream costs, its connection included.
    pub(crate) memory: f64,
}

/// Opens the streams of one server and has the resource changed over and over.
pub(crate) fn measure(entrant: &Entrant, options: &Options, programs: &Programs) -> Result<Watched> {
    server::bind(&[SERVER_CORE]);
    let args = programs.args(entrant, Transport::Http, Work::Touch)?;
    let mut server = Server::start(&programs.path(&entrant.program), &args, Transport::Http)?;
    server::bind(&[CLIENT_CORE]);
    watch(&mut server, options.rounds).map_err(|error| format!("{}: {error}\n{}", entrant.name(), server.complaint()))
}

fn watch(server: &mut Server, changes: usize) -> Result<Watched> {
    let address = server.address()?;
    let warm = http::listen(address, 1)?;
    let before = server.memory("VmRSS");
    let streams = http::listen(address, STREAMS)?;
    let memory = (server.memory("VmRSS") - before) * 1024.0 / STREAMS as f64;
    drop(warm);
    let mut watcher = Watcher::new(streams, address)?;
    // The first change is paid for by what is made once.
    watcher.change(&mut Tally::default())?;
    let (cpu, begin, mut tally) = (server.cpu(), Instant::now(), Tally::default());
    let mut delivered = 0;
    for _ in 0..changes {
        delivered += watcher.change(&mut tally)?;
    }
    let cpu = (server.cpu() - cpu) / begin.elapsed().as_secs_f64();
    let delivered = [delivered, (STREAMS * changes) as u64];
    Ok(Watched { delivered, median: tally.percentile(50), p99: tally.percentile(99), cpu, memory })
}

/// All streams, and the connection on which the resource is changed.
struct Watcher {
    epoll: OwnedFd,
    streams: Vec<Stream>,
    changer: Changer,
    scratch: Vec<u8>,
}

impl Watcher {
    fn new(streams: Vec<TcpStream>, address: SocketAddr) -> Result<Self> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(text)?;
        let changer = Changer::connect(address)?;
        for (place, socket) in streams.iter().chain([&changer.socket]).enumerate() {
            socket.set_nonblocking(true).map_err(text)?;
            epoll::add(&epoll, socket, epoll::EventData::new_u64(place as u64), epoll::EventFlags::IN).map_err(text)?;
        }
        let streams = streams.into_iter().map(|socket| Stream { socket, rest: Vec::new(), update: Vec::new() });
        Ok(Watcher { epoll, streams: streams.collect(), changer, scratch: vec![0; 64 * 1024] })
    }

    /// Has the resource changed and reads what comes of it until the interval is over, also what should not come. Gives the
    /// number of updates.
    fn change(&mut self, tally: &mut Tally) -> Result<u64> {
        let begin = Instant::now();
        self.changer.send()?;
        let (mut answered, mut updates) = (false, 0);
        let mut events = Vec::with_capacity(1024);
        while let Some(left) = INTERVAL.checked_sub(begin.elapsed()) {
            events.clear();
            let left = left.try_into().map_err(text)?;
            epoll::wait(&self.epoll, spare_capacity(&mut events), Some(&left)).map_err(text)?;
            for place in events.iter().map(|event: &epoll::Event| event.data.u64() as usize) {
                match self.streams.get_mut(place) {
                    Some(stream) => {
                        let count = stream.receive(&mut self.scratch)?;
                        updates += count;
                        tally.latencies.extend((0..count).map(|_| begin));
                        tally.settle(Instant::now());
                    }
                    None => answered |= self.changer.receive(&mut self.scratch)?,
                }
            }
        }
        if answered { Ok(updates) } else { Err("the call that changes the resource was not answered".to_owned()) }
    }
}

/// One subscription.
struct Stream {
    socket: TcpStream,
    /// The beginning of a line.
    rest: Vec<u8>,
    /// The update that was parsed; others are the same bytes.
    update: Vec<u8>,
}

impl Stream {
    /// Reads what is there and gives the number of updates in it.
    fn receive(&mut self, scratch: &mut [u8]) -> Result<u64> {
        let count = match read(&mut self.socket, scratch)? {
            None => return Ok(0),
            Some(count) => count,
        };
        self.rest.extend_from_slice(&scratch[..count]);
        let (mut updates, mut at) = (0, 0);
        for end in memchr::memchr_iter(b'\n', &self.rest) {
            // Sizes of chunks, comments and ids are no data.
            if let Some(data) = self.rest[at..end].strip_prefix(b"data:").map(<[u8]>::trim_ascii)
                && !data.is_empty()
            {
                if data != self.update {
                    check(data)?;
                    self.update = data.to_vec();
                }
                updates += 1;
            }
            at = end + 1;
        }
        self.rest.drain(..at);
        Ok(updates)
    }
}

/// Only updates of the one resource may come.
fn check(data: &[u8]) -> Result {
    let value: Value = serde_json::from_slice(data).map_err(text)?;
    let right = value["method"] == "notifications/resources/updated" && value["params"]["uri"] == LARGE;
    if right { Ok(()) } else { Err(format!("no update: {value}")) }
}

/// Who changes the resource.
struct Changer {
    socket: TcpStream,
    request: Request,
    response: Response,
    checker: Checker,
    number: u64,
}

impl Changer {
    fn connect(address: SocketAddr) -> Result<Self> {
        let socket = TcpStream::connect(address).map_err(text)?;
        socket.set_nodelay(true).map_err(text)?;
        let request = http::request(address, Work::Touch, Dialect::Stateless, http::STATELESS);
        Ok(Changer { socket, request, response: Response::default(), checker: Checker::new(Work::Touch), number: 0 })
    }

    fn send(&mut self) -> Result {
        self.number += 1;
        self.socket.write_all(self.request.numbered(self.number)).map_err(text)
    }

    /// Reads what is there; true when it is the answer.
    fn receive(&mut self, scratch: &mut [u8]) -> Result<bool> {
        let Some(count) = read(&mut self.socket, scratch)? else { return Ok(false) };
        let Some(body) = self.response.feed(&scratch[..count])? else { return Ok(false) };
        Ok(body.status == 200 && self.checker.check(body.answer().0)? == self.number)
    }
}

/// What a socket has for now.
fn read(socket: &mut TcpStream, scratch: &mut [u8]) -> Result<Option<usize>> {
    match socket.read(scratch) {
        Ok(0) => Err("the server has closed a connection".to_owned()),
        Ok(count) => Ok(Some(count)),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(text(error)),
    }
}
