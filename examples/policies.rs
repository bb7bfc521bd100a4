//! A server with the rules of a house: a tool that rests at night, and a quota for each tenant.
//!
//! `cargo run --example policies -- call pay invoice=7`

use mcp_runtime::prelude::*;
use mcp_runtime::{CallRequest, CallResponse, CallService};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Pays an invoice.
#[mcp_tool(destructive)]
fn pay(invoice: u32) -> String {
    format!("Invoice {invoice} is paid.")
}

/// Tells what an invoice comes to.
#[mcp_tool(read_only)]
fn amount(invoice: u32) -> String {
    format!("Invoice {invoice} comes to {} EUR.", invoice * 3)
}

/// The hour of the day, UTC.
fn hour(now: SystemTime) -> u64 {
    now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 3600 % 24
}

/// Money moves in office hours.
async fn office_hours(request: CallRequest, next: CallService) -> Result<CallResponse, &'static str> {
    if request.function() == Some("pay") && !(8..18).contains(&hour(SystemTime::now())) {
        return Err("Invoices are paid from 8 to 18 o'clock (UTC). Come again then.");
    }
    Ok(next.run(request).await)
}

/// How often each tenant has called. Who is not known shares one quota.
#[derive(Clone, Default)]
struct Quotas(Arc<Mutex<HashMap<String, u32>>>);

impl Quotas {
    const CALLS: u32 = 1000;

    /// Counts a call that came to something: what failed is free.
    async fn hold(self, request: CallRequest, next: CallService) -> Result<CallResponse, &'static str> {
        let tenant = request.principal().map_or_else(String::new, |principal| principal.as_str().to_owned());
        if self.used(&tenant, 0) >= Quotas::CALLS {
            return Err("The quota is used up.");
        }
        let response = next.run(request).await;
        self.used(&tenant, u32::from(!response.is_error()));
        Ok(response)
    }

    /// Adds calls; gives how many there have been.
    fn used(&self, tenant: &str, more: u32) -> u32 {
        let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = used.entry(tenant.to_owned()).or_default();
        *calls += more;
        *calls
    }
}

fn server() -> mcp_runtime::Server {
    let quotas = Quotas::default();
    server!()
        .around(office_hours)
        .around(move |request, next| quotas.clone().hold(request, next))
        // A layer of `tower`: no more than so many calls at a time, whatever they do.
        .layer(tower::limit::ConcurrencyLimitLayer::new(64))
        .timeout(Duration::from_secs(10))
}

mcp_main!(server());

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_runtime::testing::{Client, ClientError};
    use serde_json::json;

    #[tokio::test]
    async fn a_quota_is_used_up_by_calls_that_come_to_something() {
        let quotas = Quotas::default();
        quotas.used("", Quotas::CALLS - 1);
        let held = quotas.clone();
        let server = server!().around(move |request, next| held.clone().hold(request, next));
        let mut client = Client::new(&server.build().expect("it builds"));
        for _ in 0..2 {
            assert!(client.call::<String>("amount", json!({"invoice": "seven"})).await.is_err(), "and is not counted");
        }
        let called = client.call::<String>("amount", json!({"invoice": 7})).await;
        assert_eq!(called, Ok("Invoice 7 comes to 21 EUR.".to_owned()));
        let refused = client.call::<String>("amount", json!({"invoice": 7})).await;
        assert_eq!(refused, Err(ClientError::Failed("The quota is used up.".to_owned())));
    }

    #[test]
    fn the_hour_is_that_of_the_day() {
        assert_eq!(hour(UNIX_EPOCH + Duration::from_secs(26 * 3600 + 59)), 2);
    }
}
