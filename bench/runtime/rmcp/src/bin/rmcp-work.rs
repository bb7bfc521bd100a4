//! A function for every kind of work, as the documentation builds it.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents, ServerCapabilities,
    ServerConfig, SubscriptionFilter,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::LazyLock;
use tokio::sync::watch;
include!("../tools/work.rs");

struct Server;

/// How often the resource has changed.
static TOUCHED: LazyLock<watch::Sender<u64>> = LazyLock::new(|| watch::Sender::new(0));

#[rmcp::tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder().enable_tools().enable_resources().enable_resources_subscribe().build(),
        )
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut touched = TOUCHED.subscribe();
        while touched.changed().await.is_ok() {
            let sent = context.sink().notify_resource_updated("bench://large").await;
            sent.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        }
        Ok(())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let text = "0123456789abcdef".repeat(65_536);
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, request.uri)]).into())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    rmcp_servers::serve(|| Server)
}
