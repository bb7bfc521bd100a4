//! Lines: the bytes of standard input, in whatever pieces they come.
//!
//! The first byte of the input says how long a line may be, the next how many others there are that say how long the pieces
//! are, one after the other and from the first one on again; what follows is the text. The splitter gives the lines that a simple one makes of
//! the whole text: without blanks around them, without those that are blank, with what is too long or no UTF-8 told once, in
//! its place. Whenever it has given lines, the last one was marked as such, or its answer would lie until there is more to read.
//!
//! No client that could be made here has standard streams of its own, so the splitter's file is compiled into this crate.

#[path = "../../../mcp-runtime/src/transport/stdio/lines.rs"]
mod splitter;

use splitter::{Line, Lines};

/// Whatever the input says, a line may be so long.
const LEAST: usize = 8;

/// A line in words of its own.
#[derive(Debug, PartialEq, Eq)]
enum Given {
    Text(String),
    NotUtf8,
    TooLong,
}

/// See the module.
pub fn check(data: &[u8]) {
    let [max, pieces, rest @ ..] = data else { return };
    let (max, pieces) = (LEAST + usize::from(*max), usize::from(*pieces).min(rest.len()));
    let (pieces, text) = rest.split_at(pieces);
    let expected = simply_split(text, max);
    assert_eq!(split(text, pieces, max), expected, "in pieces of {pieces:?}");
    assert_eq!(split(text, &[1], max), expected, "byte by byte");
    assert_eq!(split(text, &[], max), expected, "in one piece");
}

/// What the splitter makes of a text in pieces.
fn split(text: &[u8], pieces: &[u8], max: usize) -> Vec<Given> {
    let (mut lines, mut given, mut rest) = (Lines::new(max), Vec::new(), text);
    let mut sizes = pieces.iter().map(|size| usize::from(*size) + 1).cycle();
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(sizes.next().unwrap_or(rest.len()).min(rest.len()));
        rest = later;
        lines.space(piece.len())[..piece.len()].copy_from_slice(piece);
        let mut is_last = true;
        lines.advance(piece.len(), |line, last| {
            given.push(own(&line, max));
            is_last = last;
        });
        assert!(is_last, "nobody knows that {:?} is the last one", given.last());
        assert!(piece.last() != Some(&b'\n') || !lines.is_cut(), "something is left of what was complete");
    }
    lines.end(|line| given.push(own(&line, max)));
    assert!(!lines.is_cut());
    given
}

fn own(line: &Line<'_>, max: usize) -> Given {
    match line {
        Line::Text(text) => Given::Text((*text).to_owned()),
        Line::NotUtf8 => Given::NotUtf8,
        Line::TooLong(most) => {
            assert_eq!(*most, max);
            Given::TooLong
        }
    }
}

/// What a text is in lines, with all of it at hand.
fn simply_split(text: &[u8], max: usize) -> Vec<Given> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let lines = text.split(|byte| *byte == b'\n').filter_map(|line| {
        if line.len() > max {
            return Some(Given::TooLong);
        }
        match std::str::from_utf8(line).map(|line| line.trim_matches([' ', '\t', '\r', '\x0C'])) {
            Ok("") => None,
            Ok(line) => Some(Given::Text(line.to_owned())),
            Err(_) => Some(Given::NotUtf8),
        }
    });
    lines.collect()
}
