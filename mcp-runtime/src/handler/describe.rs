//! What a function tells about itself, once, at start-up.

use super::Limits;
use super::param::{DefaultOfType, Defaultable, Describable, FromUri, ParamPlan};
use crate::completion::{Completer, Completing};
use crate::extract::Needs;
use crate::instances::{Lister, Listing};
use crate::model::{Annotations, Capability, Icon, Meta, ToolHints};
use crate::reply::ReturnPlan;
use crate::schema::{self, Role, Schemas};
use crate::uri_template::{Part, Takes};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::any::TypeId;
use std::path::{Path, PathBuf};

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
    /// The arguments' schema carries something that decoding cannot check.
    pub(crate) constrained: bool,
}

/// One parameter of the function, in its place.
pub(crate) enum Parameter {
    Injected,
    Argument(Argument),
    /// The whole arguments object as one struct.
    Whole {
        schema: Value,
    },
}

/// An argument.
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) schema: Value,
    /// It takes each of its items once.
    pub(crate) is_set: bool,
    pub(crate) required: bool,
    pub(crate) header: Option<String>,
    pub(crate) complete: Option<Completing>,
    takes: Takes,
}

impl Argument {
    /// What becomes of its value where that stands in a URI.
    pub(crate) fn takes(&self) -> Takes {
        match self.takes {
            Takes::Text if self.schema.get("enum").is_some() => Takes::Listed,
            takes => takes,
        }
    }
}

impl Describe {
    pub(crate) fn new() -> Self {
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
            constrained: false,
        }
    }

    /// A name for people.
    pub fn title(&mut self, title: &str) {
        self.title = Some(title.to_owned());
    }

    /// What the function does, for the model.
    pub fn description(&mut self, description: &str) {
        self.description = Some(description.to_owned());
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
        ParamBuilder { describe: self, name, description }
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
        self.output_schema = Some(schema::with_definitions(schema, outputs.into_definitions()));
    }

    /// Everything about the arguments as one object schema.
    pub(crate) fn input(&mut self) -> Value {
        if let Some(schema) = self.input_schema.take() {
            return schema;
        }
        let inputs = std::mem::replace(&mut self.inputs, Schemas::new(Role::Input));
        self.constrained |= inputs.constrained();
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
        schema::object(properties, required, inputs.into_definitions(), !self.ignores_unknown)
    }

    /// The arguments in order.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.params.iter().filter_map(|p| match p {
            Parameter::Argument(argument) => Some(argument),
            _ => None,
        })
    }
}

/// A parameter whose plan is not known yet.
pub struct ParamBuilder<'d> {
    pub(crate) describe: &'d mut Describe,
    name: &'static str,
    description: &'static str,
}

impl<'d> ParamBuilder<'d> {
    /// Says how the parameter gets its value.
    pub fn of<T, K>(mut self, plan: ParamPlan<T, K>) {
        (plan.describe)(&mut self);
    }

    /// Like [`of`](Self::of), for a variable of a URI template.
    pub fn variable<T, K: FromUri>(self, plan: ParamPlan<T, K>) {
        self.of(plan);
    }

