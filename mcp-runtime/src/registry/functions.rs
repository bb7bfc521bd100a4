//! One function with what start-up has found out about it.

use super::access::Access;
use super::{CallLimits, HeaderParam};
use crate::completion::Completing;
use crate::handler::{Entry, Parameter};
use crate::instances::Listing;
use crate::model::{Capability, Schema};
use crate::reply::{PromptReply, ResourceReply, ToolReply};
use crate::schema::{self, Lax, Validator};
use crate::uri_template::Template;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// What every kind of function has.
pub(crate) struct Function<R: 'static> {
    pub(crate) entry: &'static Entry<R>,
    /// Argument names by parameter; `None` for an injected parameter.
    pub(crate) names: Vec<Option<String>>,
    /// Members that no parameter takes are ignored.
    pub(crate) ignores_unknown: bool,
    /// The arguments as one object schema.
    pub(crate) input_schema: Arc<Schema>,
    pub(crate) requires: Vec<Capability>,
    /// What a caller must have for it to exist.
    pub(crate) scopes: Vec<&'static str>,
    /// What it gives depends on who calls.
    pub(crate) personal: bool,
    pub(crate) limits: CallLimits,
    pub(crate) completers: HashMap<String, Completing>,
    /// Present when the schema carries what decoding cannot check: then it goes first.
    pub(crate) validator: Option<Validator>,
    /// Where decoding takes more than the schema says, if no validator goes first.
    pub(crate) lax: Option<Lax>,
}

/// A function that callers need scopes for.
pub(crate) trait Scoped {
    /// The scopes.
    fn scopes(&self) -> &[&'static str];

    /// Is it there for a caller?
    fn exists_for(&self, access: &Access) -> bool {
        access.admits(self.scopes())
    }
}

impl Scoped for ToolFunction {
    fn scopes(&self) -> &[&'static str] {
        &self.function.scopes
    }
}

impl Scoped for ResourceFunction {
    fn scopes(&self) -> &[&'static str] {
        &self.function.scopes
    }
}

impl Scoped for PromptFunction {
    fn scopes(&self) -> &[&'static str] {
        &self.function.scopes
    }
}

impl<R> Function<R> {
    /// The names as the collector of arguments wants them.
    pub(crate) fn names(&self) -> smallvec::SmallVec<[Option<&str>; 8]> {
        self.names.iter().map(Option::as_deref).collect()
    }

    /// The schema of one argument.
    pub(crate) fn argument_schema(&self, name: &str) -> Option<&Value> {
        self.input_schema.tree().get("properties")?.get(name)
    }
}

/// The argument names by parameter. A parameter that takes the whole object is known by its fields.
pub(super) fn names(params: &[Parameter], input_schema: &Value) -> Vec<Option<String>> {
    if params.iter().any(|p| matches!(p, Parameter::Whole { .. })) {
        let properties = input_schema.get("properties").and_then(Value::as_object);
        return properties.into_iter().flat_map(|p| p.keys().cloned().map(Some)).collect();
    }
    let name = |param: &Parameter| match param {
        Parameter::Argument(argument) => Some(argument.name.clone()),
        _ => None,
    };
    params.iter().map(name).collect()
}

/// The validator for arguments, if their schema is `constrained`, and what is wrong with the schema, for its author.
/// Whoever writes a schema of their own may say in it what they like of defaults and examples.
pub(super) fn validator(input_schema: &Value, constrained: bool, is_own: bool) -> (Option<Validator>, Vec<String>) {
    match constrained.then(|| Validator::new(input_schema)).transpose() {
        Err(problem) => (None, vec![problem]),
        Ok(validator) if is_own => (validator, Vec::new()),
        Ok(validator) => (validator, schema::unfit_samples(input_schema, constrained)),
    }
}

/// A tool.
pub(crate) struct ToolFunction {
    pub(crate) function: Function<ToolReply>,
    pub(crate) output_schema: Option<Arc<Schema>>,
    pub(crate) headers: Vec<HeaderParam>,
    /// Made when arguments were refused for the first time: it knows every wrong field, decoding only the first of each.
    explainer: OnceLock<Option<Validator>>,
    /// The schema of results carries something that their type does not assure, so each is validated.
    pub(crate) output_constrained: bool,
    /// Made when a result looks as if it broke its schema.
    output_validator: OnceLock<Option<Validator>>,
}

impl ToolFunction {
    pub(super) fn new(
        function: Function<ToolReply>,
        output_schema: Option<Arc<Schema>>,
        output_constrained: bool,
        headers: Vec<HeaderParam>,
    ) -> Self {
        let (explainer, output_validator) = Default::default();
        ToolFunction { function, output_schema, headers, explainer, output_constrained, output_validator }
    }

    /// A validator for explaining refused arguments.
    pub(crate) fn explainer(&self) -> Option<&Validator> {
        let compile = || Validator::new(self.function.input_schema.tree()).ok();
        self.function.validator.as_ref().or_else(|| self.explainer.get_or_init(compile).as_ref())
    }

    /// A validator for results.
    pub(crate) fn output_validator(&self) -> Option<&Validator> {
        let compile = || self.output_schema.as_ref().and_then(|schema| Validator::new(schema.tree()).ok());
        self.output_validator.get_or_init(compile).as_ref()
    }
}

/// A resource or a template of resources.
pub(crate) struct ResourceFunction {
    pub(crate) function: Function<ResourceReply>,
    pub(crate) uri: &'static str,
    pub(crate) template: Template,
    pub(crate) mime_type: Option<String>,
    /// Lists the instances of a template.
    pub(crate) list: Option<Listing>,
    /// That it lists what it does not have has been logged.
    pub(crate) misfit_told: AtomicBool,
}

/// A prompt.
pub(crate) struct PromptFunction {
    pub(crate) function: Function<PromptReply>,
    pub(crate) description: Option<String>,
}
