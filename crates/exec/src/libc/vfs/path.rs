//! From path names to nodes and back.

use super::super::errno::Errno;
use super::Vfs;
use super::flags::{AT_FDCWD, X_OK};
use super::node::{NodeId, NodeKind};

/// Where a path leads.
pub(super) struct Place {
    /// The directory that holds, or would hold, the last name.
    pub parent: NodeId,
    /// The last name; may be `.` or `..`, and is empty for the root.
    pub name: Vec<u8>,
    /// The node of that name, if it exists.
    pub node: Option<NodeId>,
    /// Whether the path demands a directory by a slash at its end.
    pub slash: bool,
}

impl Place {
    pub fn existing(&self) -> Result<NodeId, Errno> {
        self.check_length()?;
        self.node.ok_or(Errno::ENOENT)
    }

    /// The last name is looked up only after all directories of a call are known to exist.
    pub fn check_length(&self) -> Result<(), Errno> {
        if self.name.len() <= MAX_NAME { Ok(()) } else { Err(Errno::ENAMETOOLONG) }
    }

    /// Whether the last name is one that cannot be made or removed.
    pub fn is_special(&self) -> bool {
        matches!(self.name.as_slice(), b"" | b"." | b"..")
    }
}

/// Links followed before giving up.
const MAX_LINKS: u32 = 40;
const MAX_PATH: usize = 4096;
const MAX_NAME: usize = 255;

impl Vfs {
    /// Resolves a path; a symbolic link at its end only if `follow` or a slash asks for it.
    pub(super) fn resolve(&self, at: i32, path: &[u8], follow: bool) -> Result<Place, Errno> {
        let place = self.locate(at, path, follow || path.ends_with(b"/"))?;
        match place.node {
            Some(node) if place.slash && !self.node(node).is_directory() => Err(Errno::ENOTDIR),
            _ => Ok(place),
        }
    }

    /// As `resolve`, but the caller interprets a slash at the end: calls that make or remove names
    /// do not follow a link there.
    pub(super) fn locate(&self, at: i32, path: &[u8], follow: bool) -> Result<Place, Errno> {
        let start = self.start(at, path)?;
        self.walk(start, path, follow, false)
    }

    /// As `locate`, but does not look up a last name with a slash after it, also at the end of a
    /// link: opening refuses to create it.
    pub(super) fn locate_for_opening(
        &self,
        at: i32,
        path: &[u8],
        follow: bool,
    ) -> Result<Place, Errno> {
        let start = self.start(at, path)?;
        self.walk(start, path, follow, true)
    }

    /// Where a path begins.
    fn start(&self, at: i32, path: &[u8]) -> Result<NodeId, Errno> {
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        if path.len() >= MAX_PATH {
            return Err(Errno::ENAMETOOLONG);
        }
        match path[0] {
            b'/' => Ok(NodeId::ROOT),
            _ => self.directory_at(at),
        }
    }

    fn directory_at(&self, at: i32) -> Result<NodeId, Errno> {
        if at == AT_FDCWD {
            return Ok(self.current_directory);
        }
        let node = self.description(at)?.node;
        if self.node(node).is_directory() { Ok(node) } else { Err(Errno::ENOTDIR) }
    }

    fn walk(
        &self,
        start: NodeId,
        path: &[u8],
        follow: bool,
        stop_at_slash: bool,
    ) -> Result<Place, Errno> {
        let mut current = start;
        let mut links = 0;
        let mut slash = path.ends_with(b"/");
        // Names still to come, the next one last.
        let mut pending: Vec<Vec<u8>> = names(path);
        let mut place = Place { parent: start, name: Vec::new(), node: Some(start), slash: false };
        while let Some(name) = pending.pop() {
            let last = pending.is_empty();
            if !self.node(current).is_directory() {
                return Err(Errno::ENOTDIR);
            }
            self.may(current, X_OK)?;
            if name.len() > MAX_NAME && !last {
                return Err(Errno::ENAMETOOLONG);
            }
            let unwanted = last && slash && stop_at_slash;
            let Some(found) = self.lookup(current, &name).filter(|_| !unwanted) else {
                if !last {
                    return Err(Errno::ENOENT);
                }
                place = Place { parent: current, name, node: None, slash };
                break;
            };
            let through = !last || follow;
            let mut reached = found;
            match &self.node(found).kind {
                NodeKind::Symlink(target) if through => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(Errno::ELOOP);
                    }
                    if target.first() == Some(&b'/') {
                        current = NodeId::ROOT;
                    }
                    slash |= last && target.ends_with(b"/");
                    pending.extend(names(target));
                    place.node = Some(current);
                    continue;
                }
                NodeKind::DescriptorLink(descriptor) if through => {
                    let open = self.description(*descriptor);
                    reached = open.map_err(|_| Errno::ENOENT)?.node;
                }
                _ => {}
            }
            place = Place { parent: current, name, node: Some(reached), slash };
            current = reached;
        }
        Ok(place)
    }

    pub(super) fn lookup(&self, directory: NodeId, name: &[u8]) -> Option<NodeId> {
        match &self.node(directory).kind {
            NodeKind::Directory { entries, parent } => match name {
                b"." => Some(directory),
                b".." => Some(*parent),
                _ => entries.get(name).copied(),
            },
            _ => None,
        }
    }

    /// The absolute path of a directory; fails if it was removed.
    pub(super) fn path_of_directory(&self, directory: NodeId) -> Result<Vec<u8>, Errno> {
        let mut parts: Vec<&[u8]> = Vec::new();
        let mut current = directory;
        while current != NodeId::ROOT {
            let NodeKind::Directory { parent, .. } = &self.node(current).kind else {
                return Err(Errno::ENOTDIR);
            };
            let entries = self.node(*parent).entries().ok_or(Errno::ENOENT)?;
            let (name, _) =
                entries.iter().find(|&(_, &node)| node == current).ok_or(Errno::ENOENT)?;
            parts.push(name);
            current = *parent;
        }
        let mut path = Vec::new();
        for part in parts.iter().rev() {
            path.push(b'/');
            path.extend_from_slice(part);
        }
        if path.is_empty() {
            path.push(b'/');
        }
        Ok(path)
    }

    /// `getcwd`.
    pub fn current_directory(&self) -> Result<Vec<u8>, Errno> {
        self.path_of_directory(self.current_directory)
    }

    /// `realpath`: the path without links, `.` and `..`; everything on it must exist.
    pub fn real_path(&self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        let place = self.resolve(AT_FDCWD, path, true)?;
        let node = place.existing()?;
        if self.node(node).is_directory() {
            return self.path_of_directory(node);
        }
        let mut result = self.path_of_directory(place.parent)?;
        if !result.ends_with(b"/") {
            result.push(b'/');
        }
        result.extend_from_slice(&place.name);
        Ok(result)
    }
}

/// The names of a path, the first one last.
fn names(path: &[u8]) -> Vec<Vec<u8>> {
    let parts = path.split(|&byte| byte == b'/');
    let mut names: Vec<Vec<u8>> =
        parts.filter(|part| !part.is_empty()).map(<[u8]>::to_vec).collect();
    names.reverse();
    names
}
