//! A virtual file system and the descriptors of one process on it.
//!
//! Everything is in memory and deterministic: inode numbers, times (from the virtual clock), names
//! of temporary files, the order of directories. Errors are the errno values that Linux gives.
//! A clone shares all tables and contents until one side writes. Not modelled: other processes,
//! terminals, sockets, file locks, mounts, access times on reading.

mod changes;
mod descriptor;
pub mod flags;
mod node;
mod path;
mod tree;

use std::sync::Arc;

pub use changes::{Change, ChangeKind};
pub use node::Stat;
pub use tree::Entry;

use self::changes::Baseline;
use self::descriptor::Table;
use self::flags::{O_RDONLY, O_WRONLY};
use self::node::{Device, Entries, Node, NodeId, NodeKind};
use super::clock::Clock;
use super::errno::Errno;

/// The initial state of a run.
#[derive(Clone, Debug)]
pub struct Setup {
    pub stdin: Vec<u8>,
    /// Whether standard input is a pipe or a seekable file.
    pub stdin_channel: Channel,
    /// Files, in order; missing parent directories are created. Relative names are relative to the
    /// current directory.
    pub files: Vec<InitialFile>,
    pub current_directory: Vec<u8>,
    pub uid: u32,
    pub gid: u32,
    pub umask: u32,
    pub clock: Clock,
    pub limits: Limits,
}

/// A file, directory or symbolic link that exists before the run.
#[derive(Clone, Debug)]
pub struct InitialFile {
    pub path: Vec<u8>,
    pub content: InitialContent,
    /// Permission bits.
    pub mode: u32,
}

#[derive(Clone, Debug)]
pub enum InitialContent {
    File(Arc<Vec<u8>>),
    Directory,
    Symlink(Vec<u8>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    Pipe,
    File,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes on standard output and standard error together.
    pub output: u64,
    /// Bytes in all files together.
    pub files: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { output: 64 << 20, files: 256 << 20 }
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            stdin: Vec::new(),
            stdin_channel: Channel::Pipe,
            files: Vec::new(),
            current_directory: b"/home/user".to_vec(),
            uid: 1000,
            gid: 1000,
            umask: 0o022,
            clock: Clock::default(),
            limits: Limits::default(),
        }
    }
}

/// Why the run cannot continue although no call has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// More output than the limit.
    OutputExhausted,
    /// More bytes in files than the limit, or more files than can be kept.
    FilesExhausted,
    /// The process waits for itself: a pipe that only it could fill or empty.
    Deadlock,
}

/// The file system, the descriptor table and the clock of one process.
#[derive(Clone, Debug)]
pub struct Vfs {
    pub clock: Clock,
    nodes: Arc<Vec<Node>>,
    table: Arc<Table>,
    current_directory: NodeId,
    umask: u32,
    uid: u32,
    gid: u32,
    baseline: Arc<Baseline>,
    limits: Limits,
    output_bytes: u64,
    file_bytes: u64,
    halt: Option<Halt>,
    /// Numbers the temporary names.
    serial: u64,
    stdin: NodeId,
    stdout: NodeId,
    stderr: NodeId,
    /// Whether any other node than those of the standard streams may have changed.
    is_touched: bool,
    /// Reads of files, recorded on request.
    readings: Option<Vec<Reading>>,
}

/// Bytes of a file that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The number of the file's node.
    pub node: u32,
    pub offset: usize,
    pub count: usize,
    /// Whether the read reached the end of the file.
    pub at_end: bool,
}

