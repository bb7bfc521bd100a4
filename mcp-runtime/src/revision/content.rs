//! Blocks of content, as each revision can carry them.

use super::{Features, Revision};
use crate::model::{Annotations, Body, Content, ContentKind, ResourceContents, ResourceLink};
use crate::wire::{Object, value_into};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

/// Writes one block. The revisions' unions are closed: a kind that one does not know becomes text.
pub(super) fn content(out: &mut Vec<u8>, content: &Content, revision: Revision) {
    let features = revision.features();
    let mut object = Object::begin(out);
    match &content.kind {
        ContentKind::Text(text) => {
            object.field("type", "text").field("text", text);
        }
        ContentKind::Image { data, mime_type } => binary(&mut object, "image", data, mime_type),
        ContentKind::Audio { data, mime_type } if features.audio => binary(&mut object, "audio", data, mime_type),
        ContentKind::Audio { data, mime_type } => {
            let note =
                format!("[audio of type {mime_type}, {} bytes: this protocol revision has no audio]", data.len());
            object.field("type", "text").field("text", &note);
        }
        ContentKind::Resource(resource) => {
            object.field("type", "resource").with("resource", |out| contents(out, resource, None, features));
        }
        ContentKind::Link(resource) if features.resource_links => link(&mut object, resource, features),
        ContentKind::Link(resource) => {
            object.field("type", "text").field("text", &format!("{}: {}", resource.name, resource.uri));
        }
    }
    annotations(&mut object, &content.annotations, features);
    object.maybe("_meta", content.meta.as_ref().filter(|_| features.titles)).end();
}

fn binary(object: &mut Object<'_>, kind: &'static str, data: &[u8], mime_type: &str) {
    object.field("type", kind).with("data", |out| base64(out, data)).field("mimeType", mime_type);
}

fn link(object: &mut Object<'_>, link: &ResourceLink, features: &Features) {
    object
        .field("type", "resource_link")
        .field("uri", &link.uri)
        .field("name", &link.name)
        .maybe("title", link.title.as_ref())
        .maybe("description", link.description.as_ref())
        .maybe("mimeType", link.mime_type.as_ref())
        .maybe("size", link.size.as_ref())
        .maybe("icons", Some(&link.icons).filter(|icons| features.icons && !icons.is_empty()));
}

/// Writes a resource's contents; `asked` and its MIME type stand in for what they leave open.
pub(super) fn contents(
    out: &mut Vec<u8>,
    contents: &ResourceContents,
    asked: Option<(&str, Option<&str>)>,
    features: &Features,
) {
    let (asked_uri, usual_type) = asked.unwrap_or_default();
    let mut object = Object::begin(out);
    object
        .field("uri", contents.uri.as_deref().unwrap_or(asked_uri))
        .maybe("mimeType", contents.mime_type.as_deref().or(usual_type));
    match &contents.body {
        Body::Text(text) => object.field("text", text),
        Body::Blob(bytes) => object.with("blob", |out| base64(out, bytes)),
    };
    object.maybe("_meta", contents.meta.as_ref().filter(|_| features.titles)).end();
}

/// Writes annotations, if there are any.
pub(super) fn annotations(object: &mut Object<'_>, annotations: &Annotations, features: &Features) {
    if annotations.is_empty() {
        return;
    }
    if features.last_modified {
        object.field("annotations", annotations);
    } else {
        let known = Annotations { last_modified: None, ..annotations.clone() };
        object.maybe("annotations", Some(&known).filter(|known| !known.is_empty()));
    }
}

/// Writes bytes as a JSON string of base64, straight into the output.
fn base64(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    match BASE64.encode_slice(bytes, &mut out[start..]) {
        Ok(written) => out.truncate(start + written),
        // Unreachable: the space is exactly what padded base64 takes.
        Err(_) => out.truncate(start),
    }
    out.push(b'"');
}

/// Writes a text block whose text is `json`, a JSON value's own text.
pub(super) fn json_as_text(out: &mut Vec<u8>, json: &str) {
    let mut object = Object::begin(out);
    object.field("type", "text");
    // A JSON string is the text member as it stands; any other value's text is put into a string.
    if json.starts_with('"') {
        object.raw("text", json);
    } else {
        object.with("text", |out| value_into(out, json));
    }
    object.end();
}
