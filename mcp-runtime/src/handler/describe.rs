//! What a function tells about itself, once, at start-up.

use super::Limits;
use super::parameter::{Argument, ParamBuilder, Parameter};
use crate::extract::Needs;
use crate::instances::{Lister, Listing};
use crate::model::{Annotations, Capability, Icon, Meta, ToolHints};
use crate::reply::ReturnPlan;
use crate::schema::{self, Role, Schemas};
use crate::uri_template::Part;
use schemars::JsonSchema;
use serde_json::{Map, Value};
use std::any::TypeId;
use std::collections::HashMap;

/// Published schemas of arguments' types that stand for themselves.
pub(crate) type PlainSchemas = HashMap<TypeId, Value>;

/// The place where one function's description is collected.
pub struct Describe {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Option<Meta>,
    pub(crate) hints: ToolHints,
    pub(crate) annotations: Annotations,
    pub(crate) requires: Vec<Capability>,
    pub(crate) ignores_unknown: bool,
    pub(crate) limits: Limits,
    pub(crate) tags: Vec<&'static str>,
    pub(crate) scopes: Vec<&'static str>,
    pub(crate) mime_type: Option<String>,
    pub(crate) usual_mime_type: Option<&'static str>,
    pub(crate) size: Option<u64>,
    pub(crate) uri: Option<(&'static str, &'static [Part])>,
    pub(crate) list: Option<Listing>,
    pub(crate) input_schema: Option<Value>,
    pub(crate) output_schema: Option<Value>,
    /// The result's schema carries something that its type does not assure.
    pub(crate) output_constrained: bool,
    pub(crate) params: Vec<Parameter>,
    pub(crate) needs: Needs,
    pub(crate) problems: Vec<String>,
    pub(crate) inputs: Schemas,
    pub(crate) plain: PlainSchemas,
    /// The arguments' schema carries something that decoding cannot check.
    pub(crate) constrained: bool,
}

/// The arguments of a function as one object schema.
pub(crate) struct Inputs {
    pub(crate) schema: Value,
    /// The author wrote it.
    pub(crate) is_own: bool,
}

impl Describe {
    /// `plain` are the schemas that are known from other functions; [`plain`](Self::plain) has more of them in the end.
    pub(crate) fn new(plain: PlainSchemas) -> Self {
        Describe {
            title: None,
            description: None,
            icons: Vec::new(),
            meta: None,
            hints: ToolHints::default(),
            annotations: Annotations::default(),
            requires: Vec::new(),
            ignores_unknown: false,
            limits: Limits::default(),
            tags: Vec::new(),
            scopes: Vec::new(),
            mime_type: None,
            usual_mime_type: None,
            size: None,
            uri: None,
            list: None,
            input_schema: None,
            output_schema: None,
            output_constrained: false,
            params: Vec::new(),
            needs: Needs::default(),
            problems: Vec::new(),
            inputs: Schemas::new(Role::Input),
            plain,
            constrained: false,
        }
    }

    /// A name for people.
    pub fn title(&mut self, title: &str) {
        self.title = Some(title.to_owned());
    }

    /// What the function does, for the model; without blanks around it, such as the last line break of an included file.
    pub fn description(&mut self, description: &str) {
        self.description = Some(description.trim_ascii().to_owned());
    }

    /// Says nothing: calling it is a warning at the place of the call.
    #[deprecated(note = "nobody can tell what this function is for; write `/// What it does.` above it, or \
        `description = \"...\"`; to keep it as it is, write `#[allow(deprecated)]`")]
    pub fn missing_description(&self) {}

    /// Hint: it changes nothing.
    pub fn read_only(&mut self, hint: bool) {
        self.hints.read_only_hint = Some(hint);
    }

    /// Hint: it may destroy something.
    pub fn destructive(&mut self, hint: bool) {
        self.hints.destructive_hint = Some(hint);
    }

    /// Hint: the same call again changes nothing more.
    pub fn idempotent(&mut self, hint: bool) {
        self.hints.idempotent_hint = Some(hint);
    }

    /// Hint: it reaches out to things that the server does not know.
    pub fn open_world(&mut self, hint: bool) {
        self.hints.open_world_hint = Some(hint);
    }

