//! What successive versions do towards the last one, if that is the right one.
//!
//! Böhme (2014), Fig. 3.12: among the partitions in which two successive versions differ, the
//! later one does what the last version does (*progression*), the earlier one does
//! (*regression*), or neither (an *intermediate* change).

use explore::partitions::Verdict;

use super::Described;

/// From one version to the next: how many partitions of which sort there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The number of the earlier version.
    pub from: usize,
    pub equal: usize,
    pub progression: usize,
    pub regression: usize,
    pub intermediate: usize,
}

impl Step {
    pub fn different(&self) -> usize {
        self.progression + self.regression + self.intermediate
    }
}

/// All steps over the partitions that are wanted and of which something is known.
pub(super) fn steps(versions: usize, partitions: &[&Described]) -> Vec<Step> {
    let known = |one: &&&Described| !matches!(one.verdict, Verdict::Unknown(_));
    let classes: Vec<&[usize]> =
        partitions.iter().filter(known).map(|one| &one.classes[..]).collect();
    (1..versions).map(|to| step(to - 1, &classes)).collect()
}

fn step(from: usize, partitions: &[&[usize]]) -> Step {
    let mut step = Step { from, ..Step::default() };
    for classes in partitions {
        let (old, new) = (classes[from], classes[from + 1]);
        let right = classes.last().copied().unwrap_or(new);
        let count = match () {
            () if old == new => &mut step.equal,
            () if new == right => &mut step.progression,
            () if old == right => &mut step.regression,
            () => &mut step.intermediate,
        };
        *count += 1;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_version_says_what_a_difference_is() {
        let partitions: [&[usize]; 4] = [&[0, 0, 0], &[0, 1, 0], &[0, 1, 1], &[0, 1, 2]];
        let first = step(0, &partitions);
        let expected = Step { from: 0, equal: 1, progression: 1, regression: 1, intermediate: 1 };
        assert_eq!(first, expected);
        // Whatever leads to the right version is progress.
        let last = step(1, &partitions);
        assert_eq!((last.equal, last.progression, last.different()), (2, 2, 2));
    }
}
