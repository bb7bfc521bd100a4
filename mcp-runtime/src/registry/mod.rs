//! The frozen tables of a server: what it has, by name, and its lists as they go out. Built once; nothing is compiled,
//! cloned or sorted per request.

mod build;
mod functions;
mod headers;
mod pages;

pub(crate) use build::{Parts, build};
pub(crate) use functions::{Function, PromptFunction, ResourceFunction, ToolFunction};
pub(crate) use headers::HeaderParam;
pub(crate) use pages::{List, Pages};

use crate::revision::Declared;
use crate::uri_template::{self, Part, Values};
use std::collections::HashMap;

/// Everything that a server has.
pub(crate) struct Registry {
    tools: HashMap<&'static str, ToolFunction>,
    prompts: HashMap<&'static str, PromptFunction>,
    /// By URI.
    resources: HashMap<&'static str, ResourceFunction>,
    /// The most literal first.
    templates: Vec<ResourceFunction>,
    pages: Pages,
    declared: Declared,
}

impl Registry {
    /// The tool of that name.
    pub(crate) fn tool(&self, name: &str) -> Option<&ToolFunction> {
        self.tools.get(name)
    }

    /// The prompt of that name.
    pub(crate) fn prompt(&self, name: &str) -> Option<&PromptFunction> {
        self.prompts.get(name)
    }

    /// The resource that a URI names, with the values of its template's variables: an exact URI wins over templates.
    pub(crate) fn resource<'u>(&self, uri: &'u str) -> Option<(&ResourceFunction, Values<'u>)> {
        if let Some(resource) = self.resources.get(uri) {
            return Some((resource, Values::new()));
        }
        self.templates.iter().find_map(|template| Some((template, uri_template::matches(template.parts, uri)?)))
    }

    /// The template that is written so; a fixed URI counts as one without variables.
    pub(crate) fn template(&self, text: &str) -> Option<&ResourceFunction> {
        self.templates.iter().find(|template| template.uri == text).or_else(|| self.resources.get(text))
    }

    /// The lists.
    pub(crate) fn pages(&self) -> &Pages {
        &self.pages
    }

    /// What the server offers.
    pub(crate) fn declared(&self) -> Declared {
        self.declared
    }
}

/// How much of a template is literal: the more, the earlier it is tried.
fn literal_length(parts: &[Part]) -> usize {
    parts.iter().map(|part| if let Part::Literal(text) = part { text.len() } else { 0 }).sum()
}
