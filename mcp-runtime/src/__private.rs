//! Everything that expansions of the macros may name. Not for people: it changes without notice.

pub use crate::State as ObjectState;
pub use crate::completion::{Completer, ErasedCompleter};
pub use crate::handler::{
    ArgumentParam, BorrowedParam, Call, Describe, Entry, Functions, NamelessParam, Object, ObjectParam, Origin,
    OtherParam, Outcome, Param, ParamBuilder, ParamPlan, Prompt, PromptEntry, Receiver, Registration, Resource,
    ResourceEntry, Tool, ToolEntry, UnsizedParam, Variable,
};
pub use crate::instances::{ErasedLister, Lister};
pub use crate::model::{Capability, Icon, Role, Theme};
pub use crate::record::{AnyTypes, FieldTypes, describe_fields};
pub use crate::reply::{PlainToolReturn, PromptReturn, ResourceReturn, ToolReturn};
pub use crate::schema::FieldOptions;
pub use crate::serve::main;
pub use crate::uri_template::Part;
pub use inventory;
pub use schemars;
pub use serde;
pub use serde_json;
pub use std::borrow::{Borrow, Cow};
pub use std::option::Option::Some;
pub use std::result::Result::{self, Err, Ok};

/// The traits that answer for variables of URI templates; imported all at once, and without names.
pub mod variable {
    pub use crate::handler::variable::layers::{
        Any as _, Borrowed as _, Decoded as _, Nothing as _, OptionalAny as _, OptionalRead as _, Read as _,
    };
}
