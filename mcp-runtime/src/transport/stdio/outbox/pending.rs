//! Messages on their way out.

/// A message of this size becomes the buffer itself; smaller ones are copied into the one that is there.
pub(super) const LARGE: usize = 16 * 1024;
/// A buffer larger than this is not kept for what comes next.
const KEPT: usize = 64 * 1024;

/// Messages that wait, the first of which may have gone out in part.
#[derive(Default)]
pub(super) struct Pending {
    bytes: Vec<u8>,
    /// So many have gone out. They stay where they are as long as nothing is added: to move the rest up with every piece of
    /// a large message would cost more than to write it.
    gone: usize,
}

impl Pending {
    /// What has not gone out.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.gone..]
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len() - self.gone
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a message.
    pub(super) fn put(&mut self, message: Vec<u8>) {
        if self.is_empty() && message.len() >= LARGE {
            *self = Pending { bytes: message, gone: 0 };
        } else {
            self.add(&message);
        }
    }

    /// Adds what came later.
    pub(super) fn append(&mut self, later: &Pending) {
        if !later.is_empty() {
            self.add(later.rest());
        }
    }

    /// So many more have gone out.
    pub(super) fn advance(&mut self, count: usize) {
        self.gone += count;
    }

    /// The room of what has gone out, for what comes next, unless it is too much to keep.
    pub(super) fn recycle(mut self) -> Self {
        if self.bytes.capacity() > KEPT {
            return Pending::default();
        }
        self.bytes.clear();
        Pending { bytes: self.bytes, gone: 0 }
    }

    fn add(&mut self, bytes: &[u8]) {
        // What has gone out is never more than half of what is kept, and no byte is moved more than once on average.
        if self.gone >= self.len() {
            self.bytes.drain(..self.gone);
            self.gone = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_out_in_pieces_while_more_comes_stays_whole_and_small() {
        let (mut pending, mut put, mut out) = (Pending::default(), Vec::new(), Vec::new());
        let mut most = 0;
        for round in 0..2_000_usize {
            let message = vec![round as u8; (round * 37) % 900 + if round % 500 == 0 { LARGE } else { 1 }];
            put.extend_from_slice(&message);
            match round % 3 {
                0 => {
                    let mut later = Pending::default();
                    later.put(message);
                    pending.append(&later);
                }
                _ => pending.put(message),
            }
            let count = pending.len().min(449);
            out.extend_from_slice(&pending.rest()[..count]);
            pending.advance(count);
            most = most.max(pending.len());
            assert!(pending.bytes.len() <= 2 * most + LARGE, "{} for {}", pending.bytes.len(), pending.len());
        }
        out.extend_from_slice(pending.rest());
        assert!(out == put);
    }

    #[test]
    fn room_is_kept_only_if_it_is_little() {
        let mut small = Pending::default();
        small.put(vec![1; 100]);
        small.advance(100);
        let room = small.bytes.capacity();
        let recycled = small.recycle();
        assert_eq!((recycled.bytes.capacity(), recycled.len()), (room, 0));
        let mut large = Pending::default();
        large.put(vec![1; KEPT + 1]);
        large.advance(KEPT + 1);
        assert_eq!(large.recycle().bytes.capacity(), 0);
    }
}
