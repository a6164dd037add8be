//! Which members of its archives a program is made of.
//!
//! A linker takes a member only if it defines something that is needed. What it took is read from
//! the symbols of the program. Where these do not tell (stripped, or optimised when it was linked),
//! all members count.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::graph::{Graph, Linked, Member, Node, Part};
use super::symbols::{self, Names};

type Defined = BTreeMap<String, Vec<Names>>;

/// Files are read once.
#[derive(Default)]
pub(super) struct Archives {
    read: BTreeMap<PathBuf, Option<Defined>>,
}

impl Archives {
    /// The units of a program or library, in the order in which they were linked, each once.
    pub fn units_of(&mut self, linked: &Linked, graph: &Graph) -> Vec<usize> {
        let has_archives =
            linked.parts.iter().any(|part| matches!(part, Part::Archive { is_whole: false, .. }));
        let wanted = has_archives && !linked.is_optimised;
        let taken = wanted.then(|| symbols::defined_by_program(&linked.path)).flatten();
        let own = if taken.is_some() { own_names(linked) } else { Names::new() };
        let mut units = Vec::new();
        for part in &linked.parts {
            match part {
                Part::Object { units: more, .. } => units.extend(more),
                Part::Archive { path, node, is_whole } => {
                    let Node::Archive(members) = &graph.nodes[*node] else { continue };
                    let members = self.present(path, members);
                    let taken = taken.as_ref().filter(|_| !is_whole);
                    let is_taken = |member: &&Member| {
                        taken.is_none_or(|taken| self.is_taken(path, member, taken, &own))
                    };
                    units.extend(members.iter().filter(is_taken).flat_map(|member| &member.units));
                }
                Part::Shared { .. } => {}
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        units.retain(|unit| seen.insert(*unit));
        units
    }

    /// The members that an archive has in the end. An archive that is gone has those that it had.
    pub fn present(&mut self, path: &Path, members: &[Member]) -> Vec<Member> {
        let Some(defined) = self.of(path) else { return members.to_vec() };
        // Long names may be cut.
        let has = |member: &&Member| defined.contains_key(&member.name);
        let present: Vec<Member> = members.iter().filter(has).cloned().collect();
        if present.is_empty() { members.to_vec() } else { present }
    }

    /// A name that also the program's own objects define says nothing about a member.
    fn is_taken(&self, path: &Path, member: &Member, taken: &Names, own: &Names) -> bool {
        let defined = self.read.get(path).and_then(Option::as_ref);
        let Some(defined) = defined.and_then(|defined| defined.get(&member.name)) else {
            return true;
        };
        // Members of the same name are not told apart.
        let mut names = defined.iter().flatten().peekable();
        names.peek().is_none() || names.any(|name| !own.contains(name) && taken.contains(name))
    }

    fn of(&mut self, path: &Path) -> Option<&Defined> {
        let read = self.read.entry(path.to_owned()).or_insert_with(|| symbols::members(path));
        read.as_ref()
    }
}

fn own_names(linked: &Linked) -> Names {
    let mut names = Names::new();
    for part in &linked.parts {
        if let Part::Object { path: Some(path), .. } = part {
            names.append(&mut symbols::defined_by_object(path));
        }
    }
    names
}
