//! How many there are, of what there must not be too many.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Counts what all peers have together.
#[derive(Debug)]
pub(crate) struct Crowd {
    count: Arc<AtomicUsize>,
    most: usize,
}

/// A place in the crowd. Dropping it frees the place.
#[derive(Debug)]
pub(crate) struct Place(Arc<AtomicUsize>);

impl Crowd {
    /// At most so many.
    pub(crate) fn new(most: usize) -> Self {
        Crowd { count: Arc::default(), most }
    }

    /// Is there no place left? One that is left may be gone when it is asked for.
    pub(crate) fn is_full(&self) -> bool {
        self.count.load(Ordering::Relaxed) >= self.most
    }

    /// A place, if there is one.
    pub(crate) fn enter(&self) -> Option<Place> {
        let place = Place(Arc::clone(&self.count));
        // Dropping the place takes the count back if it was one too many.
        (self.count.fetch_add(1, Ordering::Relaxed) < self.most).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts what each principal has.
#[derive(Debug, Default)]
pub(crate) struct CrowdByName(Mutex<HashMap<Box<str>, usize>>);

/// A place of one principal. Dropping it frees the place.
#[derive(Debug)]
pub(crate) struct NamedPlace {
    crowd: Arc<CrowdByName>,
    name: Box<str>,
}

impl CrowdByName {
    /// A place, if that principal has fewer than `most`.
    pub(crate) fn enter(self: &Arc<Self>, name: &str, most: usize) -> Option<NamedPlace> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.get(name).copied().unwrap_or(0);
        if count >= most {
            return None;
        }
        counts.insert(name.into(), count + 1);
        Some(NamedPlace { crowd: Arc::clone(self), name: name.into() })
    }
}

impl Drop for NamedPlace {
    fn drop(&mut self) {
        let mut counts = self.crowd.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(count) = counts.get_mut(&self.name) else { return };
        *count -= 1;
        if *count == 0 {
            counts.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_it_is_given_up() {
        let crowd = Crowd::new(2);
        let (one, other) = (crowd.enter(), crowd.enter());
        assert!(one.is_some() && other.is_some() && crowd.is_full());
        assert!(crowd.enter().is_none() && crowd.enter().is_none());
        drop(one);
        assert!(!crowd.is_full() && crowd.enter().is_some());
    }

    #[test]
    fn one_name_takes_nothing_from_another() {
        let crowd = Arc::<CrowdByName>::default();
        let places = [crowd.enter("a", 2), crowd.enter("a", 2)];
        assert!(places.iter().all(Option::is_some));
        assert!(crowd.enter("a", 2).is_none());
        assert!(crowd.enter("b", 2).is_some());
        drop(places);
        assert!(crowd.enter("a", 2).is_some());
        assert!(crowd.0.lock().expect("whole").is_empty(), "nothing is kept of whoever has none");
    }
}
