//! What many clients cost in memory: a connection, a session, an open subscription.

use crate::cases::{Entrant, OURS, RMCP, TUNED, Transport};
use crate::load::Load;
use crate::programs::Programs;
use crate::server::{self, Server};
use crate::work::{Dialect, Work};
use crate::{Result, http};
use std::time::Duration;

/// How many come.
pub(crate) const CROWD: usize = 1000;

/// KiB of resident memory that one more costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Costs {
    /// A connection that has had one call answered.
    pub(crate) connection: f64,
    /// A session of 2025-11-25 on it; not a number without sessions.
    pub(crate) session: f64,
    /// An open `subscriptions/listen` stream, its connection included; not a number if the server has none.
    pub(crate) stream: f64,
}

/// Measures one server, started anew for each crowd.
pub(crate) fn measure(entrant: &Entrant, programs: &Programs) -> Result<Costs> {
    server::bind(&[0, 1]);
    let crowd = |dialect| -> Result<f64> {
        with_server(entrant, programs, |server| {
            let address = server.address()?;
            let load = Load { in_flight: CROWD, time: Duration::ZERO, pace: None };
            http::Client::connect(address, Work::Add, dialect, 1)?.run(load)?;
            let before = server.memory("VmRSS");
            let mut clients = http::Client::connect(address, Work::Add, dialect, CROWD)?;
            clients.run(load)?;
            Ok((server.memory("VmRSS") - before) * 1024.0 / CROWD as f64)
        })
    };
    let connection = crowd(Dialect::Stateless)?;
    let session = match entrant.label {
        OURS | RMCP => crowd(Dialect::Session)? - connection,
        _ => f64::NAN,
    };
    if entrant.label == TUNED {
        return Ok(Costs { connection, session, stream: f64::NAN });
    }
    // Only a server with something that changes has subscriptions.
    let changing = Entrant { program: entrant.program.replace("-add", "-work"), ..entrant.clone() };
    let stream = with_server(&changing, programs, |server| {
        let _warm = http::listen(server.address()?, 1)?;
        let before = server.memory("VmRSS");
        let _streams = http::listen(server.address()?, CROWD)?;
        Ok((server.memory("VmRSS") - before) * 1024.0 / CROWD as f64)
    })?;
    Ok(Costs { connection, session, stream })
}

fn with_server<T>(entrant: &Entrant, programs: &Programs, measure: impl FnOnce(&mut Server) -> Result<T>) -> Result<T> {
    let args = programs.args(entrant, Transport::Http, Work::Add)?;
    let mut server = Server::start(&programs.path(&entrant.program), &args, Transport::Http)?;
    measure(&mut server).map_err(|error| format!("{}: {error}\n{}", entrant.name(), server.complaint()))
}
