//! Replies that are larger than their function may give: texts are cut, and say so; what makes no sense in parts becomes an
//! error. Sizes are in bytes, as the function gave them: UTF-8, and blobs before base64.

use super::{PromptOutcome, PromptReply, ResourceOutcome, ResourceReply, ToolOutcome, ToolReply};
use crate::ToolError;
use crate::model::{Body, Content, ContentKind, Message, ResourceContents, ToolResult};

impl ToolReply {
    /// Keeps the reply within `max` bytes. `structured` says that plain values are structured results.
    pub(crate) fn cut(self, max: usize, structured: bool) -> Self {
        ToolReply(match self.0 {
            ToolOutcome::Value(json) if json.len() > max => match serde_json::from_str::<String>(&json) {
                Ok(text) if !structured => {
                    let mut content = vec![Content::text(text)];
                    cut_blocks(&mut content, max, |block| block);
                    ToolOutcome::Result(ToolResult { content, ..ToolResult::new() })
                }
                _ => too_large("result", json.len(), max),
            },
            ToolOutcome::Result(mut result) => match result.structured.as_ref().map(String::len) {
                Some(size) if size > max => too_large("result", size, max),
                _ => {
                    cut_blocks(&mut result.content, max, |block| block);
                    ToolOutcome::Result(result)
                }
            },
            ToolOutcome::Failed(error) => ToolOutcome::Failed(cut_error(error, max)),
            other => other,
        })
    }
}

fn cut_error(error: ToolError, max: usize) -> ToolError {
    error.with_text(|text| {
        let all = text.len();
        if all > max {
            let kept = cut_text(text, max);
            text.push_str(&note(all - kept, all));
        }
    })
}

fn too_large(what: &str, size: usize, max: usize) -> ToolOutcome {
    ToolOutcome::Failed(too_large_error(what, size, max))
}

fn too_large_error(what: &str, size: usize, max: usize) -> ToolError {
    ToolError::new(format!("The {what} has {size} bytes, more than the {max} that it may have. Ask for less."))
}

impl PromptReply {
    /// Keeps the messages within `max` bytes.
    pub(crate) fn cut(self, max: usize) -> Self {
        PromptReply(match self.0 {
            PromptOutcome::Messages(mut messages) => {
                cut_blocks(&mut messages.messages, max, |message: &mut Message| &mut message.content);
                PromptOutcome::Messages(messages)
            }
            PromptOutcome::Failed(error) => PromptOutcome::Failed(cut_error(error, max)),
            other => other,
        })
    }
}

impl ResourceReply {
    /// Keeps the contents within `max` bytes. `mime_type` is that of contents which do not tell.
    pub(crate) fn cut(self, max: usize, mime_type: Option<&str>) -> Self {
        ResourceReply(match self.0 {
            ResourceOutcome::Contents(parts) => cut_contents(parts, max, mime_type),
            ResourceOutcome::Failed(error) => ResourceOutcome::Failed(cut_error(error, max)),
            other => other,
        })
    }
}

fn cut_contents(mut parts: Vec<ResourceContents>, max: usize, mime_type: Option<&str>) -> ResourceOutcome {
    let size: usize = parts.iter().map(ResourceContents::size).sum();
    if size <= max {
        return ResourceOutcome::Contents(parts);
    }
    let is_text = |part: &ResourceContents| {
        let mime_type = part.mime_type.as_deref().or(mime_type);
        matches!(part.body, Body::Text(_)) && mime_type.is_none_or(|mime_type| mime_type.starts_with("text/"))
    };
    if !parts.iter().all(is_text) {
        return ResourceOutcome::Failed(too_large_error("resource", size, max));
    }
    let (whole, mut kept) = fitting(parts.iter().map(ResourceContents::size), max);
    parts.truncate(whole + 1);
    if let Some(ResourceContents { body: Body::Text(text), .. }) = parts.last_mut() {
        kept += cut_text(text, max - kept);
        text.push_str(&note(size - kept, size));
    }
    ResourceOutcome::Contents(parts)
}

/// Keeps the blocks that fit into `max` bytes, and as much as fits of the text behind them.
fn cut_blocks<T>(blocks: &mut Vec<T>, max: usize, content: impl Fn(&mut T) -> &mut Content) {
    let sizes: Vec<usize> = blocks.iter_mut().map(|block| content(block).size()).collect();
    let all: usize = sizes.iter().sum();
    if all <= max {
        return;
    }
    let (whole, mut kept) = fitting(sizes, max);
    blocks.truncate(whole + 1);
    let Some(last) = blocks.last_mut().map(content) else { return };
    match &mut last.kind {
        ContentKind::Text(text) => {
            kept += cut_text(text, max - kept);
            text.push_str(&note(all - kept, all));
        }
        _ => *last = Content::text(note(all - kept, all).trim_start()),
    }
}

