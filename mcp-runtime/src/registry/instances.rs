//! The list of resources where templates list their instances: it is made for each request.

use super::functions::Scoped;
use super::pages::{After, Item};
use super::{Access, List, Registry, ResourceFunction, Slot, Tables};
use crate::handler::ResourceEntry;
use crate::instances::Listing;
use crate::model::{Annotations, ResourceItem, ResourceLink};
use crate::revision::{self, Revision};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ptr;
use std::sync::atomic::Ordering;

/// A template that lists its instances: what it is written like, and its entry.
pub(crate) type Owner = (&'static str, &'static ResourceEntry);

impl Registry {
    /// Is the list of resources made for each request?
    pub(crate) fn lists_instances(&self) -> bool {
        self.listing.load(Ordering::Acquire)
    }

    /// The functions that list instances for the caller. What is hidden lists none.
    pub(crate) fn listers(&self, access: &Access) -> Vec<(Owner, Listing)> {
        let lister =
            |resource: &ResourceFunction| Some(((resource.uri, resource.function.entry), resource.list.clone()?));
        let templates = self.tables.templates.iter().filter_map(Slot::function);
        templates.filter(|template| template.exists_for(access)).filter_map(lister).collect()
    }

    /// A page of the list: fixed resources, and the instances that templates have listed.
    pub(crate) fn resources_page(
        &self,
        listed: Vec<(Owner, Vec<ResourceLink>)>,
        access: &Access,
        after: Option<&After>,
        revision: Revision,
    ) -> Vec<u8> {
        let fixed = self.tables.resources.values();
        let fixed = fixed.filter_map(|slot| slot.item_if(|resource| resource.exists_for(access))).map(Cow::Borrowed);
        let instances = listed.into_iter().flat_map(|(owner, links)| self.instances(owner, links)).map(Cow::Owned);
        let mut items: Vec<Cow<'_, ResourceItem>> = fixed.chain(instances).collect();
        items.sort_by(|one, two| (&one.name, &one.uri).cmp(&(&two.name, &two.uri)));
        let items = items.iter().map(|item| {
            let write = move |out: &mut Vec<u8>, revision| revision::resource_item(out, item, revision);
            (item.uri.as_str(), Item { name: &item.name, write: Box::new(write) })
        });
        self.pages.once(List::Resources, items.collect(), after, revision)
    }

    /// The links that lead to the template itself: another resource would answer for the rest, or none.
    fn instances(&self, (template, entry): Owner, links: Vec<ResourceLink>) -> Vec<ResourceItem> {
        let Some(resource) = self.resource_of(template, entry) else { return Vec::new() };
        let mut seen = HashSet::new();
        let mut is_own = |link: &ResourceLink| {
            let found = self.resource(&link.uri, &Access::Whole);
            let is_own = found.is_some_and(|(found, _)| ptr::eq(found.function.entry, entry));
            if !is_own && !resource.misfit_told.swap(true, Ordering::Relaxed) {
                let (name, uri) = (entry.name, &link.uri);
                tracing::warn!(name, uri, "a template lists what another resource has, or none: it is left out");
            }
            is_own && seen.insert(link.uri.clone())
        };
        let item = |link: ResourceLink| {
            let ResourceLink { uri, name, title, description, mime_type, size, icons } = link;
            let mime_type = mime_type.or_else(|| resource.mime_type.clone());
            let (annotations, meta) = (Annotations::default(), None);
            ResourceItem { uri, name, title, description, mime_type, size, annotations, icons, meta }
        };
        links.into_iter().filter(|link| is_own(link)).map(item).collect()
    }
}

impl Tables {
    /// Does any template list its instances?
    pub(super) fn list_instances(&self) -> bool {
        self.templates.iter().any(|slot| slot.find(|resource| resource.list.is_some()).is_some())
    }
}
