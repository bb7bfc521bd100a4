//! Notifications to the peer.

use super::Revision;
use crate::model::Level;
use crate::wire::{self, Json, Object, value_into};
use serde::Serialize;

/// `notifications/progress`.
pub(crate) fn progress(
    revision: Revision,
    token: Json<'_>,
    progress: f64,
    total: Option<f64>,
    message: Option<&str>,
) -> Vec<u8> {
    wire::notification("notifications/progress", |out| {
        let mut params = Object::begin(out);
        params.raw("progressToken", token.get()).with("progress", |out| number(out, progress));
        if let Some(total) = total {
            params.with("total", |out| number(out, total));
        }
        params.maybe("message", message.filter(|_| revision.features().progress_message)).end();
    })
}

/// `notifications/message`.
pub(crate) fn log_message(level: Level, logger: &str, data: &impl Serialize) -> Vec<u8> {
    wire::notification("notifications/message", |out| {
        Object::begin(out).field("level", &level).field("logger", logger).field("data", data).end();
    })
}

/// `notifications/cancelled` for a request of the server.
pub(crate) fn cancelled(request_id: &str) -> Vec<u8> {
    wire::notification("notifications/cancelled", |out| Object::begin(out).field("requestId", request_id).end())
}

/// A whole number without a fraction: some clients read `50.0` as no integer.
#[allow(clippy::cast_possible_truncation)]
fn number(out: &mut Vec<u8>, value: f64) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        value_into(out, &(value as i64));
    } else {
        value_into(out, &value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_written_as_such_and_old_peers_get_no_message() {
        let token = Json::of("\"t\"").expect("JSON");
        let text =
            |revision| String::from_utf8(progress(revision, token, 50.0, Some(99.5), Some("half"))).expect("UTF-8");
        let head = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","#;
        assert_eq!(text(Revision::V2024_11_05), format!(r#"{head}"progress":50,"total":99.5}}}}"#));
        assert_eq!(text(Revision::LATEST), format!(r#"{head}"progress":50,"total":99.5,"message":"half"}}}}"#));
    }
}
