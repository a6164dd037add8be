//! The order in which the terms below a root are computed: operands first, each term once.
//!
//! Marks carry the number of a generation, so that forgetting all of them costs nothing.

use crate::term::{TermId, Terms};

/// Marks of computed terms and the terms still to compute, to be reused.
#[derive(Debug, Default)]
pub struct Walk {
    generation: u32,
    stamps: Vec<u32>,
    stack: Vec<TermId>,
}

impl Walk {
    /// Forgets which terms are computed.
    pub fn restart(&mut self) {
        match self.generation.checked_add(1) {
            Some(next) => self.generation = next,
            None => {
                self.stamps.fill(0);
                self.generation = 1;
            }
        }
    }

    /// Begins below a root. Returns how many terms there may be.
    pub fn start(&mut self, terms: &Terms, root: TermId) -> usize {
        if self.generation == 0 {
            self.restart();
        }
        if self.stamps.len() <= terms.len() {
            self.stamps.resize(terms.len() + 1, 0);
        }
        self.stack.clear();
        self.stack.push(root);
        self.stamps.len()
    }

    /// The next term whose operands are all computed.
    #[inline]
    pub fn next(&mut self, terms: &Terms) -> Option<TermId> {
        while let Some(&term) = self.stack.last() {
            if self.is_done(term) {
                self.stack.pop();
                continue;
            }
            let before = self.stack.len();
            for operand in terms.operands(term) {
                if !self.is_done(operand) {
                    self.stack.push(operand);
                }
            }
            if self.stack.len() == before {
                self.stack.pop();
                return Some(term);
            }
        }
        None
    }

    /// Notes that a term is computed.
    #[inline]
    pub fn mark(&mut self, term: TermId) {
        self.stamps[term.index()] = self.generation;
    }

    #[inline]
    fn is_done(&self, term: TermId) -> bool {
        self.stamps[term.index()] == self.generation
    }
}
