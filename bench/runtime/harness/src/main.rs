//! Loads servers over standard input and output and over HTTP, in turn, and compares them. `README.md` beside this workspace
//! says what is measured and how.

mod callgrind;
mod cases;
mod counts;
mod crowd;
mod exchange;
mod goals;
mod http;
mod load;
mod machine;
mod measure;
mod options;
mod pictures;
mod plot;
mod programs;
mod report;
mod response;
mod server;
mod statistics;
mod stdio;
mod streams;
mod work;

use options::Options;
use programs::Programs;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::path::Path;
use std::process::ExitCode;

/// A value, or the message that the user reads.
type Result<T = ()> = std::result::Result<T, String>;

/// An error as a message.
fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Everything that was measured.
#[derive(Default)]
struct Results {
    cases: Vec<measure::Measured>,
    crowds: Vec<(cases::Entrant, crowd::Costs)>,
    streams: Vec<(cases::Entrant, streams::Watched)>,
    starts: Vec<measure::Started>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["counts"] => counts::run(false),
        ["counts", "--write"] => counts::run(true),
        words => Options::parse(words).and_then(|options| run(&options)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result {
    let programs = Programs::build(&cases::programs(|key| options.wants(key)))?;
    let machine = machine::describe();
    // A thousand connections on either side; servers inherit it.
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).map_err(text)?;
    if options.wants(cases::PEERS) {
        programs.install_peers()?;
    }
    let mut results = Results::default();
    for case in cases::all().iter().filter(|case| options.wants(&case.key)) {
        eprintln!("{}", case.key);
        results.cases.push(measure::case(case, options, &programs)?);
    }
    if options.wants("crowd") {
        for entrant in cases::crowd() {
            eprintln!("crowd: {}", entrant.name());
            let costs = crowd::measure(&entrant, &programs)?;
            results.crowds.push((entrant, costs));
        }
    }
    if options.wants("streams") {
        for entrant in cases::watched() {
            eprintln!("streams: {}", entrant.name());
            let watched = streams::measure(&entrant, options, &programs)?;
            results.streams.push((entrant, watched));
        }
    }
    if options.wants("start") {
        eprintln!("start");
        results.starts = measure::starts(cases::starting(), options, &programs)?;
    }
    let report = report::report(options, &programs, &results, &machine)?;
    println!("{report}");
    if options.quick || options.only.is_some() {
        return Ok(());
    }
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::write(bench.join("RESULTS.md"), report).map_err(text)?;
    pictures::all(&results).iter().try_for_each(|(name, svg)| std::fs::write(bench.join(name), svg).map_err(text))
}
