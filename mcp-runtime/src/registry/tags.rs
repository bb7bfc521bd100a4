//! Which of the functions a server takes, by their tags.

use crate::handler::{Describe, PlainSchemas, Registration};
use crate::schema::closest;
use std::collections::BTreeSet;

/// What `Server::with_tags` and `Server::without_tags` have said.
#[derive(Debug, Default)]
pub(crate) struct Tags {
    /// A function must have one of these, if there are any.
    pub(crate) with: BTreeSet<String>,
    /// A function must have none of these.
    pub(crate) without: BTreeSet<String>,
}

impl Tags {
    /// The functions that are taken. Tags that none of all functions has are problems.
    pub(super) fn choose(&self, entries: &[Registration], problems: &mut Vec<String>) -> Vec<Registration> {
        if self.with.is_empty() && self.without.is_empty() {
            return entries.to_vec();
        }
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let mut chosen = Vec::new();
        for entry in entries {
            let tags = tags_of(*entry);
            known.extend(&tags);
            let is_wanted = self.with.is_empty() || tags.iter().any(|tag| self.with.contains(*tag));
            if is_wanted && !tags.iter().any(|tag| self.without.contains(*tag)) {
                chosen.push(*entry);
            }
        }
        for tag in self.with.union(&self.without).filter(|tag| !known.contains(tag.as_str())) {
            let hint = closest(tag, known.iter().copied()).map(|tag| format!(", did you mean `{tag}`?"));
            problems.push(format!("no function has the tag `{tag}`{}", hint.unwrap_or_default()));
        }
        chosen
    }
}

fn tags_of(entry: Registration) -> Vec<&'static str> {
    let mut describe = Describe::new(PlainSchemas::new());
    match entry {
        Registration::Tool(entry) => (entry.describe)(&mut describe),
        Registration::Resource(entry) => (entry.describe)(&mut describe),
        Registration::Prompt(entry) => (entry.describe)(&mut describe),
    }
    describe.tags
}
