//! A small part of tests that covers the same chains: the smallest if there are few tests, else what
//! a greedy choice gives.

use std::collections::BTreeSet;

use trace::chains::ChainId;

use super::super::TestState;
use super::super::runs::Ran;

/// Up to this many tests, all subsets are tried.
const FEW: usize = 16;

/// What a part of the tests has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The chains that tests cover.
    Chains,
    /// Those that they propagate along.
    Propagation,
}

/// The numbers of tests that are not needed. Nobody knows what a test covers that could not be
/// followed, so it stays.
pub(super) fn redundant(ran: &Ran, numbers: &[usize], reduction: Reduction) -> Vec<usize> {
    let is_propagation = reduction == Reduction::Propagation;
    let sets: Vec<BTreeSet<ChainId>> =
        (0..numbers.len()).map(|place| ran.tree.of_test(place as u32, is_propagation)).collect();
    let kept = cover(&sets);
    let is_followed = |place: usize| ran.tests[place].state == TestState::Followed;
    let left = numbers
        .iter()
        .enumerate()
        .filter(|(place, _)| !kept.contains(place) && is_followed(*place));
    left.map(|(_, &number)| number).collect()
}

/// The places of sets with the same union as all.
fn cover<T: Ord + Copy>(sets: &[BTreeSet<T>]) -> BTreeSet<usize> {
    let greedy = greedily(sets);
    let useful: Vec<usize> = (0..sets.len()).filter(|&place| !sets[place].is_empty()).collect();
    if useful.len() > FEW || greedy.len() < 3 {
        // Two sets are the fewest if one is not enough, which a greedy choice sees.
        return greedy;
    }
    let all: BTreeSet<T> = sets.iter().flatten().copied().collect();
    let mut best = greedy;
    for chosen in 1_u32..1 << useful.len() {
        if (chosen.count_ones() as usize) >= best.len() {
            continue;
        }
        let places = || (0..useful.len()).filter(|bit| chosen >> bit & 1 == 1);
        let together: BTreeSet<T> = places().flat_map(|bit| &sets[useful[bit]]).copied().collect();
        if together.len() == all.len() {
            best = places().map(|bit| useful[bit]).collect();
        }
    }
    best
}

fn greedily<T: Ord + Copy>(sets: &[BTreeSet<T>]) -> BTreeSet<usize> {
    let mut open: BTreeSet<T> = sets.iter().flatten().copied().collect();
    let mut chosen = BTreeSet::new();
    while !open.is_empty() {
        let gain = |place: &usize| sets[*place].intersection(&open).count();
        // The first of the best.
        let best = (0..sets.len()).rev().max_by_key(gain);
        let Some(best) = best else { break };
        open = open.difference(&sets[best]).copied().collect();
        chosen.insert(best);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(lists: &[&[u32]]) -> Vec<BTreeSet<u32>> {
        lists.iter().map(|list| list.iter().copied().collect()).collect()
    }

    #[test]
    fn a_part_covers_what_all_cover() {
        assert_eq!(cover(&sets(&[&[1, 2], &[], &[2], &[1, 2]])), BTreeSet::from([0]));
        assert_eq!(cover::<u32>(&[]), BTreeSet::new());
    }

    #[test]
    fn few_tests_are_reduced_as_far_as_possible() {
        // A greedy choice takes the largest set first, and then needs both others.
        let sets = sets(&[&[1, 2, 3, 4], &[1, 3, 5], &[2, 4, 6]]);
        assert_eq!(greedily(&sets).len(), 3);
        assert_eq!(cover(&sets), BTreeSet::from([1, 2]));
    }
}
