//! Which functions exist for a caller.

use std::sync::Arc;

/// The scopes that a caller has. Cloning is cheap.
#[derive(Debug, Clone)]
pub(crate) enum Access {
    /// All: whoever has started the process, or is a part of it.
    Whole,
    /// These; none for somebody unknown.
    Scopes(Arc<[Arc<str>]>),
}

impl Access {
    pub(crate) fn has(&self, scope: &str) -> bool {
        match self {
            Access::Whole => true,
            Access::Scopes(scopes) => scopes.iter().any(|held| &**held == scope),
        }
    }

    /// Does a function exist for the caller that needs all these?
    pub(crate) fn admits(&self, needed: &[&str]) -> bool {
        needed.iter().all(|scope| self.has(scope))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_is_needed() {
        let access = Access::Scopes(["read".into(), "write".into()].into());
        assert!(access.admits(&[]) && access.admits(&["write", "read"]));
        assert!(!access.admits(&["read", "admin"]) && !access.admits(&["Read"]));
        assert!(Access::Whole.admits(&["admin"]) && !Access::Scopes(Arc::default()).admits(&["admin"]));
    }
}