impl Vfs {
    /// Makes the tree of a fresh process. Fails if two initial files contradict each other.
    pub fn new(setup: &Setup) -> Result<Vfs, Errno> {
        let mut vfs = Vfs {
            clock: setup.clock,
            nodes: Arc::new(Vec::new()),
            table: Arc::default(),
            current_directory: NodeId::ROOT,
            umask: 0,
            uid: 0,
            gid: 0,
            baseline: Arc::default(),
            limits: Limits { output: setup.limits.output, files: u64::MAX },
            output_bytes: 0,
            file_bytes: 0,
            halt: None,
            serial: 0,
            stdin: NodeId::ROOT,
            stdout: NodeId::ROOT,
            stderr: NodeId::ROOT,
            is_touched: false,
            readings: None,
        };
        vfs.add_standard_tree();
        (vfs.uid, vfs.gid) = (setup.uid, setup.gid);
        vfs.add_standard_descriptors(setup);
        vfs.add_initial_files(setup)?;
        vfs.limits = setup.limits;
        vfs.umask = setup.umask & 0o777;
        vfs.baseline = Arc::new(vfs.snapshot());
        vfs.is_touched = false;
        Ok(vfs)
    }

    /// Resets this file system, which began as `beginning`, with other bytes of standard input.
    pub fn restart(&mut self, beginning: &Vfs, stdin: Vec<u8>) {
        if self.is_touched || self.nodes.len() != beginning.nodes.len() {
            self.nodes = Arc::clone(&beginning.nodes);
        }
        match Arc::get_mut(&mut self.table) {
            Some(own) => own.clone_from(&beginning.table),
            None => self.table = Arc::clone(&beginning.table),
        }
        let (nodes, table) = (Arc::clone(&self.nodes), Arc::clone(&self.table));
        *self = Vfs { nodes, table, ..beginning.clone() };
        for id in [self.stdin, self.stdout, self.stderr] {
            let node = &beginning.nodes[id.0 as usize];
            self.node_mut(id).clone_from(node);
        }
        self.set_stdin(stdin);
    }

    fn add_standard_tree(&mut self) {
        let root = self.new_directory(NodeId::ROOT, 0o755);
        debug_assert_eq!(root, NodeId::ROOT);
        self.node_mut(root).links = 1;
        let devices = self.add_directory(root, b"dev", 0o755);
        self.add_directory(root, b"tmp", 0o1777);
        for (name, device) in [
            (&b"null"[..], Device::Null),
            (b"zero", Device::Zero),
            (b"full", Device::Full),
            (b"random", Device::Random),
            (b"urandom", Device::Random),
        ] {
            self.add(devices, name, NodeKind::Device(device), 0o666);
        }
        let by_number = self.add_directory(devices, b"fd", 0o555);
        for (number, name) in [&b"stdin"[..], b"stdout", b"stderr"].into_iter().enumerate() {
            let link = NodeKind::DescriptorLink(number as i32);
            self.add(devices, name, link.clone(), 0o777);
            self.add(by_number, &[b'0' + number as u8], link, 0o777);
        }
    }

    fn add_standard_descriptors(&mut self, setup: &Setup) {
        let data = Arc::new(setup.stdin.clone());
        let input = match setup.stdin_channel {
            Channel::Pipe => NodeKind::Input { data, position: 0 },
            Channel::File => NodeKind::File(data),
        };
        let input = self.new_node(input, 0o600);
        self.stdin = input;
        self.stdout = self.new_node(NodeKind::Output(Arc::default()), 0o600);
        self.stderr = self.new_node(NodeKind::Output(Arc::default()), 0o600);
        for (node, access) in [(input, O_RDONLY), (self.stdout, O_WRONLY), (self.stderr, O_WRONLY)]
        {
            self.describe(node, access, false).expect("an empty descriptor table has room");
        }
    }

    /// Replaces the bytes of standard input, before anything was read.
    pub fn set_stdin(&mut self, bytes: Vec<u8>) {
        let fresh = Arc::new(bytes);
        match &mut self.node_mut(self.stdin).kind {
            NodeKind::Input { data, .. } | NodeKind::File(data) => *data = fresh,
            other => unreachable!("standard input starts as a pipe or a file, not {other:?}"),
        }
    }

