//! What a subscriber wants to be told.

/// A list that clients keep a copy of. Resources and their templates count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    Tools,
    Prompts,
    Resources,
}

impl ListKind {
    pub(crate) const ALL: [ListKind; 3] = [ListKind::Tools, ListKind::Prompts, ListKind::Resources];
}

/// A set of lists.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListKinds(u8);

impl ListKinds {
    pub(crate) fn insert(&mut self, kind: ListKind) {
        self.0 |= 1 << kind as u8;
    }

    pub(crate) fn contains(self, kind: ListKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in both.
    pub(crate) fn and(self, other: ListKinds) -> ListKinds {
        ListKinds(self.0 & other.0)
    }

    /// What is in either.
    pub(crate) fn or(self, other: ListKinds) -> ListKinds {
        ListKinds(self.0 | other.0)
    }

    /// The members, in a fixed order.
    pub(crate) fn iter(self) -> impl Iterator<Item = ListKind> {
        ListKind::ALL.into_iter().filter(move |kind| self.contains(*kind))
    }
}

impl FromIterator<ListKind> for ListKinds {
    fn from_iter<I: IntoIterator<Item = ListKind>>(kinds: I) -> Self {
        let mut set = ListKinds::default();
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

/// Lists and resources whose changes somebody wants to know.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Interests {
    pub(crate) lists: ListKinds,
    /// URIs of resources.
    pub(crate) resources: Vec<String>,
}
