//! What a run has sent, got and found.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many findings are printed; the rest are counted.
const MOST_PRINTED: u64 = 40;

/// The counts of a run; all clones are one.
#[derive(Clone, Default)]
pub struct Tally(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    by_name: BTreeMap<(Row, &'static str), u64>,
    found: u64,
}

/// Which part of the table a count stands in, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// Messages and requests that went out.
    Sent,
    /// What came back.
    Received,
    /// What was done to the server on purpose.
    Fault,
    /// What should not have been.
    Found,
}

impl Row {
    fn title(self) -> &'static str {
        match self {
            Row::Sent => "sent",
            Row::Received => "received",
            Row::Fault => "fault",
            Row::Found => "found",
        }
    }
}

/// What is wrong with an answer.
pub const LOST: &str = "lost: an answer that never came";
/// See [`LOST`].
pub const DOUBLED: &str = "doubled: an answer that came again";
/// See [`LOST`].
pub const FOREIGN: &str = "foreign: something that was for somebody else";
/// See [`LOST`].
pub const WRONG: &str = "wrong: anything else";

impl Tally {
    /// Nothing has been found yet, and the table says so.
    #[must_use]
    pub fn new() -> Self {
        let tally = Tally::default();
        [LOST, DOUBLED, FOREIGN, WRONG].into_iter().for_each(|name| tally.add(Row::Found, name, 0));
        tally
    }

    /// One more.
    pub fn one(&self, row: Row, name: &'static str) {
        self.add(row, name, 1);
    }

    /// So many more.
    pub fn add(&self, row: Row, name: &'static str, count: u64) {
        *self.lock().by_name.entry((row, name)).or_default() += count;
    }

    /// Something is wrong; it is told at once.
    pub fn found(&self, kind: &'static str, text: impl Display) {
        let found = {
            let mut counts = self.lock();
            *counts.by_name.entry((Row::Found, kind)).or_default() += 1;
            counts.found += 1;
            counts.found
        };
        if found <= MOST_PRINTED {
            let mut text = text.to_string();
            if let Some((end, _)) = text.char_indices().nth(600) {
                text.replace_range(end.., "...");
            }
            eprintln!("FOUND {kind}: {text}");
        }
    }

    /// How much was found.
    #[must_use]
    pub fn findings(&self) -> u64 {
        self.lock().found
    }

    /// How many of one name.
    #[must_use]
    pub fn count(&self, row: Row, name: &'static str) -> u64 {
        self.lock().by_name.get(&(row, name)).copied().unwrap_or(0)
    }

    /// How much there is in one part of the table.
    #[must_use]
    pub fn sum(&self, row: Row) -> u64 {
        self.lock().by_name.iter().filter(|((of, _), _)| *of == row).map(|(_, count)| count).sum()
    }

    /// The table, with other rows behind it.
    #[must_use]
    pub fn table(&self, more: &[(String, String)]) -> String {
        let counts = self.lock();
        let counted = counts.by_name.iter().map(|((row, name), count)| (row.title(), *name, count.to_string()));
        let more = more.iter().map(|(name, value)| ("measured", name.as_str(), value.clone()));
        let rows: Vec<_> = counted.chain(more).collect();
        let width = rows.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or(0);
        rows.iter().map(|(part, name, value)| format!("{part:<9} {name:<width$} {value:>12}\n")).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
