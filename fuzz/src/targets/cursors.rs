//! Cursors: whatever a client sends for one, a list stays what it is.
//!
//! The first byte says which list and how the rest becomes a cursor: as text, or as the base64 of bytes. A cursor that the
//! list has given leads to its page, any other to an error. Where a list is made for each request, a cursor names a place
//! behind which the page begins. From every page the rest of the list is reached in as many steps as it has pages, no item
//! comes twice, and all come in order.

use crate::peer::{ENVELOPE, Peer, REVISIONS, run};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use std::sync::OnceLock;

/// Methods, and the members of their results.
const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
];
/// The list that is made for each request.
const MADE: usize = 2;
/// More pages than any list has.
const ENOUGH: usize = 20;

/// A page: the names and URIs of its items, and the cursor of the next one.
struct Page {
    items: Vec<(String, String)>,
    next: Option<String>,
}

/// See the module.
pub fn check(data: &[u8]) {
    let [first, rest @ ..] = data else { return };
    let list = usize::from(first % 4);
    let cursor = match (first / 4) % 3 {
        0 => String::from_utf8_lossy(rest).into_owned(),
        1 => URL_SAFE_NO_PAD.encode(rest),
        // As the lists make theirs, with a place of the input's choice.
        _ => URL_SAFE_NO_PAD.encode([LISTS[list].1.as_bytes(), b"\n", rest].concat()),
    };
    let page = page(list, Some(&cursor));
    let known = walks()[list].iter().any(|(given, _)| *given == cursor);
    match page {
        Some(page) => {
            assert!(known || list == MADE, "a cursor that {} never gave: {cursor:?}", LISTS[list].0);
            follow(list, page);
        }
        None => assert!(!known, "a cursor of {}: {cursor:?}", LISTS[list].0),
    }
}

/// The cursors that each list gives, walked from the beginning, each with how many items come behind it.
fn walks() -> &'static [Vec<(String, usize)>] {
    static WALKS: OnceLock<Vec<Vec<(String, usize)>>> = OnceLock::new();
    WALKS.get_or_init(|| {
        let walk = |list: usize| {
            let first = page(list, None).expect("a list has a first page");
            follow(list, first)
        };
        (0..LISTS.len()).map(walk).collect()
    })
}

/// Follows a list from a page to its end, and gives the cursors on the way.
fn follow(list: usize, mut at: Page) -> Vec<(String, usize)> {
    let mut cursors: Vec<(String, usize)> = Vec::new();
    let mut last = None;
    let mut seen = 0;
    loop {
        for item in at.items {
            // Other lists are in the order of names.
            let key = if list == MADE { item } else { (item.0, String::new()) };
            assert!(last.as_ref().is_none_or(|last| *last < key), "{key:?} comes behind {last:?}");
            last = Some(key);
            seen += 1;
        }
        let Some(cursor) = at.next else { return cursors };
        assert!(cursors.len() < ENOUGH, "{} does not end: {cursors:?}", LISTS[list].0);
        at = page(list, Some(&cursor)).expect("a cursor leads on");
        assert!(!at.items.is_empty(), "an empty page behind {cursor:?}");
        cursors.push((cursor, seen));
    }
}

/// A page, in both eras the same; `None` for a cursor that is refused.
fn page(list: usize, cursor: Option<&str>) -> Option<Page> {
    let cursor = cursor.map(|cursor| format!(r#""cursor":{}"#, Value::from(cursor)));
    let ask = |revision: &str, members: &[&str]| {
        let mut peer = Peer::speaking(revision);
        let (method, params) = (LISTS[list].0, members.join(","));
        let received = run(async {
            peer.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}}}}}"#));
            peer.finish().await
        });
        received.only("1").clone()
    };
    let cursor = cursor.as_slice().iter().map(String::as_str);
    let envelope = format!(r#""_meta":{{{ENVELOPE}}}"#);
    let stateless = ask(REVISIONS[4], &cursor.clone().chain([envelope.as_str()]).collect::<Vec<_>>());
    let handshake = ask(REVISIONS[3], &cursor.collect::<Vec<_>>());
    let (one, other) = (read(list, &stateless.outcome), read(list, &handshake.outcome));
    assert_eq!(one.as_ref().map(|page| &page.items), other.as_ref().map(|page| &page.items));
    assert_eq!(one.as_ref().map(|page| &page.next), other.as_ref().map(|page| &page.next));
    one
}

fn read(list: usize, outcome: &Result<Value, Value>) -> Option<Page> {
    let result = match outcome {
        Ok(result) => result,
        Err(error) => {
            assert_eq!(error["code"], -32602, "{error}");
            return None;
        }
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let item = |item: &Value| {
        let uri = item.get("uri").or_else(|| item.get("uriTemplate"));
        (text(&item["name"]).expect("a name"), uri.and_then(text).unwrap_or_default())
    };
    let items: Vec<_> = result[LISTS[list].1].as_array().expect("a list").iter().map(item).collect();
    assert!(items.len() <= 2, "{result}");
    Some(Page { items, next: result.get("nextCursor").and_then(text) })
}
