//! A table of sessions that survives the process: a file for each session, named by its id.

use mcp_runtime::{SessionLimits, SessionRecord, SessionRoom, SessionStore, StoreFuture};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The table. Its sessions last as long as the folder, which is that of one run.
pub(crate) struct FileSessions(PathBuf);

impl FileSessions {
    /// The table in a folder, which is made if it is not there.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(FileSessions(folder.to_owned()))
    }
}

impl SessionStore for FileSessions {
    /// An id that is there already is an error: ids are made once, whichever process makes them.
    fn open<'a>(&'a self, id: &'a str, _: SessionRecord, _: &'a SessionLimits) -> StoreFuture<'a, SessionRoom> {
        let made = fs::File::create_new(self.0.join(id));
        Box::pin(async move { Ok(made.map(|_| SessionRoom::Open)?) })
    }

    fn find<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<SessionRecord>> {
        let there = self.0.join(id).try_exists();
        Box::pin(async move { Ok(there?.then(|| SessionRecord::new(None))) })
    }

    fn touch(&self, _: &str) {}

    fn end<'a>(&'a self, id: &'a str) -> StoreFuture<'a, bool> {
        let ended = fs::remove_file(self.0.join(id)).is_ok();
        Box::pin(async move { Ok(ended) })
    }
}