    /// Something that the client must be capable of.
    pub fn requires(&mut self, capability: Capability) {
        self.requires.push(capability);
    }

    /// Arguments that no parameter takes are ignored instead of refused.
    pub fn ignore_unknown(&mut self) {
        self.ignores_unknown = true;
    }

    /// The MIME type of a resource.
    pub fn mime_type(&mut self, mime_type: &str) {
        self.mime_type = Some(mime_type.to_owned());
    }

    /// The size of a resource in bytes.
    pub fn size(&mut self, bytes: u64) {
        self.size = Some(bytes);
    }

    /// Who a resource is for; may be said several times.
    pub fn audience(&mut self, role: crate::Role) {
        self.annotations.audience.push(role);
    }

    /// How much a resource matters, from 0 to 1.
    pub fn priority(&mut self, priority: impl Into<f64>) {
        let priority = priority.into();
        if !(0.0..=1.0).contains(&priority) {
            self.problems.push(format!("`priority` is a number from 0 to 1, not {priority}"));
        }
        self.annotations.priority = Some(priority);
    }

    /// When a resource last changed, as RFC 3339 has it.
    pub fn last_modified(&mut self, moment: &str) {
        self.annotations.last_modified = Some(moment.to_owned());
    }

    /// The URI or URI template of a resource, as text and in parts.
    pub fn uri(&mut self, text: &'static str, parts: &'static [Part]) {
        self.uri = Some((text, parts));
    }

    /// The function that lists the instances of a template.
    pub fn list<M>(&mut self, lister: impl Lister<M>) {
        self.list = Some(lister.into_listing().0);
    }

    /// An input schema that stands in for the generated one, as JSON text. It is enforced like any other.
    pub fn input_schema(&mut self, json: &str) {
        match serde_json::from_str(json) {
            Ok(schema) => {
                self.input_schema = Some(schema);
                self.constrained = true;
            }
            Err(error) => self.problems.push(format!("the input schema is not JSON: {error}")),
        }
    }

    /// The next parameter, by name.
    pub fn param(&mut self, name: &'static str, description: &'static str) -> ParamBuilder<'_> {
        ParamBuilder::new(self, name, description)
    }

    /// The return type.
    pub fn returns<T, R>(&mut self, plan: ReturnPlan<T, R>) {
        (plan.describe)(self);
    }

    /// The MIME type that goes with the return type.
    pub(crate) fn usual_mime_type(&mut self, mime_type: &'static str) {
        self.usual_mime_type = Some(mime_type);
    }

    /// The output schema of a structured result; scalars travel as text and have none.
    pub(crate) fn output<T: JsonSchema + ?Sized>(&mut self) {
        let mut outputs = Schemas::new(Role::Output);
        let schema = outputs.of::<T>();
        let misfits = outputs.take_misfits().into_iter();
        self.problems.extend(misfits.map(|misfit| format!("result: {misfit}")));
        if schema::is_scalar(&schema) {
            return;
        }
        self.output_constrained = outputs.constrained();
        self.output_schema = Some(schema::with_definitions(schema, outputs.take_definitions()));
    }

    /// Everything about the arguments.
    pub(crate) fn input(&mut self) -> Inputs {
        match self.input_schema.take() {
            Some(schema) => Inputs { schema, is_own: true },
            None => Inputs { schema: self.generated_input(), is_own: false },
        }
    }

    fn generated_input(&mut self) -> Value {
        self.constrained |= self.inputs.constrained();
        if let Some(schema) = self.params.iter().find_map(|p| match p {
            Parameter::Whole { schema } => Some(schema.clone()),
            _ => None,
        }) {
            return schema;
        }
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for argument in self.arguments() {
            properties.insert(argument.name.clone(), argument.schema.clone());
            if argument.required {
                required.push(argument.name.clone());
            }
        }
        schema::object(properties, required, self.inputs.take_definitions(), !self.ignores_unknown)
    }

    /// The arguments in order.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.params.iter().filter_map(|p| match p {
            Parameter::Argument(argument) => Some(argument),
            _ => None,
        })
    }
}
