//! Files below one directory, and nothing outside of it: the directory is opened as a capability, so neither `..` nor a
//! symbolic link leads out.
//!
//! ```sh
//! FILES_ROOT=. cargo run --example files -- call search_files directory=. pattern='*.toml'
//! FILES_ROOT=. cargo run --example files -- read file:///README.md
//! ```

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use glob::Pattern;
use mcp_runtime::Server;
use mcp_runtime::prelude::*;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The directory that this server may look into.
struct Root(Dir);

impl Root {
    /// Opens `$FILES_ROOT`, or the current directory.
    fn open() -> io::Result<Root> {
        let path = std::env::var_os("FILES_ROOT").unwrap_or_else(|| ".".into());
        Dir::open_ambient_dir(path, ambient_authority()).map(Root)
    }
}

/// Directories deeper than this are not searched.
const MAX_DEPTH: usize = 32;
/// A larger file is not read.
const MAX_FILE: u64 = 1024 * 1024;

/// What a search has found.
#[mcp_type]
struct Found {
    /// Paths relative to the root, in alphabetical order within each directory.
    files: Vec<String>,
    /// There are more files than were asked for.
    more: bool,
}

/// Finds files by name.
///
/// Looks through a directory and everything below it:
///
/// - hidden files are found like any other,
/// - symbolic links are listed by their own name but not followed.
#[mcp_tool(read_only, blocking)]
fn search_files(
    /// Where to look, relative to the root; `.` is the root itself.
    #[arg(example = "src")]
    directory: String,
    /// The file's name, with `*` for any text and `?` for any character.
    #[arg(example = "*.rs", min_length = 1)]
    pattern: String,
    /// The most files to list.
    #[arg(default = 20, min = 1, max = 1000)]
    max_results: usize,
    root: State<Root>,
    cx: Context,
) -> Result<Found, String> {
    let pattern = Pattern::new(&pattern).map_err(|error| format!("`pattern` is not valid: {error}"))?;
    let start = root.0.open_dir(&directory).map_err(|error| format!("`directory` cannot be opened: {error}"))?;
    let mut search = Search { pattern, limit: max_results, found: Vec::new(), cx };
    let start_path = if directory == "." { PathBuf::new() } else { PathBuf::from(&directory) };
    search.directory(&start, &start_path, 0).map_err(|error| format!("the search failed: {error}"))?;
    let more = search.found.len() > max_results;
    search.found.truncate(max_results);
    Ok(Found { files: search.found, more })
}

struct Search {
    pattern: Pattern,
    limit: usize,
    found: Vec<String>,
    cx: Context,
}

impl Search {
    /// Looks through one directory; stops at one file more than asked for, and when the client has given up.
    fn directory(&mut self, directory: &Dir, path: &Path, depth: usize) -> io::Result<()> {
        let mut entries = directory.entries()?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(cap_std::fs::DirEntry::file_name);
        for entry in entries {
            if self.found.len() > self.limit || self.cx.is_cancelled() {
                return Ok(());
            }
            let path = path.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                if depth < MAX_DEPTH {
                    self.directory(&entry.open_dir()?, &path, depth + 1)?;
                }
            } else if self.pattern.matches(&entry.file_name().to_string_lossy()) {
                self.found.push(path.to_string_lossy().into_owned());
            }
        }
        Ok(())
    }
}

/// A text file below the root.
#[mcp_resource(uri = "file:///{+path}", blocking, list = top_files)]
fn file(path: String, root: State<Root>) -> Result<Option<String>, ToolError> {
    let mut file = match root.0.open(&path) {
        Ok(file) => file,
        // What lies outside of the root does not exist for a client either.
        Err(error) => {
            return match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => Ok(None),
                _ => Err(ToolError::internal(error)),
            };
        }
    };
    let about = file.metadata()?;
    if !about.is_file() {
        return Ok(None);
    }
    if about.len() > MAX_FILE {
        return Err(ToolError::new(format!("the file has {} bytes; at most {MAX_FILE} are read", about.len())));
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| ToolError::new("the file is not UTF-8 text").caused_by(error))?;
    Ok(Some(text))
}

