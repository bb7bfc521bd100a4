//! What every store must do, as tests over any of them.

use super::{EventStore, KeptEvent, SessionLimits, SessionRecord, SessionRoom, SessionStore};
use std::time::Duration;
use tokio::time::sleep;

/// What every [`EventStore`] must do. The store is empty, and has room for six events of ten bytes in each session.
pub(crate) async fn events(store: impl EventStore) {
    let event = |stream, position, message| KeptEvent { stream, position, essential: position == 2, message };
    let after = async |session: &str, stream, position| {
        let kept = store.after(session, stream, position).await.expect("the store can be read")?;
        Some(kept.into_iter().map(|(at, message)| (at, String::from_utf8(message).unwrap())).collect::<Vec<_>>())
    };
    let text = |position: u64, message: &str| (position, message.to_owned());
    assert_eq!(after("one", 1, 0).await, None, "nothing is there yet");

    // Two streams of one session, whose events come in turn, and the same stream of another one.
    store.append("one", event(1, 1, b"a1"));
    store.append("one", event(2, 1, b"b1"));
    store.append("one", event(1, 2, b"a2"));
    store.append("one", event(2, 4, b"b4"));
    store.append("one", event(1, 3, b"a3"));
    store.append("other", event(1, 2, b"x2"));

    assert_eq!(after("one", 1, 0).await, Some(vec![text(1, "a1"), text(2, "a2"), text(3, "a3")]));
    assert_eq!(after("one", 1, 2).await, Some(vec![text(3, "a3")]));
    assert_eq!(after("one", 1, 3).await, Some(vec![]), "the last one is known, and nothing is behind it");
    assert_eq!(after("one", 1, 4).await, None);
    assert_eq!(after("one", 2, 2).await, Some(vec![text(4, "b4")]), "positions may be left out");
    assert_eq!(after("one", 3, 0).await, None, "a stream of another number");
    assert_eq!(after("other", 1, 0).await, Some(vec![text(2, "x2")]), "a stream of another session");
    assert_eq!(after("oth", 1, 0).await, None);

    store.end("one");
    store.end("nobody");
    assert_eq!(after("one", 1, 0).await, None);
    assert_eq!(after("one", 2, 0).await, None);
    assert_eq!(after("other", 1, 0).await, Some(vec![text(2, "x2")]));

    // Far more than there can be room for: what is left is in order, and the newest is there.
    for position in 3..=2_000 {
        store.append("other", event(1, position, b"0123456789"));
    }
    let kept = after("other", 1, 0).await.expect("something is left");
    assert!(kept.len() >= 6 && kept.len() < 2_000, "{}", kept.len());
    assert!(kept.is_sorted() && kept.last().is_some_and(|(position, _)| *position == 2_000));
    store.end("other");
    assert_eq!(after("other", 1, 0).await, None);
}

/// What every [`SessionStore`] must do. The store is empty, and is so again at the end. It takes a few seconds, of the
/// runtime's clock for a store that goes by it.
pub(crate) async fn sessions(store: &impl SessionStore) {
    let limits = SessionLimits::new(Duration::from_secs(2), 3, 2);
    let open = async |id: &str, principal: Option<&str>| {
        let record = SessionRecord::new(principal.map(str::to_owned));
        store.open(id, record, &limits).await.expect("the store can be reached")
    };
    let find = async |id: &str| store.find(id).await.expect("the store can be reached").map(|record| record.principal);
    let end = async |id: &str| store.end(id).await.expect("the store can be reached");
    let ada = || Some(Some("ada".to_owned()));

    assert_eq!((find("a").await, end("a").await), (None, false));
    assert_eq!(open("a", Some("ada")).await, SessionRoom::Open);
    assert_eq!(open("b", Some("ada")).await, SessionRoom::Open);
    assert_eq!((find("a").await, find("b").await, find("c").await), (ada(), ada(), None));
    assert_eq!(open("c", Some("ada")).await, SessionRoom::FullForPrincipal);
    assert_eq!(find("c").await, None, "what was not opened is not there");
    assert_eq!(open("c", None).await, SessionRoom::Open);
    assert_eq!(find("c").await, Some(None));
    assert_eq!(open("d", Some("bob")).await, SessionRoom::Full);

    assert_eq!((end("a").await, end("a").await, find("a").await), (true, false, None));
    store.touch("a");
    assert_eq!(find("a").await, None, "an ended session stays ended");
    assert_eq!(open("d", Some("ada")).await, SessionRoom::Open, "there is room again");

    // One is used, the others rest.
    for _ in 0..3 {
        sleep(Duration::from_secs(1)).await;
        store.touch("d");
    }
    assert_eq!((find("b").await, find("c").await, find("d").await), (None, None, ada()));
    store.touch("b");
    assert_eq!((find("b").await, end("b").await), (None, false));
    for id in ["e", "f"] {
        assert_eq!(open(id, None).await, SessionRoom::Open, "what has ended takes no room");
    }
    assert_eq!(open("g", None).await, SessionRoom::Full);
    sleep(Duration::from_secs(3)).await;
    assert_eq!(open("g", Some("ada")).await, SessionRoom::Open, "nor for a principal");
    assert!(end("g").await);
    for id in ["d", "e", "f"] {
        assert_eq!((find(id).await, end(id).await), (None, false));
    }
}
