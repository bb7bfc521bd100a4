//! Notifications of changes, and what a client says that it wants to know.
//!
//! Source: basic/patterns/subscriptions of 2026-07-28; server/tools, server/prompts and server/resources of the others.

use crate::model::{Interests, ListKind, ListKinds};
use crate::wire::{self, Id, Json, Object, RpcError};
use serde::Deserialize;

/// Where each message of a subscription tells which one it belongs to.
pub(super) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// The filter of `subscriptions/listen`. Members that it does not know are types of notifications that it cannot honour.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Filter {
    tools_list_changed: Option<bool>,
    prompts_list_changed: Option<bool>,
    resources_list_changed: Option<bool>,
    resource_subscriptions: Option<Vec<String>>,
}

/// Reads the member `notifications` of a request's params.
pub(crate) fn interests(raw: Option<Json<'_>>) -> Result<Interests, RpcError> {
    let Some(raw) = raw else { return Err(RpcError::invalid_params("`notifications` is missing")) };
    // An array would pass as a struct.
    let filter: Option<Filter> = raw.is_object().then(|| raw.decode().ok()).flatten();
    let text = "`notifications` does not have the form that it should";
    let filter = filter.ok_or_else(|| RpcError::invalid_params(text))?;
    let wanted = [
        (ListKind::Tools, filter.tools_list_changed),
        (ListKind::Prompts, filter.prompts_list_changed),
        (ListKind::Resources, filter.resources_list_changed),
    ];
    let lists = wanted.into_iter().filter(|(_, wanted)| *wanted == Some(true)).map(|(kind, _)| kind).collect();
    Ok(Interests { lists, resources: filter.resource_subscriptions.unwrap_or_default() })
}

/// `notifications/subscriptions/acknowledged`, with what is honoured.
pub(crate) fn acknowledged<'u>(
    id: Id<'_>,
    lists: ListKinds,
    resources: impl ExactSizeIterator<Item = &'u str>,
) -> Vec<u8> {
    wire::notification("notifications/subscriptions/acknowledged", |out| {
        let mut params = Object::begin(out);
        belongs(&mut params, Some(id));
        params.with("notifications", |out| {
            let mut filter = Object::begin(out);
            for kind in lists.iter() {
                filter.field(member(kind), &true);
            }
            if resources.len() > 0 {
                filter.list("resourceSubscriptions", resources, wire::value_into);
            }
            filter.end();
        });
        params.end();
    })
}

/// `notifications/tools/list_changed` and its like, in a subscription if there is one.
pub(crate) fn list_changed(kind: ListKind, subscription: Option<Id<'_>>) -> Vec<u8> {
    let method = match kind {
        ListKind::Tools => "notifications/tools/list_changed",
        ListKind::Prompts => "notifications/prompts/list_changed",
        ListKind::Resources => "notifications/resources/list_changed",
    };
    wire::notification(method, |out| {
        let mut params = Object::begin(out);
        belongs(&mut params, subscription);
        params.end();
    })
}

/// `notifications/resources/updated`, in a subscription if there is one.
pub(crate) fn resource_updated(uri: &str, subscription: Option<Id<'_>>) -> Vec<u8> {
    wire::notification("notifications/resources/updated", |out| {
        let mut params = Object::begin(out);
        belongs(&mut params, subscription);
        params.field("uri", uri).end();
    })
}

/// `notifications/cancelled` for a subscription that the server ends. Only where all of them share one channel.
pub(crate) fn subscription_ended(id: Id<'_>) -> Vec<u8> {
    wire::notification("notifications/cancelled", |out| {
        let mut params = Object::begin(out);
        belongs(&mut params, Some(id));
        params.raw("requestId", id.as_json()).field("reason", "the server ends").end();
    })
}

fn belongs(params: &mut Object<'_>, subscription: Option<Id<'_>>) {
    if let Some(id) = subscription {
        params.with("_meta", |out| Object::begin(out).raw(SUBSCRIPTION_ID, id.as_json()).end());
    }
}

fn member(kind: ListKind) -> &'static str {
    match kind {
        ListKind::Tools => "toolsListChanged",
        ListKind::Prompts => "promptsListChanged",
        ListKind::Resources => "resourcesListChanged",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Interests, RpcError> {
        interests(Some(Json::of(json).expect("JSON")))
    }

    #[test]
    fn a_filter_holds_what_is_wanted_and_nothing_else() {
        let filter =
            r#"{"toolsListChanged":true,"promptsListChanged":false,"taskIds":["x"],"resourceSubscriptions":["a://b"]}"#;
        let read_back = read(filter).expect("a filter");
        assert_eq!(read_back.lists.iter().collect::<Vec<_>>(), [ListKind::Tools]);
        assert_eq!(read_back.resources, ["a://b"]);
        assert_eq!(read("{}").expect("a filter"), Interests::default());
    }

    #[test]
    fn a_filter_of_another_form_is_refused() {
        assert!(interests(None).is_err());
        for bad in [
            "[]",
            "null",
            "true",
            "[true,null,null,null]",
            r#"{"toolsListChanged":"yes"}"#,
            r#"{"toolsListChanged":1}"#,
            r#"{"resourceSubscriptions":"a://b"}"#,
            r#"{"resourceSubscriptions":[1]}"#,
            r#"{"toolsListChanged":true,"toolsListChanged":true}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
