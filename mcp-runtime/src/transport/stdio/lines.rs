//! Bytes to lines, whatever pieces they come in.

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Text(&'a str),
    NotUtf8,
    /// Longer than the bytes that are allowed; it has been skipped.
    TooLong(usize),
}

/// The bytes of a line that is not complete yet.
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// How much of the buffer has been read into.
    filled: usize,
    max: usize,
    /// The rest of a line that was too long is being skipped.
    skipping: bool,
    /// Nothing has been read before.
    at_start: bool,
    /// How often in a row the buffer was much larger than what it held.
    unused: u32,
}

/// A buffer up to this size stays for good.
const KEPT: usize = 256 * 1024;
/// A larger one never does.
const MOST_KEPT: usize = 4 * 1024 * 1024;
/// What is between them stays until so many reads in a row had no use for it.
const PATIENCE: u32 = 16;

impl Lines {
    pub(super) fn new(max: usize) -> Self {
        Lines { buffer: Vec::new(), filled: 0, max, skipping: false, at_start: true, unused: 0 }
    }

    /// Room to read into.
    pub(super) fn space(&mut self, chunk: usize) -> &mut [u8] {
        if self.buffer.len() < self.filled + chunk {
            self.buffer.resize(self.filled + chunk, 0);
        }
        &mut self.buffer[self.filled..]
    }

    /// Has a line begun that is not complete yet?
    pub(super) fn is_cut(&self) -> bool {
        self.filled > 0
    }

    /// Takes `count` bytes that were read into [`space`](Self::space), and gives every line that they complete; the flag
    /// says whether it is the last one. Blank lines are left out.
    pub(super) fn advance(&mut self, count: usize, mut give: impl FnMut(Line<'_>, bool)) {
        let before = self.filled;
        self.filled += count;
        // Bytes read before hold no line break: they need not be looked at again, unless everything has moved.
        let fresh = if self.skip_byte_order_mark() { 0 } else { before };
        let bytes = &self.buffer[..self.filled];
        let Some(last_break) = memchr::memrchr(b'\n', &bytes[fresh..]).map(|at| at + fresh) else {
            self.limit(&mut give);
            return;
        };
        // Blank lines may follow the last one that is given.
        let last_given = bytes[..last_break].trim_ascii_end().len();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &bytes[..=last_break]) {
            let skipped = std::mem::take(&mut self.skipping);
            if let Some(line) = (!skipped).then(|| line(&bytes[start..end], self.max)).flatten() {
                give(line, end >= last_given);
            }
            start = end + 1;
        }
        self.buffer.copy_within(start..self.filled, 0);
        self.filled -= start;
        self.shrink(last_break + 1);
        self.limit(&mut give);
    }

    /// Gives memory back: a large message must not keep it for ever, but where one follows the other, fresh memory for
    /// each would cost as much as reading it. `passed` is how much was read that ends here.
    fn shrink(&mut self, passed: usize) {
        let is_used = self.filled > 0 || passed > self.buffer.capacity() / 4;
        // Small messages may follow each other for years.
        self.unused = if is_used { 0 } else { self.unused.saturating_add(1) };
        let capacity = self.buffer.capacity();
        if self.filled == 0 && (capacity > MOST_KEPT || (capacity > KEPT && self.unused > PATIENCE)) {
            self.buffer = Vec::new();
        }
    }

