//! One run: the server, its clients, and whoever kills it.

use crate::Trouble;
use crate::client::{Client, Stage};
use crate::session::SessionClient;
use crate::stateless::StatelessClient;
use crate::tally::{ANSWERS, ATTEMPTS, GONE, INTERRUPTED, KILLS, REQUESTS, Tally};
use mcp_endurance::message::HANDSHAKE;
use mcp_endurance::process::HttpServer;
use mcp_endurance::{SESSIONS, within};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use tokio::task::JoinSet;

/// How many clients there are.
pub(crate) const CLIENTS: usize = 12;
/// How many answers there are at most between the recovery of all clients and the next kill.
const PAUSE: u64 = 150;

/// What is run.
pub(crate) struct Run<'a> {
    pub(crate) name: &'a str,
    pub(crate) server: &'a Path,
    /// For the table of sessions.
    pub(crate) sessions: Option<&'a Path>,
    pub(crate) kills: u64,
    pub(crate) seed: u64,
}

impl Run<'_> {
    /// Runs to the end, and tells what happened.
    pub(crate) async fn run(self) -> Tally {
        let stage = Arc::new(Stage::new(CLIENTS));
        let mut clients = JoinSet::new();
        if let Err(trouble) = self.course(&stage, &mut clients).await {
            stage.tally.fault(format!("{}: {trouble:?}", self.name));
        }
        // Whoever still waits for something in a run that failed waits in vain.
        clients.shutdown().await;
        Arc::into_inner(stage).expect("all clients have ended").tally
    }

    async fn course(&self, stage: &Arc<Stage>, clients: &mut JoinSet<()>) -> Result<(), Trouble> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut server = self.start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        let address = server.address;
        stage.begin();
        for number in 0..CLIENTS {
            let client = Client::new(number, address, Arc::clone(stage), random.fork());
            match number % 2 {
                0 => clients.spawn(SessionClient::new(client, HANDSHAKE[number / 2 % HANDSHAKE.len()]).run()),
                _ => clients.spawn(StatelessClient::new(client, self.sessions.is_some()).run()),
            };
        }
        for kill in 1..=self.kills {
            under_load(stage, &mut random).await?;
            stage.end();
            server.kill().await?;
            stage.tally.one(KILLS);
            server = self.start(address).await?;
            stage.begin();
            eprintln!("{}: killed {kill} times", self.name);
        }
        under_load(stage, &mut random).await?;
        finish(stage, clients, server).await
    }

    async fn start(&self, address: SocketAddr) -> Result<HttpServer, Trouble> {
        let folder = self.sessions.map(|folder| (SESSIONS, folder.display().to_string()));
        // With the table of sessions, the keys of rounds are shared by all lives of the server.
        let keys = self.sessions.map(|_| ("MCP_STATE_KEYS", format!("{}AQE=", "AQEB".repeat(10))));
        let variables: Vec<_> = folder.into_iter().chain(keys).collect();
        Ok(HttpServer::start(self.server, address, &variables).await?)
    }
}

/// Waits until every client has recovered, and for some more answers.
async fn under_load(stage: &Stage, random: &mut fastrand::Rng) -> Result<(), Trouble> {
    within("the recovery of all clients", stage.until(|| stage.all_recovered())).await?;
    let goal = stage.tally.get(ANSWERS) + random.u64(..PAUSE);
    within("answers", stage.until(|| stage.tally.get(ANSWERS) >= goal)).await?;
    if stage.tally.faults() == 0 { Ok(()) } else { Err(Trouble::Wrong("the run is given up".to_owned())) }
}

/// Lets the clients go home, ends the server, and draws the balance.
async fn finish(stage: &Stage, clients: &mut JoinSet<()>, server: HttpServer) -> Result<(), Trouble> {
    stage.close();
    while let Some(ended) = within("the last clients", clients.join_next()).await? {
        ended.map_err(|error| Trouble::Wrong(format!("a client failed: {error}")))?;
    }
    let status = server.terminate().await?;
    if !status.success() {
        return Err(Trouble::Wrong(format!("told to end, the server ended with {status}")));
    }
    let tally = &stage.tally;
    let sent = tally.get(REQUESTS);
    let accounted: u64 = [ANSWERS, INTERRUPTED, GONE, ATTEMPTS].into_iter().map(|entry| tally.get(entry)).sum();
    if sent != accounted {
        return Err(Trouble::Wrong(format!("{sent} requests were sent, and something came of {accounted}")));
    }
    Ok(())
}
