//! The kept inputs that are mutated most: for each way a branch can go, the shortest run.
//!
//! Together they cover all that is covered, they are a small part of what is kept, and a mutation
//! of a short input more often changes something that matters.

use rustc_hash::FxHashMap;

#[derive(Clone, Debug, Default)]
pub struct Favoured {
    /// By version and way, the length of the shortest run and the input.
    shortest: FxHashMap<(u8, u32), (u64, usize)>,
    inputs: Vec<usize>,
    is_stale: bool,
}

impl Favoured {
    /// Notes the run of a kept input: the ways that it took, and its length.
    pub fn note(&mut self, kept: usize, ways: impl Iterator<Item = (u8, u32)>, length: u64) {
        for way in ways {
            let best = self.shortest.entry(way).or_insert((u64::MAX, kept));
            if length < best.0 {
                *best = (length, kept);
                self.is_stale = true;
            }
        }
    }

    /// The kept inputs that are favoured, in their order.
    pub fn inputs(&mut self) -> &[usize] {
        if self.is_stale {
            self.inputs.clear();
            self.inputs.extend(self.shortest.values().map(|&(_, kept)| kept));
            self.inputs.sort_unstable();
            self.inputs.dedup();
            self.is_stale = false;
        }
        &self.inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_run_of_each_way_is_favoured() {
        let mut favoured = Favoured::default();
        favoured.note(0, [(0, 1), (0, 2), (1, 1)].into_iter(), 10);
        favoured.note(1, [(0, 1)].into_iter(), 20);
        assert_eq!(favoured.inputs(), [0]);
        favoured.note(2, [(0, 1), (1, 1)].into_iter(), 5);
        assert_eq!(favoured.inputs(), [0, 2]);
        favoured.note(3, [(0, 2), (0, 3)].into_iter(), 4);
        assert_eq!(favoured.inputs(), [2, 3]);
    }
}
