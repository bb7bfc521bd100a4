//! What functions need of the server they are put into.

use std::any::{TypeId, type_name};

/// What a function needs, collected when a server is built.
#[derive(Debug, Default)]
pub struct Needs {
    pub(crate) states: Vec<(TypeId, &'static str)>,
    pub(crate) context: bool,
    pub(crate) server_handle: bool,
    pub(crate) principal: bool,
}

impl Needs {
    /// A state of this type: `Server::state` must provide it.
    pub fn state<T: Send + Sync + 'static>(&mut self) {
        self.states.push((TypeId::of::<T>(), type_name::<T>()));
    }

    /// The function may send log messages.
    pub(crate) fn context(&mut self) {
        self.context = true;
    }

    /// The function looks at who calls: what it gives is for nobody else.
    pub(crate) fn principal(&mut self) {
        self.principal = true;
    }

    /// The function may change what clients see: they are told that lists may change.
    pub(crate) fn server_handle(&mut self) {
        self.server_handle = true;
    }
}
