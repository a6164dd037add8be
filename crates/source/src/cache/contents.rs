//! What a cache holds, for people, and emptying it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::directories::Group;
use super::sweep::{Item, items, open, remove_abandoned, shards, turn};
use super::{Cache, Kind, ledger};

/// What a cache holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    pub directory: PathBuf,
    /// The most bytes that it keeps.
    pub bound: u64,
    pub bytes: u64,
    pub entries: u64,
    /// In a fixed order, without those that it has none of.
    pub kinds: Vec<KindCount>,
    /// When the entry was last used that was used longest ago.
    pub oldest: Option<SystemTime>,
}

/// The entries of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindCount {
    pub kind: &'static str,
    pub entries: u64,
    pub bytes: u64,
}

/// What emptying a cache removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleared {
    pub directory: PathBuf,
    pub entries: u64,
    pub bytes: u64,
    /// Entries that running processes use.
    pub in_use: u64,
}

impl Contents {
    /// How long ago the oldest entry was used.
    pub fn oldest_age(&self) -> Option<Duration> {
        self.oldest.map(|used| used.elapsed().unwrap_or_default())
    }
}

impl Cache {
    /// What the cache holds. None if there is no cache.
    pub fn contents(&self) -> Option<Contents> {
        let directory = self.directory()?.to_owned();
        let items = own_items(&directory);
        let mut found: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for item in &items {
            let (entries, bytes) = found.entry(item.kind.unwrap_or_default()).or_default();
            *entries += 1;
            *bytes += item.bytes;
        }
        let kinds = Kind::ALL.map(|(_, name)| name).into_iter().chain(Group::ALL.map(Group::kind));
        let count = |kind| {
            let (entries, bytes) = *found.get(kind)?;
            Some(KindCount { kind, entries, bytes })
        };
        Some(Contents {
            directory,
            bound: self.bound(),
            bytes: items.iter().map(|item| item.bytes).sum(),
            entries: items.len() as u64,
            kinds: kinds.filter_map(count).collect(),
            oldest: items.iter().map(|item| item.used).min(),
        })
    }

    /// Removes every entry that is not in use, and nothing that Ripple did not write. None if there
    /// is no cache.
    pub fn clear(&self) -> Option<Cleared> {
        let directory = self.directory()?.to_owned();
        let mut cleared = Cleared { directory, entries: 0, bytes: 0, in_use: 0 };
        let root = &cleared.directory;
        let _turn = turn(root);
        for item in own_items(root) {
            if item.remove() {
                cleared.entries += 1;
                cleared.bytes += item.bytes;
            } else {
                cleared.in_use += 1;
            }
        }
        remove_abandoned(root);
        let groups = Group::ALL.map(|group| root.join(group.name()));
        if cleared.entries > 0 {
            // Fails, as it should, where something else is left.
            shards(root).chain(groups).for_each(|place| drop(fs::remove_dir(place)));
        }
        ledger::remove(root);
        Some(cleared)
    }
}

/// What is in the cache, with its kind; without files that only look like Ripple's.
fn own_items(root: &Path) -> Vec<Item> {
    let known = |mut item: Item| {
        if item.kind.is_none() {
            item.kind = Some(Kind::of_file(&open(&item.path).ok()?)?.name());
        }
        Some(item)
    };
    items(root).into_iter().filter_map(known).collect()
}