/// The names of the files directly in the root.
fn top_names(cx: &Context) -> io::Result<Vec<String>> {
    let Some(root) = cx.state::<Root>() else { return Ok(Vec::new()) };
    let entries = root.0.entries()?.flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    Ok(files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

/// Characters that stand in a URI as they are.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The files directly in the root, for lists of resources.
async fn top_files(cx: Context) -> Result<Vec<ResourceLink>, ToolError> {
    let link = |name: String| {
        let uri = format!("file:///{}", utf8_percent_encode(&name, UNRESERVED));
        ResourceLink::new(uri, name)
    };
    Ok(top_names(&cx)?.into_iter().map(link).collect())
}

/// The names of the files in the root that begin with what was typed.
async fn file_names(asked: Completion) -> Vec<String> {
    let names = top_names(&asked.context).unwrap_or_default();
    names.into_iter().filter(|name| name.starts_with(&asked.value)).collect()
}

/// Asks for an explanation of a file.
#[mcp_prompt]
fn explain_file(
    /// The file's path, relative to the root.
    #[arg(complete = file_names)]
    path: String,
    /// Who the explanation is for.
    audience: Option<String>,
) -> Messages {
    let audience = audience.unwrap_or_else(|| "an experienced programmer".to_owned());
    Messages::new()
        .user(format!("Explain this file to {audience}."))
        .user(ResourceLink::new(format!("file:///{path}"), path))
}

fn files() -> Result<Server, String> {
    let root = Root::open().map_err(|error| format!("FILES_ROOT cannot be opened: {error}"))?;
    Ok(server!().instructions("All paths are relative to the server's root.").state(root))
}

mcp_main!(files());

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_runtime::testing::{Client, ClientError};
    use serde_json::{Value, json};

    /// A root with a file, a directory, and ways out of it; it goes away with the value.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Place {
            let place = std::env::temp_dir().join(format!("files-example-{}-{name}", std::process::id()));
            std::fs::create_dir_all(place.join("root/sub")).expect("a folder");
            std::fs::write(place.join("secret.txt"), "secret").expect("a file");
            std::fs::write(place.join("root/sub/note.txt"), "a note").expect("a file");
            #[cfg(unix)]
            for (to, name) in
                [("../secret.txt", "root/link.txt"), ("..", "root/up"), ("sub/note.txt", "root/inner.txt")]
            {
                std::os::unix::fs::symlink(to, place.join(name)).expect("a link");
            }
            Place(place)
        }

        fn client(&self) -> Client {
            let root = Dir::open_ambient_dir(self.0.join("root"), ambient_authority()).expect("a root");
            Client::new(&server!().state(Root(root)).build().expect("it builds"))
        }

        async fn search(&self, directory: &str, pattern: &str) -> Result<Value, ClientError> {
            self.client().call("search_files", json!({"directory": directory, "pattern": pattern})).await
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[tokio::test]
    async fn files_are_found_below_the_root_only() {
        let place = Place::new("search");
        let found = place.search(".", "n*.txt").await;
        assert_eq!(found, Ok(json!({"files": ["sub/note.txt"], "more": false})));
        for directory in ["..", "sub/../..", "up", "up/root", "/", "nowhere"] {
            let found = place.search(directory, "*").await;
            let Err(ClientError::Failed(text)) = found else { panic!("{directory}: {found:?}") };
            assert!(!text.contains("secret"), "{directory}: {text}");
        }
    }

    #[tokio::test]
    async fn files_of_the_root_are_listed_and_can_be_read() {
        let place = Place::new("list");
        std::fs::write(place.0.join("root/a file #1.txt"), "listed").expect("a file");
        let mut client = place.client();
        let uri = "file:///a%20file%20%231.txt";
        let listed = json!({"uri": uri, "name": "a file #1.txt", "mimeType": "text/plain"});
        assert_eq!(client.list("resources").await, Ok(vec![listed]));
        assert_eq!(client.read(uri).await.as_deref(), Ok("listed"));
    }

    #[tokio::test]
    async fn nothing_outside_of_the_root_can_be_read() {
        let place = Place::new("read");
        let mut client = place.client();
        assert_eq!(client.read("file:///sub/note.txt").await.as_deref(), Ok("a note"));
        for path in ["link.txt", "up/secret.txt", "../secret.txt", "sub/%2e%2e/%2e%2e/secret.txt", "/etc/passwd", "sub"]
        {
            let refused = client.read(&format!("file:///{path}")).await.expect_err("outside of the root");
            assert_eq!(refused.code(), Some(-32602), "{path}: {refused}");
        }
    }
}
