//! What a client may be capable of.

use serde_json::{Value, json};

/// A capability that a client declares and a function may need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Capability {
    /// Forms (`elicitation/create` in form mode).
    Elicitation,
    /// URLs that the client opens for the person (`elicitation/create` in URL mode).
    ElicitationUrl,
    /// The client's model (`sampling/createMessage`).
    Sampling,
    /// The client's model with tools.
    SamplingTools,
    /// The client's directories (`roots/list`).
    Roots,
}

impl Capability {
    /// Is it among the declared `ClientCapabilities`, told as JSON? An empty `elicitation` object means forms.
    pub(crate) fn is_declared(self, capabilities: Option<&str>) -> bool {
        // Read anew for each question: few calls ask, and those that do not must not pay.
        let capabilities: Value = capabilities.and_then(|json| serde_json::from_str(json).ok()).unwrap_or(Value::Null);
        let declared = |name: &str| capabilities.get(name).filter(|value| value.is_object());
        match self {
            Capability::Elicitation => {
                declared("elicitation").is_some_and(|e| e.get("form").is_some() || e.get("url").is_none())
            }
            Capability::ElicitationUrl => declared("elicitation").is_some_and(|e| e.get("url").is_some()),
            Capability::Sampling => declared("sampling").is_some(),
            Capability::SamplingTools => declared("sampling").is_some_and(|s| s.get("tools").is_some()),
            Capability::Roots => declared("roots").is_some(),
        }
    }

    /// Adds itself to a `ClientCapabilities` object.
    pub(crate) fn add_to(self, capabilities: &mut Value) {
        let (name, part) = match self {
            Capability::Elicitation => ("elicitation", None),
            Capability::ElicitationUrl => ("elicitation", Some("url")),
            Capability::Sampling => ("sampling", None),
            Capability::SamplingTools => ("sampling", Some("tools")),
            Capability::Roots => ("roots", None),
        };
        let is_there = capabilities[name].is_object();
        if !is_there {
            capabilities[name] = json!({});
        }
        let parts = &mut capabilities[name];
        // An empty object means forms; beside URLs they must be named.
        match self {
            Capability::ElicitationUrl if is_there => parts["form"] = json!({}),
            Capability::Elicitation if parts.get("url").is_some() => parts["form"] = json!({}),
            _ => {}
        }
        if let Some(part) = part {
            parts[part] = json!({});
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(capability: Capability, capabilities: &str) -> bool {
        capability.is_declared(Some(capabilities))
    }

    #[test]
    fn an_empty_elicitation_object_means_forms_only() {
        assert!(declared(Capability::Elicitation, r#"{"elicitation": {}}"#));
        assert!(!declared(Capability::ElicitationUrl, r#"{"elicitation": {}}"#));
        assert!(!declared(Capability::Elicitation, r#"{"elicitation": {"url": {}}}"#));
        assert!(declared(Capability::ElicitationUrl, r#"{"elicitation": {"url": {}}}"#));
        assert!(!declared(Capability::Sampling, r#"{"sampling": null}"#));
        assert!(!Capability::Roots.is_declared(None));
    }

    #[test]
    fn requirements_merge_into_one_object() {
        let mut needed = json!({});
        Capability::SamplingTools.add_to(&mut needed);
        Capability::Sampling.add_to(&mut needed);
        Capability::Roots.add_to(&mut needed);
        assert_eq!(needed, json!({"sampling": {"tools": {}}, "roots": {}}));
        let (forms, urls) = (Capability::Elicitation, Capability::ElicitationUrl);
        for order in [[forms, urls], [urls, forms]] {
            let mut needed = json!({});
            order.into_iter().for_each(|capability| capability.add_to(&mut needed));
            assert_eq!(needed, json!({"elicitation": {"form": {}, "url": {}}}));
        }
    }
}
