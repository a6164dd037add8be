//! What the sets that show a difference say about its parts.
//!
//! A part that does not build alone needs others. If all others of a minimal set are needed only to
//! build it, the set is one part with what it needs, and no interaction.

use crate::error::Error;
use crate::interact::lattice::{Lattice, Set, Shown, subsets};

/// How the parts of a change make a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// No part alone shows it, not even with what it needs to build.
    Interaction,
    /// A part alone shows it, and NEW does not, because others hide it.
    Masked,
    /// A part alone shows it, with what it needs to build.
    Single,
    /// The bound on configurations was reached before.
    Undecided,
}

/// A minimal set of parts that shows a difference, by their indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimal {
    pub parts: Vec<usize>,
    /// Whether it is known that no smaller part of it shows the difference.
    pub is_proved: bool,
    /// The part that shows it, if all others are only needed to build that one.
    pub of: Option<usize>,
    /// Further parts with which the set does not show the difference.
    pub masks: Vec<Vec<usize>>,
}

/// What configurations say about a difference.
#[derive(Clone, Debug)]
pub struct Analysis {
    pub kind: Kind,
    /// In the order of size and parts.
    pub minimal: Vec<Minimal>,
    /// Every set with at most so many parts was tried, unless it contains one that shows the
    /// difference.
    pub complete: usize,
    /// What each part shows alone, and what NEW shows without it.
    pub alone: Vec<Shown>,
    pub without: Vec<Shown>,
}

/// Judges one of the differences.
pub(super) fn analyse(
    lattice: &mut Lattice<'_>,
    of: usize,
    complete: usize,
    hidden: Option<usize>,
) -> Result<Analysis, Error> {
    let sets = match hidden {
        Some(part) => vec![vec![part]],
        None => lattice.showing(of),
    };
    let mut minimal = Vec::new();
    for parts in sets {
        let is_proved = lattice.is_minimal(&parts, of);
        let masks = match parts.len() < lattice.parts() && (is_proved || hidden.is_some()) {
            true => lattice.masks(&parts, of)?,
            false => Vec::new(),
        };
        let main = main_of(lattice, &parts, of);
        minimal.push(Minimal { parts, is_proved, of: main, masks });
    }
    let every = lattice.parts();
    let without = |part: usize| -> Set { (0..every).filter(|&other| other != part).collect() };
    Ok(Analysis {
        kind: kind(lattice, of, &minimal, complete, hidden.is_some()),
        minimal,
        complete: if hidden.is_some() { every } else { complete },
        alone: (0..every).map(|part| lattice.shown(&[part], of)).collect(),
        without: (0..every).map(|part| lattice.shown(&without(part), of)).collect(),
    })
}

/// The part of a set that all others are needed to build.
fn main_of(lattice: &Lattice<'_>, set: &[usize], of: usize) -> Option<usize> {
    let needs_all = |&&part: &&usize| {
        let with = subsets(set).into_iter().filter(|subset| subset.contains(&part));
        with.into_iter().all(|subset| lattice.shown(&subset, of) == Shown::DoesNotBuild)
    };
    if set.len() > 16 { None } else { set.iter().find(needs_all).copied() }
}

fn kind(
    lattice: &Lattice<'_>,
    of: usize,
    minimal: &[Minimal],
    complete: usize,
    is_hidden: bool,
) -> Kind {
    if is_hidden {
        return Kind::Masked;
    }
    if minimal.iter().any(|one| one.is_proved && one.of.is_some()) {
        return Kind::Single;
    }
    // Parts that do not build alone may show it with what they need: that set would be minimal.
    let is_decided = |part: usize| match lattice.shown(&[part], of) {
        Shown::Nothing | Shown::Other => true,
        Shown::DoesNotBuild => {
            let is_within = |one: &Minimal| one.is_proved && one.parts.contains(&part);
            complete >= lattice.parts() || minimal.iter().any(is_within)
        }
        Shown::Difference | Shown::Unknown => false,
    };
    let is_proved = minimal.iter().any(|one| one.is_proved);
    match is_proved && (0..lattice.parts()).all(is_decided) {
        true => Kind::Interaction,
        false => Kind::Undecided,
    }
}
