//! Changes while the server runs.

use super::build::{Made, describe_one};
use super::functions::Scoped;
use super::pages::List;
use super::slot::{Slot, Version};
use super::{Registry, Tables, TemplateSlot};
use crate::BuildError;
use crate::extract::States;
use crate::handler::Registration;
use crate::model::{ListKind, ListKinds, TemplateItem};
use std::ptr;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// One step of a change.
pub(crate) enum Step {
    /// Shows or hides the function of that name.
    Show(ListKind, String, bool),
    /// Puts another function of the same name into its place.
    Replace(Made),
}

impl Step {
    /// The kind and the name of the function.
    fn subject(&self) -> (ListKind, &str) {
        match self {
            Step::Show(kind, name, _) => (*kind, name),
            Step::Replace(made) => made.subject(),
        }
    }
}

impl Registry {
    /// Prepares another version of a function that is there already.
    pub(crate) fn prepare(&self, entry: Registration, states: &States) -> Result<Step, BuildError> {
        let made = describe_one(entry, states, self.limits, self.declared.logging)?;
        match self.tables.fits(&made) {
            true => Ok(Step::Replace(made)),
            false => {
                let (kind, name) = made.subject();
                let problem = format!(
                    "no {} `{name}` is there to be replaced (a resource keeps its URI, and every function its scopes)",
                    noun(kind)
                );
                Err(BuildError::new(vec![problem]))
            }
        }
    }

    /// Makes the steps, and forgets what has been written of the lists that they change: those are given.
    pub(crate) fn change(&self, steps: Vec<Step>) -> ListKinds {
        let _one_at_a_time = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = ListKinds::default();
        for step in steps {
            let (kind, name) = step.subject();
            if !self.tables.has(kind, name) {
                tracing::warn!(name, "there is no {} of that name: nothing changes", noun(kind));
            } else if self.tables.take(step) {
                changed.insert(kind);
            }
        }
        self.listing.store(self.tables.list_instances(), Ordering::Release);
        for list in List::ALL.into_iter().filter(|list| changed.contains(list.kind())) {
            self.pages.forget(list);
            self.views.forget(list);
        }
        changed
    }
}

impl Tables {
    fn has(&self, kind: ListKind, name: &str) -> bool {
        match kind {
            ListKind::Tools => self.tools.contains_key(name),
            ListKind::Prompts => self.prompts.contains_key(name),
            ListKind::Resources => {
                self.resources.values().any(|slot| slot.first().name == name)
                    || self.templates.iter().any(|slot| slot.first().name == name)
            }
        }
    }

    /// Is there a place for the function?
    fn fits(&self, made: &Made) -> bool {
        match made {
            Made::Tool(new) => self.tools.get(&*new.item.name).is_some_and(|slot| has_scopes(slot, new)),
            Made::Prompt(new) => self.prompts.get(&*new.item.name).is_some_and(|slot| has_scopes(slot, new)),
            Made::Resource(new) => {
                let slot = self.fixed(&new.item.uri).filter(|slot| slot.first().name == new.item.name);
                slot.is_some_and(|slot| has_scopes(slot, new))
            }
            Made::Template(new) => self.template(&new.item).is_some_and(|slot| has_scopes(slot, new)),
        }
    }

    /// Makes one step; true if a list changes.
    fn take(&self, step: Step) -> bool {
        match step {
            Step::Show(kind, name, visible) => self.show(kind, &name, visible),
            Step::Replace(made) => self.replace(made),
        }
    }

    fn show(&self, kind: ListKind, name: &str, visible: bool) -> bool {
        match kind {
            ListKind::Tools => self.tools.get(name).is_some_and(|slot| slot.show(visible)),
            ListKind::Prompts => self.prompts.get(name).is_some_and(|slot| slot.show(visible)),
            ListKind::Resources => {
                let resource = self.resources.values().find(|slot| slot.first().name == name);
                let template = self.templates.iter().find(|slot| slot.first().name == name);
                resource.is_some_and(|slot| slot.show(visible)) | template.is_some_and(|slot| slot.show(visible))
            }
        }
    }

    fn replace(&self, made: Made) -> bool {
        match made {
            Made::Tool(new) => self.tools.get(&*new.item.name).is_some_and(|slot| {
                let entry = new.function.function.entry;
                slot.replace(|old| ptr::eq(old.function.entry, entry), new)
            }),
            Made::Prompt(new) => self.prompts.get(&*new.item.name).is_some_and(|slot| {
                let entry = new.function.function.entry;
                slot.replace(|old| ptr::eq(old.function.entry, entry), new)
            }),
            Made::Resource(new) => self.fixed(&new.item.uri).is_some_and(|slot| {
                let entry = new.function.function.entry;
                slot.replace(|old| ptr::eq(old.function.entry, entry), new)
            }),
            Made::Template(new) => self.template(&new.item).is_some_and(|slot| {
                let entry = new.function.function.entry;
                slot.replace(|old| ptr::eq(old.function.entry, entry), new)
            }),
        }
    }

    /// The place of a template that is written and called like this one.
    fn template(&self, item: &TemplateItem) -> Option<&TemplateSlot> {
        let is_it =
            |slot: &&TemplateSlot| slot.first().uri_template == item.uri_template && slot.first().name == item.name;
        self.templates.iter().find(is_it)
    }
}

/// Do callers of a new version need the same scopes? What they see is kept by scopes.
fn has_scopes<I, F: Scoped>(slot: &Slot<I, F>, new: &Version<I, F>) -> bool {
    slot.first_function().scopes() == new.function.scopes()
}

/// What a function of the kind is called.
pub(super) fn noun(kind: ListKind) -> &'static str {
    match kind {
        ListKind::Tools => "tool",
        ListKind::Prompts => "prompt",
        ListKind::Resources => "resource",
    }
}
