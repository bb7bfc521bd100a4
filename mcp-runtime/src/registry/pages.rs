//! The lists as they go out, page by page, each kept from the first time on that a client of its revision asks for it.

use crate::model::ListKind;
use crate::revision::{self, Caching, Identity, Revision};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

/// Which list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum List {
    Tools,
    Resources,
    Templates,
    Prompts,
}

impl List {
    pub(super) const ALL: [List; 4] = [List::Tools, List::Resources, List::Templates, List::Prompts];

    /// Whose notification tells of its changes.
    pub(super) fn kind(self) -> ListKind {
        match self {
            List::Tools => ListKind::Tools,
            List::Resources | List::Templates => ListKind::Resources,
            List::Prompts => ListKind::Prompts,
        }
    }

    /// The member of the result that holds the items.
    fn key(self) -> &'static str {
        match self {
            List::Tools => "tools",
            List::Resources => "resources",
            List::Templates => "resourceTemplates",
            List::Prompts => "prompts",
        }
    }
}

/// One page: the cursor that asks for it (the first page has none) and the result's JSON.
struct Page {
    cursor: Option<String>,
    result: Box<[u8]>,
}

/// All pages of one list, for one revision.
pub(crate) struct ListPages(Box<[Page]>);

/// What has been written of one list, by revision.
type Written = [Option<Arc<ListPages>>; Revision::ALL.len()];

/// All lists. A list is written for a revision when it is asked for the first time, and again when something on it has changed.
/// A request takes it as it is at that moment: the lock is held for as long as it takes to do so, never while a list is written.
pub(crate) struct Pages {
    lists: [RwLock<Written>; List::ALL.len()],
    layout: Layout,
}

/// What all pages have in common.
pub(super) struct Layout {
    pub(super) page_size: usize,
    pub(super) identity: Arc<Identity>,
    pub(super) caching: Caching,
}

/// Writes an item for a revision.
pub(super) type WriteItem<'i> = Box<dyn Fn(&mut Vec<u8>, Revision) + 'i>;

/// An item of a list: the name that cursors are made of, and the way to write it.
pub(super) struct Item<'i> {
    pub(super) name: &'i str,
    pub(super) write: WriteItem<'i>,
}

impl Pages {
    pub(super) fn new(layout: Layout) -> Self {
        Pages { lists: Default::default(), layout }
    }

    /// A list as it is now, if it has been written.
    pub(super) fn of(&self, list: List, revision: Revision) -> Option<Arc<ListPages>> {
        self.lists[list as usize].read().unwrap_or_else(PoisonError::into_inner)[revision.index()].clone()
    }

