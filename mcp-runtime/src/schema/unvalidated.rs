//! Stands in for the validator in builds without the feature `validate`.

use std::convert::Infallible;

use serde_json::Value;

use super::Problem;

/// A validator that cannot be made: this build has none.
#[derive(Debug)]
pub(crate) struct Validator(Infallible);

impl Validator {
    /// Always an error, which says what is missing.
    pub(crate) fn new(_root_schema: &Value) -> Result<Self, String> {
        Err("the schema says more than decoding can check, and checking it needs the feature `validate` \
             of mcp-runtime"
            .to_owned())
    }

    /// Never called: there is no value of this type.
    pub(crate) fn problems(&self, _instance: &Value) -> Vec<Problem> {
        match self.0 {}
    }

    /// Never called: there is no value of this type.
    #[allow(dead_code, reason = "the validator of other builds has it")]
    pub(crate) fn is_valid(&self, _instance: &Value) -> bool {
        match self.0 {}
    }
}
