//! Operations on names: open, create, remove, rename, link, stat, permissions, directories.

use super::super::clock::Time;
use super::super::errno::Errno;
use super::flags::*;
use super::node::{NodeId, NodeKind, Stat};
use super::path::Place;
use super::{Halt, Vfs};

/// Nesting limit of directories.
const MAX_DEPTH: usize = 2000;
/// Files, directories and links made in one run, removed ones included.
const MAX_NODES: usize = 1 << 20;

/// One entry of a directory listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: Vec<u8>,
    pub inode: u64,
    /// The `DT_*` number of its type.
    pub kind: u8,
}

impl Vfs {
    /// `open` and `openat`.
    pub fn open(&mut self, at: i32, path: &[u8], flags: u32, mode: u32) -> Result<i32, Errno> {
        if flags & O_ACCMODE == O_ACCMODE {
            return Err(Errno::EINVAL);
        }
        self.check_free_descriptor()?;
        let create = flags & O_CREAT != 0;
        let exclusive = create && flags & O_EXCL != 0;
        let follow = flags & O_NOFOLLOW == 0 && !exclusive;
        if flags & O_TMPFILE_BIT != 0 {
            return self.open_unnamed(at, path, flags, mode);
        }
        let place = if create {
            self.locate_for_opening(at, path, follow)?
        } else {
            self.resolve(at, path, follow)?
        };
        if create && place.slash {
            return Err(Errno::EISDIR);
        }
        let node = match place.node {
            Some(_) if exclusive => return Err(Errno::EEXIST),
            Some(node) => {
                self.check_open(node, flags)?;
                node
            }
            None if !create => place.existing()?,
            None if flags & O_DIRECTORY != 0 => return Err(Errno::EINVAL),
            None => {
                let kind = NodeKind::File(Default::default());
                self.create(&place, kind, mode & 0o7777 & !self.umask)?
            }
        };
        self.finish_open(node, flags)
    }

    fn check_open(&mut self, id: NodeId, flags: u32) -> Result<(), Errno> {
        let node = self.node(id);
        let access = flags & O_ACCMODE;
        if flags & O_PATH != 0 {
            return Ok(());
        }
        if flags & O_DIRECTORY != 0 && !node.is_directory() {
            return Err(Errno::ENOTDIR);
        }
        match node.kind {
            NodeKind::Symlink(_) | NodeKind::DescriptorLink(_) => return Err(Errno::ELOOP),
            NodeKind::Directory { .. }
                if access != O_RDONLY || flags & (O_CREAT | O_TRUNC) != 0 =>
            {
                return Err(Errno::EISDIR);
            }
            _ => {}
        }
        let mut wanted = match access {
            O_RDONLY => R_OK,
            O_WRONLY => W_OK,
            _ => R_OK | W_OK,
        };
        if flags & O_TRUNC != 0 {
            wanted |= W_OK;
        }
        self.may(id, wanted)?;
        if flags & O_TRUNC != 0 && matches!(self.node(id).kind, NodeKind::File(_)) {
            self.truncate_node(id, 0)?;
        }
        Ok(())
    }

    fn finish_open(&mut self, node: NodeId, flags: u32) -> Result<i32, Errno> {
        let dropped = O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC | 0o400;
        let status = flags & !dropped | O_LARGEFILE;
        self.describe(node, status, flags & O_CLOEXEC != 0)
    }

    fn open_unnamed(&mut self, at: i32, path: &[u8], flags: u32, mode: u32) -> Result<i32, Errno> {
        let directory = self.resolve(at, path, true)?.existing()?;
        if !self.node(directory).is_directory() {
            return Err(Errno::ENOTDIR);
        }
        if flags & O_ACCMODE == O_RDONLY {
            return Err(Errno::EINVAL);
        }
        self.may(directory, W_OK | X_OK)?;
        let node = self.new_node(NodeKind::File(Default::default()), mode & !self.umask & 0o7777);
        self.finish_open(node, flags)
    }

