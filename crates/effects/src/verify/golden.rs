//! How successive versions progress towards the last one, if that is correct.
//!
//! Böhme (2014), Fig. 3.12: among the partitions in which two successive versions differ, the later
//! one behaves like the last version (*progression*), the earlier one does (*regression*), or
//! neither (an *intermediate* change). The same for a sample of all inputs.

use explore::proved::{Partition, Portion, Share, Verdict};

/// From one version to the next: how many partitions of each kind there are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// The number of the earlier version.
    pub from: usize,
    pub equal: usize,
    pub progression: usize,
    pub regression: usize,
    pub intermediate: usize,
    /// The corresponding shares of the input space.
    pub shares: Option<StepShares>,
}

/// Shares of all inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepShares {
    pub equal: Portion,
    pub progression: Portion,
    pub regression: Portion,
    pub intermediate: Portion,
}

/// The kind of a step, judged by the last version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Equal,
    Progression,
    Regression,
    Intermediate,
}

impl Sort {
    /// By version, those with the same number behave the same.
    fn of(from: usize, classes: &[usize]) -> Sort {
        let (old, new) = (classes[from], classes[from + 1]);
        let right = classes.last().copied().unwrap_or(new);
        match () {
            () if old == new => Sort::Equal,
            () if new == right => Sort::Progression,
            () if old == right => Sort::Regression,
            () => Sort::Intermediate,
        }
    }
}

impl Step {
    pub fn different(&self) -> usize {
        self.progression + self.regression + self.intermediate
    }
}

/// All steps over the wanted partitions with a result, and over a sample of all inputs.
pub(super) fn steps(versions: usize, partitions: &[&Partition], of: Option<&Share>) -> Vec<Step> {
    let known = |one: &&&Partition| !matches!(one.verdict, Verdict::Unknown(_));
    let classes: Vec<&[usize]> =
        partitions.iter().filter(known).map(|one| &one.classes[..]).collect();
    let step = |to: usize| {
        let from = to - 1;
        Step { shares: of.map(|share| shares(from, share)), ..step(from, &classes) }
    };
    (1..versions).map(step).collect()
}

fn step(from: usize, partitions: &[&[usize]]) -> Step {
    let count = |sort: Sort| {
        let all = partitions.iter();
        all.filter(|classes| Sort::of(from, classes) == sort).count()
    };
    Step {
        from,
        equal: count(Sort::Equal),
        progression: count(Sort::Progression),
        regression: count(Sort::Regression),
        intermediate: count(Sort::Intermediate),
        shares: None,
    }
}

fn shares(from: usize, share: &Share) -> StepShares {
    let portion = |sort: Sort| {
        let such = share.classes.iter().filter(|(classes, _)| Sort::of(from, classes) == sort);
        share.portion(such.map(|(_, portion)| portion.count).sum())
    };
    StepShares {
        equal: portion(Sort::Equal),
        progression: portion(Sort::Progression),
        regression: portion(Sort::Regression),
        intermediate: portion(Sort::Intermediate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_version_says_what_a_difference_is() {
        let partitions: [&[usize]; 4] = [&[0, 0, 0], &[0, 1, 0], &[0, 1, 1], &[0, 1, 2]];
        let first = step(0, &partitions);
        let counts = [first.equal, first.progression, first.regression, first.intermediate];
        assert_eq!(counts, [1; 4]);
        // Whatever leads to the correct version is progress.
        let last = step(1, &partitions);
        assert_eq!((last.equal, last.progression, last.different()), (2, 2, 2));
    }
}
