//! Reads the body of a request, within limits.

use bytes::{Buf, Bytes};
use http::HeaderMap;
use http::header::EXPECT;
use http_body::{Body, Frame};
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// How long the client may pause while it sends a body.
const PAUSE: Duration = Duration::from_secs(30);
/// How much of a refused body is read, and for how long: a client that is cut off while it sends sees a broken connection
/// instead of the reason.
const DISCARDED: usize = 16 * 1024 * 1024;
const DISCARDING: Duration = Duration::from_secs(5);

/// Why there is no body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    TooLarge,
    TooSlow,
    /// The connection broke off.
    Broken,
}

/// Is the body larger than that by the client's own word?
pub(in crate::transport) fn exceeds<B: Body>(body: &B, limit: usize) -> bool {
    usize::try_from(body.size_hint().lower()).map_or(true, |size| size > limit)
}

/// Reads the whole body of at most `limit` bytes, which is not waited for longer than `patience`. What comes in one piece is not
/// copied.
pub(super) async fn read<B: Body>(body: B, limit: usize, patience: Duration) -> Result<Bytes, Fault> {
    let mut body = pin!(body);
    let until = Instant::now() + patience;
    let mut first = Bytes::new();
    let mut rest: Vec<u8> = Vec::new();
    loop {
        let piece = match timeout_at(until.min(Instant::now() + PAUSE), next(body.as_mut())).await {
            Ok(Some(piece)) => piece?,
            Ok(None) => break,
            Err(_) => return Err(Fault::TooSlow),
        };
        if first.len() + rest.len() + piece.len() > limit {
            discard(body).await;
            return Err(Fault::TooLarge);
        }
        if first.is_empty() && rest.is_empty() {
            first = piece;
            continue;
        }
        if rest.is_empty() {
            let announced = usize::try_from(body.size_hint().lower()).unwrap_or(limit);
            rest.reserve((first.len() + piece.len()).saturating_add(announced).min(limit));
            rest.extend_from_slice(&std::mem::take(&mut first));
        }
        rest.extend_from_slice(&piece);
    }
    Ok(if rest.is_empty() { first } else { rest.into() })
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
