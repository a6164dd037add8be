//! Which hunks do not build alone, and the smallest set of hunks they need.
//!
//! Applies each hunk alone to OLD and undoes it alone from NEW. If that does not build, starts from
//! all hunks and omits as many as possible; then tries all smaller sets, so that the answer is the
//! smallest one unless the budget of builds ends first. A configuration that builds is linked as
//! well, if both versions make a whole program.

use std::collections::BTreeMap;

use source::{Checkout, Compiler, Configurations, HunkId, SourceError};

use crate::error::Error;
use crate::program::Loader;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Applied to OLD.
    Applied,
    /// Undone from NEW.
    Undone,
}

/// The needs of a hunk that does not build alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// No smaller set with the hunk builds. Other hunks, sorted.
    Smallest(Vec<HunkId>),
    /// None of these can be omitted; whether a smaller set builds is unknown.
    Irreducible(Vec<HunkId>),
    /// The budget ended before.
    Unknown,
}

/// A hunk that does not build alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildDependence {
    pub hunk: HunkId,
    pub direction: Direction,
    pub needs: Needs,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildDependences {
    /// In the order of hunks. All other hunks build alone.
    pub dependences: Vec<BuildDependence>,
    /// Hunks for which the budget did not suffice to find out whether they build alone.
    pub untried: Vec<(HunkId, Direction)>,
    /// How many configurations were built, and the maximum.
    pub builds: usize,
    pub limit: usize,
    /// Whether configurations were linked, not only compiled.
    pub linked: bool,
}

/// Builds at most `limit` configurations to find what hunks need.
pub fn build_dependences(
    loader: &Loader<'_>,
    old: &Checkout,
    new: &Checkout,
    configurations: &mut Configurations,
    limit: usize,
) -> Result<BuildDependences, Error> {
    let linked = links(loader, old)? && links(loader, new)?;
    let hunks = configurations.hunks().len();
    let mut builder = Builder {
        compiler: loader.compiler,
        cflags: &loader.cflags,
        configurations,
        linked,
        known: BTreeMap::new(),
        left: limit,
    };
    let mut found =
        BuildDependences { dependences: Vec::new(), untried: Vec::new(), builds: 0, limit, linked };
    for hunk in (0..hunks).map(|index| HunkId(index as u32)) {
        for direction in [Direction::Applied, Direction::Undone] {
            match builder.builds(&[hunk], direction)? {
                Some(true) => {}
                Some(false) => {
                    let needs = builder.needs(hunk, direction)?;
                    found.dependences.push(BuildDependence { hunk, direction, needs });
                }
                None => found.untried.push((hunk, direction)),
            }
        }
    }
    found.builds = limit - builder.left;
    Ok(found)
}

fn links(loader: &Loader<'_>, checkout: &Checkout) -> Result<bool, SourceError> {
    let compiler = checkout.compiler(loader.compiler);
    match compiler.build_native(&checkout.files, &loader.cflags, false) {
        Ok(_) => Ok(true),
        Err(error) if error.is_build_failure() => Ok(false),
        Err(error) => Err(error),
    }
}

struct Builder<'a> {
    compiler: &'a Compiler,
    cflags: &'a [String],
    configurations: &'a mut Configurations,
    linked: bool,
    /// By the applied hunks.
    known: BTreeMap<Vec<HunkId>, bool>,
    left: usize,
}

impl Builder<'_> {
    /// Whether the hunks build without the others; `None` if the budget has ended.
    fn builds(&mut self, hunks: &[HunkId], direction: Direction) -> Result<Option<bool>, Error> {
        let all = self.configurations.hunks().iter().map(|hunk| hunk.id);
        let is_applied = |id: &HunkId| hunks.contains(id) == (direction == Direction::Applied);
        let applied: Vec<HunkId> = all.filter(is_applied).collect();
        if let Some(&known) = self.known.get(&applied) {
            return Ok(Some(known));
        }
        // OLD and NEW themselves build.
        if applied.is_empty() || applied.len() == self.configurations.hunks().len() {
            return Ok(Some(true));
        }
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let checkout = self.configurations.materialize(&applied)?;
        let compiler = checkout.compiler(self.compiler);
        let result = if checkout.files.is_empty() {
            Ok(false)
        } else if self.linked {
            compiler.build_native(&checkout.files, self.cflags, false).map(|_| true)
        } else {
            compiler.compile_files(&checkout.files, self.cflags).map(|_| true)
        };
        let builds = match result {
            Err(error) if error.is_build_failure() => false,
            other => other?,
        };
        self.known.insert(applied, builds);
        Ok(Some(builds))
    }

    /// The smallest set with which a hunk builds that does not build alone.
    fn needs(&mut self, hunk: HunkId, direction: Direction) -> Result<Needs, Error> {
        let Some(irreducible) = self.reduce(hunk, direction)? else {
            return Ok(Needs::Unknown);
        };
        let others: Vec<HunkId> = self.configurations.hunks().iter().map(|h| h.id).collect();
        let others: Vec<HunkId> = others.into_iter().filter(|&other| other != hunk).collect();
        for size in 1..irreducible.len() {
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                let set: Vec<HunkId> = chosen.iter().map(|&index| others[index]).collect();
                let with: Vec<HunkId> = set.iter().copied().chain([hunk]).collect();
                match self.builds(&with, direction)? {
                    Some(true) => return Ok(Needs::Smallest(set)),
                    Some(false) => {}
                    None => return Ok(Needs::Irreducible(irreducible)),
                }
                if !advance(&mut chosen, others.len()) {
                    break;
                }
            }
        }
        Ok(Needs::Smallest(irreducible))
    }

    /// Omits hunks as long as the rest builds: large groups first, then smaller ones. `None` if the
    /// budget has ended.
    fn reduce(&mut self, hunk: HunkId, direction: Direction) -> Result<Option<Vec<HunkId>>, Error> {
        let all = self.configurations.hunks().iter().map(|hunk| hunk.id);
        let mut kept: Vec<HunkId> = all.filter(|&other| other != hunk).collect();
        let mut width = kept.len().div_ceil(2).max(1);
        loop {
            let mut at = 0;
            let mut has_shrunk = false;
            while at < kept.len() {
                let end = (at + width).min(kept.len());
                let rest: Vec<HunkId> = [&kept[..at], &kept[end..]].concat();
                let with: Vec<HunkId> = rest.iter().copied().chain([hunk]).collect();
                match self.builds(&with, direction)? {
                    Some(true) => {
                        kept = rest;
                        has_shrunk = true;
                    }
                    Some(false) => at = end,
                    None => return Ok(None),
                }
            }
            match width {
                1 if !has_shrunk => return Ok(Some(kept)),
                1 => {}
                _ => width = width.div_ceil(2),
            }
        }
    }
}

/// The next choice of indices below `count`, in order; returns whether there is one.
pub(crate) fn advance(chosen: &mut [usize], count: usize) -> bool {
    let size = chosen.len();
    let Some(last) = (0..size).rev().find(|&at| chosen[at] + (size - at) < count) else {
        return false;
    };
    chosen[last] += 1;
    for at in last + 1..size {
        chosen[at] = chosen[at - 1] + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_complete_and_in_order() {
        let mut chosen = vec![0, 1];
        let mut all = vec![chosen.clone()];
        while advance(&mut chosen, 4) {
            all.push(chosen.clone());
        }
        assert_eq!(all, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }
}
