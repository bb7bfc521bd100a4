//! One run: the server, its clients, and whoever kills it.

use crate::Trouble;
use crate::client::{Client, Stage};
use crate::http::within;
use crate::program::{Process, Program};
use crate::session::SessionClient;
use crate::stateless::StatelessClient;
use crate::tally::Tally;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use tokio::task::JoinSet;

/// How many clients there are.
pub(crate) const CLIENTS: usize = 12;
/// The revisions of clients with a session; every other client has none.
const REVISIONS: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];
/// How many answers there are at most between the recovery of all clients and the next kill.
const ANSWERS: u64 = 150;

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
        let program = Program::new(self.server, self.sessions);
        let (mut process, address) = program.start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        stage.begin();
        for number in 0..CLIENTS {
            let client = Client::new(number, address, Arc::clone(stage), random.fork());
            match number % 2 {
                0 => clients.spawn(SessionClient::new(client, REVISIONS[number / 2 % REVISIONS.len()]).run()),
                _ => clients.spawn(StatelessClient::new(client, self.sessions.is_some()).run()),
            };
        }
        for kill in 1..=self.kills {
            under_load(stage, &mut random).await?;
            stage.end();
            process.kill().await?;
            (process, _) = program.start(address).await?;
            stage.begin();
            eprintln!("{}: killed {kill} times", self.name);
        }
        under_load(stage, &mut random).await?;
        finish(stage, clients, process).await
    }
}

/// Waits until every client has recovered, and for some more answers.
async fn under_load(stage: &Stage, random: &mut fastrand::Rng) -> Result<(), Trouble> {
    within("the recovery of all clients", stage.until(|| stage.all_recovered())).await?;
    let goal = stage.tally.answers.get() + random.u64(..ANSWERS);
    within("answers", stage.until(|| stage.tally.answers.get() >= goal)).await?;
    if stage.tally.faults() == 0 { Ok(()) } else { Err(Trouble::Wrong("the run is given up".to_owned())) }
}

/// Lets the clients go home, ends the server, and draws the balance.
async fn finish(stage: &Stage, clients: &mut JoinSet<()>, process: Process) -> Result<(), Trouble> {
    stage.close();
    while let Some(ended) = within("the last clients", clients.join_next()).await? {
        ended.map_err(|error| Trouble::Wrong(format!("a client failed: {error}")))?;
    }
    let status = process.end().await?;
    if !status.success() {
        return Err(Trouble::Wrong(format!("told to end, the server ended with {status}")));
    }
    let tally = &stage.tally;
    let sent = tally.requests.get();
    let accounted = tally.answers.get() + tally.interrupted.get() + tally.gone.get() + tally.attempts.get();
    if sent != accounted {
        return Err(Trouble::Wrong(format!("{sent} requests were sent, and something came of {accounted}")));
    }
    Ok(())
}
