//! Templates by the text that their URIs begin with: a URI is compared only with those that have its beginning.

/// The entries, from the most specific one on.
#[derive(Debug)]
pub(crate) struct Index<T> {
    /// In the order of their prefixes.
    groups: Vec<Group<T>>,
}

#[derive(Debug)]
struct Group<T> {
    prefix: String,
    /// The group of the longest shorter prefix of this one.
    within: Option<usize>,
    /// The most specific first.
    entries: Vec<T>,
}

impl<T> Index<T> {
    /// Arranges entries, each with the prefix of its template and with how many others that is more specific than.
    pub(crate) fn new(mut entries: Vec<(String, usize, T)>) -> Self {
        entries.sort_by(|(one, one_rank, _), (two, two_rank, _)| one.cmp(two).then(two_rank.cmp(one_rank)));
        let mut groups: Vec<Group<T>> = Vec::new();
        for (prefix, _, entry) in entries {
            match groups.last_mut() {
                Some(group) if group.prefix == prefix => group.entries.push(entry),
                _ => {
                    let within = enclosing(&groups, &prefix);
                    groups.push(Group { prefix, within, entries: vec![entry] });
                }
            }
        }
        Index { groups }
    }

    /// All entries.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.groups.iter().flat_map(|group| &group.entries)
    }

    /// The entries whose URIs begin as this one does, the most specific first. (A template with a longer prefix cannot be the
    /// less specific of two: behind the shorter prefix of the other there may be different characters.)
    pub(crate) fn of(&self, uri: &str) -> impl Iterator<Item = &T> {
        let longest = enclosing(&self.groups, uri);
        let groups = std::iter::successors(longest, |group| self.groups[*group].within);
        groups.flat_map(|group| &self.groups[group].entries)
    }
}

/// The group of the longest prefix of a text. Between that prefix and the text there are only texts that begin with the
/// prefix, so that it is the last group up to the text or encloses that.
fn enclosing<T>(groups: &[Group<T>], text: &str) -> Option<usize> {
    let last = groups.partition_point(|group| *group.prefix <= *text).checked_sub(1);
    std::iter::successors(last, |group| groups[*group].within).find(|group| text.starts_with(&groups[*group].prefix))
}
