//! Progress, log messages and interruption of a call under way.

use super::fixture::{Signs, server};
use super::{Console, Terminals, line, run};
use std::io::{self, Write};

#[tokio::test]
async fn progress_and_log_messages_are_lines_on_standard_error() {
    let outcome = run(["call", "steps"]).await;
    let err = "progress 1/2 (50%)\n[info] half\n[warning] {\"parts\":[1,2],\"total\":3}\nprogress 2/2 (100%)\n";
    assert_eq!((outcome.out(), outcome.err.as_str(), outcome.code), ("done\n", err, 0));
}

#[tokio::test]
async fn the_level_of_log_messages_can_be_chosen() {
    let outcome = run(["call", "steps", "--log-level", "warning"]).await;
    assert_eq!(outcome.err, "progress 1/2 (50%)\n[warning] {\"parts\":[1,2],\"total\":3}\nprogress 2/2 (100%)\n");
    let outcome = run(["call", "steps", "--log-level", "debug"]).await;
    assert!(outcome.err.contains("\n[debug] hardly worth it\n"), "{}", outcome.err);
}

#[tokio::test]
async fn on_a_terminal_progress_is_a_bar_that_goes_away() {
    let terminals = Terminals { err: true, ..Terminals::default() };
    let outcome = line(["call", "steps", "--log-level", "error"]).terminals(terminals).run().await;
    assert_eq!(outcome.out(), "done\n");
    let (half, full) = ("[############------------] 1/2 (50%)", "[########################] 2/2 (100%)");
    let gone = " ".repeat(full.len());
    assert_eq!(outcome.err, format!("\r{half}\r{full}\r{gone}\r"));
}

#[tokio::test]
async fn an_interruption_cancels_the_call() {
    let signs = Signs::default();
    let server = server().state(signs.clone()).build().expect("sound");
    let outcome = line(["call", "wait"]).server(server).interrupt(signs.started()).run().await;
    assert_eq!((outcome.out(), outcome.err.as_str(), outcome.code), ("", "error: interrupted\n", 130));
    signs.ended().await;
}

#[tokio::test]
async fn an_interruption_does_not_wait_for_a_function_that_blocks() {
    let signs = Signs::default();
    let server = server().state(signs.clone()).build().expect("sound");
    let outcome = line(["call", "block"]).server(server).interrupt(signs.started()).run().await;
    assert_eq!((outcome.out(), outcome.err.as_str(), outcome.code), ("", "error: interrupted\n", 130));
    signs.end();
}

/// Standard error that lets a function go on as soon as something is written to it.
struct Watched(Signs, Vec<u8>);

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.end();
        self.1.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn progress_of_a_function_that_blocks_is_shown_while_it_runs() {
    let signs = Signs::default();
    let server = server().state(signs.clone()).build().expect("sound");
    let (mut out, mut err) = (Vec::new(), Watched(signs, Vec::new()));
    let mut console = Console {
        input: &mut io::empty(),
        out: &mut out,
        err: &mut err,
        terminals: Terminals::default(),
        interrupt: Box::pin(std::future::pending()),
    };
    let args = ["fixture", "call", "report"].map(Into::into).to_vec();
    let code = crate::cli::run(args, &mut console, &server).await;
    drop(console);
    assert_eq!((code, out.as_slice(), err.1.as_slice()), (0, &b"let go\n"[..], &b"progress 1/1 (100%)\n"[..]));
}
