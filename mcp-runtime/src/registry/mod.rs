//! The tables of a server: what it has, by name, and its lists as they go out. Built once; nothing is compiled, cloned or
//! sorted per request, but that a list is written for the first of them. Functions can be hidden and replaced in their
//! places; then the lists concerned are written anew.

mod access;
mod build;
mod callers;
mod change;
mod functions;
mod headers;
mod instances;
mod limits;
mod pages;
mod slot;
mod tags;
mod uris;
mod views;

pub(crate) use access::Access;
pub(crate) use build::{Hidden, Parts, build};
pub(crate) use callers::SharedLimits;
pub(crate) use change::Step;
pub(crate) use functions::{Function, PromptFunction, ResourceFunction, ToolFunction};
pub(crate) use headers::HeaderParam;
pub(crate) use instances::Owner;
pub(crate) use limits::{CallLimits, Turns};
pub(crate) use pages::{After, List, ListPages};
pub(crate) use tags::Tags;

use crate::handler::{Limits, PromptEntry, ResourceEntry, ToolEntry};
use crate::model::{ListKind, ListKinds, PromptItem, ResourceItem, TemplateItem, ToolItem};
use crate::revision::{self, Declared, Revision};
use crate::uri_template::{self, Index, Values};
use functions::Scoped;
use pages::{Item, Pages};
use slot::Slot;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use views::Views;

type ToolSlot = Slot<ToolItem, ToolFunction>;
type PromptSlot = Slot<PromptItem, PromptFunction>;
type ResourceSlot = Slot<ResourceItem, ResourceFunction>;
type TemplateSlot = Slot<TemplateItem, ResourceFunction>;

/// Everything that a server has. What is hidden is unknown to every look-up by a client's words; the look-ups by an entry are
/// for calls that began before.
pub(crate) struct Registry {
    tables: Tables,
    pages: Pages,
    views: Views,
    /// For functions that have none of their own.
    limits: Limits,
    declared: Declared,
    /// Somebody can change the lists.
    changeable: AtomicBool,
    /// A template lists its instances, or has done so.
    listing: AtomicBool,
    /// Changes come one at a time.
    changing: Mutex<()>,
}

/// Filled once, by what authors have named, and asked in every call.
type Table<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// The functions in their places.
struct Tables {
    tools: Table<&'static str, ToolSlot>,
    prompts: Table<&'static str, PromptSlot>,
    /// By URI, in its normal form.
    resources: Table<String, ResourceSlot>,
    templates: Index<TemplateSlot>,
}

impl Registry {
    /// The tool of that name, if there is one for the caller.
    pub(crate) fn tool(&self, name: &str, access: &Access) -> Option<&ToolFunction> {
        self.tables.tools.get(name)?.function().filter(|tool| tool.exists_for(access))
    }

    /// The tool that an entry became.
    pub(crate) fn tool_of(&self, entry: &'static ToolEntry) -> Option<&ToolFunction> {
        self.tables.tools.get(entry.name)?.find(|tool| ptr::eq(tool.function.entry, entry))
    }

    /// The prompt of that name, if there is one for the caller.
    pub(crate) fn prompt(&self, name: &str, access: &Access) -> Option<&PromptFunction> {
        self.tables.prompts.get(name)?.function().filter(|prompt| prompt.exists_for(access))
    }

    /// The prompt that an entry became.
    pub(crate) fn prompt_of(&self, entry: &'static PromptEntry) -> Option<&PromptFunction> {
        self.tables.prompts.get(entry.name)?.find(|prompt| ptr::eq(prompt.function.entry, entry))
    }

