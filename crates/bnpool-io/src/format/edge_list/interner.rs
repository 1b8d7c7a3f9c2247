//! Names and the numbers of nodes.

use std::borrow::Cow;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::format::build::edge_table::NodeIds;

/// Longest name that is its own key.
const SHORT: usize = 15;

/// Marks the key of a longer name, where a short one has its length.
const LONG: u8 = u8::MAX;

/// Names numbered in the order in which they appear.
///
/// A table of a million names does not fit the cache, and a search waits for
/// memory twice: for the slot, and for the key behind it. So names are numbered
/// many at a time, and the memory of all is asked for before the first is
/// compared. Names are never on the heap one by one.
pub(super) struct Interner {
    /// Open addressing, a power of two of slots, each with the place of a key in
    /// as many of its low bits as count the slots (0 if it is free), and a
    /// part of its hash in the others. Small slots keep more of them in cache.
    slots: Vec<u32>,
    /// The key of number `n` at `n + 1`; the first is nobody's.
    keys: Vec<u128>,
    /// The bytes of all long names.
    long: Vec<u8>,
    hasher: RandomState,
    searches: Vec<Search>,
}

/// A search on its way; `key` is 0 if the name is long.
struct Search {
    key: u128,
    hash: u64,
    slot: u32,
}

impl Interner {
    pub(super) fn new() -> Self {
        Self {
            slots: vec![0; 1 << 10],
            keys: vec![0],
            long: Vec::new(),
            hasher: RandomState::default(),
            searches: Vec::new(),
        }
    }

    /// The number of names.
    pub(super) fn len(&self) -> usize {
        self.keys.len() - 1
    }

