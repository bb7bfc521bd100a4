//! Results on standard output: text as text, bytes as bytes, or as a note where a person reads.

use super::console::Console;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use std::io;

/// A block of content, as tools and prompts give it.
#[derive(Debug, Deserialize)]
pub(super) struct Block {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    data: Option<String>,
    #[serde(rename = "mimeType")]
    mime_type: Option<String>,
    resource: Option<Contents>,
    uri: Option<String>,
    name: Option<String>,
}

/// Contents of a resource.
#[derive(Debug, Deserialize)]
pub(super) struct Contents {
    #[serde(rename = "mimeType")]
    mime_type: Option<String>,
    text: Option<String>,
    blob: Option<String>,
}

/// What is written for one block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// A resource's text, which is written as it is.
    Verbatim(String),
    Bytes {
        data: Vec<u8>,
        mime_type: String,
    },
}

impl Block {
    /// The text, if the block is nothing else.
    pub(super) fn as_text(&self) -> Option<&str> {
        self.text.as_deref().filter(|_| self.kind == "text")
    }

    /// What is to be written.
    pub(super) fn into_piece(self) -> Piece {
        let Block { kind, text, data, mime_type, resource, uri, name } = self;
        match (kind.as_str(), text, data, resource, uri) {
            ("text", Some(text), ..) => Piece::Text(text),
            ("image" | "audio", _, Some(data), ..) => bytes(&data, mime_type),
            ("resource", _, _, Some(contents), _) => match contents.into_piece() {
                Piece::Verbatim(text) => Piece::Text(text),
                piece => piece,
            },
            ("resource_link", _, _, _, Some(uri)) => Piece::Text(format!("{uri}  {}", name.unwrap_or_default())),
            (kind, ..) => Piece::Text(format!("[{kind}]")),
        }
    }
}

impl Contents {
    /// What is to be written.
    pub(super) fn into_piece(self) -> Piece {
        match (self.text, self.blob) {
            (Some(text), _) => Piece::Verbatim(text),
            (None, blob) => bytes(&blob.unwrap_or_default(), self.mime_type),
        }
    }
}

fn bytes(base64: &str, mime_type: Option<String>) -> Piece {
    let mime_type = mime_type.unwrap_or_else(|| "application/octet-stream".to_owned());
    match BASE64.decode(base64) {
        Ok(data) => Piece::Bytes { data, mime_type },
        Err(_) => Piece::Text(format!("[{mime_type}, not readable]")),
    }
}

/// Writes pieces in order. Bytes are written as such where no person reads and no text for people is among them.
pub(super) fn write(console: &mut Console<'_>, pieces: &[Piece]) -> io::Result<()> {
    let as_bytes = !console.terminals.out && !pieces.iter().any(|piece| matches!(piece, Piece::Text(_)));
    for piece in pieces {
        match piece {
            Piece::Text(text) => writeln!(console.out, "{}", text.trim_end_matches('\n'))?,
            Piece::Verbatim(text) if text.ends_with('\n') => write!(console.out, "{text}")?,
            Piece::Verbatim(text) => writeln!(console.out, "{text}")?,
            Piece::Bytes { data, .. } if as_bytes => console.out.write_all(data)?,
            Piece::Bytes { data, mime_type } => writeln!(console.out, "[{mime_type}, {}]", size(data.len()))?,
        }
    }
    console.out.flush()
}

/// A number of bytes for a person.
fn size(bytes: usize) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}

/// Writes one line, or a text of several, with exactly one line break at the end.
pub(super) fn write_text(console: &mut Console<'_>, text: &str) -> io::Result<()> {
    write(console, &[Piece::Text(text.to_owned())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::console::Terminals;
    use serde_json::{Value, json};

    fn written(pieces: &[Piece], terminal: bool) -> Vec<u8> {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console {
            input: &mut io::empty(),
            out: &mut out,
            err: &mut err,
            terminals: Terminals { out: terminal, ..Terminals::default() },
            interrupt: Box::pin(std::future::pending()),
        };
        write(&mut console, pieces).expect("a buffer takes everything");
        drop(console);
        out
    }

    fn piece(block: Value) -> Piece {
        serde_json::from_value::<Block>(block).expect("a block").into_piece()
    }

    #[test]
    fn text_ends_with_one_line_break() {
        for text in ["a", "a\n", "a\n\n"] {
            assert_eq!(written(&[Piece::Text(text.to_owned())], false), b"a\n");
        }
        assert_eq!(written(&[], false), b"");
    }

    #[test]
    fn contents_of_resources_stay_as_they_are() {
        for (text, expected) in [("a", "a\n"), ("a\n\n", "a\n\n"), ("\n", "\n")] {
            assert_eq!(written(&[Piece::Verbatim(text.to_owned())], false), expected.as_bytes());
        }
    }

    #[test]
    fn bytes_are_for_programs_and_notes_for_people() {
        let image = || piece(json!({"type": "image", "data": "iVAA", "mimeType": "image/png"}));
        assert_eq!(written(&[image()], false), [0x89, 0x50, 0x00]);
        assert_eq!(written(&[image()], true), b"[image/png, 3 bytes]\n");
        assert_eq!(written(&[Piece::Text("a:".to_owned()), image()], false), b"a:\n[image/png, 3 bytes]\n");
        let both = || [Piece::Verbatim("a".to_owned()), image()];
        assert_eq!(written(&both(), false), b"a\n\x89\x50\0");
        assert_eq!(written(&both(), true), b"a\n[image/png, 3 bytes]\n");
        let bad = piece(json!({"type": "audio", "data": "?", "mimeType": "audio/wav"}));
        assert_eq!(written(&[bad], false), b"[audio/wav, not readable]\n");
    }

    #[test]
    fn every_kind_of_block_is_shown() {
        for (block, text) in [
            (json!({"type": "text", "text": "t"}), "t\n"),
            (json!({"type": "resource_link", "uri": "a://b", "name": "n"}), "a://b  n\n"),
            (json!({"type": "resource", "resource": {"uri": "a://b", "text": "t"}}), "t\n"),
            (json!({"type": "resource", "resource": {"uri": "a://b", "blob": "AA=="}}), "\0"),
            (json!({"type": "hologram"}), "[hologram]\n"),
        ] {
            assert_eq!(String::from_utf8(written(&[piece(block)], false)).expect("UTF-8"), text);
        }
    }
}
