//! The README's first command, word for word.

use crate::{Result, cargo, process};

const COMMAND: [&str; 8] = ["run", "--example", "quickstart", "--", "call", "add", "a=2", "b=3"];

pub(super) fn run() -> Result {
    let printed = process::stdout(&mut cargo::command(COMMAND), cargo::BUILD_LIMIT)?;
    check(&printed)
}

fn check(printed: &str) -> Result {
    let printed = printed.strip_suffix('\n').unwrap_or(printed);
    if printed == "5" {
        Ok(())
    } else {
        Err(format!("cargo {} printed {printed:?} instead of \"5\"", COMMAND.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn only_the_sum_alone_will_do() {
        assert_eq!(check("5\n"), Ok(()));
        for printed in ["", "6\n", "5\n5\n", "\"5\"\n", " 5\n"] {
            assert!(check(printed).is_err(), "{printed:?}");
        }
    }
}
