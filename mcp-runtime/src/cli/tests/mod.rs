//! The whole command line: words in, bytes and an exit code out.

mod calling;
mod fixture;
mod following;
mod listing;
mod reading;
mod usage;

use super::console::{Console, Interrupt, Terminals};
use crate::BuiltServer;
use std::ffi::OsString;

/// What a command line came to.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    code: u8,
    out: Vec<u8>,
    err: String,
}

impl Outcome {
    fn out(&self) -> &str {
        std::str::from_utf8(&self.out).expect("UTF-8")
    }
}

/// A command line to run against the fixture.
struct Line<'t> {
    args: Vec<&'t str>,
    input: &'t str,
    terminals: Terminals,
    interrupt: Interrupt<'t>,
    server: BuiltServer,
}

/// A command line whose streams are no terminals, and which nobody interrupts.
fn line<'t>(args: impl IntoIterator<Item = &'t str>) -> Line<'t> {
    Line {
        args: args.into_iter().collect(),
        input: "",
        terminals: Terminals::default(),
        interrupt: Box::pin(std::future::pending()),
        server: fixture::server().build().expect("the fixture is sound"),
    }
}

impl<'t> Line<'t> {
    fn input(self, input: &'t str) -> Self {
        Line { input, ..self }
    }

    fn terminals(self, terminals: Terminals) -> Self {
        Line { terminals, ..self }
    }

    fn interrupt(self, interrupt: impl Future<Output = ()> + Send + 't) -> Self {
        Line { interrupt: Box::pin(interrupt), ..self }
    }

    fn server(self, server: BuiltServer) -> Self {
        Line { server, ..self }
    }

    async fn run(self) -> Outcome {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut input = self.input.as_bytes();
        let mut console = Console {
            input: &mut input,
            out: &mut out,
            err: &mut err,
            terminals: self.terminals,
            interrupt: self.interrupt,
        };
        let args = ["/usr/bin/fixture"].into_iter().chain(self.args).map(OsString::from).collect();
        let code = super::run(args, &mut console, &self.server).await;
        drop(console);
        Outcome { code, out, err: String::from_utf8(err).expect("UTF-8") }
    }
}

/// Runs a command line.
async fn run<'t>(args: impl IntoIterator<Item = &'t str>) -> Outcome {
    line(args).run().await
}

/// Everything went well, and this is all that was written.
#[track_caller]
fn assert_printed(outcome: &Outcome, out: &str) {
    assert_eq!((outcome.out(), outcome.err.as_str(), outcome.code), (out, "", 0));
}

/// Nothing but this was written, to standard error.
#[track_caller]
fn assert_failed(outcome: &Outcome, code: u8, err: &str) {
    assert_eq!((outcome.out(), outcome.err.as_str(), outcome.code), ("", err, code));
}
