//! What configurations show: OLD with some parts of the change applied, built and run natively on
//! the inputs of differences.
//!
//! Configurations are enumerated by size. Supersets of a set that is known to be minimal are not
//! minimal themselves, so that nothing has to be assumed about what other sets show. A budget bounds
//! the builds; what was not built is unknown.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use base::Version;
use base::in_parallel;
use inputs::Test;
use source::{Configurations, HunkId};
use trace::Observe;
use trace::outcome::Observable;

use crate::compare::{Requests, Witness, complains, native_on};
use crate::error::Error;
use crate::trial::{Native, Runner, natives_agree};
use crate::versions::advance;

/// Parts that are applied, by their indices, ascending.
pub(super) type Set = Vec<usize>;

/// Configurations to build at a time.
const AT_A_TIME: usize = 2;
/// The most parts of a set whose subsets are all tried at once.
const MOST_SUBSETS: usize = 6;
/// The most sets to enumerate of one size.
const MOST_SETS: usize = 1 << 20;
/// The most configurations to build once every difference has a minimal set, unless there are at
/// most so many parts that all sets can be tried.
const FURTHER: usize = 64;
const FEW_PARTS: usize = 8;

/// What a configuration shows on the input of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The same as NEW, or as the part alone that shows what NEW hides.
    Difference,
    /// The same as OLD.
    Nothing,
    /// Something else than both.
    Other,
    DoesNotBuild,
    /// It was not built, or its run cannot be compared.
    Unknown,
}

/// A difference to look for in configurations.
pub(super) struct Sought<'w> {
    /// The input as a test, and in the form of NEW's native program.
    pub tests: [&'w Test; 2],
    /// The behaviour without the difference and with it.
    pub natives: [Native; 2],
    /// If it is one between OLD and NEW as a whole.
    pub witness: Option<&'w Witness>,
}

/// The configurations of a change.
pub(super) struct Lattice<'a> {
    requests: &'a Requests<'a>,
    runner: &'a Runner<'a>,
    observe: &'a Observe,
    sought: Vec<Sought<'a>>,
    /// The hunk of each part.
    hunks: Vec<HunkId>,
    pool: Mutex<Vec<Configurations>>,
    /// By configuration, for each difference.
    known: BTreeMap<Set, Vec<Option<Shown>>>,
    is_over: &'a (dyn Fn() -> bool + Sync),
    /// Whether to use the whole budget although minimal sets are known.
    pub is_thorough: bool,
    /// Configurations that may still be built, and that were.
    left: usize,
    pub built: usize,
}

impl<'a> Lattice<'a> {
    pub fn new(
        requests: &'a Requests<'a>,
        runner: &'a Runner<'a>,
        observe: &'a Observe,
        sought: Vec<Sought<'a>>,
        hunks: Vec<HunkId>,
        most: usize,
        is_over: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Lattice<'a>, Error> {
        let request = requests.request;
        let loader = &request.scope.loader;
        let mut pool = Vec::new();
        for _ in 0..AT_A_TIME {
            let (old, new) = (request.old, request.new);
            pool.push(Configurations::new(old, new, loader.compiler, &loader.cflags)?);
        }
        Ok(Lattice {
            requests,
            runner,
            observe,
            sought,
            hunks,
            pool: Mutex::new(pool),
            known: BTreeMap::new(),
            is_over,
            is_thorough: false,
            left: most,
            built: 0,
        })
    }

    pub fn parts(&self) -> usize {
        self.hunks.len()
    }

    pub fn len(&self) -> usize {
        self.sought.len()
    }

    /// What a configuration is known to show of a difference.
    pub fn shown(&self, set: &[usize], of: usize) -> Shown {
        if set.is_empty() {
            return Shown::Nothing;
        }
        if set.len() == self.parts() {
            let is_hidden = self.sought[of].witness.is_none();
            return if is_hidden { Shown::Nothing } else { Shown::Difference };
        }
        let known = self.known.get(set).and_then(|known| known[of]);
        known.unwrap_or(Shown::Unknown)
    }

    /// Builds configurations and runs them on the inputs of some differences, budget permitting.
    /// Returns whether all were tried.
    pub fn try_all(&mut self, wanted: &[(Set, Vec<usize>)]) -> Result<bool, Error> {
        for some in wanted.chunks(AT_A_TIME) {
            let mut open: Vec<(Set, Vec<usize>)> = Vec::new();
            for (set, of) in some {
                let is_open = |&of: &usize| match self.known.get(set) {
                    Some(known) => known[of].is_none(),
                    None => !set.is_empty() && set.len() < self.parts(),
                };
                let of: Vec<usize> = of.iter().copied().filter(is_open).collect();
                if !of.is_empty() {
                    open.push((set.clone(), of));
                }
            }
            if open.is_empty() {
                continue;
            }
            let fresh = open.iter().filter(|(set, _)| !self.known.contains_key(set)).count();
            if (self.is_over)() || fresh > self.left {
                return Ok(false);
            }
            self.left -= fresh;
            self.built += fresh;
            let results = in_parallel(&open, AT_A_TIME, |(set, of)| self.run(set, of));
            let count = self.len();
            for ((set, of), shown) in open.into_iter().zip(results) {
                let known = self.known.entry(set).or_insert_with(|| vec![None; count]);
                for (of, shown) in of.into_iter().zip(shown?) {
                    known[of] = Some(shown);
                }
            }
        }
        Ok(true)
    }

