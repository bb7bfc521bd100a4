//! Calls that are under way at the same time, whose answers come in any order.

use crate::client::{Client, Seen};
use crate::plan::Plan;
use mcp_endurance::tally::{DOUBLED, FOREIGN};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The calls of one connection.
#[derive(Default)]
pub(crate) struct Calls {
    pub(crate) open: HashMap<String, (Plan, Seen)>,
    /// What has been answered, or is to get no answer.
    pub(crate) closed: HashSet<String>,
    /// Calls that hang: they are cancelled as soon as they run.
    pub(crate) hanging: HashSet<String>,
}

impl Calls {
    /// A call has been sent.
    pub(crate) fn begin(&mut self, plan: Plan) {
        self.open.insert(plan.nonce.clone(), (plan, Seen::default()));
    }

    /// How much is still to come.
    pub(crate) fn awaited(&self) -> usize {
        self.open.len() + self.hanging.len()
    }

    /// An answer has come: gives what it is the answer to.
    pub(crate) fn answered(&mut self, client: &Client, message: &Value) -> Option<Plan> {
        let name = message["id"].as_str().unwrap_or_default();
        let Some((plan, mut seen)) = self.open.remove(name) else {
            client.found(if self.closed.contains(name) { DOUBLED } else { FOREIGN }, message);
            return None;
        };
        client.judge(&plan, message, &mut seen);
        client.settle(&plan, seen);
        self.closed.insert(name.to_owned());
        Some(plan)
    }
}

impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open: Vec<&String> = self.open.keys().collect();
        write!(f, "answers to {open:?} and the beginnings of {:?}", self.hanging)
    }
}
