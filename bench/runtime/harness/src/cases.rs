//! What is measured, and who takes part.

use crate::work::{Dialect, Work};
use std::collections::BTreeSet;

/// How messages travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http,
}

/// One server in one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entrant {
    pub(crate) label: &'static str,
    pub(crate) program: String,
    pub(crate) dialect: Dialect,
    /// For `tools/list`: how many there are. The bare loops are given the very list that this framework's server has.
    pub(crate) tools: usize,
}

impl Entrant {
    /// Who it is, for the report.
    pub(crate) fn name(&self) -> String {
        let besides = if self.tools > 1 { format!(", {} tools", self.tools) } else { String::new() };
        format!("{}{besides}, {}", self.label, self.dialect.version())
    }
}

/// One line of work under one load, and who does it in turn.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) key: String,
    pub(crate) title: String,
    pub(crate) transport: Transport,
    pub(crate) work: Work,
    pub(crate) in_flight: usize,
    /// Do calls come at half of the pace that each server can keep up with?
    pub(crate) at_half: bool,
    /// Has the server a core for itself, and the client the other one? Or do they share one?
    pub(crate) apart: bool,
    /// The first is what the others are compared with.
    pub(crate) entrants: Vec<Entrant>,
}

impl Case {
    /// The work as this entrant has it.
    pub(crate) fn work_of(&self, entrant: &Entrant) -> Work {
        match self.work {
            Work::List(_) => Work::List(entrant.tools),
            // One among the servers asked in an unusual way is asked as usual, to compare with.
            Work::AddBackwards if entrant.label == USUAL => Work::Add,
            work => work,
        }
    }
}

/// The name of this framework in the report.
pub(crate) const OURS: &str = "this framework";
/// This framework, asked as usual where all others are asked in an unusual way.
pub(crate) const USUAL: &str = "this framework, usual order";
/// This framework without its command line, its validators and all but one transport.
const SLIM: &str = "this framework, `stdio` alone";
pub(crate) const RMCP: &str = "rmcp";
pub(crate) const TUNED: &str = "rmcp tuned";

/// The bare loop that goals are set against, and the faster one.
pub(crate) fn limits(transport: Transport) -> [(&'static str, &'static str); 2] {
    match transport {
        Transport::Stdio => [("limit (tokio)", "limit-stdio-tokio"), ("limit (blocking)", "limit-stdio")],
        Transport::Http => [("limit (axum)", "limit-axum"), ("limit (hyper)", "limit-hyper")],
    }
}

fn entrant(label: &'static str, program: &str, dialect: Dialect, tools: usize) -> Entrant {
    Entrant { label, program: program.to_owned(), dialect, tools }
}

/// Everyone, with servers that have so many tools, or one for each kind of work.
fn everyone(work: Work, transport: Transport, tools: usize) -> Vec<Entrant> {
    use Dialect::{Session, Stateless};
    let servers = match work {
        Work::Add | Work::AddBackwards | Work::List(1) => "add".to_owned(),
        Work::List(tools) => tools.to_string(),
        _ => "work".to_owned(),
    };
    let [limit, faster] = limits(transport);
    let mut all =
        vec![entrant(OURS, &format!("ours-{servers}"), Stateless, tools), entrant(limit.0, limit.1, Stateless, tools)];
    if servers == "add" {
        all.push(entrant(faster.0, faster.1, Stateless, tools));
    }
    all.push(entrant(RMCP, &format!("rmcp-{servers}"), Stateless, tools));
    if servers != "work" {
        all.push(entrant(TUNED, &format!("rmcp-tuned-{servers}"), Stateless, tools));
    }
    if work == Work::AddBackwards {
        all.push(entrant(USUAL, "ours-add", Stateless, tools));
    } else if servers == "add" {
        all.push(entrant(OURS, "ours-add", Session, tools));
        all.push(entrant(limit.0, limit.1, Session, tools));
        all.push(entrant(RMCP, "rmcp-add", Session, tools));
        all.push(entrant(TUNED, "rmcp-tuned-add", Session, tools));
    }
    all
}

/// `add` beside more and more tools.
fn beside() -> Vec<Entrant> {
    let mut all = Vec::new();
    for (label, program) in [(OURS, "ours"), (RMCP, "rmcp"), (TUNED, "rmcp-tuned")] {
        for (servers, tools) in [("add", 1), ("200", 200), ("2000", 2000)] {
            all.push(entrant(label, &format!("{program}-{servers}"), Dialect::Stateless, tools));
        }
    }
    all
}

