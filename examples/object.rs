//! A list of things to do: a server whose state is an object, and whose functions are its methods.
//!
//! ```sh
//! cargo run --example object -- list
//! cargo run --example object -- call add text=milk
//! ```

use mcp_runtime::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Things to do. All calls share one list, so what changes is behind a lock.
#[derive(Default)]
struct Todo {
    things: Mutex<Vec<String>>,
}

#[mcp_server]
impl Todo {
    /// Adds a thing to do, and tells how many there are then.
    #[mcp_tool]
    fn add(
        &self,
        /// What is to be done.
        #[arg(min_length = 1)]
        text: String,
    ) -> usize {
        let mut things = self.things();
        things.push(text);
        things.len()
    }

    /// Takes off a thing that is done.
    #[mcp_tool(idempotent)]
    fn done(&self, text: &str) -> Result<(), String> {
        let mut things = self.things();
        let place = things.iter().position(|thing| thing == text);
        let place = place.ok_or_else(|| format!("There is no `{text}`: there are {things:?}."))?;
        things.remove(place);
        Ok(())
    }

    /// All things to do, a line each.
    #[mcp_resource(uri = "todo://all")]
    fn all(&self) -> String {
        self.things().join("\n")
    }

    /// Asks for a plan.
    #[mcp_prompt]
    fn plan(&self, day: String) -> String {
        format!("Plan my {day}. I have to do: {}", self.things().join(", "))
    }

    fn things(&self) -> MutexGuard<'_, Vec<String>> {
        self.things.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

mcp_main!(server!().state(Todo::default()));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_stay_methods() {
        let todo = Todo::default();
        assert_eq!(todo.add("milk".to_owned()), 1);
        assert!(todo.done("bread").is_err());
        assert_eq!(todo.plan("Monday".to_owned()), "Plan my Monday. I have to do: milk");
        assert_eq!(todo.done("milk"), Ok(()));
        assert_eq!(todo.all(), "");
    }
}
