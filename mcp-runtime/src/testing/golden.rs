//! Texts that a repository keeps, and that are compared with what a program says today.

use std::fs;
use std::path::Path;

/// The variable of the environment that has files written instead of compared.
const VARIABLE: &str = "MCP_GOLDEN";

/// Compares a text with a file of the repository, so that a change of what clients see is seen by people first:
/// [`Client::listing`](super::Client::listing) is the text for everything that a server lists. A relative path begins at the
/// package, where cargo runs tests. With the variable `MCP_GOLDEN=write` in the environment the file is written instead.
///
/// # Panics
/// Panics if the file is not there or differs, with the first line that does, and if it cannot be written.
#[track_caller]
pub fn golden(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    let result = match std::env::var(VARIABLE).is_ok_and(|value| value == "write") {
        true => write(path, text),
        false => compare(path, text),
    };
    result.unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| error.to_string())
}

fn compare(path: &Path, text: &str) -> Result<(), String> {
    let advice = format!("run the test with {VARIABLE}=write to keep what it says now");
    let kept = fs::read_to_string(path).map_err(|error| format!("{error}; {advice}"))?;
    // A file may have been checked out with the line breaks of another system.
    let (mut kept, mut said) = (kept.lines(), text.lines());
    for number in 1.. {
        match (kept.next(), said.next()) {
            (None, None) => break,
            (kept, said) if kept == said => {}
            (kept, said) => {
                return Err(format!("line {number}:\n  kept: {}\n  now:  {}\n{advice}", shown(kept), shown(said)));
            }
        }
    }
    Ok(())
}

fn shown(line: Option<&str>) -> &str {
    line.unwrap_or("(no such line)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_told() {
        let path = std::env::temp_dir().join(format!("mcp-golden-{}", std::process::id())).join("kept.txt");
        let missing = compare(&path, "a").unwrap_err();
        assert!(missing.contains("MCP_GOLDEN=write"), "{missing}");
        write(&path, "a\r\nb\n").unwrap();
        assert_eq!(compare(&path, "a\nb"), Ok(()));
        let differs = compare(&path, "a\nc\n").unwrap_err();
        assert!(differs.starts_with("line 2:\n  kept: b\n  now:  c\n"), "{differs}");
        let longer = compare(&path, "a\nb\nc\n").unwrap_err();
        assert!(longer.contains("kept: (no such line)"), "{longer}");
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }
}