    /// Gives the last line, which needs no line break.
    pub(super) fn end(&mut self, mut give: impl FnMut(Line<'_>)) {
        if let Some(line) = (!self.skipping).then(|| line(&self.buffer[..self.filled], self.max)).flatten() {
            give(line);
        }
        self.filled = 0;
    }

    /// Gives up a line that has become too long: reported once, skipped up to its end.
    fn limit(&mut self, give: &mut impl FnMut(Line<'_>, bool)) {
        if self.skipping {
            self.filled = 0;
        } else if self.filled > self.max {
            self.skipping = true;
            self.filled = 0;
            self.buffer = Vec::new();
            give(Line::TooLong(self.max), true);
        }
    }

    /// Removes a byte order mark from the start of the input; true if there was one.
    fn skip_byte_order_mark(&mut self) -> bool {
        const MARK: &[u8] = &[0xEF, 0xBB, 0xBF];
        if !self.at_start {
            return false;
        }
        let begun = &self.buffer[..self.filled.min(MARK.len())];
        let marked = begun == MARK;
        // What may become one is waited for; behind anything else it is none.
        self.at_start = !marked && MARK.starts_with(begun);
        if marked {
            self.buffer.copy_within(MARK.len()..self.filled, 0);
            self.filled -= MARK.len();
        }
        marked
    }
}

fn line(bytes: &[u8], max: usize) -> Option<Line<'_>> {
    // With the blanks around it: a line that comes in pieces is given up without knowing whether it ends with some.
    if bytes.len() > max {
        return Some(Line::TooLong(max));
    }
    let bytes = bytes.trim_ascii();
    (!bytes.is_empty()).then(|| std::str::from_utf8(bytes).map_or(Line::NotUtf8, Line::Text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds pieces and collects what comes out.
    fn lines(pieces: &[&[u8]], max: usize) -> Vec<String> {
        let mut lines = Lines::new(max);
        let mut got = Vec::new();
        for piece in pieces {
            lines.space(piece.len().max(1))[..piece.len()].copy_from_slice(piece);
            lines.advance(piece.len(), |line, _| got.push(show(&line)));
        }
        lines.end(|line| got.push(show(&line)));
        got
    }

    fn show(line: &Line<'_>) -> String {
        match line {
            Line::Text(text) => (*text).to_owned(),
            Line::TooLong(_) => "TooLong".to_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn lines_come_out_whole_whatever_pieces_they_come_in() {
        let text = "{\"a\":\"é\"}\n{\"b\":1}\r\n\n  \n{\"c\":2}".as_bytes();
        let whole = ["{\"a\":\"é\"}", "{\"b\":1}", "{\"c\":2}"];
        assert_eq!(lines(&[text], 100), whole);
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(lines(&bytes, 100), whole);
        for size in 2..text.len() {
            assert_eq!(lines(&text.chunks(size).collect::<Vec<_>>(), 100), whole, "in pieces of {size}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_skipped_at_the_start_only() {
        assert_eq!(lines(&[b"\xEF\xBB\xBF{}\n"], 100), ["{}"]);
        assert_eq!(lines(&[b"\xEF", b"\xBB", b"\xBF", b"{}\n"], 100), ["{}"]);
        assert_eq!(lines(&[b"{}\n\xEF\xBB\xBF[]\n"], 100), ["{}", "\u{feff}[]"]);
        assert_eq!(lines(&[b"1\n", b"\xEF\xBB\xBF[]\n"], 100), ["1", "\u{feff}[]"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_reported_once_and_skipped() {
        let long = [b'a'; 50];
        assert_eq!(lines(&[&long, &long, b"a\n{}\n"], 60), ["TooLong", "{}"]);
        assert_eq!(lines(&[&[&long[..], &long[..], b"\n{}\n"].concat()], 60), ["TooLong", "{}"]);
        assert_eq!(lines(&[&long, &long], 60), ["TooLong"]);
        let blanks = [b' '; 60];
        assert_eq!(lines(&[&blanks, b"{}\n1\n"], 60), ["TooLong", "1"]);
        assert_eq!(lines(&[&[&blanks[..], b"{}\n1\n"].concat()], 60), ["TooLong", "1"], "in one piece as in two");
    }

    #[test]
    fn the_memory_of_a_large_line_is_given_back_when_small_ones_follow() {
        let mut lines = Lines::new(8 * MOST_KEPT);
        let mut read = |bytes: &[u8]| {
            for piece in bytes.chunks(64 * 1024) {
                lines.space(piece.len())[..piece.len()].copy_from_slice(piece);
                lines.advance(piece.len(), |_, _| {});
            }
            lines.buffer.capacity()
        };
        let large = [&[b'a'; 1024 * 1024][..], b"\n"].concat();
        for _ in 0..40 {
            assert!(read(&large) > KEPT, "one large line follows the other");
        }
        for _ in 0..=PATIENCE {
            read(b"{}\n");
        }
        assert!(read(b"{}\n") <= KEPT);
        let huge = [&vec![b'a'; 2 * MOST_KEPT][..], b"\n"].concat();
        assert!(read(&huge) <= KEPT);
    }

    #[test]
    fn the_last_line_is_known_though_blank_ones_follow() {
        for text in ["1\n", "1\n2\n3", "1\n2\n\n", "1\n\n2\r\n \r\n\n", "\n1\n"] {
            let mut lines = Lines::new(100);
            lines.space(text.len())[..text.len()].copy_from_slice(text.as_bytes());
            let mut flags = Vec::new();
            lines.advance(text.len(), |_, last| flags.push(last));
            assert_eq!(flags.iter().filter(|last| **last).count(), 1, "{text:?}");
            assert_eq!(flags.last(), Some(&true), "{text:?}");
        }
    }

    #[test]
    fn small_lines_may_come_for_ever() {
        let mut lines = Lines { unused: u32::MAX, ..Lines::new(100) };
        lines.space(KEPT)[..3].copy_from_slice(b"{}\n");
        let mut count = 0;
        lines.advance(3, |_, _| count += 1);
        assert_eq!((count, lines.unused), (1, u32::MAX));
    }

    #[test]
    fn bytes_that_are_no_text_are_a_line_all_the_same() {
        assert_eq!(lines(&[b"\xff\xfe\n{}\n"], 100), ["NotUtf8", "{}"]);
    }
}