    fn add_initial_files(&mut self, setup: &Setup) -> Result<(), Errno> {
        // The current directory belongs to the user, whatever is above it does not.
        let owner = std::mem::replace(&mut self.uid, 0);
        let home = self.make_path(NodeId::ROOT, &setup.current_directory)?;
        self.uid = owner;
        let (uid, gid) = (self.uid, self.gid);
        let node = self.node_mut(home);
        (node.uid, node.gid) = (uid, gid);
        self.current_directory = home;
        for file in &setup.files {
            self.add_initial_file(file)?;
        }
        Ok(())
    }

    fn add_initial_file(&mut self, file: &InitialFile) -> Result<(), Errno> {
        let slash = file.path.iter().rposition(|&byte| byte == b'/');
        let (above, name) = match slash {
            Some(at) => (&file.path[..=at], &file.path[at + 1..]),
            None => (&b""[..], &file.path[..]),
        };
        let parent = self.make_path(self.current_directory, above)?;
        let kind = match &file.content {
            InitialContent::Directory => {
                let directory = self.make_path(parent, name)?;
                self.node_mut(directory).mode = file.mode & 0o7777;
                return Ok(());
            }
            InitialContent::File(content) => NodeKind::File(Arc::clone(content)),
            InitialContent::Symlink(target) => NodeKind::Symlink(target.as_slice().into()),
        };
        if name.is_empty() || name == b"." || name == b".." {
            return Err(Errno::EISDIR);
        }
        if self.lookup(parent, name).is_some() {
            return Err(Errno::EEXIST);
        }
        if let NodeKind::File(content) = &kind {
            self.file_bytes += content.len() as u64;
        }
        self.add(parent, name, kind, file.mode & 0o7777);
        Ok(())
    }

    /// The directory at a path, made with all its parents where missing.
    fn make_path(&mut self, start: NodeId, path: &[u8]) -> Result<NodeId, Errno> {
        let absolute = path.first() == Some(&b'/');
        let mut current = if absolute { NodeId::ROOT } else { start };
        for name in path.split(|&byte| byte == b'/') {
            if name.is_empty() {
                continue;
            }
            if name.len() > 255 {
                return Err(Errno::ENAMETOOLONG);
            }
            current = match self.lookup(current, name) {
                Some(found) if self.node(found).is_directory() => found,
                Some(_) => return Err(Errno::ENOTDIR),
                None => self.add_directory(current, name, 0o755),
            };
        }
        Ok(current)
    }

    /// Standard output so far, as far as it left the program's buffers.
    pub fn stdout(&self) -> &[u8] {
        self.recorded(self.stdout)
    }

    /// Standard error so far.
    pub fn stderr(&self) -> &[u8] {
        self.recorded(self.stderr)
    }

    fn recorded(&self, node: NodeId) -> &[u8] {
        match &self.node(node).kind {
            NodeKind::Output(bytes) => bytes,
            _ => &[],
        }
    }

    /// Why the run must end, if it must. Ask after every call that reads or writes.
    pub fn halted(&self) -> Option<Halt> {
        self.halt
    }

    pub fn uid(&self) -> u32 {
        self.uid
    }

    pub fn gid(&self) -> u32 {
        self.gid
    }

