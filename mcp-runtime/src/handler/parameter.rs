//! What a function tells about its parameters.

use super::Describe;
use super::param::{DefaultOfType, Defaultable, Describable, FromUri, ParamPlan};
use crate::completion::{Completer, Completing};
use crate::schema::{self, Schemas};
use crate::uri_template::Takes;
use serde::Serialize;
use serde_json::{Value, json};
use std::any::TypeId;
use std::path::{Path, PathBuf};

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
    /// Tells whether it takes each of its items once.
    is_set: fn(&mut Schemas) -> bool,
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

/// A parameter whose plan is not known yet.
pub struct ParamBuilder<'d> {
    pub(crate) describe: &'d mut Describe,
    name: &'static str,
    description: &'static str,
}

impl<'d> ParamBuilder<'d> {
    pub(super) fn new(describe: &'d mut Describe, name: &'static str, description: &'static str) -> Self {
        ParamBuilder { describe, name, description: description.trim_ascii() }
    }

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
        let mut schema = self.schema::<T>();
        for misfit in self.describe.inputs.take_misfits() {
            self.describe.problems.push(format!("argument `{}`: {misfit}", self.name));
        }
        if !self.description.is_empty() {
            schema::describe(&mut schema, self.description);
        }
        let required = super::missing::absent::<T>().is_none();
        self.push(schema, Schemas::is_set::<T>, required, if is_path::<T>() { Takes::Path } else { Takes::Text });
    }

    /// A text of which the argument's type makes what it is.
    pub(super) fn text(&mut self, required: bool, takes: Takes) {
        let mut schema = json!({"type": "string"});
        if !self.description.is_empty() {
            schema::describe(&mut schema, self.description);
        }
        self.push(schema, |_| false, required, takes);
    }

    /// The schema of a type. Functions of one program share most of their arguments' types.
    fn schema<T: super::ToolArg>(&mut self) -> Value {
        let Describe { inputs, plain, .. } = &mut *self.describe;
        if let Some(known) = plain.get(&TypeId::of::<T>()) {
            return known.clone();
        }
        let schema = inputs.of::<T>();
        if inputs.are_plain() {
            plain.insert(TypeId::of::<T>(), schema.clone());
        }
        schema
    }

    fn push(&mut self, schema: Value, is_set: fn(&mut Schemas) -> bool, required: bool, takes: Takes) {
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
        let Describe { constrained, params, problems, inputs, .. } = &mut *self.0;
        *constrained = true;
        let Some(Parameter::Argument(argument)) = params.last_mut() else { return self };
        if let Some(misfit) = schema::constrain(&mut argument.schema, keyword, value) {
            problems.push(format!("argument `{}`: {misfit}", argument.name));
        }
        if keyword == "minItems" && (argument.is_set)(inputs) {
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
