//! The changes of a run to files, relative to the beginning.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Vfs;
use super::node::{NodeId, NodeKind};

/// A file that changed. Device files and the standard streams do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Absolute.
    pub path: Vec<u8>,
    pub kind: ChangeKind,
    /// The contents of a file, or the target of a symbolic link, at the end of the run.
    pub content: Option<Arc<Vec<u8>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Created,
    /// Other contents, another type or other permissions.
    Changed,
    Removed,
}

pub(super) type Baseline = BTreeMap<Vec<u8>, Seen>;

#[derive(Clone, Debug)]
pub(super) struct Seen {
    mode: u32,
    content: Option<Arc<Vec<u8>>>,
}

impl Seen {
    fn differs(&self, other: &Seen) -> bool {
        let same_content = match (&self.content, &other.content) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            (a, b) => a.is_none() && b.is_none(),
        };
        self.mode != other.mode || !same_content
    }
}

impl Vfs {
    /// Files, directories and links that were created, changed or removed, by path.
    pub fn changes(&self) -> Vec<Change> {
        if !self.is_touched {
            return Vec::new();
        }
        let now = self.snapshot();
        let mut changes = Vec::new();
        for (path, seen) in &now {
            let kind = match self.baseline.get(path) {
                None => ChangeKind::Created,
                Some(before) if before.differs(seen) => ChangeKind::Changed,
                Some(_) => continue,
            };
            changes.push(Change { path: path.clone(), kind, content: seen.content.clone() });
        }
        let removed = self.baseline.keys().filter(|path| !now.contains_key(*path));
        changes.extend(removed.map(|path| Change {
            path: path.clone(),
            kind: ChangeKind::Removed,
            content: None,
        }));
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        changes
    }

    pub(super) fn snapshot(&self) -> Baseline {
        let mut seen = Baseline::new();
        // An explicit list instead of recursion: programs may nest directories deeply.
        let mut pending = vec![(NodeId::ROOT, Vec::new())];
        while let Some((directory, path)) = pending.pop() {
            for (name, &id) in self.node(directory).entries().into_iter().flatten() {
                let node = self.node(id);
                let content = match &node.kind {
                    NodeKind::File(data) => Some(Arc::clone(data)),
                    NodeKind::Symlink(target) => Some(Arc::new(target.to_vec())),
                    NodeKind::Directory { .. } => None,
                    _ => continue,
                };
                let full = [&path, &b"/"[..], name].concat();
                if node.is_directory() {
                    pending.push((id, full.clone()));
                }
                let mode = node.type_bits() | node.mode;
                seen.insert(full, Seen { mode, content });
            }
        }
        seen
    }
}
