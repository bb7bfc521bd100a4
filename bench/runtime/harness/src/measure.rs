//! Measures cases: all servers of a case are started, then take turns.

use crate::cases::{Case, Entrant, Transport};
use crate::load::{Load, Tally};
use crate::options::Options;
use crate::programs::Programs;
use crate::server::{self, Server};
use crate::work::{Dialect, Work};
use crate::{Result, http, stdio};
use std::time::{Duration, Instant};

/// The core of the server, and of the client if they are apart.
pub(crate) const SERVER_CORE: usize = 1;
pub(crate) const CLIENT_CORE: usize = 0;

/// Into how many parts a turn at half of the peak falls for its 99th percentile.
const PARTS: usize = 20;

/// What was measured of one entrant, a value for each round.
#[derive(Debug, Default, Clone)]
pub(crate) struct Samples {
    pub(crate) rates: Vec<f64>,
    pub(crate) medians: Vec<f64>,
    pub(crate) p99s: Vec<f64>,
    /// Seconds of the server's threads for 100,000 calls.
    pub(crate) cpu: Vec<f64>,
    /// MiB at most.
    pub(crate) peak: f64,
    /// Notifications that did not come.
    pub(crate) lost: u64,
    /// Of the last answer.
    pub(crate) bytes: usize,
}

/// One case with what came of it.
pub(crate) struct Measured {
    pub(crate) case: Case,
    pub(crate) samples: Vec<(Entrant, Samples)>,
}

/// A client over either transport.
pub(crate) enum Client {
    Stdio(Box<stdio::Client>),
    Http(http::Client),
}

impl Client {
    pub(crate) fn run(&mut self, load: Load) -> Result<Tally> {
        match self {
            Client::Stdio(client) => client.run(load),
            Client::Http(client) => client.run(load),
        }
    }

    /// The last answer.
    fn answer(&self) -> Option<&[u8]> {
        match self {
            Client::Stdio(client) => client.answer(),
            Client::Http(client) => client.answer(),
        }
    }
}

struct Running {
    entrant: Entrant,
    server: Server,
    client: Client,
    samples: Samples,
}

impl Running {
    /// One turn, and the seconds that the server's threads took for it. What half of the peak is, every turn finds out for
    /// itself: the machine may be slower or faster by then.
    fn turn(&mut self, at_half: bool, load: Load) -> Result<(Tally, f64)> {
        let pace = match at_half {
            true => Some(self.client.run(Load { time: load.time / 4, ..load })?.per_second() / 2.0),
            false => None,
        };
        let before = self.server.cpu();
        let tally = self.client.run(Load { pace, ..load })?;
        Ok((tally, self.server.cpu() - before))
    }
}

/// All rounds of one case.
pub(crate) fn case(case: &Case, options: &Options, programs: &Programs) -> Result<Measured> {
    let mut running = Vec::new();
    for entrant in &case.entrants {
        running.push(start(case, entrant, programs)?);
    }
    let warm_up = Load { in_flight: case.in_flight, time: options.time / 4, pace: None };
    for (round, load) in std::iter::once(warm_up)
        .chain(std::iter::repeat_n(Load { time: options.time, ..warm_up }, options.rounds))
        .enumerate()
    {
        for this in &mut running {
            let (mut tally, cpu) = this.turn(case.at_half, load).map_err(|error| {
                format!("{}: {}: {error}\n{}", case.title, this.entrant.name(), this.server.complaint())
            })?;
            let samples = &mut this.samples;
            samples.bytes = this.client.answer().map_or(0, <[u8]>::len);
            samples.peak = this.server.memory("VmHWM");
            if round > 0 {
                samples.rates.push(tally.per_second());
                // By parts first: other percentiles bring the latencies out of their order.
                samples.p99s.push(match case.at_half {
                    true => tally.usual_percentile(99, PARTS),
                    false => tally.percentile(99),
                });
                samples.medians.push(tally.percentile(50));
                samples.cpu.push(cpu / tally.calls() as f64 * 1e5);
                samples.lost += tally.lost;
            }
        }
    }
    let samples = running.into_iter().map(|this| (this.entrant, this.samples)).collect();
    Ok(Measured { case: case.clone(), samples })
}

fn start(case: &Case, entrant: &Entrant, programs: &Programs) -> Result<Running> {
    let work = case.work_of(entrant);
    server::bind(&[SERVER_CORE]);
    let args = programs.args(entrant, case.transport, work)?;
    let mut server = Server::start(&programs.path(&entrant.program), &args, case.transport)?;
    if case.apart {
        server::bind(&[CLIENT_CORE]);
    }
    let client = connect(&mut server, case.transport, work, entrant.dialect, case.in_flight);
    let client = client.map_err(|error| format!("{}: {error}\n{}", entrant.name(), server.complaint()))?;
    Ok(Running { entrant: entrant.clone(), server, client, samples: Samples::default() })
}

/// A client of a server.
pub(crate) fn connect(
    server: &mut Server,
    transport: Transport,
    work: Work,
    dialect: Dialect,
    connections: usize,
) -> Result<Client> {
    Ok(match transport {
        Transport::Stdio => Client::Stdio(Box::new(stdio::Client::connect(server, work, dialect)?)),
        Transport::Http => Client::Http(http::Client::connect(server.address()?, work, dialect, connections)?),
    })
}

/// What starts of one server cost, a value for each.
pub(crate) struct Started {
    pub(crate) entrant: Entrant,
    pub(crate) transport: Transport,
    /// Milliseconds from the start of the process to its first list of tools.
    pub(crate) milliseconds: Vec<f64>,
    /// MiB resident then.
    pub(crate) resident: Vec<f64>,
}

/// Starts servers in turn, over and over, each until it has answered its first `tools/list`.
pub(crate) fn starts(
    entrants: Vec<(Entrant, Transport)>,
    options: &Options,
    programs: &Programs,
) -> Result<Vec<Started>> {
    server::bind(&[CLIENT_CORE, SERVER_CORE]);
    let new = |(entrant, transport)| Started { entrant, transport, milliseconds: vec![], resident: vec![] };
    let mut all: Vec<Started> = entrants.into_iter().map(new).collect();
    for _ in 0..options.starts {
        for this in &mut all {
            let (entrant, transport) = (&this.entrant, this.transport);
            let work = Work::List(entrant.tools);
            let args = programs.args(entrant, transport, work)?;
            let begin = Instant::now();
            let mut server = Server::start(&programs.path(&entrant.program), &args, transport)?;
            let load = Load { in_flight: 1, time: Duration::ZERO, pace: None };
            let answered = connect(&mut server, transport, work, entrant.dialect, 1).and_then(|mut client| {
                client.run(load)?;
                // Its ends of the streams must stay until the memory has been looked at.
                Ok((begin.elapsed(), client))
            });
            let (took, _client) =
                answered.map_err(|error| format!("{}: {error}\n{}", entrant.name(), server.complaint()))?;
            this.milliseconds.push(took.as_secs_f64() * 1e3);
            this.resident.push(server.memory("VmRSS"));
        }
    }
    Ok(all)
}
