//! Which variables are connected by conditions: disjoint sets that can be split again.
//!
//! Union by size without path compression, so that a union is undone by resetting one parent.
//! The members of a set form a ring, and joining or splitting two rings is one swap.

/// Disjoint sets of small numbers.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    parent: Vec<u32>,
    size: Vec<u32>,
    next: Vec<u32>,
    /// Roots that became children of others, in order.
    unions: Vec<u32>,
}

impl Partition {
    /// Registers all numbers below this one.
    pub fn grow(&mut self, count: usize) {
        while self.parent.len() < count {
            let number = self.parent.len() as u32;
            self.parent.push(number);
            self.size.push(1);
            self.next.push(number);
        }
    }

    /// The number of unions so far, as a mark to undo to.
    pub fn mark(&self) -> usize {
        self.unions.len()
    }

    pub fn union(&mut self, a: u32, b: u32) {
        let (mut above, mut below) = (self.find(a), self.find(b));
        if above == below {
            return;
        }
        if self.size[above as usize] < self.size[below as usize] {
            std::mem::swap(&mut above, &mut below);
        }
        self.parent[below as usize] = above;
        self.size[above as usize] += self.size[below as usize];
        self.next.swap(above as usize, below as usize);
        self.unions.push(below);
    }

    /// Undoes all unions after the mark.
    pub fn undo(&mut self, mark: usize) {
        while self.unions.len() > mark {
            let Some(below) = self.unions.pop() else { return };
            let above = self.parent[below as usize];
            self.next.swap(above as usize, below as usize);
            self.size[above as usize] -= self.size[below as usize];
            self.parent[below as usize] = below;
        }
    }

    /// All members of the set of that number, which comes first.
    pub fn members(&self, number: u32) -> impl Iterator<Item = u32> {
        let following = |at: u32| self.next.get(at as usize).copied().unwrap_or(at);
        std::iter::successors(Some(number), move |at| {
            Some(following(*at)).filter(|next| *next != number)
        })
    }

    fn find(&self, number: u32) -> u32 {
        let mut at = number;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(partition: &Partition, number: u32) -> Vec<u32> {
        let mut members: Vec<u32> = partition.members(number).collect();
        members.sort_unstable();
        members
    }

    #[test]
    fn what_was_joined_can_be_split_again() {
        let mut partition = Partition::default();
        partition.grow(8);
        partition.union(1, 2);
        partition.union(3, 4);
        let mark = partition.mark();
        partition.union(2, 3);
        partition.union(1, 4);
        partition.union(4, 7);
        assert_eq!(set(&partition, 3), [1, 2, 3, 4, 7]);
        partition.undo(mark);
        assert_eq!(set(&partition, 1), [1, 2]);
        assert_eq!(set(&partition, 4), [3, 4]);
        assert_eq!(set(&partition, 7), [7]);
        partition.undo(0);
        assert!((0..8).all(|number| set(&partition, number) == [number]));
    }
}