    /// Tells `take` the number of every name; none is empty, and all together
    /// there are fewer than 2³² of them.
    pub(super) fn number(&mut self, names: &[Cow<'_, str>], mut take: impl FnMut(u32)) {
        self.make_room(names.len());
        let mut searches = std::mem::take(&mut self.searches);
        searches.clear();
        searches.extend(names.iter().map(|name| {
            let key = short_key(name.as_bytes()).unwrap_or(0);
            let hash = self.hash(key, name.as_bytes());
            Search { key, hash, slot: 0 }
        }));
        // Loops as small as these keep many loads on their way at a time.
        let (slots, tags) = (&self.slots[..], self.tags());
        for search in &mut searches {
            search.slot = slots[search.hash as usize & (slots.len() - 1)];
        }
        for search in &mut searches {
            search.slot = tags.place(walk(slots, tags, search.hash, search.slot));
        }
        for search in &mut searches {
            let same = self.keys[search.slot as usize] == search.key;
            search.slot *= u32::from(same & (search.key != 0));
        }
        for (search, name) in searches.iter().zip(names) {
            let place = match search.slot {
                0 => self.find_or_insert(search, name.as_bytes()),
                place => place,
            };
            take(place - 1);
        }
        self.searches = searches;
    }

    /// Whether there is this name.
    pub(super) fn contains(&self, name: &str) -> bool {
        let name = name.as_bytes();
        let key = short_key(name).unwrap_or(0);
        let (tags, hash) = (self.tags(), self.hash(key, name));
        let mut home = self.home(hash);
        loop {
            match tags.place(self.slots[home]) {
                0 => return false,
                place if self.is(place, key, name) => return true,
                _ => home = (home + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// The ids of the nodes: whole numbers rising, anything else in the order of
    /// its bytes. The edges are renumbered to fit.
    pub(super) fn into_ids(mut self, edges: &mut [(u32, u32)]) -> NodeIds {
        self.slots = Vec::new();
        let long = std::mem::take(&mut self.long);
        // Without the one that is nobody's.
        let keys = self.keys.split_off(1);
        drop(self);
        let name = |key: &u128| -> String {
            String::from_utf8_lossy(name_of(*key, &key.to_le_bytes(), &long)).into_owned()
        };
        if keys
            .par_iter()
            .all(|key| is_whole_number(name_of(*key, &key.to_le_bytes(), &long)))
        {
            let names = keys.par_iter().map(name).collect();
            return NodeIds::of_names(names, edges);
        }
        let mut order: Vec<(u128, u32)> = keys
            .par_iter()
            .zip(0..keys.len() as u32)
            .map(|(&key, number)| (sort_key(key, &long), number))
            .collect();
        order.par_sort_unstable_by(|one, other| {
            one.0.cmp(&other.0).then_with(|| {
                // Names that begin alike, if they are long; nothing else is equal.
                let (one, other) = (keys[one.1 as usize], keys[other.1 as usize]);
                long_name(one, &long).cmp(long_name(other, &long))
            })
        });
        let mut ranks = vec![0; order.len()];
        for (&(_, number), rank) in order.iter().zip(0..) {
            ranks[number as usize] = rank;
        }
        edges.par_iter_mut().for_each(|(source, target)| {
            (*source, *target) = (ranks[*source as usize], ranks[*target as usize]);
        });
        let names = order
            .par_iter()
            .map(|&(_, number)| name(&keys[number as usize]));
        NodeIds::Names(names.collect())
    }

    fn find_or_insert(&mut self, search: &Search, name: &[u8]) -> u32 {
        let tags = self.tags();
        let mut home = self.home(search.hash);
        loop {
            let slot = self.slots[home];
            let place = tags.place(slot);
            if place == 0 {
                let place = self.keys.len() as u32;
                self.slots[home] = tags.of(search.hash) | place;
                let key = match search.key {
                    0 => long_key(name, &mut self.long),
                    key => key,
                };
                self.keys.push(key);
                return place;
            }
            if slot == tags.of(search.hash) | place && self.is(place, search.key, name) {
                return place;
            }
            home = (home + 1) & (self.slots.len() - 1);
        }
    }

    fn is(&self, place: u32, key: u128, name: &[u8]) -> bool {
        let own = self.keys[place as usize];
        if key != 0 {
            return own == key;
        }
        own.to_le_bytes()[SHORT] == LONG && long_name(own, &self.long) == name
    }

    fn hash(&self, key: u128, name: &[u8]) -> u64 {
        match key {
            0 => self.hasher.hash_one(name),
            key => self.hasher.hash_one(key),
        }
    }

    fn tags(&self) -> Tags {
        Tags::for_slots(self.slots.len())
    }

    fn home(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    /// Grows the table until `more` names leave three eighths of it free.
    fn make_room(&mut self, more: usize) {
        let full = |slots: usize| slots / 8 * 5;
        let mut slots = self.slots.len();
        while self.keys.len() + more > full(slots) {
            slots *= 2;
        }
        if slots == self.slots.len() {
            return;
        }
        self.slots = Vec::new();
        self.slots = vec![0; slots];
        let tags = self.tags();
        for (place, &key) in self.keys.iter().enumerate().skip(1) {
            let hash = match key.to_le_bytes()[SHORT] {
                LONG => self.hash(0, long_name(key, &self.long)),
                _ => self.hash(key, &[]),
            };
            let mut home = self.home(hash);
            while self.slots[home] != 0 {
                home = (home + 1) & (slots - 1);
            }
            self.slots[home] = tags.of(hash) | place as u32;
        }
    }
}

/// Which bits of a slot are a part of the hash.
#[derive(Clone, Copy)]
struct Tags(u32);

impl Tags {
    /// Places are smaller than the number of slots, a power of two.
    fn for_slots(slots: usize) -> Self {
        Self(!((slots - 1) as u32))
    }

    /// The bits of a hash that stand in a slot; others than those of its home.
    fn of(self, hash: u64) -> u32 {
        (hash >> 32) as u32 & self.0
    }

    fn place(self, slot: u32) -> u32 {
        slot & !self.0
    }
}

/// The first slot from `slot`, the one at home, on whose hash looks right; a free
/// one if there is none.
fn walk(slots: &[u32], tags: Tags, hash: u64, mut slot: u32) -> u32 {
    let last = slots.len() - 1;
    let mut home = hash as usize & last;
    while slot != 0 && (slot ^ (hash >> 32) as u32) & tags.0 != 0 {
        home = (home + 1) & last;
        slot = slots[home];
    }
    slot
}

/// A short name as a number, its length in the last byte.
fn short_key(name: &[u8]) -> Option<u128> {
    let length = name.len();
    // Two loads that may overlap: copying a few bytes takes longer.
    let bytes = if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        if length > SHORT {
            return None;
        }
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        u128::from(first) | u128::from(last) << (8 * (length - 8))
    } else if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        u128::from(first) | u128::from(last) << (8 * (length - 4))
    } else {
        name.iter()
            .rev()
            .fold(0, |key, &byte| key << 8 | u128::from(byte))
    };
    Some(bytes | (length as u128) << (8 * SHORT))
}

/// The bytes of the name behind a key; those of a short one are `bytes`.
fn name_of<'a>(key: u128, bytes: &'a [u8; 16], long: &'a [u8]) -> &'a [u8] {
    match bytes[SHORT] {
        LONG => long_name(key, long),
        length => &bytes[..usize::from(length)],
    }
}

/// A number that sorts like the name behind a key, up to long names that begin
/// alike: the first bytes of the name, the first of them highest, and its length
/// at the end (long names count as longest), so that a name comes before those
/// that go on.
fn sort_key(key: u128, long: &[u8]) -> u128 {
    let mut bytes = key.to_le_bytes();
    if bytes[SHORT] == LONG {
        bytes[..SHORT].copy_from_slice(&long_name(key, long)[..SHORT]);
    }
    u128::from_be_bytes(bytes)
}

/// Whether a name can be a whole number.
fn is_whole_number(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(u8::is_ascii_digit)
}

/// The place of a long name: its start in 64 bits, its length in 56.
fn long_key(name: &[u8], long: &mut Vec<u8>) -> u128 {
    let key = long.len() as u128 | (name.len() as u128) << 64 | u128::from(LONG) << (8 * SHORT);
    long.extend_from_slice(name);
    key
}

fn long_name(key: u128, long: &[u8]) -> &[u8] {
    let start = key as u64 as usize;
    let length = (key << 8 >> 72) as usize;
    &long[start..start + length]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of all lengths, in two batches, against the plain way.
    #[test]
    fn numbers_names_as_they_appear() {
        let name = |k: usize| match k % 5 {
            0 => format!("{k}"),
            1 => format!("fifteen bytes{:02}", k % 97),
            2 => format!("sixteen bytes {:02}", k % 97),
            3 => format!("{} {}", "long".repeat(k % 50), k % 13),
            _ => "é".to_owned(),
        };
        let names: Vec<_> = (0..40_000)
            .map(|k| Cow::from(name(k * 7 % 9_001)))
            .collect();
        let mut interner = Interner::new();
        let mut numbers = Vec::new();
        for batch in names.chunks(137) {
            interner.number(batch, |number| numbers.push(number));
        }
        let mut expected: Vec<&str> = Vec::new();
        let mut known = std::collections::HashMap::new();
        for (name, number) in names.iter().zip(&numbers) {
            let next = expected.len() as u32;
            assert_eq!(number, known.entry(&**name).or_insert(next), "{name}");
            if *number == next {
                expected.push(name);
            }
        }
        assert_eq!(interner.len(), expected.len());
        for name in &expected {
            assert!(interner.contains(name), "{name}");
            assert!(!interner.contains(&format!("{name}!")), "{name}");
        }
        let mut edges: Vec<_> = numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        let NodeIds::Names(sorted) = interner.into_ids(&mut edges) else {
            panic!("names are no numbers");
        };
        expected.sort_unstable();
        assert_eq!(sorted, expected);
        for (edge, pair) in edges.iter().zip(names.chunks(2)) {
            assert_eq!(
                (&sorted[edge.0 as usize], &sorted[edge.1 as usize]),
                (&pair[0].to_string(), &pair[1].to_string())
            );
        }
    }

    #[test]
    fn names_sort_by_their_bytes() {
        let names = [
            "",
            "a",
            "a\0",
            "a\0b",
            "ab",
            "abcdefghijklmno",
            "abcdefghijklmno\0",
            "abcdefghijklmnop",
            "abcdefghijklmnopq",
            "abcdefghijklmnoq",
            "b",
            "é",
        ];
        let mut interner = Interner::new();
        let shuffled: Vec<_> = (1..names.len())
            .map(|k| Cow::from(names[1 + k * 7 % 11]))
            .collect();
        interner.number(&shuffled, |_| {});
        assert_eq!(
            interner.into_ids(&mut []),
            NodeIds::Names(names[1..].iter().map(ToString::to_string).collect())
        );
    }

    #[test]
    fn a_short_key_is_the_name() {
        let name = b"abcdefghijklmnopq";
        for length in 0..=SHORT {
            let key = short_key(&name[..length]).unwrap().to_le_bytes();
            assert_eq!(key[..length], name[..length]);
            assert!(key[length..SHORT].iter().all(|&byte| byte == 0));
            assert_eq!(usize::from(key[SHORT]), length);
        }
        assert_eq!(short_key(&name[..=SHORT]), None);
    }
}
