use rmcp::model::{ProgressNotificationParam, RequestMetaObject};
use rmcp::{Json, Peer};
use std::time::Duration;

/// Two numbers.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Add {
    /// First addend.
    a: i64,
    /// Second addend.
    b: i64,
}

/// A text.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    /// The text.
    text: String,
}

/// A record.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Holder {
    /// The record.
    record: Record,
}

/// Ten fields.
#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Record {
    id: u64,
    name: String,
    email: String,
    age: u32,
    score: f64,
    active: bool,
    tags: Vec<String>,
    city: Option<String>,
    balance: i64,
    note: String,
}

#[rmcp::tool_router]
impl Server {
    /// Adds two numbers.
    #[rmcp::tool]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> String {
        (a + b).to_string()
    }

    /// Gives a text back.
    #[rmcp::tool]
    fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }

    /// Gives a record back.
    #[rmcp::tool]
    fn record(&self, Parameters(Holder { record }): Parameters<Holder>) -> Json<Record> {
        Json(record)
    }

    /// Tells a hundred times how far it is.
    #[rmcp::tool]
    async fn progress(&self, meta: RequestMetaObject, client: Peer<RoleServer>) -> Result<String, ErrorData> {
        let token = meta.get_progress_token().ok_or_else(|| ErrorData::invalid_params("a progress token", None))?;
        for step in 1..=100 {
            let param = ProgressNotificationParam::new(token.clone(), f64::from(step)).with_total(100.0);
            let sent = client.notify_progress(param).await;
            sent.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        }
        Ok("done".to_owned())
    }

    /// Says that the text of 1 MiB has changed.
    #[rmcp::tool]
    fn touch(&self) -> String {
        TOUCHED.send_modify(|times| *times += 1);
        "touched".to_owned()
    }

    /// Takes a tenth of a second.
    #[rmcp::tool]
    async fn slow(&self) -> String {
        tokio::time::sleep(Duration::from_millis(100)).await;
        "slept".to_owned()
    }
}
