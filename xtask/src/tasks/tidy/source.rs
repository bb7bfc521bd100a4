//! Files as the rules see them.

use std::path::Path;

/// A tracked text file.
pub(super) struct File {
    /// Path from the repository's root, with forward slashes.
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    pub(super) fn new(path: &str, text: String) -> Self {
        Self { path: path.to_owned(), text }
    }

    /// The extension, or nothing.
    pub(super) fn extension(&self) -> &str {
        Path::new(&self.path).extension().and_then(|extension| extension.to_str()).unwrap_or("")
    }

    /// The last part of the path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    pub(super) fn is_rust(&self) -> bool {
        self.extension() == "rs"
    }

    /// Whether the file is for tests, benchmarks or fuzzing only, by where it stands or by its name.
    pub(super) fn is_test(&self) -> bool {
        let folders = self.path.split('/').any(|part| ["tests", "bench", "benches", "fuzz"].contains(&part));
        folders || self.name() == "tests.rs"
    }

    /// The modules that a source of the runtime stands in, outermost first; nothing for any other file.
    pub(super) fn runtime_module(&self) -> Option<Vec<&str>> {
        let path = self.path.strip_prefix("mcp-runtime/src/")?.strip_suffix(".rs")?;
        let path = path.strip_suffix("/mod").unwrap_or(path);
        Some(if path == "lib" { Vec::new() } else { path.split('/').collect() })
    }
}

/// A file for the unit tests of the rules.
#[cfg(test)]
pub(super) fn file(path: &str, text: &str) -> Vec<File> {
    vec![File::new(path, text.to_owned())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_files_are_told_by_folder_and_name() {
        let is_test = |path| File::new(path, String::new()).is_test();
        assert!(is_test("tests/ui/a.rs") && is_test("fuzz/x.rs") && is_test("mcp-runtime/src/wire/tests.rs"));
        assert!(!is_test("mcp-runtime/src/wire/contests.rs"));
    }

    #[test]
    fn modules_follow_the_path() {
        let module = |path| File::new(path, String::new()).runtime_module().map(|module| module.join("::"));
        assert_eq!(module("mcp-runtime/src/lib.rs").as_deref(), Some(""));
        assert_eq!(module("mcp-runtime/src/wire/mod.rs").as_deref(), Some("wire"));
        assert_eq!(module("mcp-runtime/src/wire/frame.rs").as_deref(), Some("wire::frame"));
        assert_eq!(module("mcp-runtime/src/schema.rs").as_deref(), Some("schema"));
        assert_eq!(module("mcp-macros/src/lib.rs"), None);
    }
}
