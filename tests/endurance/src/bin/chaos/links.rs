//! The connections of one client, which are used again.

use crate::Trouble;
use mcp_endurance::http::{Link, Reply, Request};
use mcp_endurance::way::{Version, Way};
use std::net::SocketAddr;

/// The connections.
pub(crate) struct Links {
    way: Way,
    /// Each with the life of the server in which it was opened.
    idle: Vec<(u64, Link)>,
}

/// A response that is being read, and its connection.
pub(crate) struct Response {
    pub(crate) reply: Reply,
    link: Link,
    life: u64,
}

impl Links {
    /// None yet, to a server at that address.
    pub(crate) fn new(address: SocketAddr) -> Self {
        Links { way: Way::plain(address, Version::One), idle: Vec::new() }
    }

    /// Sends a request during that life of the server.
    pub(crate) async fn send(&mut self, life: u64, request: Request) -> Result<Response, Trouble> {
        let mut link = self.link(life).await?;
        Ok(Response { reply: link.send(request).await?, link, life })
    }

    async fn link(&mut self, life: u64) -> Result<Link, Trouble> {
        self.idle.retain(|(opened, link)| *opened == life && link.is_open());
        while let Some((_, mut link)) = self.idle.pop() {
            if link.is_ready().await? {
                return Ok(link);
            }
        }
        Ok(Link::open(&self.way).await?)
    }

    /// Keeps the connection of a response that has been read.
    pub(crate) fn keep(&mut self, response: Response) {
        if response.reply.is_over {
            self.idle.push((response.life, response.link));
        }
    }
}