    fn run(&self, set: &[usize], of: &[usize]) -> Result<Vec<Shown>, Error> {
        let pool = || self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = pool().pop();
        // There are as many as threads.
        let Some(mut configurations) = taken else { return Ok(vec![Shown::Unknown; of.len()]) };
        let applied: Vec<HunkId> = set.iter().map(|&part| self.hunks[part]).collect();
        let checkout = configurations.materialize(&applied)?;
        let mut shown = Vec::new();
        for &of in of {
            let sought = &self.sought[of];
            shown.push(match sought.witness {
                Some(witness) if witness.observable == Observable::Unwritten => Shown::Unknown,
                Some(witness) if witness.undefined.is_some() => {
                    self.complaint(checkout, witness)?
                }
                _ => {
                    let native = native_on(self.requests, self.runner, checkout, sought.tests)?;
                    self.judged(native.as_ref(), sought)
                }
            });
        }
        pool().push(configurations);
        Ok(shown)
    }

    /// A difference that only sanitizers see.
    fn complaint(&self, checkout: &source::Checkout, witness: &Witness) -> Result<Shown, Error> {
        let Some((version, operation)) = &witness.undefined else { return Ok(Shown::Unknown) };
        let complains = complains(self.requests, self.runner, checkout, witness, operation.kind)?;
        Ok(match complains {
            Some(complains) if complains == (*version == Version::New) => Shown::Difference,
            Some(_) => Shown::Nothing,
            None => Shown::Unknown,
        })
    }

    fn judged(&self, native: Option<&Native>, sought: &Sought<'_>) -> Shown {
        let [without, with] = &sought.natives;
        let Some(native) = native else { return Shown::DoesNotBuild };
        // It may be as slow as a version that had more time.
        let is_late = native.status().is_none();
        if is_late && without.status().is_some() && with.status().is_some() {
            return Shown::Unknown;
        }
        match () {
            () if natives_agree(self.observe, native, with) => Shown::Difference,
            () if natives_agree(self.observe, native, without) => Shown::Nothing,
            () => Shown::Other,
        }
    }

    /// Looks for the minimal sets of all differences that NEW shows. Returns the size up to which
    /// every set was tried that may be minimal, for each difference.
    pub fn search(&mut self) -> Result<Vec<usize>, Error> {
        let (parts, count) = (self.parts(), self.len());
        let all: Vec<usize> = (0..count).collect();
        let mut singles: Vec<(Set, Vec<usize>)> = Vec::new();
        for part in 0..parts {
            singles.push((vec![part], all.clone()));
        }
        for part in 0..parts {
            singles.push(((0..parts).filter(|&other| other != part).collect(), all.clone()));
        }
        self.try_all(&singles)?;
        for of in 0..count {
            self.narrow(of)?;
        }
        if parts > FEW_PARTS && !self.is_thorough && (0..count).all(|of| self.is_explained(of)) {
            self.left = self.left.min(FURTHER);
        }
        let mut complete = vec![0; count];
        for size in 1..=parts {
            let is_tried = self.try_size(size)?;
            if !is_tried {
                break;
            }
            complete.fill(size);
        }
        Ok(complete)
    }

    /// Whether a minimal set is known.
    fn is_explained(&self, of: usize) -> bool {
        self.sought[of].witness.is_none()
            || self.showing(of).iter().any(|set| self.is_minimal(set, of))
    }

