//! From entries to tables, with every problem found on the way.

use super::change::noun;
use super::functions::{self, Function, PromptFunction, ResourceFunction, ToolFunction};
use super::pages::{Layout, Pages};
use super::slot::{NewVersion, Slot, Version};
use super::{CallLimits, Registry, Tables, Tags, headers, uris};
use crate::BuildError;
use crate::contain::contain;
use crate::extract::States;
use crate::handler::{Argument, Describe, Entry, Inputs, Limits, Origin, Parameter, PlainSchemas, Registration};
use crate::model::{ListKind, ListKinds, PromptArgument, PromptItem, ResourceItem, Schema, TemplateItem, ToolItem};
use crate::revision::{Caching, Declared, Identity};
use crate::schema;
use crate::uri_template::{Index, Part, Takes, Template};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// What a registry is made of.
pub(crate) struct Parts<'a> {
    pub(crate) entries: Vec<Registration>,
    pub(crate) states: &'a States,
    pub(crate) identity: &'a Arc<Identity>,
    pub(crate) caching: Caching,
    pub(crate) page_size: usize,
    pub(crate) tags: &'a Tags,
    pub(crate) hidden: &'a Hidden,
    pub(crate) limits: Limits,
}

/// Functions that are hidden from the start, by kind and name.
#[derive(Debug, Default)]
pub(crate) struct Hidden(BTreeSet<(&'static str, String)>);

impl Hidden {
    pub(crate) fn insert(&mut self, kind: ListKind, name: String) {
        self.0.insert((noun(kind), name));
    }

    fn shows(&self, kind: ListKind, name: &str) -> bool {
        !self.0.contains(&(noun(kind), name.to_owned()))
    }
}

/// A function with what start-up has found out about it.
pub(crate) enum Made {
    Tool(NewVersion<ToolItem, ToolFunction>),
    Prompt(NewVersion<PromptItem, PromptFunction>),
    Resource(NewVersion<ResourceItem, ResourceFunction>),
    Template(NewVersion<TemplateItem, ResourceFunction>),
}

impl Made {
    /// Its kind and its name.
    pub(super) fn subject(&self) -> (ListKind, &str) {
        match self {
            Made::Tool(made) => (ListKind::Tools, &made.item.name),
            Made::Prompt(made) => (ListKind::Prompts, &made.item.name),
            Made::Resource(made) => (ListKind::Resources, &made.item.name),
            Made::Template(made) => (ListKind::Resources, &made.item.name),
        }
    }
}

/// Builds the tables, or tells everything that is wrong.
pub(crate) fn build(parts: Parts<'_>) -> Result<Registry, BuildError> {
    let mut builder = Builder::new(parts.states, parts.limits);
    let chosen = parts.tags.choose(&parts.entries, &mut builder.problems);
    let entries = sorted(&chosen, &mut builder.problems);
    for (kind, name) in &parts.hidden.0 {
        let is_it = |entry: &Registration| identify(*entry).0 == *kind && identify(*entry).1 == name;
        if !entries.iter().any(is_it) {
            builder.problems.push(format!("the {kind} `{name}`, which is to be disabled, does not exist"));
        }
    }
    entries.into_iter().for_each(|entry| builder.enter(entry));
    builder.finish(&parts)
}

/// One function, for a server that is running: nothing that it needs may be missing there. `logs` says whether the server has
/// declared that its functions may send log messages.
pub(super) fn describe_one(
    entry: Registration,
    states: &States,
    limits: Limits,
    logs: bool,
) -> Result<Made, BuildError> {
    let mut builder = Builder::new(states, limits);
    builder.enter(entry);
    builder.report_lacking();
    if builder.logging && !logs {
        let (kind, name, place) = identify(entry);
        builder.problems.push(format!("{kind} `{name}` ({place}): clients have been told that no function logs"));
    }
    let Builder { mut tools, mut prompts, mut resources, mut templates, problems, .. } = builder;
    let made = match entry {
        Registration::Tool(_) => tools.pop().map(Made::Tool),
        Registration::Prompt(_) => prompts.pop().map(Made::Prompt),
        Registration::Resource(_) => {
            resources.pop().map(Made::Resource).or_else(|| templates.pop().map(Made::Template))
        }
    };
    made.filter(|_| problems.is_empty()).ok_or_else(|| BuildError::new(problems))
}

/// Sorts by kind and name and reports doubles.
fn sorted(entries: &[Registration], problems: &mut Vec<String>) -> Vec<Registration> {
    if entries.is_empty() {
        problems.push(
            "the server has no functions. Write `#[mcp_tool]`, `#[mcp_resource(uri = \"...\")]` or `#[mcp_prompt]` \
             above a function of this program; functions of another crate are linked in when the program names \
             something of that crate, or list them: `.tools(tools![other::function])`"
                .to_owned(),
        );
    }
    let mut by_name: BTreeMap<(&str, &str), Vec<Registration>> = BTreeMap::new();
    for entry in entries {
        let (kind, name, _) = identify(*entry);
        by_name.entry((kind, name)).or_default().push(*entry);
    }
    let mut sorted = Vec::with_capacity(entries.len());
    for ((kind, name), same) in by_name {
        if same.len() > 1 {
            let places: Vec<String> = same.iter().map(|entry| identify(*entry).2.to_string()).collect();
            problems.push(format!("the {kind} `{name}` exists {} times: {}", places.len(), places.join(" and ")));
        }
        sorted.push(same[0]);
    }
    sorted
}

fn identify(entry: Registration) -> (&'static str, &'static str, Origin) {
    match entry {
        Registration::Tool(entry) => ("tool", entry.name, entry.origin),
        Registration::Resource(entry) => ("resource", entry.name, entry.origin),
        Registration::Prompt(entry) => ("prompt", entry.name, entry.origin),
    }
}

struct Builder<'s> {
    states: &'s States,
    /// For functions that have none of their own.
    limits: Limits,
    tools: Vec<NewVersion<ToolItem, ToolFunction>>,
    prompts: Vec<NewVersion<PromptItem, PromptFunction>>,
    resources: Vec<NewVersion<ResourceItem, ResourceFunction>>,
    templates: Vec<NewVersion<TemplateItem, ResourceFunction>>,
    /// Schemas that functions share.
    plain_schemas: PlainSchemas,
    /// Functions that need a state which nobody provides, by the state's type.
    lacking: BTreeMap<&'static str, Vec<String>>,
    logging: bool,
    /// A function may change the lists.
    changes: bool,
    problems: Vec<String>,
}

impl<'s> Builder<'s> {
    fn new(states: &'s States, limits: Limits) -> Self {
        Builder {
            states,
            limits,
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            plain_schemas: PlainSchemas::new(),
            lacking: BTreeMap::new(),
            logging: false,
            changes: false,
            problems: Vec::new(),
        }
    }

    fn enter(&mut self, entry: Registration) {
        match entry {
            Registration::Tool(entry) => self.tool(entry),
            Registration::Resource(entry) => self.resource(entry),
            Registration::Prompt(entry) => self.prompt(entry),
        }
    }

    /// Asks a function for its description and checks what is common to all kinds.
    fn describe<R>(&mut self, kind: &str, entry: &'static Entry<R>) -> Describe {
        let mut describe = Describe::new(std::mem::take(&mut self.plain_schemas));
        let described = contain(|| (entry.describe)(&mut describe));
        self.plain_schemas = std::mem::take(&mut describe.plain);
        let subject = || format!("{kind} `{}` ({})", entry.name, entry.origin);
        if described.is_err() {
            self.problems.push(format!("{}: a type of it panics when it is asked for its schema", subject()));
        }
        for problem in describe.problems.drain(..) {
            self.problems.push(format!("{}: {problem}", subject()));
        }
        for (id, name) in &describe.needs.states {
            if !self.states.contains(*id) {
                self.lacking.entry(name).or_default().push(subject());
            }
        }
        self.logging |= describe.needs.context;
        self.changes |= describe.needs.server_handle;
        let wholes = describe.params.iter().filter(|p| matches!(p, Parameter::Whole { .. })).count();
        if wholes > 1 || (wholes == 1 && describe.arguments().next().is_some()) {
            self.problems.push(format!("{}: `Args<T>` takes all arguments, so it must be the only one", subject()));
        }
        describe
    }

    fn function<R>(&mut self, entry: &'static Entry<R>, describe: &mut Describe, inputs: &Inputs) -> Function<R> {
        let Inputs { schema: input_schema, is_own } = inputs;
        let names = functions::names(&describe.params, input_schema);
        let open = input_schema.get("additionalProperties") != Some(&Value::Bool(false));
        let completers = describe
            .arguments()
            .filter_map(|argument| Some((argument.name.clone(), argument.complete.clone()?)))
            .collect();
        let (validator, problems) = functions::validator(input_schema, describe.constrained, *is_own);
        self.problems.extend(problems.iter().map(|problem| format!("`{}` ({}): {problem}", entry.name, entry.origin)));
        Function {
            entry,
            names,
            lax: if validator.is_none() { schema::Lax::of(input_schema) } else { None },
            validator,
            ignores_unknown: describe.ignores_unknown || open,
            input_schema: Arc::new(Schema::new(input_schema)),
            requires: std::mem::take(&mut describe.requires),
            scopes: std::mem::take(&mut describe.scopes),
            personal: describe.needs.principal,
            limits: CallLimits::new(describe.limits.or(self.limits)),
            completers,
        }
    }

    fn tool(&mut self, entry: &'static Entry<crate::reply::ToolReply>) {
        let mut describe = self.describe("tool", entry);
        let inputs = describe.input();
        let function = self.function(entry, &mut describe, &inputs);
        let (headers, problems) = headers::collect(&inputs.schema);
        let problems = problems.iter().map(|problem| format!("tool `{}` ({}): {problem}", entry.name, entry.origin));
        self.problems.extend(problems);
        let output_schema = describe.output_schema.map(|schema| Arc::new(Schema::new(&schema)));
        let item = ToolItem {
            name: entry.name.to_owned(),
            title: describe.title,
            description: describe.description,
            icons: describe.icons,
            input_schema: Arc::clone(&function.input_schema),
            output_schema: output_schema.clone(),
            hints: describe.hints,
            meta: describe.meta,
        };
        let tool = ToolFunction::new(function, output_schema, describe.output_constrained, headers);
        self.tools.push(Version::new(item, tool));
    }

    fn prompt(&mut self, entry: &'static Entry<crate::reply::PromptReply>) {
        let mut describe = self.describe("prompt", entry);
        let inputs = describe.input();
        let function = self.function(entry, &mut describe, &inputs);
        let item = PromptItem {
            name: entry.name.to_owned(),
            title: describe.title,
            description: describe.description.clone(),
            arguments: prompt_arguments(&inputs.schema),
            icons: describe.icons,
            meta: describe.meta,
        };
        self.prompts.push(Version::new(item, PromptFunction { function, description: describe.description }));
    }

    fn resource(&mut self, entry: &'static Entry<crate::reply::ResourceReply>) {
        let mut describe = self.describe("resource", entry);
        let inputs = describe.input();
        let function = self.function(entry, &mut describe, &inputs);
        let subject = format!("resource `{}` ({})", entry.name, entry.origin);
        let (uri, parts) = describe.uri.unwrap_or_default();
        let variables: Vec<&str> = parts.iter().flat_map(Part::names).copied().collect();
        for name in function.names.iter().flatten().filter(|name| !variables.contains(&name.as_str())) {
            self.problems.push(format!("{subject}: the parameter `{name}` is no variable of the URI template `{uri}`"));
        }
        let takes = |name: &str| describe.arguments().find(|a| a.name == name).map_or(Takes::Text, Argument::takes);
        let template = Template::new(parts, takes);
        let mime_type = describe.mime_type.or_else(|| describe.usual_mime_type.map(str::to_owned));
        let resource = ResourceFunction {
            function,
            uri,
            template,
            mime_type: mime_type.clone(),
            list: describe.list.take(),
            misfit_told: AtomicBool::new(false),
        };
        let name = entry.name.to_owned();
        let Describe { title, description, annotations, icons, meta, size, .. } = describe;
        if variables.is_empty() {
            let uri = uri.to_owned();
            let item = ResourceItem { uri, name, title, description, mime_type, size, annotations, icons, meta };
            self.resources.push(Version::new(item, resource));
        } else {
            let uri_template = uri.to_owned();
            let item = TemplateItem { uri_template, name, title, description, mime_type, annotations, icons, meta };
            self.templates.push(Version::new(item, resource));
        }
    }

    fn report_lacking(&mut self) {
        for (state, functions) in &self.lacking {
            self.problems.push(format!(
                "no state of type `{state}` was provided: add `.state(..)` to the server. Needed by {}",
                functions.join(", ")
            ));
        }
    }

    fn finish(mut self, parts: &Parts<'_>) -> Result<Registry, BuildError> {
        let fixed = self.resources.iter().map(|made| &made.function);
        let ranks = uris::check(fixed, self.templates.iter().map(|made| &made.function), &mut self.problems);
        self.report_lacking();
        if !self.problems.is_empty() {
            return Err(BuildError::new(self.problems));
        }
        let declared = self.declared();
        let changeable = AtomicBool::new(self.changes || !parts.hidden.0.is_empty());
        let tables = self.tables(parts.hidden, ranks);
        let views = tables.views();
        // What is not the same for all callers must not be shared by caches.
        let caching = Caching { public: parts.caching.public && !views.differ(), ..parts.caching };
        let layout = Layout { page_size: parts.page_size, identity: Arc::clone(parts.identity), caching };
        let pages = Pages::new(layout);
        let listing = AtomicBool::new(tables.list_instances());
        let limits = parts.limits;
        Ok(Registry { tables, pages, views, limits, declared, changeable, listing, changing: Mutex::new(()) })
    }

    fn declared(&self) -> Declared {
        let completes = |completers: &HashMap<String, _>| !completers.is_empty();
        let resources = !self.resources.is_empty() || !self.templates.is_empty();
        Declared {
            tools: !self.tools.is_empty(),
            resources,
            prompts: !self.prompts.is_empty(),
            completions: self.prompts.iter().any(|made| completes(&made.function.function.completers))
                || self.templates.iter().any(|made| completes(&made.function.function.completers)),
            logging: self.logging,
            // Only a function with a context can tell of a change.
            subscribe: self.logging && resources,
            changes: ListKinds::default(),
        }
    }

    fn tables(self, hidden: &Hidden, ranks: Vec<usize>) -> Tables {
        let shows = |kind: ListKind, name: &str| hidden.shows(kind, name);
        let tool = |made: NewVersion<ToolItem, ToolFunction>| {
            let visible = shows(ListKind::Tools, &made.item.name);
            (made.function.function.entry.name, Slot::new(made, visible))
        };
        let prompt = |made: NewVersion<PromptItem, PromptFunction>| {
            let visible = shows(ListKind::Prompts, &made.item.name);
            (made.function.function.entry.name, Slot::new(made, visible))
        };
        let resource = |made: NewVersion<ResourceItem, ResourceFunction>| {
            let visible = shows(ListKind::Resources, &made.item.name);
            (uris::key(made.function.uri).into_owned(), Slot::new(made, visible))
        };
        let template = |(made, rank): (NewVersion<TemplateItem, ResourceFunction>, usize)| {
            let visible = shows(ListKind::Resources, &made.item.name);
            (made.function.template.prefix().to_owned(), rank, Slot::new(made, visible))
        };
        Tables {
            tools: self.tools.into_iter().map(tool).collect(),
            prompts: self.prompts.into_iter().map(prompt).collect(),
            resources: self.resources.into_iter().map(resource).collect(),
            templates: Index::new(self.templates.into_iter().zip(ranks).map(template).collect()),
        }
    }
}

/// A prompt's arguments are strings; the schema of another type says how the string is read.
fn prompt_arguments(input_schema: &Value) -> Vec<PromptArgument> {
    let properties = input_schema.get("properties").and_then(Value::as_object);
    let required = input_schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|required| required.iter().any(|r| r == name));
    let argument = |(name, schema): (&String, &Value)| {
        let described = schema.get("description").and_then(Value::as_str);
        let is_text = schema.get("type").is_some_and(|t| t == "string") && schema.get("enum").is_none();
        let form = (!is_text && schema != &Value::Bool(true)).then(|| format!("({})", schema::expectation(schema)));
        let description = [described.map(str::to_owned), form].into_iter().flatten().collect::<Vec<_>>().join(" ");
        PromptArgument {
            name: name.clone(),
            title: schema.get("title").and_then(Value::as_str).map(str::to_owned),
            description: (!description.is_empty()).then_some(description),
            required: is_required(name),
        }
    };
    properties.into_iter().flatten().map(argument).collect()
}
