//! Functions that other macros write.
use mcp_runtime::prelude::*;

macro_rules! getter {
    ($name:ident, $ty:ty, $value:expr) => {
        #[doc = concat!("Gets ", stringify!($name), ".")]
        #[mcp_tool(read_only)]
        fn $name(#[arg(default = $value)] given: $ty, text: &$ty) -> $ty {
            let _ = text;
            given
        }
    };
}

getter!(size, u64, 3);
getter!(list, Vec<String>, vec![String::from("a")]);

macro_rules! with_visibility {
    ($(#[$attribute:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),*) -> $result:ty $body:block) => {
        $(#[$attribute])*
        #[mcp_tool]
        $vis fn $name($($arg: $ty),*) -> $result $body
    };
}

with_visibility! {
    /// Adds.
    pub fn add(a: i64, b: &str) -> i64 { a + b.len() as i64 }
}

fn main() {
    assert_eq!(size(1, &2), 1);
    assert_eq!(list(vec![], &vec![]), Vec::<String>::new());
    assert_eq!(add(1, "a"), 2);
    assert!(server!().build().is_ok());
}