    /// Opens a new file without a name, as `tmpfile` does.
    pub fn open_temporary(&mut self) -> Result<i32, Errno> {
        self.check_free_descriptor()?;
        let node = self.new_node(NodeKind::File(Default::default()), 0o600);
        self.finish_open(node, O_RDWR)
    }

    /// Makes a node at a place that does not exist yet.
    fn create(&mut self, place: &Place, kind: NodeKind, mode: u32) -> Result<NodeId, Errno> {
        self.check_creatable(place)?;
        self.check_room(place.parent)?;
        Ok(self.add(place.parent, &place.name, kind, mode))
    }

    fn check_creatable(&self, place: &Place) -> Result<(), Errno> {
        place.check_length()?;
        if self.node(place.parent).links == 0 {
            return Err(Errno::ENOENT);
        }
        self.may(place.parent, W_OK | X_OK)
    }

    /// Bounds the size and the depth of the tree.
    fn check_room(&mut self, parent: NodeId) -> Result<(), Errno> {
        let mut depth = 0;
        let mut current = parent;
        while let NodeKind::Directory { parent, .. } = &self.node(current).kind
            && *parent != current
        {
            depth += 1;
            current = *parent;
        }
        if depth < MAX_DEPTH && self.nodes.len() < MAX_NODES {
            return Ok(());
        }
        self.halt = Some(Halt::FilesExhausted);
        Err(Errno::ENOSPC)
    }

    /// A place for a new name that is not a directory.
    fn vacant(&self, at: i32, path: &[u8]) -> Result<Place, Errno> {
        let place = self.locate(at, path, false)?;
        if place.node.is_some() {
            return Err(Errno::EEXIST);
        }
        if place.slash {
            return Err(Errno::ENOENT);
        }
        self.check_creatable(&place)?;
        Ok(place)
    }

    /// `mkdir`.
    pub fn make_directory(&mut self, at: i32, path: &[u8], mode: u32) -> Result<(), Errno> {
        let place = self.locate(at, path, false)?;
        if place.node.is_some() {
            return Err(Errno::EEXIST);
        }
        self.check_creatable(&place)?;
        self.check_room(place.parent)?;
        let mode = mode & 0o1777 & !self.umask;
        self.add_directory(place.parent, &place.name, mode);
        Ok(())
    }

    /// `unlink`.
    pub fn unlink(&mut self, at: i32, path: &[u8]) -> Result<(), Errno> {
        let place = self.locate(at, path, false)?;
        if place.is_special() {
            return Err(Errno::EISDIR);
        }
        let node = place.existing()?;
        let directory = self.node(node).is_directory();
        if place.slash && !directory {
            return Err(Errno::ENOTDIR);
        }
        self.may(place.parent, W_OK | X_OK)?;
        if directory {
            return Err(Errno::EISDIR);
        }
        self.leave(place.parent, &place.name, node);
        Ok(())
    }

    /// `rmdir`.
    pub fn remove_directory(&mut self, at: i32, path: &[u8]) -> Result<(), Errno> {
        let place = self.locate(at, path, false)?;
        match place.name.as_slice() {
            b"" => return Err(Errno::EBUSY),
            b"." => return Err(Errno::EINVAL),
            b".." => return Err(Errno::ENOTEMPTY),
            _ => {}
        }
        let node = place.existing()?;
        self.may(place.parent, W_OK | X_OK)?;
        let entries = self.node(node).entries().ok_or(Errno::ENOTDIR)?;
        if !entries.is_empty() {
            return Err(Errno::ENOTEMPTY);
        }
        self.leave(place.parent, &place.name, node);
        Ok(())
    }

    /// `remove`: a file or an empty directory.
    pub fn remove(&mut self, path: &[u8]) -> Result<(), Errno> {
        match self.unlink(AT_FDCWD, path) {
            Err(Errno::EISDIR) => self.remove_directory(AT_FDCWD, path),
            result => result,
        }
    }

