//! Progress and log messages on standard error: a bar on one line of a terminal, plain lines elsewhere.

use super::client::{Heard, Log, Progress};
use super::table::printable;
use serde_json::Value;
use std::io::Write;

/// How many characters the bar itself has.
const BAR: usize = 24;
/// The longest line that is drawn over: every terminal is wider.
const LINE: usize = 79;

/// The bar. It stays on its line until something else is to be written.
#[derive(Default)]
pub(super) struct Bar {
    /// Standard error is a terminal.
    terminal: bool,
    /// What stands on the line.
    shown: String,
}

impl Bar {
    /// A bar for a terminal, or lines for everything else.
    pub(super) fn new(terminal: bool) -> Self {
        Bar { terminal, shown: String::new() }
    }

    /// Shows what the server says. That standard error takes nothing stops no call.
    pub(super) fn hear(&mut self, err: &mut dyn Write, heard: Heard) {
        let _ = match heard {
            Heard::Progress(progress) if self.terminal => self.draw(err, bar(&progress)),
            Heard::Progress(progress) => writeln!(err, "{}", line(&progress)),
            Heard::Log(log) => {
                let shown = std::mem::take(&mut self.shown);
                let cleared = self.erase(err, &shown);
                cleared.and_then(|()| writeln!(err, "{}", message(&log))).and_then(|()| self.draw(err, shown))
            }
        };
    }

    /// Takes the bar away.
    pub(super) fn clear(&mut self, err: &mut dyn Write) {
        let shown = std::mem::take(&mut self.shown);
        let _ = self.erase(err, &shown);
    }

    fn draw(&mut self, err: &mut dyn Write, text: String) -> std::io::Result<()> {
        if text == self.shown {
            return Ok(());
        }
        // Spaces instead of escape codes: they work on every terminal.
        let rest = self.shown.chars().count().saturating_sub(text.chars().count());
        write!(err, "\r{text}{:rest$}", "")?;
        self.shown = text;
        err.flush()
    }

    fn erase(&self, err: &mut dyn Write, shown: &str) -> std::io::Result<()> {
        if shown.is_empty() {
            return Ok(());
        }
        write!(err, "\r{:width$}\r", "", width = shown.chars().count())?;
        err.flush()
    }
}

/// How much is done, from 0 to 1.
fn done(progress: &Progress) -> Option<f64> {
    let total = progress.total.filter(|total| *total > 0.0)?;
    Some((progress.progress / total).clamp(0.0, 1.0))
}

/// How much is done, as text: `5/10 (50%)`, or `5` if nobody knows of how much.
fn amount(progress: &Progress) -> String {
    match (done(progress), progress.total) {
        (Some(done), Some(total)) => format!("{}/{total} ({:.0}%)", progress.progress, (done * 100.0).floor()),
        _ => progress.progress.to_string(),
    }
}

/// The bar's text: `[############------------] 5/10 (50%) message`.
fn bar(progress: &Progress) -> String {
    let mut text = String::new();
    if let Some(done) = done(progress) {
        let full = (done * BAR as f64) as usize;
        text = format!("[{}{}] ", "#".repeat(full), "-".repeat(BAR - full));
    }
    text.push_str(&amount(progress));
    if let Some(message) = &progress.message {
        text.push(' ');
        text.push_str(&printable(message));
    }
    match text.char_indices().nth(LINE) {
        None => text,
        Some(_) => text.chars().take(LINE - 1).chain(['…']).collect(),
    }
}

/// The same as a plain line.
fn line(progress: &Progress) -> String {
    let message = progress.message.as_deref().map(|message| format!(": {}", printable(message)));
    format!("progress {}{}", amount(progress), message.unwrap_or_default())
}

/// A log message: its level, and its data as text where it is one.
fn message(log: &Log) -> String {
    match &log.data {
        Value::String(text) => format!("[{}] {}", log.level, text.trim_end()),
        data => format!("[{}] {data}", log.level),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn progress(progress: f64, total: Option<f64>, message: Option<&str>) -> Progress {
        Progress { progress, total, message: message.map(str::to_owned) }
    }

    fn log(data: Value) -> Heard {
        Heard::Log(Log { level: "info".to_owned(), data })
    }

    #[test]
    fn the_bar_fills_with_what_is_done() {
        for (report, text) in [
            (progress(0.0, Some(10.0), None), "[------------------------] 0/10 (0%)"),
            (progress(5.0, Some(10.0), Some("half")), "[############------------] 5/10 (50%) half"),
            (progress(9.99, Some(10.0), None), "[#######################-] 9.99/10 (99%)"),
            (progress(12.0, Some(10.0), None), "[########################] 12/10 (100%)"),
            (progress(7.0, None, Some("a\nb")), "7 a b"),
            (progress(7.0, Some(0.0), None), "7"),
        ] {
            assert_eq!(bar(&report), text);
        }
        let long = bar(&progress(1.0, None, Some(&"é".repeat(200))));
        assert_eq!((long.chars().count(), long.ends_with('…')), (79, true));
    }

    #[test]
    fn a_terminal_gets_one_line_that_changes() {
        let (mut drawn, mut out) = (Bar::new(true), Vec::new());
        drawn.hear(&mut out, Heard::Progress(progress(1.0, None, Some("one"))));
        drawn.hear(&mut out, Heard::Progress(progress(1.0, None, Some("one"))));
        drawn.hear(&mut out, Heard::Progress(progress(2.0, None, None)));
        drawn.hear(&mut out, log(json!("said\n")));
        drawn.clear(&mut out);
        drawn.clear(&mut out);
        let text = String::from_utf8(out).expect("UTF-8");
        assert_eq!(text, "\r1 one\r2    \r \r[info] said\n\r2\r \r");
    }

    #[test]
    fn elsewhere_every_report_is_a_line() {
        let (mut lines, mut out) = (Bar::new(false), Vec::new());
        lines.hear(&mut out, Heard::Progress(progress(1.0, Some(4.0), Some("one"))));
        lines.hear(&mut out, log(json!({"a": 1})));
        lines.clear(&mut out);
        assert_eq!(String::from_utf8(out).expect("UTF-8"), "progress 1/4 (25%): one\n[info] {\"a\":1}\n");
    }
}