    /// Like [`of`](Self::of); options follow, which only an argument can have.
    pub fn arg<T, K: Describable>(mut self, plan: ParamPlan<T, K>) -> ArgumentOptions<'d> {
        (plan.describe)(&mut self);
        ArgumentOptions(self.describe)
    }

    /// Like [`arg`](Self::arg), for an argument that may be left out.
    pub fn arg_or<T, K: Defaultable<T>>(mut self, plan: ParamPlan<T, K>, default: fn() -> T) -> ArgumentOptions<'d> {
        (plan.describe)(&mut self);
        ArgumentOptions(self.describe).with(|argument| {
            argument.required = false;
            schema::set(&mut argument.schema, "default", K::publish(default()));
        })
    }

    /// Like [`arg_or`](Self::arg_or), with the default of the argument's type.
    pub fn arg_or_default<T, K: DefaultOfType<T>>(self, plan: ParamPlan<T, K>) -> ArgumentOptions<'d> {
        self.arg_or(plan, K::default)
    }

    pub(super) fn argument<T: super::ToolArg>(&mut self) {
        let mut schema = self.describe.inputs.of::<T>();
        for misfit in self.describe.inputs.take_misfits() {
            self.describe.problems.push(format!("argument `{}`: {misfit}", self.name));
        }
        if !self.description.is_empty() {
            schema::describe(&mut schema, self.description);
        }
        let required = super::missing::absent::<T>().is_none();
        let is_set = self.describe.inputs.is_set::<T>();
        self.push(schema, is_set, required, if is_path::<T>() { Takes::Path } else { Takes::Text });
    }

    /// A text of which the argument's type makes what it is.
    pub(super) fn text(&mut self, required: bool, takes: Takes) {
        let mut schema = json!({"type": "string"});
        if !self.description.is_empty() {
            schema::describe(&mut schema, self.description);
        }
        self.push(schema, false, required, takes);
    }

    fn push(&mut self, schema: Value, is_set: bool, required: bool, takes: Takes) {
        let name = self.name.to_owned();
        let argument = Argument { name, schema, is_set, required, header: None, complete: None, takes };
        self.describe.params.push(Parameter::Argument(argument));
    }

    pub(crate) fn injected(&mut self) {
        self.describe.params.push(Parameter::Injected);
    }

    /// The parameter takes the whole arguments object.
    pub(crate) fn whole<T: super::ToolArg>(&mut self) {
        let describe = &mut *self.describe;
        match schema::root_object::<T>(!describe.ignores_unknown) {
            Ok(root) => {
                describe.constrained |= root.constrained;
                let misfits = root.misfits.into_iter();
                describe.problems.extend(misfits.map(|misfit| format!("parameter `{}`: {misfit}", self.name)));
                describe.params.push(Parameter::Whole { schema: root.schema });
            }
            Err(problem) => {
                describe.problems.push(format!("parameter `{}`: {problem}", self.name));
                describe.params.push(Parameter::Injected);
            }
        }
    }
}

/// Is the type one of paths?
fn is_path<T: 'static>() -> bool {
    let paths = [
        TypeId::of::<PathBuf>(),
        TypeId::of::<Box<Path>>(),
        TypeId::of::<Option<PathBuf>>(),
        TypeId::of::<Option<Box<Path>>>(),
    ];
    paths.contains(&TypeId::of::<T>())
}

/// The options of an argument.
pub struct ArgumentOptions<'d>(&'d mut Describe);

impl ArgumentOptions<'_> {
    /// Adds a constraint to the argument's schema.
    pub fn set(self, keyword: &'static str, value: impl Serialize) -> Self {
        self.0.constrained = true;
        let Some(Parameter::Argument(argument)) = self.0.params.last_mut() else { return self };
        if let Some(misfit) = schema::constrain(&mut argument.schema, keyword, value) {
            self.0.problems.push(format!("argument `{}`: {misfit}", argument.name));
        }
        if argument.is_set && keyword == "minItems" {
            schema::count_distinct(&mut argument.schema);
        }
        self
    }

    /// Adds an example value.
    pub fn example(self, example: impl Serialize) -> Self {
        self.with(|argument| schema::exemplify(&mut argument.schema, example))
    }

    /// Clients repeat the argument in the header `Mcp-Param-<name>`.
    pub fn header(self, name: &'static str) -> Self {
        self.with(|argument| {
            argument.header = Some(name.to_owned());
            schema::set(&mut argument.schema, "x-mcp-header", name);
        })
    }

    /// Values to offer while a person types.
    pub fn complete<M>(self, completer: impl Completer<M>) -> Self {
        self.with(|argument| argument.complete = Some(completer.into_completing().0))
    }

    fn with(self, change: impl FnOnce(&mut Argument)) -> Self {
        if let Some(Parameter::Argument(argument)) = self.0.params.last_mut() {
            change(argument);
        }
        self
    }
}
