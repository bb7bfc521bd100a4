//! Resources whose URIs cannot be told apart.

use super::ResourceFunction;
use crate::uri_template::{self, Template};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Reports fixed URIs that belong to several resources, and templates that match the same URI without one being more specific
/// than the other. Gives for each template how many others it is more specific than.
pub(super) fn check<'r>(
    fixed: impl Iterator<Item = &'r ResourceFunction>,
    templates: impl Iterator<Item = &'r ResourceFunction>,
    problems: &mut Vec<String>,
) -> Vec<usize> {
    let mut places: BTreeMap<Cow<'_, str>, Vec<String>> = BTreeMap::new();
    for resource in fixed {
        places.entry(key(resource.uri)).or_default().push(place(resource));
    }
    for (uri, places) in places.into_iter().filter(|(_, places)| places.len() > 1) {
        problems.push(format!("the URI `{uri}` belongs to several resources: {}", places.join(" and ")));
    }
    let templates: Vec<&ResourceFunction> = templates.collect();
    let (ranks, conflicts) = uri_template::ranks(&templates.iter().map(|r| &r.template).collect::<Vec<&Template>>());
    for conflict in conflicts {
        let [first, second] = [templates[conflict.first], templates[conflict.second]];
        problems.push(format!(
            "the URI `{}` belongs to several resources: {} by `{}` and {} by `{}`, and neither template is more specific",
            conflict.uri,
            place(first),
            first.uri,
            place(second),
            second.uri,
        ));
    }
    ranks
}

/// What fixed URIs are known by: two that only differ in how they are escaped are one.
pub(super) fn key(uri: &str) -> Cow<'_, str> {
    uri_template::normal(uri).unwrap_or(Cow::Borrowed(uri))
}

fn place(resource: &ResourceFunction) -> String {
    let entry = resource.function.entry;
    format!("`{}` ({})", entry.name, entry.origin)
}