    /// The resource that a URI names, if there is one for the caller, with the values of its template's variables: an exact URI
    /// wins over templates.
    pub(crate) fn resource<'u>(&self, uri: &'u str, access: &Access) -> Option<(&ResourceFunction, Values<'u>)> {
        let normal = uri_template::normal(uri);
        let fixed = self.tables.resources.get(normal.as_deref().unwrap_or(uri));
        if let Some(resource) = fixed.and_then(Slot::function) {
            return resource.exists_for(access).then(|| (resource, Values::new()));
        }
        match normal? {
            Cow::Borrowed(uri) => self.tables.by_template(uri, access),
            Cow::Owned(uri) => {
                let (resource, values) = self.tables.by_template(&uri, access)?;
                let owned = values.into_iter().map(|(name, value)| (name, Cow::Owned(value.into_owned())));
                Some((resource, owned.collect()))
            }
        }
    }

    /// The resource that an entry became, under its URI or template.
    pub(crate) fn resource_of(&self, uri: &str, entry: &'static ResourceEntry) -> Option<&ResourceFunction> {
        let is_it = |resource: &ResourceFunction| ptr::eq(resource.function.entry, entry);
        let fixed = self.tables.fixed(uri).and_then(|slot| slot.find(is_it));
        fixed.or_else(|| self.tables.templates.iter().find_map(|slot| slot.find(is_it)))
    }

    /// The template that is written so, if there is one for the caller; a fixed URI counts as one without variables.
    pub(crate) fn template(&self, text: &str, access: &Access) -> Option<&ResourceFunction> {
        let mut templates = self.tables.templates.iter().filter_map(Slot::function);
        let template = templates.find(|template| template.uri == text);
        let resource = template.or_else(|| self.tables.fixed(text).and_then(Slot::function));
        resource.filter(|resource| resource.exists_for(access))
    }

    /// Does any function need scopes?
    #[cfg(feature = "http")]
    pub(crate) fn needs_scopes(&self) -> bool {
        self.views.differ()
    }

    /// A list as it is now for the caller.
    pub(crate) fn list(&self, list: List, revision: Revision, access: &Access) -> Arc<ListPages> {
        let write = |access| self.pages.write(list, &self.tables.items(list, access), revision);
        let view = self.views.of(list, revision, access, || write(access));
        view.or_else(|| self.pages.of(list, revision)).unwrap_or_else(|| {
            // A change that came in between would be lost.
            let _no_change = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
            self.pages.of(list, revision).unwrap_or_else(|| {
                let pages = write(&Access::Whole);
                self.pages.keep(list, revision, Arc::clone(&pages));
                pages
            })
        })
    }

    /// What the server offers.
    pub(crate) fn declared(&self) -> Declared {
        let mut declared = self.declared;
        if self.changeable.load(Ordering::Acquire) {
            declared.changes = declared.lists();
            declared.subscribe = declared.resources;
        }
        declared
    }

    /// From now on clients are told that lists may change.
    pub(crate) fn make_changeable(&self) {
        self.changeable.store(true, Ordering::Release);
    }
}

impl Declared {
    /// The kinds of lists that there are.
    fn lists(self) -> ListKinds {
        let kinds =
            [(ListKind::Tools, self.tools), (ListKind::Prompts, self.prompts), (ListKind::Resources, self.resources)];
        kinds.into_iter().filter(|(_, declared)| *declared).map(|(kind, _)| kind).collect()
    }
}

impl Tables {
    /// The fixed resource of a URI, however that is written.
    fn fixed(&self, uri: &str) -> Option<&ResourceSlot> {
        self.resources.get(uris::key(uri).as_ref())
    }

    /// The resource of the most specific template that a URI matches, if the variables may have the values that they get, and
    /// if the caller may read it: a less specific template must not give what this one refuses.
    fn by_template<'u>(&self, uri: &'u str, access: &Access) -> Option<(&ResourceFunction, Values<'u>)> {
        let mut templates = self.templates.of(uri).filter_map(Slot::function);
        let (resource, found) = templates.find_map(|resource| Some((resource, resource.template.matches(uri)?)))?;
        resource.exists_for(access).then_some(())?;
        Some((resource, resource.template.values(found)?))
    }

    /// What callers without all scopes see.
    fn views(&self) -> Views {
        fn need<'f, F: Scoped + 'f, I: 'f>(views: &mut Views, list: List, slots: impl Iterator<Item = &'f Slot<I, F>>) {
            slots.for_each(|slot| views.need(list, slot.first_function().scopes()));
        }
        let mut views = Views::default();
        need(&mut views, List::Tools, self.tools.values());
        need(&mut views, List::Prompts, self.prompts.values());
        need(&mut views, List::Resources, self.resources.values());
        need(&mut views, List::Templates, self.templates.iter());
        views
    }

    /// What a list shows to the caller, by name.
    fn items(&self, list: List, access: &Access) -> Vec<Item<'_>> {
        fn items<'i, T: 'i, F: Scoped + 'i>(
            of: impl Iterator<Item = &'i Slot<T, F>>,
            access: &Access,
            name: fn(&T) -> &str,
            write: fn(&mut Vec<u8>, &T, Revision),
        ) -> Vec<Item<'i>> {
            let item = |slot: &'i Slot<T, F>| {
                let item = slot.item_if(|function| function.exists_for(access))?;
                Some(Item { name: name(item), write: Box::new(move |out, revision| write(out, item, revision)) })
            };
            let mut items: Vec<Item<'i>> = of.filter_map(item).collect();
            items.sort_by_key(|item| item.name);
            items
        }
        match list {
            List::Tools => items(self.tools.values(), access, |t| &t.name, revision::tool_item),
            List::Prompts => items(self.prompts.values(), access, |p| &p.name, revision::prompt_item),
            List::Resources => items(self.resources.values(), access, |r| &r.name, revision::resource_item),
            List::Templates => items(self.templates.iter(), access, |t| &t.name, revision::template_item),
        }
    }
}
