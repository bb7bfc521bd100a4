//! What can come instead of a result.

use serde_json::Value;
use std::fmt::{self, Display, Formatter};

/// Why a [`Client`](super::Client) has no result to give.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ClientError {
    /// The server answered with a JSON-RPC error.
    Refused {
        /// Such as -32602.
        code: i64,
        /// What the server says of it.
        message: String,
        /// The member `data`, if there is one.
        data: Option<Value>,
    },
    /// The tool ran or refused its arguments, and its result says `isError`: the texts of its content, a line each.
    Failed(String),
    /// The answer cannot be taken for what was asked for, or the server asks and nobody
    /// [answers](super::Client::answering).
    Unexpected(String),
}

impl ClientError {
    /// The code of a JSON-RPC error.
    pub fn code(&self) -> Option<i64> {
        match self {
            ClientError::Refused { code, .. } => Some(*code),
            ClientError::Failed(_) | ClientError::Unexpected(_) => None,
        }
    }

    pub(super) fn unexpected(what: impl Display) -> Self {
        ClientError::Unexpected(what.to_string())
    }

    /// The member `error` of a response.
    pub(super) fn refused(error: &Value) -> Self {
        match (error["code"].as_i64(), error["message"].as_str()) {
            (Some(code), Some(message)) => {
                ClientError::Refused { code, message: message.to_owned(), data: error.get("data").cloned() }
            }
            _ => ClientError::unexpected(format_args!("an error without a code or a message: {error}")),
        }
    }
}

impl Display for ClientError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Refused { code, message, data: None } => write!(f, "{message} ({code})"),
            ClientError::Refused { code, message, data: Some(data) } => write!(f, "{message} ({code}): {data}"),
            ClientError::Failed(text) | ClientError::Unexpected(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ClientError {}
