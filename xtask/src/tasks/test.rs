//! All of cargo's tests; compile-fail and documentation tests are among them.

use crate::{Result, cargo};

pub(super) fn run() -> Result {
    cargo::run(["test", "--workspace"])
}
