//! The lists, written once for every revision, page by page, and again when something on them changes.

use crate::model::ListKind;
use crate::revision::{self, Caching, Identity, Revision};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::sync::{Arc, PoisonError, RwLock};

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
    result: Vec<u8>,
}

/// All pages of one list, by revision.
pub(crate) struct ListPages([Vec<Page>; Revision::ALL.len()]);

/// All lists. A request takes a list as it is at that moment: the lock is held for as long as it takes to do so, never while
/// a list is written.
pub(crate) struct Pages {
    lists: [RwLock<Arc<ListPages>>; List::ALL.len()],
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
    /// Writes all lists. `items` gives those of one list, in order.
    pub(super) fn new<'i>(items: impl Fn(List) -> Vec<Item<'i>>, layout: Layout) -> Self {
        let lists = List::ALL.map(|list| RwLock::new(Arc::new(ListPages::new(list, &items(list), &layout))));
        Pages { lists, layout }
    }

    /// Writes a list for some of its readers.
    pub(super) fn write(&self, list: List, items: &[Item<'_>]) -> ListPages {
        ListPages::new(list, items, &self.layout)
    }

    /// Writes one list anew.
    pub(super) fn rewrite(&self, list: List, items: &[Item<'_>]) {
        let pages = Arc::new(self.write(list, items));
        let before = {
            let mut place = self.lists[list as usize].write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *place, pages)
        };
        drop(before);
    }

    /// A list as it is now.
    pub(crate) fn of(&self, list: List) -> Arc<ListPages> {
        Arc::clone(&self.lists[list as usize].read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ListPages {
    fn new(list: List, items: &[Item<'_>], layout: &Layout) -> Self {
        ListPages(Revision::ALL.map(|revision| pages(list, items, revision, layout)))
    }

    /// The result that answers a request for a page; `None` for a cursor that this list never gave.
    pub(crate) fn get(&self, revision: Revision, cursor: Option<&str>) -> Option<&[u8]> {
        let pages = &self.0[revision.index()];
        pages.iter().find(|page| page.cursor.as_deref() == cursor).map(|page| page.result.as_slice())
    }
}

fn pages(list: List, items: &[Item<'_>], revision: Revision, layout: &Layout) -> Vec<Page> {
    let chunks: Vec<&[Item<'_>]> = if items.is_empty() { vec![&[]] } else { items.chunks(layout.page_size).collect() };
    let cursors: Vec<Option<String>> =
        chunks.iter().map(|chunk| chunk.last().map(|last| cursor(list, last.name))).collect();
    let numbered = |(index, chunk): (usize, &&[Item<'_>])| {
        let next = if index + 1 < chunks.len() { cursors[index].as_deref() } else { None };
        let result = page(list, chunk, next, revision, layout);
        Page { cursor: index.checked_sub(1).and_then(|before| cursors[before].clone()), result }
    };
    chunks.iter().enumerate().map(numbered).collect()
}

/// The result that shows some items, and the cursor of the next page if there is one.
fn page(list: List, items: &[Item<'_>], next: Option<&str>, revision: Revision, layout: &Layout) -> Vec<u8> {
    let mut array = vec![b'['];
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            array.push(b',');
        }
        (item.write)(&mut array, revision);
    }
    array.push(b']');
    let array = String::from_utf8(array).unwrap_or_default();
    let mut result = Vec::new();
    revision::list(&mut result, revision, (list.key(), &array), next, &layout.identity, layout.caching);
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

    fn pages_of(names: &[&str], page_size: usize) -> Pages {
        let items = |list| match list {
            List::Tools => names
                .iter()
                .map(|name| Item {
                    name,
                    write: Box::new(move |out: &mut Vec<u8>, _| out.extend_from_slice(format!("{name:?}").as_bytes())),
                })
                .collect(),
            _ => Vec::new(),
        };
        let identity = Arc::new(Identity::new(Default::default()));
        Pages::new(items, Layout { page_size, identity, caching: Caching { ttl_ms: 0, public: false } })
    }

    #[test]
    fn pages_together_are_the_whole_list_and_cursors_belong_to_one_list() {
        let pages = pages_of(&["a", "b", "c", "d", "e"], 2);
        let (mut seen, mut sizes, mut cursor) = (Vec::new(), Vec::new(), None::<String>);
        loop {
            let list = pages.of(List::Tools);
            let result = list.get(Revision::LATEST, cursor.as_deref()).expect("a page");
            let page: Value = serde_json::from_slice(result).expect("JSON");
            let items = page["tools"].as_array().expect("an array").clone();
            sizes.push(items.len());
            seen.extend(items);
            cursor = page.get("nextCursor").map(|c| c.as_str().expect("a string").to_owned());
            match &cursor {
                Some(cursor) => assert!(pages.of(List::Prompts).get(Revision::LATEST, Some(cursor)).is_none()),
                None => break,
            }
        }
        assert_eq!(sizes, [2, 2, 1]);
        assert_eq!(seen, ["a", "b", "c", "d", "e"]);
        for bogus in ["", "zzz"] {
            assert!(pages.of(List::Tools).get(Revision::LATEST, Some(bogus)).is_none());
        }
    }

    #[test]
    fn an_empty_list_has_one_empty_page() {
        let pages = pages_of(&[], 2);
        let list = pages.of(List::Tools);
        let result = list.get(Revision::LATEST_HANDSHAKE, None).expect("a page");
        assert_eq!(result, br#"{"tools":[]}"#);
    }
}