/// Every case, in the order of the report.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for transport in [Transport::Stdio, Transport::Http] {
        let (prefix, word) = match transport {
            Transport::Stdio => ("stdio", "stdio"),
            Transport::Http => ("http", "HTTP"),
        };
        let mut case = |key: &str, title: &str, work: Work, in_flight: usize| {
            let tools = if let Work::List(tools) = work { tools } else { 1 };
            cases.push(Case {
                key: format!("{prefix}-{key}"),
                title: format!("{word}: {title}"),
                transport,
                work,
                in_flight,
                at_half: false,
                apart: in_flight > 1,
                entrants: everyone(work, transport, tools),
            });
        };
        case("add-1", "`add`, one call at a time", Work::Add, 1);
        match transport {
            Transport::Stdio => case("add-64", "`add`, 64 calls in flight", Work::Add, 64),
            Transport::Http => case("add-16", "`add`, 16 connections", Work::Add, 16),
        }
        case("backwards", "`add`, the members of the message in the reverse order", Work::AddBackwards, 1);
        for (tools, title) in LISTS.into_iter().zip(["1 tool", "200 tools", "2,000 tools"]) {
            case(&format!("list-{tools}"), &format!("`tools/list`, {title}"), Work::List(tools), 1);
        }
        case("echo-1k", "`echo` of 1 KiB", Work::Echo(1024), 1);
        case("echo-1m", "`echo` of 1 MiB", Work::Echo(1024 * 1024), 1);
        case("record", "a struct of ten fields in and out", Work::Record, 1);
        case("read-1m", "reading a resource of 1 MiB", Work::Read, 1);
        case("progress", "a call with 100 progress notifications", Work::Progress, 1);
        case("slow", "1,000 concurrent calls that take 100 ms each", Work::Slow, 1000);
        if let Some(case) = cases.iter().find(|case| case.key == format!("{prefix}-add-1")).cloned() {
            let (key, title) = (format!("{prefix}-beside"), format!("{word}: `add` beside other tools"));
            cases.push(Case { key, title, entrants: beside(), ..case });
        }
    }
    cases.push(Case {
        key: "http-half".to_owned(),
        title: "HTTP: `add`, 16 connections, at half of each server's peak".to_owned(),
        transport: Transport::Http,
        work: Work::Add,
        in_flight: 16,
        at_half: true,
        apart: true,
        entrants: crowd(),
    });
    cases.push(Case {
        key: PEERS.to_owned(),
        title: "HTTP: `add`, 16 connections, beside the SDKs of other languages".to_owned(),
        transport: Transport::Http,
        work: Work::Add,
        in_flight: 16,
        at_half: false,
        apart: true,
        entrants: vec![
            entrant(OURS, "ours-add", Dialect::Stateless, 1),
            entrant("TypeScript SDK 2.4", "peer-server", Dialect::Stateless, 1),
            entrant("TypeScript SDK 1.32", "peer-sdk", Dialect::Session, 1),
            entrant("Python fastmcp 4", "peer-fastmcp", Dialect::Stateless, 1),
        ],
    });
    for connections in GROWTH {
        cases.push(Case {
            key: format!("growth-{connections}"),
            title: format!("HTTP: `add`, growth: {connections} connections"),
            transport: Transport::Http,
            work: Work::Add,
            in_flight: connections,
            at_half: false,
            apart: true,
            entrants: crowd(),
        });
    }
    cases
}

/// The case whose servers come from npm and PyPI.
pub(crate) const PEERS: &str = "http-peers";

/// The numbers of connections of the growth cases.
pub(crate) const GROWTH: [usize; 4] = [1, 10, 100, 1000];

/// The numbers of tools of the lists.
pub(crate) const LISTS: [usize; 3] = [1, 200, 2000];

/// Who is asked by more and more connections, and whose memory is looked at then.
pub(crate) fn crowd() -> Vec<Entrant> {
    let [limit, _] = limits(Transport::Http);
    let servers = [(OURS, "ours-add"), limit, (RMCP, "rmcp-add"), (TUNED, "rmcp-tuned-add")];
    servers.map(|(label, program)| entrant(label, program, Dialect::Stateless, 1)).to_vec()
}

/// The programs of all that is part of this run.
pub(crate) fn programs(wants: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut entrants: Vec<Entrant> =
        all().into_iter().filter(|case| wants(&case.key)).flat_map(|case| case.entrants).collect();
    if wants("crowd") {
        entrants.extend(crowd());
        entrants.extend(watched());
    }
    if wants("streams") {
        entrants.extend(watched());
    }
    if wants("start") {
        entrants.extend(starting().into_iter().map(|(entrant, _)| entrant));
    }
    entrants.into_iter().map(|entrant| entrant.program).collect()
}

/// Who has many subscriptions.
pub(crate) fn watched() -> Vec<Entrant> {
    let [limit, _] = limits(Transport::Http);
    let servers = [(OURS, "ours-work"), limit, (RMCP, "rmcp-work")];
    servers.map(|(label, program)| entrant(label, program, Dialect::Stateless, 1)).to_vec()
}

/// Who is started for the cold start, and whose size is looked at.
pub(crate) fn starting() -> Vec<(Entrant, Transport)> {
    let mut all = Vec::new();
    for transport in [Transport::Stdio, Transport::Http] {
        let [limit, faster] = limits(transport);
        let servers = [(OURS, "ours-add"), limit, faster, (RMCP, "rmcp-add"), (TUNED, "rmcp-tuned-add")].into_iter();
        all.extend(servers.map(|(label, program)| (entrant(label, program, Dialect::Stateless, 1), transport)));
        if transport == Transport::Stdio {
            all.insert(1, (entrant(SLIM, "ours-slim-add", Dialect::Stateless, 1), transport));
        }
    }
    all
}