    /// `rename`.
    pub fn rename(
        &mut self,
        (old_at, old): (i32, &[u8]),
        (new_at, new): (i32, &[u8]),
    ) -> Result<(), Errno> {
        let from = self.locate(old_at, old, false)?;
        let to = self.locate(new_at, new, false)?;
        if from.is_special() || to.is_special() {
            return Err(Errno::EBUSY);
        }
        let node = from.existing()?;
        to.check_length()?;
        self.check_rename(node, &from, &to)?;
        if to.node == Some(node) {
            return Ok(());
        }
        if let Some(target) = to.node {
            self.leave(to.parent, &to.name, target);
        }
        self.node_mut(node).links += 1;
        self.leave(from.parent, &from.name, node);
        self.node_mut(node).links -= 1;
        self.enter(to.parent, &to.name, node);
        Ok(())
    }

    fn check_rename(&self, node: NodeId, from: &Place, to: &Place) -> Result<(), Errno> {
        let directory = self.node(node).is_directory();
        if !directory && (from.slash || to.slash) {
            return Err(Errno::ENOTDIR);
        }
        if directory && self.is_inside(to.parent, node) {
            return Err(Errno::EINVAL);
        }
        if let Some(target) = to.node
            && self.is_inside(from.parent, target)
        {
            return Err(Errno::ENOTEMPTY);
        }
        if to.node == Some(node) {
            return Ok(());
        }
        self.may(from.parent, W_OK | X_OK)?;
        self.check_creatable(to)?;
        let Some(target) = to.node else {
            return Ok(());
        };
        match (directory, self.node(target).entries()) {
            (true, None) => Err(Errno::ENOTDIR),
            (false, Some(_)) => Err(Errno::EISDIR),
            (true, Some(entries)) if !entries.is_empty() => Err(Errno::ENOTEMPTY),
            _ => Ok(()),
        }
    }

    /// Whether a directory is another one or somewhere below it.
    fn is_inside(&self, directory: NodeId, above: NodeId) -> bool {
        let mut current = directory;
        loop {
            if current == above {
                return true;
            }
            match &self.node(current).kind {
                NodeKind::Directory { parent, .. } if *parent != current => current = *parent,
                _ => return false,
            }
        }
    }

    /// `link`, and with `AT_SYMLINK_FOLLOW` in the flags `linkat`.
    pub fn link(
        &mut self,
        (old_at, old): (i32, &[u8]),
        (new_at, new): (i32, &[u8]),
        flags: u32,
    ) -> Result<(), Errno> {
        let follow = flags & AT_SYMLINK_FOLLOW != 0;
        let node = self.resolve(old_at, old, follow)?.existing()?;
        let place = self.vacant(new_at, new)?;
        if self.node(node).is_directory() {
            return Err(Errno::EPERM);
        }
        self.enter(place.parent, &place.name, node);
        Ok(())
    }

    /// `symlink`.
    pub fn symlink(&mut self, target: &[u8], at: i32, path: &[u8]) -> Result<(), Errno> {
        if target.is_empty() {
            return Err(Errno::ENOENT);
        }
        if target.len() >= 4096 {
            return Err(Errno::ENAMETOOLONG);
        }
        let place = self.vacant(at, path)?;
        self.check_room(place.parent)?;
        self.add(place.parent, &place.name, NodeKind::Symlink(target.into()), 0o777);
        Ok(())
    }

    /// `readlink`.
    pub fn read_link(&self, at: i32, path: &[u8]) -> Result<Vec<u8>, Errno> {
        let node = self.resolve(at, path, false)?.existing()?;
        match &self.node(node).kind {
            NodeKind::Symlink(target) => Ok(target.to_vec()),
            NodeKind::DescriptorLink(number) => Ok(format!("/proc/self/fd/{number}").into()),
            _ => Err(Errno::EINVAL),
        }
    }

