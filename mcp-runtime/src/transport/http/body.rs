//! Reads the body of a request, within limits.

use super::commons::{Commons, Taken};
use bytes::{Buf, Bytes};
use http::HeaderMap;
use http::header::EXPECT;
use http_body::{Body, Frame};
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// How long the client may pause while it sends a body.
const PAUSE: Duration = Duration::from_secs(30);
/// The size in bytes of a body that is worth no accounting.
const FREE: usize = 4 * 1024;
/// How much of a refused body is read, and for how long: a client that is cut off while it sends sees a broken connection
/// instead of the reason.
const DISCARDED: usize = 16 * 1024 * 1024;
const DISCARDING: Duration = Duration::from_secs(5);

/// Why there is no body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    TooLarge,
    /// All bodies together, or those of the client, take as much as they may.
    NoMemory,
    TooSlow,
    /// The connection broke off.
    Broken,
}

/// Is the body larger than that by the client's own word?
pub(in crate::transport) fn exceeds<B: Body>(body: &B, limit: usize) -> bool {
    usize::try_from(body.size_hint().lower()).map_or(true, |size| size > limit)
}

/// What may be taken of a client and of the server while a body is read.
#[derive(Clone, Copy)]
pub(super) struct Allowance<'s> {
    /// The size in bytes of the largest body.
    pub(super) size: usize,
    pub(super) patience: Duration,
    /// The bytes that all bodies may take together.
    pub(super) memory: &'s Arc<Commons>,
    /// The address of the client, if it is known.
    pub(super) client: Option<IpAddr>,
}

impl Allowance<'_> {
    /// Takes what is still lacking to that many bytes.
    fn take(&self, size: usize, taken: &mut Option<Taken>) -> Result<(), Fault> {
        let there_is = match taken {
            Some(taken) => taken.more(size.saturating_sub(taken.amount())),
            None => {
                *taken = self.memory.take(self.client, size);
                taken.is_some()
            }
        };
        if there_is { Ok(()) } else { Err(Fault::NoMemory) }
    }
}

/// The bytes of a body, and what they take.
pub(in crate::transport) struct Message {
    bytes: Bytes,
    _memory: Option<Taken>,
}

impl std::ops::Deref for Message {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads a whole body. What comes in one piece is not copied.
pub(super) async fn read<B: Body>(body: B, allowance: Allowance<'_>) -> Result<Message, Fault> {
    let mut body = pin!(body);
    let read = gather(body.as_mut(), allowance).await;
    // What had come is no longer held.
    if let Err(Fault::TooLarge | Fault::NoMemory) = read {
        discard(body).await;
    }
    read
}

async fn gather<B: Body>(mut body: Pin<&mut B>, allowance: Allowance<'_>) -> Result<Message, Fault> {
    let mut until = None;
    let mut first = Bytes::new();
    let mut rest: Vec<u8> = Vec::new();
    let mut memory = None;
    loop {
        let Some(piece) = patiently(body.as_mut(), &mut until, allowance.patience).await? else { break };
        let size = first.len() + rest.len() + piece.len();
        if size > allowance.size {
            return Err(Fault::TooLarge);
        }
        if size > FREE {
            allowance.take(size, &mut memory)?;
        }
        if first.is_empty() && rest.is_empty() {
            first = piece;
            continue;
        }
        if rest.is_empty() {
            let announced = usize::try_from(body.size_hint().lower()).unwrap_or(allowance.size);
            rest.reserve((first.len() + piece.len()).saturating_add(announced).min(allowance.size));
            rest.extend_from_slice(&std::mem::take(&mut first));
        }
        rest.extend_from_slice(&piece);
    }
    Ok(Message { bytes: if rest.is_empty() { first } else { rest.into() }, _memory: memory })
}

/// The next piece of data. Most bodies are there with their heads: only when one has to be waited for does time begin to run.
async fn patiently<B: Body>(
    body: Pin<&mut B>,
    until: &mut Option<Instant>,
    patience: Duration,
) -> Result<Option<Bytes>, Fault> {
    let mut piece = pin!(next(body));
    if let Poll::Ready(piece) = poll_fn(|cx| Poll::Ready(piece.as_mut().poll(cx))).await {
        return piece.transpose();
    }
    let now = Instant::now();
    let until = *until.get_or_insert(now + patience);
    timeout_at(until.min(now + PAUSE), piece).await.map_err(|_| Fault::TooSlow)?.transpose()
}

/// Reads on for a while, beside the answer, a body that nobody wants.
pub(in crate::transport) fn discard_later<B: Body + Send + 'static>(headers: &HeaderMap, body: B) {
    // A client that waits for a `100 Continue` sends nothing before it, and must not be made to.
    if body.is_end_stream() || headers.contains_key(EXPECT) {
        return;
    }
    tokio::spawn(async move {
        discard(pin!(body)).await;
    });
}

async fn discard<B: Body>(mut body: Pin<&mut B>) {
    let reading = async {
        let mut left = DISCARDED;
        while let Some(Ok(piece)) = next(body.as_mut()).await {
            left = match left.checked_sub(piece.len()) {
                Some(left) => left,
                None => break,
            };
        }
    };
    // Whether it ended in time makes no difference.
    let _ = timeout(DISCARDING, reading).await;
}

/// The next piece of data; trailers are passed over.
async fn next<B: Body>(mut body: Pin<&mut B>) -> Option<Result<Bytes, Fault>> {
    poll_fn(|cx| {
        loop {
            match ready!(body.as_mut().poll_frame(cx)).map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(mut data))) => return Poll::Ready(Some(Ok(data.copy_to_bytes(data.remaining())))),
                Some(Ok(Err(_trailers))) => {}
                Some(Err(_)) => return Poll::Ready(Some(Err(Fault::Broken))),
                None => return Poll::Ready(None),
            }
        }
    })
    .await
}