    /// Whether a program that continues from here can distinguish this from another. It cannot read
    /// what it has written to standard output and standard error.
    pub(crate) fn is_like(&self, other: &Vfs) -> bool {
        // Destructured, so that no part can be forgotten.
        let Vfs {
            clock,
            nodes,
            table,
            current_directory,
            umask,
            uid,
            gid,
            baseline: _,
            limits,
            output_bytes: _,
            file_bytes,
            halt,
            serial,
            stdin,
            stdout,
            stderr,
            is_touched: _,
            readings: _,
        } = self;
        let is_output = |node: NodeId| matches!(self.node(node).kind, NodeKind::Output(_));
        *clock == other.clock
            && (*current_directory, *umask, *uid, *gid)
                == (other.current_directory, other.umask, other.uid, other.gid)
            && (*limits, *file_bytes, *halt, *serial)
                == (other.limits, other.file_bytes, other.halt, other.serial)
            && (*stdin, *stdout, *stderr) == (other.stdin, other.stdout, other.stderr)
            && (Arc::ptr_eq(nodes, &other.nodes)
                || nodes.len() == other.nodes.len()
                    && nodes.iter().zip(other.nodes.iter()).all(|(one, other)| one.is_like(other)))
            && (Arc::ptr_eq(table, &other.table) || table.is_like(&other.table, is_output))
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        self.is_touched |= ![self.stdin, self.stdout, self.stderr].contains(&id);
        &mut Arc::make_mut(&mut self.nodes)[id.0 as usize]
    }

    /// A node without a name.
    fn new_node(&mut self, kind: NodeKind, mode: u32) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let node = Node::new(kind, mode, (self.uid, self.gid), self.clock.peek());
        Arc::make_mut(&mut self.nodes).push(node);
        id
    }

    fn new_directory(&mut self, parent: NodeId, mode: u32) -> NodeId {
        let entries = Arc::new(Entries::new());
        self.new_node(NodeKind::Directory { entries, parent }, mode)
    }

    fn add(&mut self, parent: NodeId, name: &[u8], kind: NodeKind, mode: u32) -> NodeId {
        let id = self.new_node(kind, mode);
        self.enter(parent, name, id);
        id
    }

    fn add_directory(&mut self, parent: NodeId, name: &[u8], mode: u32) -> NodeId {
        let id = self.new_directory(parent, mode);
        self.enter(parent, name, id);
        id
    }

    /// Gives a node a name.
    fn enter(&mut self, parent: NodeId, name: &[u8], id: NodeId) {
        self.edit_entries(parent, |entries| {
            entries.insert(name.into(), id);
        });
        let now = self.clock.peek();
        let node = self.node_mut(id);
        node.links += 1;
        node.changed = now;
        if let NodeKind::Directory { parent: above, .. } = &mut node.kind {
            *above = parent;
        }
    }

    /// Removes a name; the node is removed with its last name and descriptor.
    fn leave(&mut self, parent: NodeId, name: &[u8], id: NodeId) {
        self.edit_entries(parent, |entries| {
            entries.remove(name);
        });
        let now = self.clock.peek();
        let node = self.node_mut(id);
        node.links -= 1;
        node.changed = now;
        self.reclaim(id);
    }

    fn edit_entries(&mut self, directory: NodeId, edit: impl FnOnce(&mut Entries)) {
        let now = self.clock.peek();
        let node = self.node_mut(directory);
        if let NodeKind::Directory { entries, .. } = &mut node.kind {
            edit(Arc::make_mut(entries));
            node.modified = now;
            node.changed = now;
        }
    }

    fn reclaim(&mut self, id: NodeId) {
        let node = self.node(id);
        if node.links > 0 || node.opens > 0 || id == self.current_directory {
            return;
        }
        // The caller still reads outputs, and looking up `..` still needs the directory.
        match &node.kind {
            NodeKind::File(data) => {
                self.file_bytes -= (data.len() as u64).min(self.file_bytes);
                self.node_mut(id).kind = NodeKind::Gone;
            }
            NodeKind::Symlink(_) | NodeKind::Pipe(_) => self.node_mut(id).kind = NodeKind::Gone,
            NodeKind::Directory { .. }
            | NodeKind::DescriptorLink(_)
            | NodeKind::Device(_)
            | NodeKind::Input { .. }
            | NodeKind::Output(_)
            | NodeKind::Gone => {}
        }
    }

    fn may(&self, id: NodeId, wanted: u32) -> Result<(), Errno> {
        if self.node(id).permits(self.uid, self.gid, wanted) { Ok(()) } else { Err(Errno::EACCES) }
    }
}

#[cfg(test)]
mod tests;
