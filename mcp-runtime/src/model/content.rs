//! Blocks of content, as tools and prompts give them.

use super::{Icon, Meta, ResourceContents};
use serde::Serialize;

/// Who a piece of content is for, or who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Hints on who content is for and how much it matters.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// Who it is for; empty is everybody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// From 0 (may be left out) to 1 (needed).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// When it last changed, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Annotations {
    pub(crate) fn is_empty(&self) -> bool {
        self.audience.is_empty() && self.priority.is_none() && self.last_modified.is_none()
    }
}

/// One block of content: text, image, audio, a resource or a link to one.
///
/// ```
/// use mcp_runtime::Content;
///
/// let note = Content::text("42 files").audience([mcp_runtime::Role::User]).priority(0.2);
/// # let _ = note;
/// ```
#[derive(Debug, Clone)]
pub struct Content {
    pub(crate) kind: ContentKind,
    pub(crate) annotations: Annotations,
    pub(crate) meta: Option<Meta>,
}

#[derive(Debug, Clone)]
pub(crate) enum ContentKind {
    Text(String),
    Image { data: Vec<u8>, mime_type: String },
    Audio { data: Vec<u8>, mime_type: String },
    Resource(ResourceContents),
    Link(Box<ResourceLink>),
}

impl Content {
    /// The size of what it carries in bytes, as it was given.
    pub(crate) fn size(&self) -> usize {
        match &self.kind {
            ContentKind::Text(text) => text.len(),
            ContentKind::Image { data, .. } | ContentKind::Audio { data, .. } => data.len(),
            ContentKind::Resource(resource) => resource.size(),
            ContentKind::Link(link) => link.uri.len(),
        }
    }

    fn new(kind: ContentKind) -> Self {
        Content { kind, annotations: Annotations::default(), meta: None }
    }

    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(ContentKind::Text(text.into()))
    }

    /// A resource's contents, embedded. They need a URI: see [`ResourceContents::with_uri`].
    pub fn resource(resource: ResourceContents) -> Self {
        Self::new(ContentKind::Resource(resource))
    }

    /// Says who the content is for.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
        self.annotations.audience = audience.into_iter().collect();
        self
    }

    /// Says how much the content matters, from 0 to 1; other values are brought into that range.
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.annotations.priority = Some(if priority.is_nan() { 0.0 } else { priority.clamp(0.0, 1.0) });
        self
    }

    /// Says when the content last changed (ISO 8601).
    #[must_use]
    pub fn last_modified(mut self, when: impl Into<String>) -> Self {
        self.annotations.last_modified = Some(when.into());
        self
    }

    /// Attaches `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// An image: its bytes and their MIME type.
#[derive(Debug, Clone)]
pub struct Image {
    data: Vec<u8>,
    mime_type: String,
}

impl Image {
    /// An image of any type, for example `image/webp`.
    pub fn new(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Image { data: data.into(), mime_type: mime_type.into() }
    }

    /// A PNG.
    pub fn png(data: impl Into<Vec<u8>>) -> Self {
        Self::new(data, "image/png")
    }

    /// A JPEG.
    pub fn jpeg(data: impl Into<Vec<u8>>) -> Self {
        Self::new(data, "image/jpeg")
    }
}

/// A sound: its bytes and their MIME type.
#[derive(Debug, Clone)]
pub struct Audio {
    data: Vec<u8>,
    mime_type: String,
}

impl Audio {
    /// A sound of any type, for example `audio/ogg`.
    pub fn new(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Audio { data: data.into(), mime_type: mime_type.into() }
    }

    /// A WAV.
    pub fn wav(data: impl Into<Vec<u8>>) -> Self {
        Self::new(data, "audio/wav")
    }

    /// An MP3.
    pub fn mp3(data: impl Into<Vec<u8>>) -> Self {
        Self::new(data, "audio/mpeg")
    }
}

/// A pointer to a resource that the client may read.
///
/// ```
/// let link = mcp_runtime::ResourceLink::new("notes://1", "First note").mime_type("text/markdown").size(120);
/// # let _ = link;
/// ```
#[derive(Debug, Clone)]
pub struct ResourceLink {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) size: Option<u64>,
    pub(crate) icons: Vec<Icon>,
}

impl ResourceLink {
    /// A link to `uri` under a name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        ResourceLink {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            icons: Vec::new(),
        }
    }

    /// A name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What it is.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The type of its contents.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The size of its contents in bytes, before any encoding.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Adds an icon.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }
}

impl From<Image> for Content {
    fn from(image: Image) -> Self {
        Content::new(ContentKind::Image { data: image.data, mime_type: image.mime_type })
    }
}

impl From<Audio> for Content {
    fn from(audio: Audio) -> Self {
        Content::new(ContentKind::Audio { data: audio.data, mime_type: audio.mime_type })
    }
}

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Self {
        Content::new(ContentKind::Link(Box::new(link)))
    }
}

impl From<ResourceContents> for Content {
    fn from(contents: ResourceContents) -> Self {
        Content::resource(contents)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Content::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Content::text(text)
    }
}

/// Several blocks of content in order. (A plain `Vec<Content>` cannot be a result: it would overlap with lists of values.)
///
/// ```
/// use mcp_runtime::{Contents, Image};
///
/// let both = Contents::new().with("A chart:").with(Image::png([0x89]));
/// # let _ = both;
/// ```
#[derive(Debug, Clone, Default)]
pub struct Contents(pub Vec<Content>);

impl Contents {
    /// No blocks yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a block.
    #[must_use]
    pub fn with(mut self, content: impl Into<Content>) -> Self {
        self.0.push(content.into());
        self
    }
}

impl<C: Into<Content>> FromIterator<C> for Contents {
    fn from_iter<I: IntoIterator<Item = C>>(blocks: I) -> Self {
        Contents(blocks.into_iter().map(Into::into).collect())
    }
}

impl From<Vec<Content>> for Contents {
    fn from(blocks: Vec<Content>) -> Self {
        Contents(blocks)
    }
}
