//! The nodes of the tree: their kinds, attributes and permissions.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::clock::Time;
use super::flags::{S_IFCHR, S_IFDIR, S_IFIFO, S_IFLNK, S_IFREG};

/// Index of a node; the inode number follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(pub u32);

impl NodeId {
    pub const ROOT: NodeId = NodeId(0);

    pub fn inode(self) -> u64 {
        u64::from(self.0) + 2
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub kind: NodeKind,
    /// Permission bits, including set-id and sticky.
    pub mode: u32,
    pub uid: u32,
    pub gid: u32,
    /// Names in directories.
    pub links: u32,
    /// Open file descriptions.
    pub opens: u32,
    pub accessed: Time,
    pub modified: Time,
    pub changed: Time,
}

pub(super) type Entries = BTreeMap<Box<[u8]>, NodeId>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    File(Arc<Vec<u8>>),
    Directory {
        entries: Arc<Entries>,
        parent: NodeId,
    },
    Symlink(Arc<[u8]>),
    /// A link that leads to what a descriptor is open on (`/dev/stdin`).
    DescriptorLink(i32),
    Device(Device),
    Pipe(Pipe),
    /// The bytes of standard input arriving through a pipe.
    Input {
        data: Arc<Vec<u8>>,
        position: usize,
    },
    /// The writing end of a pipe whose bytes are recorded.
    Output(Arc<Vec<u8>>),
    /// Removed and closed.
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Device {
    Null,
    Zero,
    Full,
    /// A fixed sequence of bytes that looks random.
    Random,
}

/// A pipe inside the process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pipe {
    pub data: Arc<Vec<u8>>,
    pub readers: u32,
    pub writers: u32,
}

impl Pipe {
    /// How much fits before a writer would wait.
    pub const CAPACITY: usize = 65536;
}

/// The result of `stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    pub device: u64,
    pub inode: u64,
    /// Type and permission bits.
    pub mode: u32,
    pub links: u64,
    pub uid: u32,
    pub gid: u32,
    pub special_device: u64,
    pub size: u64,
    pub block_size: u64,
    /// In units of 512 bytes.
    pub blocks: u64,
    pub accessed: Time,
    pub modified: Time,
    pub changed: Time,
}

impl Node {
    pub fn new(kind: NodeKind, mode: u32, (uid, gid): (u32, u32), now: Time) -> Node {
        Node {
            kind,
            mode,
            uid,
            gid,
            links: 0,
            opens: 0,
            accessed: now,
            modified: now,
            changed: now,
        }
    }

    /// Whether they are the same except for what was recorded.
    pub fn is_like(&self, other: &Node) -> bool {
        match (&self.kind, &other.kind) {
            (NodeKind::Output(recorded), NodeKind::Output(_)) => {
                let kind = NodeKind::Output(Arc::clone(recorded));
                *self == Node { kind, ..other.clone() }
            }
            _ => self == other,
        }
    }

    pub fn is_directory(&self) -> bool {
        matches!(self.kind, NodeKind::Directory { .. })
    }

    /// Entries of a directory, and nothing for everything else.
    pub fn entries(&self) -> Option<&Entries> {
        match &self.kind {
            NodeKind::Directory { entries, .. } => Some(entries),
            _ => None,
        }
    }

    /// Type bits as in `st_mode`.
    pub fn type_bits(&self) -> u32 {
        match self.kind {
            NodeKind::File(_) | NodeKind::Gone => S_IFREG,
            NodeKind::Directory { .. } => S_IFDIR,
            NodeKind::Symlink(_) | NodeKind::DescriptorLink(_) => S_IFLNK,
            NodeKind::Device(_) => S_IFCHR,
            NodeKind::Pipe(_) | NodeKind::Input { .. } | NodeKind::Output(_) => S_IFIFO,
        }
    }

    fn size(&self) -> u64 {
        match &self.kind {
            NodeKind::File(data) => data.len() as u64,
            NodeKind::Directory { .. } => 4096,
            NodeKind::Symlink(target) => target.len() as u64,
            NodeKind::DescriptorLink(_) => 15,
            _ => 0,
        }
    }

    /// Links as shown: a directory counts its own `.` and the `..` of its children.
    fn shown_links(&self, nodes: &[Node]) -> u64 {
        match self.entries() {
            Some(_) if self.links == 0 => 0,
            Some(entries) => {
                let children = entries.values();
                2 + children.filter(|child| nodes[child.0 as usize].is_directory()).count() as u64
            }
            None if self.type_bits() == S_IFIFO => 1,
            None => u64::from(self.links),
        }
    }

    pub fn stat(&self, id: NodeId, nodes: &[Node]) -> Stat {
        let size = self.size();
        let special_device = match self.kind {
            NodeKind::Device(Device::Null) => 0x103,
            NodeKind::Device(Device::Zero) => 0x105,
            NodeKind::Device(Device::Full) => 0x107,
            NodeKind::Device(Device::Random) => 0x109,
            _ => 0,
        };
        Stat {
            device: if self.type_bits() == S_IFIFO { 14 } else { 1 },
            inode: id.inode(),
            mode: self.type_bits() | self.mode,
            links: self.shown_links(nodes),
            uid: self.uid,
            gid: self.gid,
            special_device,
            size,
            block_size: 4096,
            blocks: match self.kind {
                NodeKind::File(_) | NodeKind::Directory { .. } => size.div_ceil(4096) * 8,
                _ => 0,
            },
            accessed: self.accessed,
            modified: self.modified,
            changed: self.changed,
        }
    }

    /// Whether a user may do all of `wanted` (bits of `R_OK`, `W_OK`, `X_OK`).
    pub fn permits(&self, uid: u32, gid: u32, wanted: u32) -> bool {
        if uid == 0 {
            // The superuser may do everything except execute a file without any execute bit.
            return wanted & 1 == 0 || self.is_directory() || self.mode & 0o111 != 0;
        }
        let granted = if self.uid == uid {
            self.mode >> 6
        } else if self.gid == gid {
            self.mode >> 3
        } else {
            self.mode
        };
        granted & wanted == wanted
    }
}