    /// The node that a path and `AT_*` flags name.
    fn target(&self, at: i32, path: &[u8], flags: u32) -> Result<NodeId, Errno> {
        if path.is_empty() && flags & AT_EMPTY_PATH != 0 {
            return match at {
                AT_FDCWD => Ok(self.current_directory),
                _ => Ok(self.description(at)?.node),
            };
        }
        let follow = flags & AT_SYMLINK_NOFOLLOW == 0;
        self.resolve(at, path, follow)?.existing()
    }

    /// `stat`, `lstat` (with `AT_SYMLINK_NOFOLLOW`) and `fstatat`.
    pub fn stat(&self, at: i32, path: &[u8], flags: u32) -> Result<Stat, Errno> {
        let node = self.target(at, path, flags)?;
        Ok(self.node(node).stat(node, &self.nodes))
    }

    /// `access` and `faccessat`.
    pub fn access(&self, at: i32, path: &[u8], wanted: u32, flags: u32) -> Result<(), Errno> {
        if wanted & !7 != 0 {
            return Err(Errno::EINVAL);
        }
        let node = self.target(at, path, flags)?;
        self.may(node, wanted)
    }

    /// `truncate`.
    pub fn truncate(&mut self, path: &[u8], length: i64) -> Result<(), Errno> {
        let length = u64::try_from(length).map_err(|_| Errno::EINVAL)?;
        let node = self.target(AT_FDCWD, path, 0)?;
        if self.node(node).is_directory() {
            return Err(Errno::EISDIR);
        }
        self.may(node, W_OK)?;
        self.truncate_node(node, length)
    }

    /// `chmod` and `fchmodat`.
    pub fn change_mode(&mut self, at: i32, path: &[u8], mode: u32) -> Result<(), Errno> {
        let node = self.target(at, path, 0)?;
        self.set_mode(node, mode)
    }

    /// `fchmod`.
    pub fn change_mode_descriptor(&mut self, descriptor: i32, mode: u32) -> Result<(), Errno> {
        let node = self.description(descriptor)?.node;
        self.set_mode(node, mode)
    }

    fn set_mode(&mut self, id: NodeId, mode: u32) -> Result<(), Errno> {
        self.check_owner(id)?;
        let now = self.clock.peek();
        let node = self.node_mut(id);
        node.mode = mode & 0o7777;
        node.changed = now;
        Ok(())
    }

    fn check_owner(&self, id: NodeId) -> Result<(), Errno> {
        if self.uid == 0 || self.node(id).uid == self.uid { Ok(()) } else { Err(Errno::EPERM) }
    }

    /// `chown` and the like; -1 (`u32::MAX`) leaves an id unchanged.
    pub fn change_owner(
        &mut self,
        at: i32,
        path: &[u8],
        (uid, gid): (u32, u32),
        flags: u32,
    ) -> Result<(), Errno> {
        let id = self.target(at, path, flags)?;
        let node = self.node(id);
        let uid = if uid == u32::MAX { node.uid } else { uid };
        let gid = if gid == u32::MAX { node.gid } else { gid };
        let same = (uid, gid) == (node.uid, node.gid) && node.uid == self.uid;
        if self.uid != 0 && !same {
            return Err(Errno::EPERM);
        }
        let now = self.clock.peek();
        let node = self.node_mut(id);
        (node.uid, node.gid, node.changed) = (uid, gid, now);
        Ok(())
    }

    /// `utimensat`: new access and modification times, `None` to leave one unchanged.
    pub fn set_times(
        &mut self,
        at: i32,
        path: &[u8],
        (accessed, modified): (Option<Time>, Option<Time>),
        flags: u32,
    ) -> Result<(), Errno> {
        let id = self.target(at, path, flags)?;
        self.check_owner(id)?;
        let now = self.clock.peek();
        let node = self.node_mut(id);
        node.accessed = accessed.unwrap_or(node.accessed);
        node.modified = modified.unwrap_or(node.modified);
        node.changed = now;
        Ok(())
    }

