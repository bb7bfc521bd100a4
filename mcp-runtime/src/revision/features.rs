//! The table of differences.

use super::Revision;

/// Which output schemas a revision can carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputSchemas {
    /// None; results are text only.
    No,
    /// Those whose root is an object.
    Object,
    /// Any.
    Any,
}

/// How arguments that do not fit are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InvalidArguments {
    /// A JSON-RPC error.
    Error,
    /// A result with `isError`, which the model sees.
    Result,
}

/// What a revision knows.
#[derive(Debug)]
pub(crate) struct Features {
    /// `resultType` on every result, and serverInfo in its `_meta`.
    pub(crate) result_type: bool,
    /// `ttlMs` and `cacheScope`.
    pub(crate) caching: bool,
    /// `title` on tools, prompts, resources, templates, arguments; `_meta` on them and on content.
    pub(crate) titles: bool,
    /// `icons`; `description` and `websiteUrl` of the server.
    pub(crate) icons: bool,
    /// `annotations` on tools.
    pub(crate) tool_annotations: bool,
    /// `lastModified` among annotations.
    pub(crate) last_modified: bool,
    /// Audio content.
    pub(crate) audio: bool,
    /// Links to resources as content.
    pub(crate) resource_links: bool,
    /// `message` of progress.
    pub(crate) progress_message: bool,
    /// The `completions` capability (the method is older).
    pub(crate) completions_capability: bool,
    /// Boolean schemas as properties of an input schema.
    pub(crate) boolean_properties: bool,
    /// Batches.
    pub(crate) batches: bool,
    /// Errors without an id.
    pub(crate) errors_without_id: bool,
    /// Event streams begin with an empty event, and their clients come back when the server closes the connection.
    pub(crate) polling: bool,
    pub(crate) output_schemas: OutputSchemas,
    pub(crate) invalid_arguments: InvalidArguments,
    /// The code for a resource that does not exist.
    pub(crate) resource_not_found: i32,
}

const V2024_11_05: Features = Features {
    result_type: false,
    caching: false,
    titles: false,
    icons: false,
    tool_annotations: false,
    last_modified: false,
    audio: false,
    resource_links: false,
    progress_message: false,
    completions_capability: false,
    boolean_properties: false,
    // The revision's text is silent: JSON-RPC 2.0 itself has batches.
    batches: true,
    errors_without_id: false,
    polling: false,
    output_schemas: OutputSchemas::No,
    invalid_arguments: InvalidArguments::Error,
    resource_not_found: -32002,
};

const V2025_03_26: Features = Features {
    tool_annotations: true,
    audio: true,
    progress_message: true,
    completions_capability: true,
    ..V2024_11_05
};

const V2025_06_18: Features = Features {
    titles: true,
    last_modified: true,
    resource_links: true,
    batches: false,
    output_schemas: OutputSchemas::Object,
    ..V2025_03_26
};

const V2025_11_25: Features = Features {
    icons: true,
    errors_without_id: true,
    polling: true,
    invalid_arguments: InvalidArguments::Result,
    ..V2025_06_18
};

const V2026_07_28: Features = Features {
    result_type: true,
    caching: true,
    boolean_properties: true,
    polling: false,
    output_schemas: OutputSchemas::Any,
    resource_not_found: crate::wire::INVALID_PARAMS,
    ..V2025_11_25
};

impl Revision {
    /// What the revision knows.
    pub(crate) const fn features(self) -> &'static Features {
        match self {
            Revision::V2024_11_05 => &V2024_11_05,
            Revision::V2025_03_26 => &V2025_03_26,
            Revision::V2025_06_18 => &V2025_06_18,
            Revision::V2025_11_25 => &V2025_11_25,
            Revision::V2026_07_28 => &V2026_07_28,
        }
    }
}
