//! Nothing here may tie a checkout to one place to download from.

use super::source::File;

/// Cargo's name for its one public registry, which is no address that anything is fetched from.
const CRATES: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Lock files say which package and which content, not where to get it.
pub(super) fn locks_carry_no_addresses(files: &[File]) -> Vec<String> {
    files.iter().flat_map(|file| lines_with(file, lock_rule(file))).collect()
}

/// What must not be in a line of this file; nothing is wrong with a file that is no lock file.
fn lock_rule(file: &File) -> fn(&str) -> bool {
    match file.name() {
        "package-lock.json" | "npm-shrinkwrap.json" => |line| line.contains("\"resolved\""),
        "Cargo.lock" => |line| line.starts_with("source = ") && !line.contains(CRATES),
        name if name.starts_with("requirements") && name.ends_with(".txt") => |line| {
            let line = line.trim_start();
            line.contains("://") || (line.starts_with('-') && !line.starts_with("-r "))
        },
        _ => |_| false,
    }
}

/// No file names the host of a package registry.
pub(super) fn no_registry_is_named(files: &[File]) -> Vec<String> {
    let hosts = registry_hosts();
    files.iter().flat_map(|file| lines_with(file, |line| hosts.iter().any(|host| line.contains(host)))).collect()
}

/// The hosts in question, put together here so that this file is not the first to break its rule.
fn registry_hosts() -> Vec<String> {
    let hosts: [&[&str]; 6] = [
        &["registry", "npmjs", "org"],
        &["registry", "yarnpkg", "com"],
        &["files", "pythonhosted", "org"],
        &["pypi", "org"],
        &["index", "crates", "io"],
        &["static", "crates", "io"],
    ];
    hosts.iter().map(|parts| parts.join(".")).collect()
}

fn lines_with(file: &File, wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let lines = file.text.lines().enumerate().filter(|(_, line)| wrong(line));
    lines.map(|(index, line)| format!("{}:{}: {}", file.path, index + 1, line.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::source::file;
    use super::*;

    #[test]
    fn addresses_in_lock_files_are_seen() {
        let npm = locks_carry_no_addresses(&file("a/package-lock.json", "{\n\"resolved\": \"https://x/y.tgz\"\n}\n"));
        assert_eq!(npm, ["a/package-lock.json:2: \"resolved\": \"https://x/y.tgz\""]);
        assert_eq!(locks_carry_no_addresses(&file("Cargo.lock", "source = \"git+https://x/y\"\n")).len(), 1);
        let python = "--index-url https://x\nmcp @ https://x/mcp.whl\nmcp==2.3.0\n";
        assert_eq!(locks_carry_no_addresses(&file("a/requirements.txt", python)).len(), 2);
    }

    #[test]
    fn plain_lock_files_pass() {
        assert!(locks_carry_no_addresses(&file("Cargo.lock", &format!("source = \"{CRATES}\"\n"))).is_empty());
        assert!(locks_carry_no_addresses(&file("package-lock.json", "\"integrity\": \"sha512-x\"\n")).is_empty());
        assert!(locks_carry_no_addresses(&file("requirements.txt", "# about\nmcp==2.3.0\n")).is_empty());
        assert!(locks_carry_no_addresses(&file("README.md", "\"resolved\" https://x\n")).is_empty());
    }

    #[test]
    fn a_registry_host_is_seen_anywhere() {
        for host in registry_hosts() {
            assert_eq!(no_registry_is_named(&file("a/README.md", &format!("see\nhttps://{host}/x\n"))).len(), 1);
        }
        assert!(no_registry_is_named(&file("a/README.md", "published on PyPI and npm\n")).is_empty());
    }
}