/// How many of the first parts fit whole into `max` bytes, and the bytes that they have together.
fn fitting(sizes: impl IntoIterator<Item = usize>, max: usize) -> (usize, usize) {
    let mut kept = 0;
    let whole = sizes.into_iter().take_while(|size| {
        let fits = kept + size <= max;
        kept += if fits { *size } else { 0 };
        fits
    });
    (whole.count(), kept)
}

/// Cuts a text to at most `max` bytes, between two characters; tells how many are left.
fn cut_text(text: &mut String, max: usize) -> usize {
    let end = (0..=max.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.truncate(end.unwrap_or(0));
    text.len()
}

fn note(missing: usize, all: usize) -> String {
    format!("\n\n[Cut off here: {missing} of {all} bytes are missing.]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Image;

    fn texts(reply: ToolReply) -> Vec<String> {
        let ToolOutcome::Result(result) = reply.0 else { panic!("a result") };
        let text = |block: &Content| match &block.kind {
            ContentKind::Text(text) => text.clone(),
            _ => "other".to_owned(),
        };
        result.content.iter().map(text).collect()
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        let reply = ToolReply(ToolOutcome::Value(serde_json::to_string("abcäöü").expect("JSON")));
        assert_eq!(texts(reply.cut(6, false)), ["abcä\n\n[Cut off here: 4 of 9 bytes are missing.]"]);
    }

    #[test]
    fn what_fits_is_left_alone() {
        let reply = ToolReply::from(ToolResult::new().with("abc").with("def"));
        assert_eq!(texts(reply.cut(6, false)), ["abc", "def"]);
        let ToolOutcome::Value(json) = ToolReply(ToolOutcome::Value("[1,2]".to_owned())).cut(5, true).0 else {
            panic!("a value")
        };
        assert_eq!(json, "[1,2]");
    }

    #[test]
    fn blocks_behind_the_limit_are_left_out() {
        let reply = ToolReply::from(ToolResult::new().with("abc").with("def").with("ghi"));
        assert_eq!(texts(reply.cut(4, false)), ["abc", "d\n\n[Cut off here: 5 of 9 bytes are missing.]"]);
        let image = Image::new([0; 10], "image/png");
        let reply = ToolReply::from(ToolResult::new().with("abc").with(image).with("def"));
        assert_eq!(texts(reply.cut(8, false)), ["abc", "[Cut off here: 13 of 16 bytes are missing.]"]);
    }

    #[test]
    fn structured_results_are_whole_or_errors() {
        for reply in
            [ToolReply(ToolOutcome::Value("[1,2,3]".to_owned())), ToolResult::new().structured(&[1, 2, 3]).into()]
        {
            let ToolOutcome::Failed(error) = reply.cut(6, true).0 else { panic!("an error") };
            assert_eq!(error.to_string(), "The result has 7 bytes, more than the 6 that it may have. Ask for less.");
        }
    }

    #[test]
    fn texts_of_errors_are_cut_and_keep_their_causes() {
        let error = || ToolError::new("the whole log").caused_by("inside");
        let reply = ToolReply(ToolOutcome::Failed(error())).cut(9, false);
        let ToolOutcome::Failed(tool) = reply.0 else { panic!("an error") };
        let PromptOutcome::Failed(prompt) = PromptReply(PromptOutcome::Failed(error())).cut(9).0 else {
            panic!("an error")
        };
        let ResourceOutcome::Failed(resource) = ResourceReply(ResourceOutcome::Failed(error())).cut(9, None).0 else {
            panic!("an error")
        };
        for cut in [tool, prompt, resource] {
            assert_eq!(cut.to_string(), "the whole\n\n[Cut off here: 4 of 13 bytes are missing.]");
            assert!(cut.cause().is_some());
        }
        let ToolOutcome::Failed(whole) = ToolReply(ToolOutcome::Failed(error())).cut(13, false).0 else {
            panic!("an error")
        };
        assert_eq!(whole.to_string(), "the whole log");
    }

    #[test]
    fn contents_are_cut_only_where_a_part_makes_sense() {
        let two = || vec![ResourceContents::text("abc"), ResourceContents::text("defg")];
        let reply = ResourceReply(ResourceOutcome::Contents(two()));
        let ResourceOutcome::Contents(parts) = reply.cut(5, Some("text/plain")).0 else { panic!("contents") };
        let [_, ResourceContents { body: Body::Text(text), .. }] = &parts[..] else { panic!("two texts") };
        assert_eq!(text, "de\n\n[Cut off here: 2 of 7 bytes are missing.]");
        for (parts, mime_type) in
            [(two(), Some("application/json")), (vec![ResourceContents::blob([0; 6])], Some("text/plain"))]
        {
            let reply = ResourceReply(ResourceOutcome::Contents(parts)).cut(5, mime_type);
            assert!(matches!(reply.0, ResourceOutcome::Failed(_)));
        }
    }
}