    /// `umask`: sets the mask, returns the previous one.
    pub fn set_umask(&mut self, mask: u32) -> u32 {
        std::mem::replace(&mut self.umask, mask & 0o777)
    }

    /// `chdir`.
    pub fn change_directory(&mut self, path: &[u8]) -> Result<(), Errno> {
        let node = self.target(AT_FDCWD, path, 0)?;
        self.enter_directory(node)
    }

    /// `fchdir`.
    pub fn change_directory_descriptor(&mut self, descriptor: i32) -> Result<(), Errno> {
        let node = self.description(descriptor)?.node;
        self.enter_directory(node)
    }

    fn enter_directory(&mut self, node: NodeId) -> Result<(), Errno> {
        if !self.node(node).is_directory() {
            return Err(Errno::ENOTDIR);
        }
        self.may(node, X_OK)?;
        self.current_directory = node;
        Ok(())
    }

    /// The entries of an open directory: `.`, `..`, then by name.
    pub fn list(&self, descriptor: i32) -> Result<Vec<Entry>, Errno> {
        let id = self.description(descriptor)?.node;
        let NodeKind::Directory { entries, parent } = &self.node(id).kind else {
            return Err(Errno::ENOTDIR);
        };
        let own = [(&b"."[..], id), (b"..", *parent)];
        let named = entries.iter().map(|(name, &node)| (&name[..], node));
        let all = own.into_iter().chain(named);
        Ok(all.map(|(name, node)| self.entry(name, node)).collect())
    }

    fn entry(&self, name: &[u8], node: NodeId) -> Entry {
        Entry {
            name: name.to_vec(),
            inode: node.inode(),
            // The type bits of a mode are the directory type shifted by twelve.
            kind: (self.node(node).type_bits() >> 12) as u8,
        }
    }

    /// `mkstemp` and the like: fills in the `XXXXXX` before a suffix and opens the new file.
    pub fn make_temporary_file(
        &mut self,
        template: &mut [u8],
        suffix: usize,
        flags: u32,
    ) -> Result<i32, Errno> {
        let flags = flags & !O_ACCMODE | O_RDWR | O_CREAT | O_EXCL;
        self.with_temporary_name(template, suffix, |vfs, name| {
            vfs.open(AT_FDCWD, name, flags, 0o600)
        })
    }

    /// `mkdtemp`.
    pub fn make_temporary_directory(&mut self, template: &mut [u8]) -> Result<(), Errno> {
        self.with_temporary_name(template, 0, |vfs, name| vfs.make_directory(AT_FDCWD, name, 0o700))
    }

    /// `mktemp`, `tempnam`, `tmpnam`: a name that does not exist.
    pub fn make_temporary_name(&mut self, template: &mut [u8]) -> Result<(), Errno> {
        self.with_temporary_name(template, 0, |vfs, name| {
            match vfs.stat(AT_FDCWD, name, AT_SYMLINK_NOFOLLOW) {
                Ok(_) => Err(Errno::EEXIST),
                Err(Errno::ENOENT) => Ok(()),
                Err(errno) => Err(errno),
            }
        })
    }

    fn with_temporary_name<T>(
        &mut self,
        template: &mut [u8],
        suffix: usize,
        mut attempt: impl FnMut(&mut Vfs, &[u8]) -> Result<T, Errno>,
    ) -> Result<T, Errno> {
        let start = template
            .len()
            .checked_sub(suffix)
            .and_then(|end| end.checked_sub(6))
            .filter(|&start| &template[start..start + 6] == b"XXXXXX")
            .ok_or(Errno::EINVAL)?;
        loop {
            self.serial += 1;
            let mut number = self.serial;
            for place in template[start..start + 6].iter_mut().rev() {
                *place = b'a' + (number % 26) as u8;
                number /= 26;
            }
            match attempt(self, template) {
                Err(Errno::EEXIST) => {}
                result => return result,
            }
        }
    }
}
