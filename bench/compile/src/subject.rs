//! One generated crate, and what is done to it.

use crate::Result;
use crate::measure::{Cost, measure, stdout};
use crate::source::{Framework, Style};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A server of one framework in one style.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject {
    /// What it is written with.
    pub(crate) framework: Framework,
    /// How its tools take their arguments.
    pub(crate) style: Style,
}

impl Subject {
    /// The name of the crate.
    pub(crate) fn name(self) -> String {
        format!("{}-{}", self.framework.name(), self.style.name())
    }

    /// Writes the crate and fetches what it depends on. What an earlier run has compiled stays until a clean build.
    pub(crate) fn create(self, tools: usize) -> Result {
        let folder = self.folder();
        fs::create_dir_all(folder.join("src")).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let runtime = repository().join("mcp-runtime");
        let manifest = format!(
            "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{}",
            self.name(),
            self.framework.dependencies(&runtime.to_string_lossy())
        );
        write(&folder.join("Cargo.toml"), &manifest)?;
        // Ours is built with the versions that the repository's tests run with. Cargo takes out what is not used.
        let lock = match self.framework {
            Framework::Ours => repository().join("Cargo.lock"),
            Framework::Rmcp => package().join("rmcp.lock"),
        };
        fs::copy(&lock, folder.join("Cargo.lock"))
            .map_err(|error| format!("cannot copy {}: {error}", lock.display()))?;
        write(&self.source(), &self.framework.main(self.style, &vec![0; tools]))?;
        measure(self.cargo("fetch")).map(drop)
    }

    /// The number of crates in the tree, without the generated one.
    pub(crate) fn crates(self) -> Result<usize> {
        let tree = stdout(self.cargo("tree").args(["--prefix", "none", "--edges", "normal,build"]))?;
        let crates: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
        Ok(crates.len() - 1)
    }

    /// A debug build of everything.
    pub(crate) fn clean_build(self) -> Result<Cost> {
        let target = self.folder().join("target");
        if target.exists() {
            fs::remove_dir_all(&target).map_err(|error| format!("cannot remove {}: {error}", target.display()))?;
        }
        self.build()
    }

    /// Brings `check` and `build` to where the next one has nothing to do.
    pub(crate) fn warm_up(self) -> Result {
        self.check()?;
        self.build().map(drop)
    }

    /// Puts another literal into the body of one tool: every edit differs from all before, and meets another tool than
    /// the last one.
    pub(crate) fn edit(self, tools: usize, edit: usize) -> Result {
        let mut literals = vec![0; tools];
        for edit in 0..=edit {
            literals[edit * 37 % tools] = edit + 1;
        }
        write(&self.source(), &self.framework.main(self.style, &literals))
    }

    /// `cargo check`.
    pub(crate) fn check(self) -> Result<Cost> {
        measure(self.cargo("check"))
    }

    /// `cargo build`.
    pub(crate) fn build(self) -> Result<Cost> {
        measure(self.cargo("build"))
    }

    fn cargo(self, command: &str) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // The crate's own target folder and cargo's usual settings, whatever this process was started with.
        for variable in ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_INCREMENTAL", "RUSTFLAGS"] {
            cargo.env_remove(variable);
        }
        cargo.current_dir(self.folder()).arg(command).arg("--quiet");
        cargo
    }

    fn folder(self) -> PathBuf {
        package().join("target/servers").join(self.name())
    }

    fn source(self) -> PathBuf {
        self.folder().join("src/main.rs")
    }
}

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn repository() -> PathBuf {
    package().join("../..")
}

fn write(path: &Path, text: &str) -> Result {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