    /// Tries all sets of a size that may be minimal.
    fn try_size(&mut self, size: usize) -> Result<bool, Error> {
        let minimal: Vec<Vec<Set>> = (0..self.len()).map(|of| self.showing(of)).collect();
        let mut chosen: Vec<usize> = (0..size).collect();
        let mut batch = Vec::new();
        for _ in 0..MOST_SETS {
            let wants = |of: &usize| {
                // What NEW hides is shown by a part alone.
                self.sought[*of].witness.is_some()
                    && !minimal[*of].iter().any(|known| is_subset(known, &chosen))
            };
            let of: Vec<usize> = (0..self.len()).filter(wants).collect();
            if !of.is_empty() {
                batch.push((chosen.clone(), of));
            }
            let is_last = !advance(&mut chosen, self.parts());
            let is_due = batch.len() >= AT_A_TIME * 8 || is_last;
            if is_due && !self.try_all(&std::mem::take(&mut batch))? {
                return Ok(false);
            }
            if is_last {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Omits parts one by one as long as the rest shows a difference, then tries all subsets of
    /// what remains, if these are few: that finds one minimal set soon.
    fn narrow(&mut self, of: usize) -> Result<(), Error> {
        let is_single = |part: usize| self.shown(&[part], of) == Shown::Difference;
        if self.sought[of].witness.is_none() || (0..self.parts()).any(is_single) {
            return Ok(());
        }
        let mut current: Set = (0..self.parts()).collect();
        loop {
            let before = current.len();
            for part in (0..self.parts()).rev() {
                if current.len() < 2 || !current.contains(&part) {
                    continue;
                }
                let rest: Set = current.iter().copied().filter(|&one| one != part).collect();
                if !self.try_all(&[(rest.clone(), vec![of])])? {
                    return Ok(());
                }
                if self.shown(&rest, of) == Shown::Difference {
                    current = rest;
                }
            }
            if current.len() == before {
                break;
            }
        }
        if current.len() <= MOST_SUBSETS {
            let wanted = subsets(&current).into_iter().map(|set| (set, vec![of]));
            self.try_all(&wanted.collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Sets known to show a difference of which no subset is known to.
    pub fn showing(&self, of: usize) -> Vec<Set> {
        let mut sets: Vec<Set> = self.known.keys().cloned().collect();
        sets.push((0..self.parts()).collect());
        sets.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        let mut found: Vec<Set> = Vec::new();
        for set in sets {
            let shows = self.shown(&set, of) == Shown::Difference;
            if shows && !found.iter().any(|known| is_subset(known, &set)) {
                found.push(set);
            }
        }
        found
    }

    /// Whether every proper subset of a set is known not to show a difference.
    pub fn is_minimal(&self, set: &[usize], of: usize) -> bool {
        if set.len() > 16 {
            return false;
        }
        subsets(set).iter().all(|subset| {
            matches!(self.shown(subset, of), Shown::Nothing | Shown::Other | Shown::DoesNotBuild)
        })
    }

    /// Parts that are hidden by others: for a set that shows a difference, the smallest sets of
    /// further parts with which it does not. Tries one further part, then two.
    pub fn masks(&mut self, set: &[usize], of: usize) -> Result<Vec<Set>, Error> {
        let others: Vec<usize> = (0..self.parts()).filter(|part| !set.contains(part)).collect();
        let mut found: Vec<Set> = Vec::new();
        for size in 1..=others.len().min(2) {
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                let further: Set = chosen.iter().map(|&index| others[index]).collect();
                if !found.iter().any(|known| is_subset(known, &further)) {
                    let with = union(set, &further);
                    if !self.try_all(&[(with.clone(), vec![of])])? {
                        return Ok(found);
                    }
                    if self.shown(&with, of) == Shown::Nothing {
                        found.push(further);
                    }
                }
                if !advance(&mut chosen, others.len()) {
                    break;
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    /// Configurations that do not build.
    pub fn broken(&self) -> Vec<Set> {
        let is_broken = |shown: &[Option<Shown>]| shown.contains(&Some(Shown::DoesNotBuild));
        let broken = self.known.iter().filter(|(_, shown)| is_broken(shown));
        broken.map(|(set, _)| set.clone()).collect()
    }
}

pub(super) fn is_subset(set: &[usize], of: &[usize]) -> bool {
    set.iter().all(|part| of.binary_search(part).is_ok())
}

fn union(one: &[usize], other: &[usize]) -> Set {
    let all: BTreeSet<usize> = one.iter().chain(other).copied().collect();
    all.into_iter().collect()
}

/// All proper subsets that are not empty, smaller ones first.
pub(super) fn subsets(set: &[usize]) -> Vec<Set> {
    let mut all = Vec::new();
    for size in 1..set.len() {
        let mut chosen: Vec<usize> = (0..size).collect();
        loop {
            all.push(chosen.iter().map(|&index| set[index]).collect());
            if !advance(&mut chosen, set.len()) {
                break;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_proper_and_ordered_by_size() {
        assert_eq!(
            subsets(&[1, 4, 6]),
            [vec![1], vec![4], vec![6], vec![1, 4], vec![1, 6], vec![4, 6]]
        );
        assert!(subsets(&[3]).is_empty());
    }

    #[test]
    fn sets_are_compared_by_their_members() {
        assert!(is_subset(&[1, 6], &[1, 4, 6]));
        assert!(!is_subset(&[1, 5], &[1, 4, 6]));
        assert_eq!(union(&[1, 6], &[4]), [1, 4, 6]);
    }
}
