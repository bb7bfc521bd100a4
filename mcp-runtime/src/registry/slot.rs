//! The place of a function in the tables: it may be hidden, and another version may take it, while requests look it up.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The versions of one function: what a list shows of each, and the function itself. A version that has been there stays,
/// since a call of it may still be under way, and since there are no more of them than the program has functions.
pub(super) struct Slot<I, F> {
    first: Box<Version<I, F>>,
    /// Twice the number of the version in place, plus one if it is visible: one load tells both.
    state: AtomicUsize,
}

/// A version that is not in place yet. It is large, and boxed where it is made: tables grow, and have room to spare.
pub(crate) type NewVersion<I, F> = Box<Version<I, F>>;

/// One version.
pub(crate) struct Version<I, F> {
    pub(super) item: I,
    pub(super) function: F,
    next: OnceLock<Box<Version<I, F>>>,
}

impl<I, F> Version<I, F> {
    pub(super) fn new(item: I, function: F) -> NewVersion<I, F> {
        Box::new(Version { item, function, next: OnceLock::new() })
    }
}

impl<I, F> Slot<I, F> {
    pub(super) fn new(first: NewVersion<I, F>, visible: bool) -> Self {
        Slot { first, state: AtomicUsize::new(usize::from(visible)) }
    }

    fn versions(&self) -> impl Iterator<Item = &Version<I, F>> {
        std::iter::successors(Some(&*self.first), |version| version.next.get().map(|next| &**next))
    }

    /// The version in place, unless it is hidden.
    fn visible(&self) -> Option<&Version<I, F>> {
        let state = self.state.load(Ordering::Acquire);
        if state & 1 == 0 { None } else { self.versions().nth(state >> 1) }
    }

    /// The function, unless it is hidden.
    pub(super) fn function(&self) -> Option<&F> {
        self.visible().map(|version| &version.function)
    }

    /// What the list shows of a function that satisfies a condition, unless it is hidden.
    pub(super) fn item_if(&self, is_it: impl Fn(&F) -> bool) -> Option<&I> {
        self.visible().filter(|version| is_it(&version.function)).map(|version| &version.item)
    }

    /// What the list showed first; a name and a URI are the same in all versions.
    pub(super) fn first(&self) -> &I {
        &self.first.item
    }

    /// The function that was there first.
    pub(super) fn first_function(&self) -> &F {
        &self.first.function
    }

    /// The version that satisfies a condition, hidden or not.
    pub(super) fn find(&self, is_it: impl Fn(&F) -> bool) -> Option<&F> {
        self.versions().map(|version| &version.function).find(|function| is_it(function))
    }

    /// Shows or hides the function; true if that changes anything. Changes must come one at a time.
    pub(super) fn show(&self, visible: bool) -> bool {
        let before = self.state.load(Ordering::Acquire);
        let after = before & !1 | usize::from(visible);
        self.state.store(after, Ordering::Release);
        before != after
    }

    /// Puts a version into place; true if that changes what clients see. Changes must come one at a time.
    pub(super) fn replace(&self, is_it: impl Fn(&F) -> bool, new: NewVersion<I, F>) -> bool {
        let before = self.state.load(Ordering::Acquire);
        let known = self.versions().position(|version| is_it(&version.function));
        let number = known.unwrap_or_else(|| {
            let number = self.versions().count();
            if let Some(last) = self.versions().last() {
                let _ = last.next.set(new);
            }
            number
        });
        let after = number << 1 | before & 1;
        self.state.store(after, Ordering::Release);
        before != after && after & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_hidden_shown_and_replaced() {
        let slot = Slot::new(Version::new("first", 1), false);
        assert_eq!((slot.item_if(|_| true), slot.function()), (None, None));
        assert!(slot.show(true) && !slot.show(true));
        assert_eq!((slot.item_if(|_| true), slot.function()), (Some(&"first"), Some(&1)));
        assert!(slot.replace(|version| *version == 2, Version::new("second", 2)));
        assert_eq!((slot.item_if(|_| true), slot.function()), (Some(&"second"), Some(&2)));
        assert_eq!(slot.find(|version| *version == 1), Some(&1), "a call may still need it");
        assert!(slot.show(false));
        assert!(!slot.replace(|version| *version == 1, Version::new("known", 1)), "nobody sees that");
        assert_eq!(slot.function(), None);
        assert!(slot.show(true));
        assert_eq!((slot.item_if(|_| true), slot.function()), (Some(&"first"), Some(&1)));
    }
}
