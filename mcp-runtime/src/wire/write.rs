//! Message to text. Every message is one line.

use super::{Id, RpcError, value_into};

const HEAD: &[u8] = br#"{"jsonrpc":"2.0","#;

/// A response with the result that `body` writes (it must write one JSON value), of about `size` bytes.
pub(crate) fn result(id: Id<'_>, size: usize, body: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::with_capacity(room(HEAD.len() + id.as_json().len() + 24 + size));
    out.extend_from_slice(HEAD);
    member_id(&mut out, id);
    out.extend_from_slice(br#""result":"#);
    body(&mut out);
    out.push(b'}');
    out
}

/// How much room a message of about `size` bytes gets.
fn room(size: usize) -> usize {
    /// From here on the allocator may give memory back to the system as soon as it is free.
    const LARGE: usize = 32 * 1024;
    /// Memory of this size may go back: messages that large are rare, and a process should not stay that large for ever.
    const HUGE: usize = 4 * 1024 * 1024;
    // To get fresh pages for every large message costs more than to write it. glibc keeps free memory up to twice the size
    // of the largest piece that it has once got back: it is asked for a larger piece than the message and the values around
    // it need. Room that is never touched is never there. Other allocators would only reserve it in vain.
    let is_glibc = cfg!(all(target_os = "linux", target_env = "gnu"));
    if is_glibc && (LARGE..HUGE).contains(&size) { 4 * size } else { size }
}

/// An error response; without an id when none could be read.
pub(crate) fn error(id: Option<Id<'_>>, error: &RpcError) -> Vec<u8> {
    let mut out = Vec::with_capacity(128);
    out.extend_from_slice(HEAD);
    if let Some(id) = id {
        member_id(&mut out, id);
    }
    out.extend_from_slice(br#""error":{"code":"#);
    value_into(&mut out, &error.code);
    out.extend_from_slice(br#","message":"#);
    value_into(&mut out, &error.message);
    if let Some(data) = &error.data {
        out.extend_from_slice(br#","data":"#);
        out.extend_from_slice(data.get().as_bytes());
    }
    out.extend_from_slice(b"}}");
    out
}

/// A notification with the params that `params` writes.
pub(crate) fn notification(method: &str, params: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    call(None, method, params)
}

/// A request to the peer with the params that `params` writes.
pub(crate) fn request(id: Id<'_>, method: &str, params: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    call(Some(id), method, params)
}

fn call(id: Option<Id<'_>>, method: &str, params: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::with_capacity(160);
    out.extend_from_slice(HEAD);
    if let Some(id) = id {
        member_id(&mut out, id);
    }
    out.extend_from_slice(br#""method":"#);
    value_into(&mut out, &method);
    out.extend_from_slice(br#","params":"#);
    params(&mut out);
    out.push(b'}');
    out
}

fn member_id(out: &mut Vec<u8>, id: Id<'_>) {
    out.extend_from_slice(br#""id":"#);
    out.extend_from_slice(id.as_json().as_bytes());
    out.push(b',');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Json;

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).expect("UTF-8")
    }

    #[test]
    fn responses_echo_the_id_byte_for_byte() {
        let id = Json::of("\"\\u0061\"").and_then(Id::new).expect("an id");
        assert_eq!(
            text(result(id, 2, |out| out.extend_from_slice(b"{}"))),
            r#"{"jsonrpc":"2.0","id":"\u0061","result":{}}"#
        );
        let problem = RpcError::invalid_params("no \"x\"").with_data(&1);
        assert_eq!(
            text(error(Some(id), &problem)),
            r#"{"jsonrpc":"2.0","id":"\u0061","error":{"code":-32602,"message":"no \"x\"","data":1}}"#
        );
    }

    #[test]
    fn an_unknown_id_is_left_out() {
        let out = text(error(None, &RpcError::new(-32700, "m")));
        assert_eq!(out, r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}"#);
    }
}