    /// Writes a list, from its items in order.
    pub(super) fn write(&self, list: List, items: &[Item<'_>], revision: Revision) -> Arc<ListPages> {
        Arc::new(ListPages(pages(list, items, revision, &self.layout)))
    }

    /// Keeps a list that has been written. Nothing on it may have changed since.
    pub(super) fn keep(&self, list: List, revision: Revision, pages: Arc<ListPages>) {
        self.written(list)[revision.index()] = Some(pages);
    }

    /// The list has changed.
    pub(super) fn forget(&self, list: List) {
        let before = std::mem::take(&mut *self.written(list));
        drop(before);
    }

    fn written(&self, list: List) -> RwLockWriteGuard<'_, Written> {
        self.lists[list as usize].write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ListPages {
    /// The result that answers a request for a page; `None` for a cursor that this list never gave.
    pub(crate) fn get(&self, cursor: Option<&str>) -> Option<&[u8]> {
        self.0.iter().find(|page| page.cursor.as_deref() == cursor).map(|page| &*page.result)
    }
}

fn pages(list: List, items: &[Item<'_>], revision: Revision, layout: &Layout) -> Box<[Page]> {
    let chunks: Vec<&[Item<'_>]> = if items.is_empty() { vec![&[]] } else { items.chunks(layout.page_size).collect() };
    // The cursor behind each page but the last, which is what asks for the next one.
    let behind: Vec<String> =
        chunks[1..].iter().zip(&chunks).filter_map(|(_, page)| Some(cursor(list, page.last()?.name))).collect();
    let numbered = |(index, chunk): (usize, &&[Item<'_>])| {
        let next = behind.get(index).map(String::as_str);
        let result = page(list, chunk, next, revision, layout).into_boxed_slice();
        Page { cursor: index.checked_sub(1).map(|before| behind[before].clone()), result }
    };
    chunks.iter().enumerate().map(numbered).collect()
}

/// The result that shows some items, and the cursor of the next page if there is one.
fn page(list: List, items: &[Item<'_>], next: Option<&str>, revision: Revision, layout: &Layout) -> Vec<u8> {
    let mut result = Vec::new();
    let write = |out: &mut Vec<u8>, item: &Item<'_>| (item.write)(out, revision);
    revision::list(&mut result, revision, (list.key(), items, write), next, &layout.identity, layout.caching);
    result
}

/// Where a page of a list begins that is made for one request: behind the item of this name and URI, whether that is still
/// there or not.
pub(crate) struct After {
    name: String,
    uri: String,
}

impl After {
    /// Reads a cursor of a list; `None` if the list never gives such a one.
    pub(crate) fn read(list: List, cursor: &str) -> Option<Self> {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
        let (key, place) = text.split_once('\n')?;
        let (name, uri) = place.rsplit_once('\n')?;
        (key == list.key()).then(|| After { name: name.to_owned(), uri: uri.to_owned() })
    }
}

impl Pages {
    /// A page of a list that is made for one request, from all its items with their URIs, in the order of names and URIs. It
    /// may be made for its caller alone, so that no cache may share it.
    pub(super) fn once(
        &self,
        list: List,
        items: Vec<(&str, Item<'_>)>,
        after: Option<&After>,
        revision: Revision,
    ) -> Vec<u8> {
        let is_behind = |uri: &str, item: &Item<'_>| {
            after.is_none_or(|after| (item.name, uri) > (after.name.as_str(), after.uri.as_str()))
        };
        let mut rest = items.into_iter().filter(|(uri, item)| is_behind(uri, item)).peekable();
        let shown: Vec<(&str, Item<'_>)> = rest.by_ref().take(self.layout.page_size).collect();
        let last = shown.last().filter(|_| rest.peek().is_some());
        let next = last.map(|(uri, item)| cursor(list, &format!("{}\n{uri}", item.name)));
        let shown: Vec<Item<'_>> = shown.into_iter().map(|(_, item)| item).collect();
        let caching = Caching { public: false, ..self.layout.caching };
        let layout = Layout { caching, identity: Arc::clone(&self.layout.identity), ..self.layout };
        page(list, &shown, next.as_deref(), revision, &layout)
    }
}

/// A cursor says behind which item the page begins. It is the same on every instance of the same server.
fn cursor(list: List, last: &str) -> String {
    URL_SAFE_NO_PAD.encode(format!("{}\n{last}", list.key()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn written(list: List, names: &[&str], page_size: usize, revision: Revision) -> Arc<ListPages> {
        let quote = |name: &str| format!("{name:?}").into_bytes();
        let item = |name| Item { name, write: Box::new(move |out: &mut Vec<u8>, _| out.extend(quote(name))) };
        let items: Vec<Item<'_>> = names.iter().copied().map(item).collect();
        let identity = Arc::new(Identity::new(Default::default()));
        let pages = Pages::new(Layout { page_size, identity, caching: Caching { ttl_ms: 0, public: false } });
        pages.write(list, &items, revision)
    }

    #[test]
    fn pages_together_are_the_whole_list_and_cursors_belong_to_one_list() {
        let names = ["a", "b", "c", "d", "e"];
        let [tools, prompts] = [List::Tools, List::Prompts].map(|list| written(list, &names, 2, Revision::LATEST));
        let (mut seen, mut sizes, mut cursor) = (Vec::new(), Vec::new(), None::<String>);
        loop {
            let result = tools.get(cursor.as_deref()).expect("a page");
            let page: Value = serde_json::from_slice(result).expect("JSON");
            let items = page["tools"].as_array().expect("an array").clone();
            sizes.push(items.len());
            seen.extend(items);
            cursor = page.get("nextCursor").map(|c| c.as_str().expect("a string").to_owned());
            match &cursor {
                Some(cursor) => assert!(prompts.get(Some(cursor)).is_none()),
                None => break,
            }
        }
        assert_eq!(sizes, [2, 2, 1]);
        assert_eq!(seen, names);
        for bogus in ["", "zzz"] {
            assert!(tools.get(Some(bogus)).is_none());
        }
    }

    #[test]
    fn an_empty_list_has_one_empty_page() {
        let list = written(List::Tools, &[], 2, Revision::LATEST_HANDSHAKE);
        assert_eq!(list.get(None).expect("a page"), br#"{"tools":[]}"#);
    }
}
