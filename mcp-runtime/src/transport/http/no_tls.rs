//! Without the feature `tls`: what no server can have, so that nothing else depends on the feature.

use std::io;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio::time::Instant;

#[derive(Clone)]
pub(super) enum Tls {}

#[derive(Debug)]
pub(super) enum Acceptor {}

impl Tls {
    pub(super) fn acceptor(&self) -> io::Result<Acceptor> {
        match *self {}
    }
}

impl Acceptor {
    pub(super) async fn accept(&self, _: TcpStream, _: Instant) -> io::Result<TcpStream> {
        match *self {}
    }

    pub(super) async fn renew(self: Arc<Self>) {
        match *self {}
    }
}
